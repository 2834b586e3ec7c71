"""Through whose eyes a position is looked at: everybody's, one seat's, or those of whoever is to move."""

from __future__ import annotations

from typing import NamedTuple

from arena.core.game import Seat
from arena.web.errors import NotFound

ALL, MOVER = "all", "mover"


class Eyes(NamedTuple):
    """A viewpoint at one turn."""

    asked: str
    """As addresses have it: "all", "mover" or the number of a seat."""
    seat: Seat | None
    """None: all hands are open."""

    def sees(self, seat: Seat) -> bool:
        """Whether what a seat holds and says may be shown."""
        return self.seat is None or self.seat == seat


def eyes_at(asked: str, seats: int, movers: tuple[Seat, ...], turn: int) -> Eyes:
    """The viewpoint of an address at a turn; after the last turn the mover is who moved last. Raises NotFound."""
    if asked in ("", ALL):
        return Eyes(ALL, None)
    if asked == MOVER:
        return Eyes(MOVER, movers[min(turn, len(movers) - 1)] if movers else 0)
    if asked in map(str, range(seats)):
        return Eyes(asked, int(asked))
    raise NotFound(f"no viewpoint {asked!r}", where="?seat=", fix=f"all, mover, or a seat from 0 to {seats - 1}")
