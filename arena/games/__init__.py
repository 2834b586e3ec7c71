"""Floor 1: the games. Each package here is one game or family and exports `VARIANTS`, a tuple of `Variant`.

`catalog()` finds them; a new game is a new package, nothing here changes. Games never import each other.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

from arena.core.errors import ConfigError
from arena.core.game import AnyGame, Variant


@cache
def catalog() -> dict[str, Variant]:
    """All variants by id, CrowsNest first, then by family and as each family lists them."""
    found: list[Variant] = []
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda module: module.name):
        found.extend(importlib.import_module(f"{__name__}.{module.name}").VARIANTS)
    found.sort(key=lambda variant: variant.id != "crowsnest" and variant.family != "rook")
    return {variant.id: variant for variant in found}


def make(game: str, options: Mapping[str, object] | None = None) -> AnyGame:
    """The game of an id with some options changed. Raises ConfigError."""
    variants = catalog()
    if game not in variants:
        near = difflib.get_close_matches(game, variants, 1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        raise ConfigError(f"no game {game!r}", fix=f"{hint}games: {', '.join(variants)}", code="BAD_GAME")
    return variants[game].make(options or {})
