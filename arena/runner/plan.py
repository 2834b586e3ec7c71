"""A tournament that is to be played, who plays it, and how far it is. Values and a port; nothing is played here."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from arena.bots.manifest import Bot
from arena.bots.sandbox.means import NONE, Means
from arena.core.chance import round_secret
from arena.core.game import AnyGame
from arena.match.clock import Clock
from arena.rating.pool import Pool
from arena.runner.bout import BoutTask
from arena.runner.crew import Missing
from arena.store.values import StoredGame, Tournament
from arena.tournament.history import History
from arena.tournament.quarantine import Quarantine
from arena.tournament.schedule import Schedule, Totals


def unheard(_words: str) -> None:
    """Nobody wants to know."""


class Players(Protocol):
    """Who plays the tasks, here or on other machines; `Crew` is one."""

    @property
    def running(self) -> int:
        """Games running now, as last reported."""
        ...

    @property
    def idle(self) -> bool:
        """Whether no further event waits to be taken."""
        ...

    def put_again(self, task: BoutTask) -> None:
        """Give a task out again, before new ones. In time until the next event is asked for."""
        ...

    def play(self, tasks: Iterator[BoutTask | None]) -> AsyncIterator[StoredGame | Missing]:
        """Play all tasks; yields games as they end. A None: there is none now, but more once a game has ended."""
        ...


@dataclass(frozen=True, slots=True)
class Plan:
    """A stored tournament with all that is needed to play it."""

    tournament: Tournament
    game: AnyGame
    bots: Mapping[str, Bot]
    """Competitor -> bot version."""
    schedule: Schedule
    clock: Clock | None
    isolation: str
    logs: Path | None
    start_limit_s: float = 10.0
    means: Means = NONE
    """How bots are kept apart here; a later run may have others."""
    pool: Pool | None = None
    """What rounds that depend on results are decided by; None where none does."""
    secret_per_round: bool = False
    """Every round has a secret of its own, so that it can be published when the round is closed."""
    live: Path | None = None
    """Where those who look on find its running games; None: nowhere."""
    last_round: int = 0
    """Of an open-ended event: stop after this round; 0: go on."""
    joining: Callable[[int], None] | None = None
    """Called before a round is opened for the first time: enters who comes, and takes out who goes."""
    closed: Callable[[int], None] | None = None
    """Called when a round was closed for the first time."""
    taking_part: Callable[[int, tuple[str, ...]], tuple[str, ...]] | None = None
    """Given a round that is opened for the first time and who may play in it: who does. The bouts of all others are
    left out of it, for good."""
    history: type[History] = History
    """In what form closed rounds are remembered."""
    redraw: int = 0
    """See `BoutTask`; of events with bots that would remember the cards of a void game."""
    decided: Callable[[str], None] = unheard
    """Told, in words, what is played, what is not or once more, and why."""
    messages: bool = False
    """Whether workers on this machine write every message to and from bots on stderr."""

    @property
    def open_ended(self) -> bool:
        """Whether it never ends, so that who is missing may yet come, and what is closed is not looked at again."""
        return self.secret_per_round

    @property
    def seatings(self) -> int:
        """How many games make a block."""
        return self.pool.seatings if self.pool is not None else len(self.game.sides)

    def secret_of(self, number: int) -> bytes:
        """The secret that decides the cards of a round."""
        secret = self.tournament.secret
        return round_secret(secret, number) if self.secret_per_round else secret


@dataclass(slots=True)
class Progress:
    """How far a run is."""

    totals: Totals
    round: int = 1
    games: int = 0
    """Stored, those of earlier runs included."""
    blocks: int = 0
    voids: int = 0
    missing: int = 0
    """Games of blocks that were void at every attempt."""
    left_out: int = 0
    """Games of bots that were taken out."""
    out: tuple[Quarantine, ...] = ()
    """Who was taken out so far."""
    lost: int = 0
    """Not played by this run because workers were lost."""
    players: Players | None = None
    """Who plays now."""
    played: int = 0
    """Games of this run."""
    since: float = field(default_factory=time.monotonic)

    waiting: bool = False
    """Too few are there for another round: an open-ended event waits for more."""
    over: bool = False
    """The schedule has no further round."""

    @property
    def running(self) -> int:
        """Games running now, also while none ends."""
        return self.players.running if self.players is not None else 0

    @property
    def complete(self) -> bool:
        """Whether nothing is left to play."""
        return self.over or (self.totals.exact and self.games + self.missing + self.left_out >= self.totals.games)

    def rate(self) -> float:
        """Games a second in this run."""
        return self.played / max(1e-9, time.monotonic() - self.since)

    def eta_s(self) -> float | None:
        """Seconds to the end at the rate of this run; None before there is one."""
        rate = self.rate()
        left = self.totals.games - self.games - self.missing - self.left_out
        return left / rate if self.played >= 4 and rate > 0 and self.totals.exact else None
