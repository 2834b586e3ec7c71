"""Names of stored tournaments, for the shell's completion."""

from __future__ import annotations

import os
from pathlib import Path

from arena.core.errors import ArenaError


def complete_tournaments(incomplete: str) -> list[str]:
    """Names of stored tournaments, for the shell's completion."""
    from arena.cli.config import load
    from arena.store.store import Store

    try:
        with Store.open(load(None, os.environ, Path.cwd()).store, create=False) as store:
            known = [name for each in store.tournaments() for name in (each.series, each.name) if name]
            return [name for name in dict.fromkeys(known) if name.startswith(incomplete)]
    except ArenaError:
        return []
