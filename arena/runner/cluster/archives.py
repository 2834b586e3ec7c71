"""Bots as archives that are named by their content: packed by the coordinator, checked and unpacked by a worker.

An archive has two names: its own SHA-256, by which it is asked for and checked before it is opened, and the version of
the bot in it, which is checked after it was unpacked. Knows files, not how archives travel.
"""

from __future__ import annotations

import fcntl
import hashlib
import io
import os
import shutil
import zipfile
from pathlib import Path
from typing import NamedTuple

from arena.bots.archive import Limits, check_folder, unpack
from arena.bots.kept import LOCK, UNFINISHED
from arena.bots.manifest import Bot
from arena.bots.version import content_hash, files_of
from arena.core.errors import ArenaFault

LIMITS = Limits(ratio=1100, seconds=120.0)
"""Zeros pack 1030 to 1; who packed it has read the same rules."""
EPOCH = (1980, 1, 1, 0, 0, 0)


class Archive(NamedTuple):
    """A packed bot."""

    digest: str
    """SHA-256 of the bytes, hex."""
    data: bytes


def packed(bot: Bot, folder: Path) -> Archive:
    """The archive of a bot's unbuilt files: the same bytes for the same files.

    Raises BotError BAD_ARCHIVE for what no archive may hold.
    """
    check_folder(folder, LIMITS, built=bool(bot.build))
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for relative, path in files_of(folder, built=bool(bot.build)):
            info = zipfile.ZipInfo(relative, EPOCH)
            info.external_attr = (0o100755 if os.access(path, os.X_OK) else 0o100644) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, path.read_bytes())
    data = file.getvalue()
    return Archive(hashlib.sha256(data).hexdigest(), data)


def held(bot: Bot, kept: Path) -> Path | None:
    """Where the files of a bot's version are already; None when they are not, or are not what they were."""
    place = kept / bot.version
    return place if place.is_dir() and content_hash(place, built=bool(bot.build)) == bot.version else None


def take(bot: Bot, archive: Archive, kept: Path) -> Path:
    """Unpack a bot's archive below `kept`, as a whole or not at all, and only if both names are right.

    Raises ArenaFault ARCHIVE_DAMAGED when one is not, BotError when it cannot be unpacked.
    """
    if hashlib.sha256(archive.data).hexdigest() != archive.digest:
        raise _wrong(bot, "arrived damaged", f"sha256 is not {archive.digest[:12]}...")
    kept.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (kept / LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if (place := held(bot, kept)) is not None:
            return place  # another process was quicker
        place = kept / bot.version
        new = kept / f"{UNFINISHED}{bot.version[:12]}"
        file = kept / f"{UNFINISHED}{bot.version[:12]}.zip"
        shutil.rmtree(new, ignore_errors=True)
        try:
            file.write_bytes(archive.data)
            unpack(file, new, LIMITS)
            found = content_hash(new, built=bool(bot.build))
            if found != bot.version:
                raise _wrong(bot, "holds other files than it should", f"version {found[:12]}...")
            shutil.rmtree(place, ignore_errors=True)
            new.rename(place)
        finally:
            file.unlink(missing_ok=True)
            shutil.rmtree(new, ignore_errors=True)
    return place


def _wrong(bot: Bot, what: str, saw: str) -> ArenaFault:
    return ArenaFault(
        f"the archive of {bot.reference} {what}",
        where=bot.version,
        saw=saw,
        fix="run the same command again; if it comes back, look at the memory and disk of this machine",
        code="ARCHIVE_DAMAGED",
    )
