"""Asks a script what it was told inside a box: it prints one line of JSON."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from arena.bots.launcher import Launcher
from arena.bots.sandbox.limits import Limits
from arena.bots.sandbox.means import Means
from arena.bots.sandbox.scripts import run_script
from arena.bots.sandbox.selftest import candidates

CANDIDATES = {f"{means.tier}{'' if means.groups else ' polled'}": means for means in candidates()}
"""Every way that this host has of keeping bots apart, by its name."""


def asked(script: str, means: Means, limits: Limits, folder: Path) -> dict[str, object]:
    """What a script printed in a box."""

    async def work() -> None:
        launcher = await Launcher.open(means)
        try:
            ending = await run_script(launcher, script, "", limits, log=folder / "log")
            assert ending.code == 0, ending
        finally:
            await launcher.close()

    asyncio.run(work())
    found: dict[str, object] = json.loads((folder / "log").read_text())
    return found
