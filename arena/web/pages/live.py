"""What live pages need: the pulse of the server, the running games, and their place among the games of the site.

Has no pages of its own: a running game is at the address that it keeps, `/g/ID`.
"""

from __future__ import annotations

from fastapi import APIRouter

from arena.web.games.source import sources_of
from arena.web.live.games import live_games_of
from arena.web.live.pulse import pulse_of
from arena.web.live.source import live_source
from arena.web.site import Site

router = APIRouter()


def include(site: Site) -> None:
    """Make the services, and let the pages of games find running ones."""
    pulse_of(site)
    live_games_of(site)
    sources_of(site).add(live_source)
