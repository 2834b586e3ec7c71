"""A game with what is shown of it to whom."""

from __future__ import annotations

from dataclasses import dataclass

from arena.core.game import Seat
from arena.web.games.comparison import Comparison
from arena.web.games.eyes import Eyes, eyes_at
from arena.web.games.replays import Replay
from arena.web.games.source import Open


@dataclass(frozen=True)
class Shown:
    """A game with what is shown of it."""

    found: Open
    replay: Replay
    comparison: Comparison | None = None
    results: bool = True
    """Whether what came of it may be told."""
    links: bool = True
    """Whether there is a site around it, to which links may lead."""
    notes: frozenset[Seat] = frozenset()
    """The seats whose notes are shown."""


def eyes_of(shown: Shown, asked: str, turn: int) -> Eyes:
    """The viewpoint of an address. Raises NotFound for one that there is not, or a turn that there is not."""
    shown.replay.at(turn)
    return eyes_at(asked, shown.replay.game.seats, shown.replay.movers, turn)
