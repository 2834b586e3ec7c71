"""Brackets: which matches a knockout has, and who comes into each, before anybody has played.

Seeds are numbers from 0, the strongest first. The best two can only meet in the last match, the best four only in the
last three, and so on; where the number of seeds is no power of two, the best have no opponent in the first round.
"""

from __future__ import annotations

from typing import Literal, NamedTuple


class Source(NamedTuple):
    """Who comes into a match: a seed, or the winner or loser of an earlier match, by its number."""

    kind: Literal["seed", "winner", "loser"]
    number: int


class Match(NamedTuple):
    """One match of a bracket."""

    title: str
    sources: tuple[Source, Source]
    reset: bool = False
    """Played only if the second of the match before won it: both have lost once then."""


class Bracket(NamedTuple):
    """All matches; a source points at an earlier one. The winner of the last that is played wins the event."""

    matches: tuple[Match, ...]
    stages: tuple[tuple[int, ...], ...]
    """Numbers of matches that are played at the same time, in order."""


def single(seeds: int) -> Bracket:
    """Who loses is out."""
    builder = _Builder()
    builder.winners(seeds)
    return builder.bracket()


def double(seeds: int) -> Bracket:
    """Who loses twice is out: losers go on in a bracket of their own, whose winner plays the winner of the first; if
    that one loses, both have lost once, and they play again.

    Who comes down from the winners' bracket meets those there in the opposite order, so that nobody meets soon again
    whom he has just met.
    """
    builder = _Builder()
    rounds = builder.winners(seeds, prefix="winners' ")
    left = [Source("loser", match) for match in rounds[0]]
    for number, dropping in enumerate(rounds[1:], 1):
        title = f"losers' round {2 * number - 1}"
        left = builder.play(title, left, beside=number)
        down = [Source("loser", match) for match in dropping]
        down = down[::-1] if number % 2 else down[len(down) // 2 :] + down[: len(down) // 2]
        together = [source for pair in zip(left, down, strict=True) for source in pair]
        left = builder.play(f"losers' round {2 * number}", together, after=number)
    winner = Source("winner", rounds[-1][-1])
    builder.play("final", [winner, *left])
    final = len(builder.matches) - 1
    builder.matches.append(Match("second final", builder.matches[final].sources, reset=True))
    builder.order.append([final + 1])
    return builder.bracket()


def order_of_seeds(size: int) -> list[int]:
    """Seeds from the top of a bracket of `size`, a power of two, to its bottom."""
    order = [0]
    while len(order) < size:
        order = [seed for each in order for seed in (each, 2 * len(order) - 1 - each)]
    return order


class _Builder:
    """A bracket in the making: matches as they are named, stages as they are played."""

    def __init__(self) -> None:
        self.matches: list[Match] = []
        self.order: list[list[int]] = []
        self._of_round: dict[int, list[int]] = {}
        """Round of the winners' bracket, from 0 -> the stage it is played in."""

    def winners(self, seeds: int, prefix: str = "") -> list[list[int]]:
        """The bracket of those who have not lost; the numbers of its matches by round."""
        size = 1 << max(1, (seeds - 1).bit_length())
        sources = [Source("seed", seed) for seed in order_of_seeds(size)]
        rounds: list[list[int]] = []
        while len(sources) > 1:
            first = len(self.matches)
            sources = self.play(prefix + _title(len(sources)), sources)
            self._of_round[len(rounds)] = self.order[-1]
            rounds.append(list(range(first, len(self.matches))))
        return rounds

    def play(
        self,
        title: str,
        sources: list[Source],
        *,
        beside: int | None = None,
        after: int | None = None,
    ) -> list[Source]:
        """Matches of neighbours; their winners. `beside`: in the stage of that round of the winners' bracket; `after`:
        in a stage right behind it; else in one of their own at the end."""
        numbers = []
        for one, other in zip(sources[::2], sources[1::2], strict=True):
            numbers.append(len(self.matches))
            self.matches.append(Match(title, (one, other)))
        if not numbers:
            return sources
        if beside is not None:
            self._of_round[beside].extend(numbers)
        elif after is not None:
            self.order.insert(self.order.index(self._of_round[after]) + 1, numbers)
        else:
            self.order.append(numbers)
        return [Source("winner", number) for number in numbers]

    def bracket(self) -> Bracket:
        return Bracket(tuple(self.matches), tuple(map(tuple, self.order)))


def _title(sources: int) -> str:
    return {2: "final", 4: "semi-final", 8: "quarter-final"}.get(sources, f"round of {sources}")
