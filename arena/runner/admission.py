"""Whether somebody may have one more version of a bot: names belong to owners, who may have so much and no more."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from arena.bots.manifest import Bot
from arena.bots.version import files_of
from arena.core.errors import BotError
from arena.runner.keeping import quotas
from arena.runner.keeping.limits import Quotas
from arena.store.store import Store
from arena.store.tokens import Token
from arena.store.values import BotState, Registered

ORGANISER = "the organiser"


def owner_for(store: Store, bot: Bot, owner: str | None, *, where: str, fix: str) -> str:
    """Whose a further version of a bot is; `owner` None: as before, or nobody's. Raises BotError NOT_ALLOWED for
    another's name; `where` and `fix` say where the owner comes from."""
    known = store.registered(bot.name)
    whose = owner if owner is not None else known[0].owner if known else ""
    if known and whose.casefold() != known[0].owner.casefold():
        raise BotError(
            f"{bot.name} belongs to {known[0].owner or ORGANISER}, not to {whose or ORGANISER}",
            where=where,
            saw=f"{known[0]} was added so",
            fix=fix,
            code="NOT_ALLOWED",
        )
    return whose


def refuse_over_quota(
    store: Store,
    bot: Bot,
    before: Registered | None,
    whose: str,
    limits: Quotas,
    tokens: Iterable[Token],
    data: Path,
    now: datetime,
) -> None:
    """Raises OverQuota when a further version is more than its owner may have. `before`: the version that has the same
    content, which is ready again."""
    if not whose or (before is not None and before.state is BotState.READY):
        return
    mine = (each.version for each in store.registered() if each.owner.casefold() == whose.casefold())
    files = () if bot.version in mine else files_of(bot.folder, built=bool(bot.build))
    size = sum(path.stat().st_size for _, path in files)
    usage = quotas.usages(store, tokens, data, now).get(whose.casefold(), quotas.Usage(whose))
    excess = quotas.over_quota(quotas.with_version(usage, store.registered(bot.name), size), limits, quotas.ADDING)
    quotas.refuse(excess, whose)
