"""What goes into the store and comes out: frozen values, no database in sight.

Competitors are names within a tournament; times are aware datetimes in UTC.
"""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from arena.record.results import FaultClass, GameKey, GameResult, GameRow
from arena.tournament.quarantine import Quarantine


class State(enum.Enum):
    """How a tournament stands."""

    WAITING = "waiting"
    RUNNING = "running"
    PAUSED = "paused"
    STOPPED = "stopped"
    FINISHED = "finished"
    FAILED = "failed"


class BotState(enum.Enum):
    """Whether a registered version is to be found by its name alone."""

    READY = "ready"
    RETIRED = "retired"


class Registered(NamedTuple):
    """A version of a bot that was added to the arena."""

    name: str
    number: int
    """1, 2, 3, ... for each name."""
    version: str
    """Content hash, hex."""
    manifest: Mapping[str, Any]  # Any: TOML
    message: str
    state: BotState
    added: datetime
    owner: str = ""
    """Whose it is; empty: the organiser's."""

    def __str__(self) -> str:
        return f"{self.name} v{self.number}"


@dataclass(frozen=True, slots=True)
class Entrant:
    """One competitor of a tournament: its name there, and the bot version that plays for it to the end."""

    name: str
    version: str
    """Content hash of the bot, hex."""
    source: str
    """Where the bot came from: `house:NAME`, `registered:NAME@NUMBER` or a path."""
    manifest: Mapping[str, Any] = field(default_factory=dict)  # Any: JSON
    since_round: int = 1
    """The first round that it may play: later ones joined an open-ended event."""
    until_round: int | None = None
    """The last round that it may play; None: to the end."""


@dataclass(frozen=True, slots=True)
class NewTournament:
    """What is fixed before the first game and never changes."""

    name: str
    game: str
    """The ruleset's id."""
    game_version: str
    ruleset: str
    """Canonical JSON of the ruleset with all fields."""
    config: Mapping[str, Any]  # Any: JSON
    """The settings, for the comparison on resuming."""
    secret: bytes = field(repr=False)
    """32 bytes that decide all cards; published after the last game only."""
    entrants: tuple[Entrant, ...]
    """In the order of the tournament file."""
    open_seed: bool = False
    """The secret came from a seed typed in the file: the table says so."""
    tier_minimum: str = ""
    """The lowest sandbox tier on which games are rated; empty: any."""
    series: str = ""
    """The event of several games that it is a part of; empty: it stands alone."""


@dataclass(frozen=True, slots=True)
class Tournament:
    """A stored tournament."""

    id: int
    name: str
    game: str
    game_version: str
    ruleset: str
    config: Mapping[str, Any]  # Any: JSON
    secret: bytes = field(repr=False)
    secret_hash: str
    """SHA-256 of the secret, hex; public from the start."""
    entrants: tuple[Entrant, ...]
    open_seed: bool
    tier_minimum: str
    state: State
    created: datetime
    started: datetime | None
    finished: datetime | None
    series: str = ""
    """The event of several games that it is a part of; empty: it stands alone."""


class Round(NamedTuple):
    """One round of a tournament, from the moment it was opened."""

    number: int
    field: tuple[str, ...]
    """Who takes part: entered by then, and not taken out."""
    blocks: int
    """Planned, those of bots that are taken out left aside."""
    games: int
    opened: datetime
    closed: datetime | None
    """When all its games were settled; None: it is played."""


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A finished game with everything known of it."""

    key: GameKey
    bots: tuple[str, ...]
    """Competitor by seat."""
    result: GameResult
    tier: str
    elapsed_ms: int
    attempt: int = 1
    """1, or one more for every time its block was void before."""
    worker: str = ""
    """Who played it: a process of a machine, or a worker of a cluster. Empty: unknown."""


class GameInfo(NamedTuple):
    """A stored game without its transcript."""

    public_id: str
    tournament: str
    row: GameRow
    forfeits: tuple[tuple[int, str], ...]
    """(seat, code), as in `GameResult`."""
    tier: str
    attempt: int
    elapsed_ms: int
    stored: datetime
    worker: str = ""


class FullGame(NamedTuple):
    """A stored game and what is known about it."""

    info: GameInfo
    game: StoredGame
    pruned: datetime | None = None
    """When retention removed the transcript, which is empty then; None: it is there."""


class FaultInfo(NamedTuple):
    """One fault of one bot."""

    public_id: str
    key: GameKey
    seat: int
    bot: str
    version: str
    code: str
    fault_class: FaultClass
    turn: int
    elapsed_ms: int
    detail: str


ORGANISER = "ORGANISER"
"""Why a game is void that the organiser declared so; the evidence has the worker that played it, and the reason."""
WITH_ITS_BLOCK = "BLOCK"
"""Why a game is void that was not itself disturbed: another one of its block was."""


class Void(NamedTuple):
    """One attempt at a game that a fault of the arena made worthless."""

    key: GameKey
    attempt: int
    """1, 2, 3, 4: of its block."""
    reason: str
    """The code of what went wrong, or WITH_ITS_BLOCK."""
    bots: tuple[str, ...] = ()
    """Who sat at the table, by seat."""
    evidence: Mapping[str, Any] = MappingProxyType({})  # Any: JSON
    """What shows that the arena was at fault; of a game taken out with its block what its result was."""


class VoidInfo(NamedTuple):
    """A stored void."""

    void: Void
    at: datetime


DISABLED = "disabled by an organiser: "
"""How the reason begins of a bot that an organiser took out of an event: what it played until then counts."""


class Quarantined(NamedTuple):
    """A stored quarantine."""

    tournament: str
    version: str
    quarantine: Quarantine
    at: datetime
    lifted: datetime | None
    """None: it holds."""
    lift_reason: str

    @property
    def disabled(self) -> str:
        """Why an organiser took the bot out; empty: its faults did, or it was removed."""
        reason = self.quarantine.reason
        return reason.removeprefix(DISABLED) if reason.startswith(DISABLED) else ""


class Rate(NamedTuple):
    """How often one version of a bot was at fault."""

    games: int
    faults: Mapping[str, int]
    """By code."""

    @property
    def total(self) -> int:
        """Faults of any code."""
        return sum(self.faults.values())

    def per_thousand(self) -> dict[str, float]:
        """Faults in a thousand games, by code."""
        return {code: round(1000 * count / max(1, self.games), 3) for code, count in self.faults.items()}


def public_id(tournament: str, key: GameKey) -> str:
    """The name of a game for people and addresses: `spring-r1-b3-t2-1`; seatings count from 1 here."""
    return f"{tournament}-r{key.round}-b{key.board}-t{key.table}-{key.seating + 1}"


def secret_hash(secret: bytes) -> str:
    """The commitment published before the first game."""
    return hashlib.sha256(secret).hexdigest()
