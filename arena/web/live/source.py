"""Running games, and sealed ones, as a source of the pages of games: what spectators may see, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from arena.core.errors import TranscriptError
from arena.record.transcript import from_data
from arena.web.games.source import Closed, Found, Where
from arena.web.games.stored import ID, find_stored
from arena.web.live.games import LiveGame, live_games_of
from arena.web.live.shown import sealed, view_of
from arena.web.site import Site
from arena.web.viewer import Viewer

TEMPLATE = "game/live.html"


def live_source(site: Site, public_id: str, viewer: Viewer) -> Found | None:
    """A game that runs, has just ended, or is sealed; None for any other."""
    live = live_games_of(site).find(public_id)
    if live is not None and (live.over is None or site.store.game(public_id) is None):
        return _running(site, live)
    found = find_stored(site, public_id, viewer)
    if isinstance(found, Closed) and found.state == "sealed":
        return _sealed(site, found)
    return found


def _running(site: Site, live: LiveGame) -> Closed:
    over = live.over is not None
    return Closed(
        public_id=live.public_id,
        state="running",
        line="It has just ended." if over else "It runs now: everybody sees what the whole table knows.",
        names=live.names,
        where=_where(live.public_id),
        template=TEMPLATE,
        context=_context(site, live),
    )


def _sealed(site: Site, found: Closed) -> Closed:
    """A sealed game, with its course as everybody at the table saw it."""
    full = site.store.game(found.public_id)
    if full is None or full.pruned is not None or found.where is None:
        return found
    try:
        transcript = from_data(dict(full.game.result.transcript), where=found.public_id)
        live = sealed(found.public_id, found.where.tournament, transcript)
    except TranscriptError:
        return found
    live.over = 0.0
    return replace(found, template=TEMPLATE, context=_context(site, live))


def _context(site: Site, live: LiveGame) -> Mapping[str, Any]:
    return MappingProxyType({"view": view_of(site, live)})


def _where(public_id: str) -> Where | None:
    matched = ID.fullmatch(public_id)
    if matched is None:
        return None
    round_, board, table, seating = map(int, matched.groups()[1:])
    return Where(matched[1], round_, board, table, seating)
