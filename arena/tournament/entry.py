"""What a schedule is made of, whatever its format, and what no format can be played with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from arena.core.errors import ConfigError
from arena.tournament.owners import too_many

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
    """The format's own keys of the tournament file: see `formats.FORMATS`. With them what was found out when the
    tournament was stored: "owners" (competitor -> owner) and "seeds" (competitors, the strongest first)."""


def default_plan(competitors: int) -> BoardPlan:
    """The board plan when the tournament file names none."""
    return "shared" if competitors <= SHARED_UP_TO else "per_round"


def check_owners(entry: Entry) -> None:
    """Raises ConfigError when a limit of bots per owner says nothing, or leaves nobody to fill a table."""
    limit = entry.keys.get("per_owner")
    if not limit:
        return
    if entry.places == 2:
        raise ConfigError(
            "per_owner says nothing at tables of two sides",
            where="per_owner",
            fix="it is for a free for all: leave it out here",
        )
    owner_of = entry.keys.get("owners") or {}
    owners = Counter(str(owner_of.get(name, "")).casefold() for name in entry.competitors)
    nobody = owners.pop("", 0)
    if nobody + sum(min(limit, count) for count in owners.values()) < entry.places:
        raise ConfigError(
            f"with at most {limit} bots of one owner no table of {entry.places} can be filled",
            where="per_owner",
            fix="raise it, or name bots of more owners",
        )


def fits_owners(entry: Entry) -> Callable[[Sequence[str]], bool]:
    """Whether bots may sit at one table, as far as owners go."""
    limit: int = entry.keys.get("per_owner") or 0
    owner_of: Mapping[str, str] = entry.keys.get("owners") or {}
    return lambda names: not limit or not too_many(names, owner_of, limit)


def check(entry: Entry, *, least: int | None = None) -> None:
    """Raises ConfigError for an entry that no schedule can be made of.

    `least`: how many competitors it takes to begin; None: a full table.
    """
    names = entry.competitors
    if entry.places < 2:
        raise ConfigError(f"a table of {entry.places} is no contest", fix="a game needs two sides or more")
    if len(names) < (entry.places if least is None else least):
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
