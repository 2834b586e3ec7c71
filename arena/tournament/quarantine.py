"""Who is taken out of an event: a pure function of how the bots behaved in its closed rounds, and of what was lifted.

A bot is out from the next round on after three forfeits in its last twenty games, or at once for an attempt on identity
or sandbox. Knows conduct, not how it is stored; and schedules only as bouts that somebody plays in.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from arena.record.results import OUT, Bout, Conduct, Fault, FaultClass, GameKey

FORFEITS = 3
WINDOW = 20
"""So many forfeits in so many of its games, one after the other in canonical order, and a bot is out."""


class Quarantine(NamedTuple):
    """Why a bot is out, and since when."""

    bot: str
    since_round: int
    """The first round that it does not play."""
    reason: str
    """For people."""
    games: tuple[GameKey, ...]
    """The games that brought it about."""
    codes: tuple[str, ...]
    """Of each of these games."""


def quarantined(games: Iterable[Conduct], lifted: Mapping[str, int] | None = None) -> dict[str, Quarantine]:
    """Who is out after some closed rounds, by name; `games` in canonical order, from the first round on.

    `lifted`: bot -> the last round that is forgiven; what it did up to then does not count any more.
    """
    watch = Watch(lifted or {})
    for game in games:
        watch.add(game)
    return dict(watch.out)


@dataclass(slots=True)
class _Record:
    """What one bot did of late."""

    recent: deque[tuple[GameKey, str] | None] = field(default_factory=lambda: deque(maxlen=WINDOW))
    """By game, oldest first: the code of its forfeit, None where it did not forfeit or the exit counted already."""
    exits: set[str] = field(default_factory=set)


class Watch:
    """`quarantined` step by step: add the games of one closed round after the other and ask who is out."""

    def __init__(self, lifted: Mapping[str, int]) -> None:
        self.out: dict[str, Quarantine] = {}
        """By name, in the order in which they went out."""
        self._lifted = lifted
        self._records: dict[str, _Record] = {}

    def add(self, game: Conduct) -> None:
        """The next game in canonical order."""
        for bot in dict.fromkeys(game.bots):
            if bot not in self.out and game.key.round > self._lifted.get(bot, 0):
                faults = [each for each in game.faults if game.bots[each.seat] == bot and each.fault_class in OUT]
                self._judge(bot, game.key, faults)

    def _judge(self, bot: str, key: GameKey, faults: list[Fault]) -> None:
        attempt = next((fault for fault in faults if fault.fault_class is FaultClass.QUARANTINE), None)
        if attempt is not None:
            reason = f"{attempt.code}: an attempt on identity"
            self.out[bot] = Quarantine(bot, key.round + 1, reason, (key,), (attempt.code,))
            return
        record = self._records.setdefault(bot, _Record())
        counted = next((fault for fault in faults if not fault.process or fault.process not in record.exits), None)
        record.exits.update(fault.process for fault in faults)
        record.recent.append((key, counted.code) if counted is not None else None)
        forfeits = [each for each in record.recent if each is not None]
        if len(forfeits) >= FORFEITS:
            games, codes = zip(*forfeits, strict=True)
            names = ", ".join(dict.fromkeys(codes))
            reason = f"{len(forfeits)} forfeits in its last {len(record.recent)} games ({names})"
            self.out[bot] = Quarantine(bot, key.round + 1, reason, games, codes)


def without(bouts: Iterable[Bout], out: Collection[str]) -> Iterator[Bout]:
    """The bouts in which nobody plays who is out."""
    return (bout for bout in bouts if not is_left_out(bout, out))


def is_left_out(bout: Bout, out: Collection[str]) -> bool:
    """Whether somebody plays in a bout who is out."""
    return any(bot in out for bot in bout.lineup)
