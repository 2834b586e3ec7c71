"""A room: the folder in which one process tells of the games of one bout, locked for as long as it lives.

    DATA/live/spring/f3a91c07d2/lock
    DATA/live/spring/f3a91c07d2/spring-r1-b3-t2-1.jsonl

Lines are only ever added, whole; a reader leaves out a last one that has no end yet. Knows files, no games.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

LOCK = "lock"
ENDING = ".jsonl"
UNFINISHED = ".new-"
"""What the name of a room begins with until it is locked."""
PLAYED = ".played"
"""In the place of a tournament's name: games of `arena play`."""
MOST_BYTES = 16_000_000
"""Of what is told of one game; more is not shown."""
LEFT_S = 60
"""An unfinished room of this age is nobody's."""


def live_folder(data: Path) -> Path:
    """Where running games are told, in a data folder."""
    return data / "live"


def live_place(data: Path, tournament: str) -> Path | None:
    """Where the running games of a tournament are told; None when nothing can be written there, which stops none."""
    live = live_folder(data)
    try:
        live.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError:
        return None
    return live / tournament if os.access(live, os.W_OK) else None


class Room:
    """A room that is written to. Made where the first game is told; raises OSError where nothing can be written."""

    def __init__(self, tournament: Path) -> None:
        tournament.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        tournament.mkdir(exist_ok=True, mode=0o700)
        name = secrets.token_hex(8)
        made = tournament / f"{UNFINISHED}{name}"
        made.mkdir(mode=0o700)
        self.folder = tournament / name
        self._lock = os.open(made / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        made.rename(self.folder)

    def add(self, texts: Mapping[str, bytes]) -> None:
        """Add whole lines to the files of games, by public id. Raises OSError."""
        for public_id, text in texts.items():
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
            handle = os.open(self.folder / f"{public_id}{ENDING}", flags, 0o600)
            try:
                while text:
                    text = text[os.write(handle, text) :]
            finally:
                os.close(handle)

    def remove(self, public_id: str) -> None:
        """A game is over."""
        with suppress(OSError):
            (self.folder / f"{public_id}{ENDING}").unlink(missing_ok=True)

    def close(self) -> None:
        """The bout is over: nothing is left."""
        shutil.rmtree(self.folder, ignore_errors=True)
        os.close(self._lock)


class Told(NamedTuple):
    """A game that is told now."""

    tournament: str
    public_id: str
    file: Path
    size: int


def told(live: Path) -> Iterator[Told]:
    """All games that are told by processes that live, in no order."""
    for tournament in _folders(live):
        yield from told_in(tournament)


def told_in(tournament: Path) -> Iterator[Told]:
    """Those of one tournament's folder."""
    for room in _folders(tournament):
        if room.name.startswith(UNFINISHED) or not is_held(room):
            continue
        for each in _scan(room):
            if each.name.endswith(ENDING):
                with suppress(OSError):
                    size = each.stat().st_size
                    yield Told(tournament.name, each.name.removesuffix(ENDING), Path(each.path), size)


def sweep(live: Path) -> int:
    """Remove what dead processes left, and folders that have long been empty; returns how many rooms were removed."""
    removed = 0
    for tournament in _folders(live):
        with suppress(OSError):
            if time.time() - tournament.stat().st_mtime > LEFT_S:  # a younger one may be about to get a room
                tournament.rmdir()
                continue
        for room in _folders(tournament):
            with suppress(OSError):
                young = time.time() - room.stat().st_mtime < LEFT_S
                if young if room.name.startswith(UNFINISHED) else is_held(room):
                    continue
                shutil.rmtree(room, ignore_errors=True)
                removed += 1
    return removed


def is_held(room: Path) -> bool:
    """Whether the process that tells in a room lives."""
    try:
        handle = os.open(room / LOCK, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    else:
        return False
    finally:
        os.close(handle)


def _folders(folder: Path) -> list[Path]:
    return [Path(each.path) for each in _scan(folder) if each.is_dir(follow_symlinks=False)]


def _scan(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return list(found)
    except OSError:
        return []
