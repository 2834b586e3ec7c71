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
    """Whether what came of it may be told. If not, nothing is said of what follows the turn that is shown."""
    ended: bool = False
    """Whether it may be told since this address asks for the end, though results are hidden elsewhere."""
    links: bool = True
    """Whether there is a site around it, to which links may lead."""
    notes: frozenset[Seat] = frozenset()
    """The seats whose notes are shown."""

    @property
    def also(self) -> str:
        """What the addresses of this game have beside turn and seat."""
        return "&end=1" if self.ended else ""

    @property
    def farthest(self) -> int:
        """The last turn to which steps lead: the end tells the result."""
        last = self.replay.last
        return last if self.results else max(0, last - 1)

    def until(self, turn: int) -> int | None:
        """The turn after which nothing is said; None: all is."""
        return None if self.results else turn


def eyes_of(shown: Shown, asked: str, turn: int) -> Eyes:
    """The viewpoint of an address. Raises NotFound for one that there is not, or a turn that there is not."""
    shown.replay.at(turn)
    return eyes_at(asked, shown.replay.game.seats, shown.replay.movers, turn)
