"""Whether a bot may be registered under its name, and whether it is there already."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from arena.bots.manifest import NAME, Bot, house_names, read_bot
from arena.core.errors import BotError
from arena.store.registry import refuse_other_case
from arena.store.removals import BOT, removed_error
from arena.store.store import Store
from arena.store.values import Registered


def admissible(folder: Path, name: str | None = None) -> Bot:
    """The bot in a folder, under `name` if one is given.

    Raises BotError BAD_MANIFEST or BAD_NAME, also for the name of a house bot.
    """
    bot = read_bot(folder)
    if name is not None:
        if not NAME.fullmatch(name):
            raise BotError(
                f"--name cannot be {name!r}", saw=repr(name), fix="1 to 32 letters, digits, - or _", code="BAD_NAME"
            )
        bot = replace(bot, name=name)
    if bot.name.casefold() in house_names():
        raise BotError(
            f"the name {bot.name!r} is taken by a house bot",
            where=str(folder / "bot.toml"),
            saw=bot.name,
            fix="choose another one in bot.toml or with --name",
            code="BAD_NAME",
        )
    return bot


def known_as(store: Store, bot: Bot) -> Registered | None:
    """The version of its name that has the bot's content already.

    Raises BotError BAD_NAME when the name is taken but for its case, REMOVED when a bot of that name was removed.
    """
    removal = store.removal(BOT, bot.name)
    if removal is not None:
        raise removed_error(removal)
    known = store.registered(bot.name)
    refuse_other_case(known, bot.name)
    return next((each for each in known if each.version == bot.version), None)
