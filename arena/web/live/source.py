"""Running games as a source of the pages of games: what spectators may see, and nothing else.

A game that is over and sealed is the store's again, and shows no card: others are still to be dealt the same ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from arena.web.games.kept import find_kept
from arena.web.games.source import Closed, Found, Where
from arena.web.games.stored import ID, find_stored
from arena.web.live.games import LiveGame, live_games_of
from arena.web.live.pulse import version_of
from arena.web.live.shown import progress_of, view_of
from arena.web.site import Site
from arena.web.viewer import Viewer

TEMPLATE, COVERED = "game/live.html", "game/covered.html"


def live_source(site: Site, public_id: str, viewer: Viewer) -> Found | None:
    """A game that runs or has just ended; None for any other."""
    live = live_games_of(site).find(public_id)
    if live is not None and live.over is None:
        return _running(site, live)
    kept = find_stored(site, public_id, viewer) or find_kept(site, public_id)
    return kept or (_running(site, live) if live is not None else None)


def _running(site: Site, live: LiveGame) -> Closed:
    over = live.over is not None
    where = _where(live.public_id) if live.of_tournament else None
    if live.covered:
        return Closed(
            public_id=live.public_id,
            state="running",
            line=f"{'It has just ended' if over else 'It runs now'}. Bots on machines of their own take part, so that "
            "no card is shown before all games on these cards are done.",
            names=live.names,
            where=where,
            facts=(("moves so far", str(live.last)),),
            results=progress_of(live),
            template=COVERED,
            context=MappingProxyType({"since": version_of(site, f"game:{live.public_id}")}),
        )
    return Closed(
        public_id=live.public_id,
        state="running",
        line="It has just ended." if over else "It runs now: everybody sees what the whole table knows.",
        names=live.names,
        where=where,
        template=TEMPLATE,
        context=_context(site, live),
    )


def _context(site: Site, live: LiveGame) -> Mapping[str, Any]:
    return MappingProxyType({"view": view_of(site, live)})


def _where(public_id: str) -> Where | None:
    matched = ID.fullmatch(public_id)
    if matched is None:
        return None
    round_, board, table, seating = map(int, matched.groups()[1:])
    return Where(matched[1], round_, board, table, seating)
