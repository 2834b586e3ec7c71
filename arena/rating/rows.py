"""One row of a rating table, as a value: what it shows of a bot. How it is made is `tables`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Standing:
    """One row. Intervals are 2.5 to 97.5 % of the resamples; None where boards are too few to give one."""

    place_low: int
    """The best place that the results allow, in its part of the field ..."""
    place_high: int
    """... and the worst: equal when everyone else is clearly better or clearly worse."""
    bot: str
    rating: float
    """Mean of the batch fit; the field's mean is 25, that of each part where the field falls apart. NaN in a table
    without ratings."""
    low: float | None
    high: float | None
    sigma: float
    """TrueSkill's own deviation: it only decides about the provisional mark. NaN in a table without ratings."""
    points: float
    """Mean swing: points per block more than the opponents."""
    points_low: float | None
    points_high: float | None
    wins: int
    """Blocks won; in a free for all counted against each bot at the table."""
    draws: int
    losses: int
    blocks: int
    games: int
    """Games that count, also of blocks that are not complete yet."""
    faults: int
    """Faults in these games."""
    opponents: int
    """Bots met in a block."""
    provisional: tuple[str, ...]
    """Why the row is provisional; empty: established."""
    p_best: float | None
    """The share of resamples in which the bot has the highest rating; clones count once and share it."""
    part: int = 0
    """1, 2, ...: which part of a field that falls apart; 0 where all are linked."""

    @property
    def place(self) -> str:
        """The place or band of places that the results do not separate: "1", "2-3"; in a part of the field "2:1"."""
        part = f"{self.part}:" if self.part else ""
        same = self.place_low == self.place_high
        return f"{part}{self.place_low}" if same else f"{part}{self.place_low}-{self.place_high}"

    @property
    def margin(self) -> float | None:
        """Half the width of the interval of `points`, the "±"."""
        if self.points_low is None or self.points_high is None:
            return None
        return (self.points_high - self.points_low) / 2
