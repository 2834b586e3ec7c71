"""A running game on its page: the spectators' table at one turn, the list of moves, what was said."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import Request
from markupsafe import Markup

from arena.core.game import Seat
from arena.games import catalog
from arena.record.outcomes import TALLIES
from arena.record.text import seat_names, side_names
from arena.web.live.games import LiveGame
from arena.web.live.pulse import version_of
from arena.web.live.told import Group, groups_of, said
from arena.web.rendering import wants_lists
from arena.web.site import Site
from arena.web.table import Scene, as_text, cards, markup, scene_of
from arena.web.table.text import Sections
from arena.web.viewer import viewer_of

PUBLIC: Seat = -1
LISTED = 40
"""Groups of moves in the list: a long match shows its last ones."""


@dataclass(frozen=True)
class Shown:
    """What the template of a page shows of one position."""

    turn: int
    last: int
    table: Markup
    """Empty where text is asked for."""
    sections: Sections
    """The same as headings and lines."""
    said: str
    groups: tuple[Group, ...]
    left_out: int
    """Groups before those."""
    clipped: bool
    """Whether the last position is left out, since results are hidden."""

    @property
    def at_end(self) -> bool:
        """Whether nothing newer is there to be shown."""
        return self.turn == self.last


@dataclass(frozen=True)
class LiveView:
    """The context of `game/live.html`."""

    live: LiveGame
    version: int

    @property
    def sprite(self) -> Markup:
        """The cards of the game."""
        return cards.sprite(catalog()[self.live.game.id].family)

    def shown(self, request: Request) -> Shown:
        """The position that an address asks for; one that there is not is the nearest one."""
        live = self.live
        last = live.last
        clipped = live.at(last).next is None and viewer_of(request).hide_results and last > 0
        last -= clipped
        asked = request.query_params.get("turn", "")
        turn = min(int(asked), last) if asked.isdecimal() and len(asked) < 8 else last
        key = (turn, last, clipped, wants_lists(request))
        found: Shown | None = live.drawn.get(key)
        if found is None:
            found = _shown(live, *key)
            live.drawn.keep(key, found)
        return found


def _shown(live: LiveGame, turn: int, last: int, clipped: bool, text: bool) -> Shown:
    """A turn of a game whose newest position is `last`: all who look at it are shown the same."""
    groups = [group for group in groups_of(live, last + clipped) if group.items[0].turn < last or not clipped]
    scene = scene_at(live, turn)
    return Shown(
        turn=turn,
        last=last,
        table=Markup() if text else markup(scene),
        sections=as_text(scene) if text else [],
        said=said(live, turn),
        groups=tuple(groups[-LISTED:]),
        left_out=max(0, len(groups) - LISTED),
        clipped=clipped,
    )


def scene_at(live: LiveGame, turn: int) -> Scene:
    """A turn as spectators see it."""
    position = live.at(turn)
    names = [name if name != mark else "" for name, mark in zip(live.names, seat_names(live.game.seats), strict=True)]
    return scene_of(live.game, {PUBLIC: position.view}, bottom=0, names=names, to_move=position.next)


def table_of(live: LiveGame, turn: int) -> Markup:
    """The spectators' table at a turn."""
    found: Markup | None = live.drawn.get((turn,))
    if found is None:
        found = markup(scene_at(live, turn))
        live.drawn.keep((turn,), found)
    return found


def view_of(site: Site, live: LiveGame) -> LiveView:
    """What the page of a game is made of."""
    return LiveView(live, version_of(site, f"game:{live.public_id}"))


def progress_of(live: LiveGame) -> tuple[tuple[str, str], ...]:
    """The score so far of a game whose cards are not shown: (side, points), and no more."""
    view = live.at(live.last).view
    totals = view.get("scores", ())
    tally = next((view[key] for key in TALLIES if key in view), ())
    told = []
    for side, name in enumerate(side_names(live.game, live.names)):
        words = [f"{tally[side]:g} in this deal"] if tally else []
        words += [f"{totals[side]:g} before it"] if totals else []
        told.append((name, ", ".join(words)))
    return tuple(told)
