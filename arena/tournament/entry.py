"""What a schedule is made of, whatever its format, and what no format can be played with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from arena.core.errors import ConfigError

BoardPlan = Literal["shared", "per_round"]

CHUNK = 25
"""Most boards of a bout: so many games of one bot process, and so early come the first rated rows."""
SHARED_UP_TO = 20
"""With more competitors than this the boards are per round by default."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What a schedule is made of."""

    competitors: tuple[str, ...]
    """Names, all different even without case, in the order of the tournament file."""
    places: int
    """Competitors at a table: the number of sides of the game (2: pairs; 3 or 4: free for all)."""
    boards: int
    """Boards that every line-up plays; in a format whose rounds depend on results, in each round."""
    secret: bytes = field(repr=False)
    """The tournament's secret; draws who sits next to whom in a free for all."""
    board_plan: BoardPlan | None = None
    """None: shared for up to 20 competitors."""
    chunk: int = CHUNK
    """Most boards of one bout, 1 to 25."""
    seats: int = 0
    """Seats at a table, where bots are seated one by one (mixed partners); 0: as many as places."""
    keys: Mapping[str, Any] = field(default_factory=dict)  # Any: JSON
    """The format's own keys of the tournament file: see `formats.FORMATS`."""


def default_plan(competitors: int) -> BoardPlan:
    """The board plan when the tournament file names none."""
    return "shared" if competitors <= SHARED_UP_TO else "per_round"


def check(entry: Entry) -> None:
    """Raises ConfigError for an entry that no schedule can be made of."""
    names = entry.competitors
    if entry.places < 2:
        raise ConfigError(f"a table of {entry.places} is no contest", fix="a game needs two sides or more")
    if len(names) < entry.places:
        raise ConfigError(
            f"{len(names)} bots cannot fill a table of {entry.places}: {', '.join(names) or 'none named'}",
            fix=f"name at least {entry.places} different bots",
            code="TOO_FEW_BOTS",
        )
    seen: dict[str, str] = {}
    for name in names:
        if name.casefold() in seen:
            raise ConfigError(
                f"bot {name!r} is named twice (first as {seen[name.casefold()]!r})",
                fix="a bot never plays itself for a rating: name it once, or rename one of the two",
                code="DUPLICATE_BOT",
            )
        seen[name.casefold()] = name
    if entry.boards < 1:
        raise ConfigError(f"boards cannot be {entry.boards!r}", fix="accepted: a whole number from 1")
    if not 1 <= entry.chunk <= CHUNK:
        raise ConfigError(f"a bout cannot have {entry.chunk!r} boards", fix=f"accepted: 1 to {CHUNK}")
