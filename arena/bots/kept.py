"""Kept copies of registered bots: a folder for each content, named by its hash, that is never changed.

Knows folders and hashes; which name and number a hash has is the store's business.
"""

from __future__ import annotations

import fcntl
import shutil
from dataclasses import replace
from pathlib import Path

from arena.bots.build import copy_bot
from arena.bots.manifest import Bot, read_bot
from arena.bots.version import content_hash
from arena.core.errors import BotError

LOCK = ".lock"
UNFINISHED = ".new-"
"""How a copy is called until it is whole."""


def keep(bot: Bot, kept: Path) -> Bot:
    """The bot with its folder being a copy below `kept`, made if it is not there or is not what it was.

    Raises BotError BOT_CHANGED when the files change while they are copied.
    """
    place = kept / bot.version
    if not _is_whole(place, bot):
        kept.mkdir(parents=True, exist_ok=True, mode=0o700)
        kept.chmod(0o700)
        with (kept / LOCK).open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            for unfinished in kept.glob(f"{UNFINISHED}*"):
                shutil.rmtree(unfinished, ignore_errors=True)  # whoever made it was killed: the lock is ours
            if not _is_whole(place, bot):  # another process may have made it meanwhile
                _copy(bot, kept / f"{UNFINISHED}{bot.version[:12]}", place)
    return replace(bot, folder=place)


def _is_whole(place: Path, bot: Bot) -> bool:
    return place.is_dir() and content_hash(place, built=bool(bot.build)) == bot.version


def _copy(bot: Bot, new: Path, place: Path) -> None:
    """Make a copy that is there as a whole or not at all."""
    try:
        copy_bot(bot, new)
        if not _is_whole(new, bot):
            raise BotError(
                f"{bot.name} changed while it was copied",
                where=str(bot.folder),
                fix="add it again when nothing writes to its folder",
                code="BOT_CHANGED",
            )
        shutil.rmtree(place, ignore_errors=True)
        new.rename(place)
    finally:
        shutil.rmtree(new, ignore_errors=True)


def kept_bot(kept: Path, name: str, number: int, version: str) -> Bot:
    """A registered version, from its kept copy. Raises BotError BOT_CHANGED when that is gone or was changed."""
    place = kept / version
    if not place.is_dir():
        raise _changed(name, number, place, "is gone")
    try:
        bot = read_bot(place)
    except BotError as error:
        raise _changed(name, number, place, "is not what was added", error.message) from error
    if bot.version != version:
        seen = f"sha256 {bot.version[:12]}..., not {version[:12]}..."
        raise _changed(name, number, place, "is not what was added", seen)
    return replace(bot, name=name, number=number)


def _changed(name: str, number: int, place: Path, what: str, saw: str = "") -> BotError:
    return BotError(
        f"the kept copy of {name} v{number} {what}",
        where=str(place),
        saw=saw,
        fix="add the same files again (arena bot add), which puts the copy back; or name another version",
        code="BOT_CHANGED",
    )
