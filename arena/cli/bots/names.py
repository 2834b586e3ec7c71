"""Names of bots for the shell's completion, and times for people."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path


def complete_bots(incomplete: str) -> list[str]:
    """Names of house bots and of registered ones."""
    from arena.bots.manifest import house_names

    names = [*house_names(), *_registered()]
    return [name for name in names if name.startswith(incomplete)]


def complete_registered(incomplete: str) -> list[str]:
    """Names of registered bots; with an @ their versions."""
    return [name for name in _registered(versions="@" in incomplete) if name.startswith(incomplete)]


def _registered(*, versions: bool = False) -> list[str]:
    from arena.cli.config import load
    from arena.core.errors import ArenaError
    from arena.runner.roster import Roster

    try:
        settings = load(None, os.environ, Path.cwd())
        known = Roster(settings.data, settings.store).registered()
    except ArenaError:
        return []
    return list(dict.fromkeys(f"{each.name}@{each.number}" if versions else each.name for each in known))


def utc(time: datetime) -> str:
    """A time as JSON has it."""
    return time.isoformat(timespec="seconds").replace("+00:00", "Z")
