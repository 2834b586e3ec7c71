"""What may go so that a busy arena does not fill its disk, and what never does.

Results stay for ever; only transcripts of tournaments and bots' output go. Never while a board or its round is not
done: they are evidence, and sealed. What belongs to a game with a fault is kept for `faults_days` whatever the other
limits say, and goes after everything else.

Knows the store, the seals and files of output; not settings, nor when it is called.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from arena.runner.course import stored_schedule
from arena.runner.keeping.limits import Retention
from arena.runner.outputs import GAMES
from arena.runner.sealing import Seals
from arena.store.store import Store
from arena.store.values import State, Tournament
from arena.tournament.schedule import Fixed

MEGABYTE = 1_000_000
EVERY_S = 600
YOUNG_S = 600
"""Output that was written so lately is left alone: somebody may be about to read it."""


class Pruning:
    """Prunes when it is called, which is when rounds are closed, but not more often than every EVERY_S seconds."""

    def __init__(
        self, data: Path, store: Store, settings: Retention, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._data = data
        self._store = store
        self._settings = settings
        self._now = now
        self._last: datetime | None = None

    def __call__(self, _round: int = 0) -> Pruned | None:
        """What was removed; None when it is too early, or no limit is set. Raises ArenaFault from the store."""
        now = self._now()
        early = self._last is not None and (now - self._last).total_seconds() < EVERY_S
        if early or not self._settings.anything:
            return None
        self._last = now
        return prune(self._data, self._store, self._settings, now)


class Item(NamedTuple):
    """A transcript or a file of output."""

    what: Path | int
    """A file; or the id of a game."""
    bytes: int
    at: datetime
    """When it was written or stored."""
    faulty: bool
    """Whether it belongs to a game with a fault."""
    bound: bool
    """Whether it must stay: sealed, or of a round that is not done."""


class Kind(NamedTuple):
    """Logs or transcripts: what goes, and what stays."""

    removed: int
    """So many go."""
    freed: int
    """Bytes."""
    kept: int
    kept_bytes: int
    over_bytes: int
    """By so much the limit in megabytes is exceeded all the same, since what is left must stay; 0: it holds."""


class Pruned(NamedTuple):
    """What was removed, or would be."""

    logs: Kind
    transcripts: Kind

    @property
    def freed(self) -> int:
        """Bytes in all."""
        return self.logs.freed + self.transcripts.freed


def prune(data: Path, store: Store, settings: Retention, now: datetime, *, dry_run: bool = False) -> Pruned:
    """Remove what is older or more than the settings allow; with `dry_run` only say what that would be.

    To be called when a round was closed or a run ends; safe while games are played and others read. Raises ArenaFault
    from the store. A file that cannot be removed is left, and counted as kept.
    """
    tournaments = store.tournaments()
    logs = chosen(_logs(data / "logs", store, tournaments, now), settings.logs_days, settings.logs_mb, settings, now)
    games = chosen(
        _transcripts(store, tournaments) if settings.transcripts_days or settings.transcripts_mb else (),
        settings.transcripts_days,
        settings.transcripts_mb,
        settings,
        now,
    )
    if not dry_run:
        logs = _delete(*logs)
        store.prune_transcripts([int(str(item.what)) for item in games[0]])
    return Pruned(_told(*logs, settings.logs_mb), _told(*games, settings.transcripts_mb))


def chosen(
    items: Iterable[Item], days: int, megabytes: int, settings: Retention, now: datetime
) -> tuple[list[Item], list[Item]]:
    """(what goes, what stays) of all items. A pure function.

    First by age; then, while there is more than `megabytes`, the oldest without a fault, and after all of those the
    oldest with one. Of both what is bound stays, and what is faulty and younger than `faults_days`.
    """
    going: list[Item] = []
    staying: list[Item] = []
    free: list[Item] = []
    evidence = now - timedelta(days=settings.faults_days)
    for item in items:
        if item.bound or (item.faulty and item.at > evidence):
            staying.append(item)
        elif days and item.at < now - timedelta(days=days):
            going.append(item)
        else:
            free.append(item)
    free.sort(key=lambda item: (item.faulty, item.at, str(item.what)))
    left = sum(item.bytes for item in staying) + sum(item.bytes for item in free)
    for item in free:
        if megabytes and left > megabytes * MEGABYTE:
            going.append(item)
            left -= item.bytes
        else:
            staying.append(item)
    return going, staying


def _delete(going: list[Item], staying: list[Item]) -> tuple[list[Item], list[Item]]:
    """Delete files; (what went, what stays)."""
    gone, left = [], list(staying)
    for item in going:
        try:
            Path(str(item.what)).unlink(missing_ok=True)
            gone.append(item)
        except OSError:
            left.append(item)
    return gone, left


def _told(going: list[Item], staying: list[Item], megabytes: int) -> Kind:
    kept = sum(item.bytes for item in staying)
    over = max(0, kept - megabytes * MEGABYTE) if megabytes else 0
    return Kind(len(going), sum(item.bytes for item in going), len(staying), kept, over)


class _Event:
    """What retention asks about one tournament."""

    def __init__(self, store: Store, tournament: Tournament) -> None:
        finished = tournament.state is State.FINISHED
        fixed = isinstance(stored_schedule(tournament), Fixed)  # else a round that is closed is open as a whole
        self._finished = finished
        self._seals = Seals(store, tournament) if fixed and not finished else None
        self._closed = frozenset(each.number for each in store.rounds(tournament.id) if each.closed is not None)
        self._bound: dict[tuple[int, int], bool] = {}
        keys = ((fault.bot, fault.key) for fault in store.faults(tournament.id))
        self.faults = {(bot, key.round, key.table, key.seating) for bot, key in keys}

    def bound(self, round_: int, table: int) -> bool:
        """Whether what was played at a table, and what the processes there wrote, must stay."""
        if self._finished:
            return False
        if (round_, table) not in self._bound:
            sealed = self._seals is not None and bool(self._seals.sealed_with(round_, table))
            self._bound[round_, table] = sealed or round_ not in self._closed
        return self._bound[round_, table]


def _transcripts(store: Store, tournaments: Iterable[Tournament]) -> Iterator[Item]:
    for tournament in tournaments:
        kept = store.kept_transcripts(tournament.id)
        if kept:
            event = _Event(store, tournament)
            for each in kept:
                yield Item(
                    each.game_id, each.bytes, each.stored, each.faulty, event.bound(each.key.round, each.key.table)
                )


def _logs(logs: Path, store: Store, tournaments: Iterable[Tournament], now: datetime) -> Iterator[Item]:
    """The files of output: of tournaments, of checks and of games outside of them."""
    known = {tournament.name: tournament for tournament in tournaments}
    for folder in sorted(each for each in logs.iterdir() if each.is_dir()) if logs.is_dir() else []:
        event = _Event(store, known[folder.name]) if folder.name in known else None
        with os.scandir(folder) as files:
            for file in files:
                if not file.name.endswith(".log") or not file.is_file(follow_symlinks=False):
                    continue
                try:
                    found = file.stat(follow_symlinks=False)
                except FileNotFoundError:
                    continue  # another process prunes as well
                at = datetime.fromtimestamp(found.st_mtime, UTC)
                young = now - at < timedelta(seconds=YOUNG_S)
                faulty, bound = _of_event(event, file.name)
                yield Item(Path(file.path), found.st_size, at, faulty, bound or young)


def _of_event(event: _Event | None, name: str) -> tuple[bool, bool]:
    """(faulty, bound) of a file of output."""
    match = GAMES.search(name)
    if event is None or match is None:
        return False, False
    round_, table, seating = int(match[1]), int(match[2]), int(match[3]) - 1
    faulty = (name[: match.start()], round_, table, seating) in event.faults
    return faulty, event.bound(round_, table)
