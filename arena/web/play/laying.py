"""Whether a move completes a trick: the moment when a table stands still before the trick is taken away."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena.core.game import AnyGame
from arena.games import catalog
from arena.web.table.acts import course_of

View = Mapping[str, Any]
"""A view as data."""


def completes_trick(game: AnyGame, before: View, move: str) -> bool:
    """Whether a move is the last one of a trick; `before` is the public view."""
    if catalog()[game.id].family == "goat":
        if before["phase"] != "answer" or move == "molodka":
            return False
        return len(course_of([before]).groups[-1].acts) == game.seats - 1
    return before.get("phase", "play") == "play" and len(before["played"]) % game.seats == game.seats - 1
