"""Decides how bots are kept apart for one command: by the best sandbox that the host has, or by none when typed so."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable
from typing import Literal

from arena.bots.manifest import Bot
from arena.bots.sandbox.means import NONE, Means
from arena.bots.sandbox.selftest import find_means
from arena.core.errors import ConfigError

Sandbox = Literal["auto", "none"]
"""`auto`: the best that the host has; `none`: none, for bots that are trusted."""
MEANS = "means.json"
"""File in a worker's folder with the means of its bots."""
WAIT_S = 0.02
_FINDING = threading.Lock()
"""Held while a sandbox is looked for; of this process, whose loops may be several."""
_FOUND: list[Means] = []


async def means_for(sandbox: Sandbox, bots: Iterable[Bot]) -> Means:
    """The means by which these bots are started.

    Raises ConfigError NO_SANDBOX when the host has no sandbox, none was not asked for, and there are bots that are not
    the arena's own.
    """
    if sandbox == "none":
        return NONE
    return _checked(await find_means(), bots)


async def means_kept(bots: Iterable[Bot]) -> Means:
    """As `means_for("auto", bots)`, with the sandbox that was found first in this process: for servers, in which games
    begin at any time, several at once. Raises ConfigError NO_SANDBOX.
    """
    while not _FINDING.acquire(blocking=False):
        await asyncio.sleep(WAIT_S)
    try:
        means = _FOUND[0] if _FOUND else await find_means()
        if means.boxed and not _FOUND:
            _FOUND.append(means)
    finally:
        _FINDING.release()
    return _checked(means, bots)


def _checked(means: Means, bots: Iterable[Bot]) -> Means:
    strangers = [bot.name for bot in bots if not bot.house]
    if not means.boxed and strangers:
        raise ConfigError(
            f"this machine cannot keep bots apart, and {', '.join(strangers)} did not come with the arena",
            where="arena doctor says what is missing",
            fix="run it where a sandbox works, or type --sandbox none if you trust the bots",
            code="NO_SANDBOX",
        )
    return means
