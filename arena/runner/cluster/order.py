"""What coordinator and workers of a cluster tell each other: frozen values, no Dask in sight."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from arena.core.errors import ArenaError
from arena.record.tiers import Tier
from arena.runner.bout import BoutTask

PACKAGES = ("arena", "arena_bot", "arena_house")
"""What has to be the same on all machines, for games to be the same."""
Piece = tuple[str, int, bytes]
"""Of a running game: its public id, how many bytes came before, whole lines that are new; they may be none."""
Relayed = tuple[str, str, Sequence[Piece]]
"""(order, relay, all its running games). A relay is one worker's attempt at an order, and named by chance."""


@dataclass(frozen=True, slots=True)
class Order:
    """To a worker: play what is missing of this bout."""

    key: str
    """Of the Dask task: run, round, table, first board, attempt, how often it was given out."""
    run: str
    """One run of one coordinator."""
    client: str
    """The coordinator's id at the scheduler: games go to it."""
    task: BoutTask
    """Its bots have no folder here; see `archives`."""
    archives: Mapping[str, str]
    """Bot version -> SHA-256 of its archive, hex; the arena's own bots have none."""
    shelter: str
    """"auto": the best sandbox that the worker has; "none": none."""
    sign: str
    """A folder: a worker that sees it shares the one in which running games are shown. Empty: nobody may look on."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """From a worker: an order has ended. Its games came before, through the exchange."""

    worker: str
    """Its own name."""
    reported: frozenset[tuple[int, int]] = frozenset()
    """(board, seating) of the games that it reported."""
    error: str = ""
    """Why not all of them; "" also when it was told to stop."""
    unfit: ArenaError | None = None
    """This worker cannot play this bout, and another one may: a bot that is not built there, a full disk."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a coordinator asks a worker about."""

    languages: tuple[str, ...] = ()
    """Of `toolchains`."""
    programs: tuple[str, ...] = ()
    """Programs that bots are built or run with and that belong to no language of `toolchains`."""
    shelter: str = "auto"


@dataclass(frozen=True, slots=True)
class Statement:
    """What a worker states of itself."""

    name: str
    host: str
    version: str
    """Of the arena there."""
    code: str
    """SHA-256 of the arena's code there, hex."""
    house: Mapping[str, str]
    """Its house bots: name -> version."""
    languages: tuple[str, ...]
    """Those of the wanted languages of which all tools are there."""
    programs: tuple[str, ...]
    """Those of the wanted programs that are there."""
    cores: int
    slots: int
    """Bouts at once."""
    tier: Tier


@cache
def code_of_arena() -> str:
    """SHA-256 over the arena's own code on this machine, hex: equal means that it is the same program."""
    total = hashlib.sha256()
    for package in PACKAGES:
        spec = importlib.util.find_spec(package)
        folders = list(spec.submodule_search_locations or []) if spec is not None else []
        for folder in map(Path, folders):
            for file in sorted(folder.rglob("*.py")):
                place = file.relative_to(folder)
                if "templates" not in place.parts:  # a checkout has them elsewhere
                    total.update(f"{package}/{place.as_posix()}\0".encode())
                    total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()
