"""Kept copies of registered bots: a folder for each content, named by its hash, that is never changed.

Knows folders and hashes; which name and number a hash has is the store's business.
"""

from __future__ import annotations

import secrets
import shutil
from dataclasses import replace
from pathlib import Path

from arena.bots.build import copy_bot
from arena.bots.manifest import Bot, read_bot
from arena.bots.version import content_hash
from arena.core.errors import BotError


def keep(bot: Bot, kept: Path) -> Bot:
    """The bot with its folder being a copy below `kept`, made if it is not there or is not what it was.

    Raises BotError BOT_CHANGED when the files change while they are copied.
    """
    place = kept / bot.version
    has_products = bool(bot.build)
    if not (place.is_dir() and content_hash(place, built=has_products) == bot.version):
        kept.mkdir(parents=True, exist_ok=True, mode=0o700)
        kept.chmod(0o700)
        new = kept / f".{bot.version[:12]}-{secrets.token_hex(4)}"
        try:
            copy_bot(bot, new)
            if content_hash(new, built=has_products) != bot.version:
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
    return replace(bot, folder=place)


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
