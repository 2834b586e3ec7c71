"""The commands, one file each. A file has a function `register(app)` that adds its commands.

Modules here import only Typer and `arena.cli`; floors below are imported inside functions.
"""

from __future__ import annotations

import importlib
import pkgutil

import typer

ORDER = ("demo", "play", "tournament", "ratings", "replay", "games", "simulate", "bench", "doctor")
"""In which order help lists commands; files not named here follow by name."""


def register(app: typer.Typer) -> None:
    """Add every command of this folder, once."""
    if app.registered_commands or app.registered_groups:
        return
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    names.sort(key=lambda name: ORDER.index(name) if name in ORDER else len(ORDER))
    for name in names:
        module = importlib.import_module(f"{__name__}.{name}")
        if hasattr(module, "register"):
            module.register(app)
