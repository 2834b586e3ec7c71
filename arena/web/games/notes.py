"""Whose notes a viewer may read: those of bots whose owners made them public, of one's own, and all for organisers."""

from __future__ import annotations

from collections.abc import Sequence

from arena.core.game import Seat
from arena.store.bot_games import BotGames
from arena.store.store import Store
from arena.store.values import State, Tournament
from arena.web.viewer import Viewer

REGISTERED = "registered:"


def readable_notes(store: Store, tournament: Tournament, bots: Sequence[str], viewer: Viewer) -> frozenset[Seat]:
    """The seats whose notes a viewer may read, of a game with these competitors by seat.

    Public ones open with the end of the event. Notes of bots that are not registered are the organiser's.
    """
    if viewer.is_organiser:
        return frozenset(range(len(bots)))
    registered = {
        each.name: each.source.removeprefix(REGISTERED).partition("@")[0]
        for each in tournament.entrants
        if each.name in bots and each.source.startswith(REGISTERED)
    }
    if not registered:
        return frozenset()
    chosen = BotGames(store.database).settings() if tournament.state is State.FINISHED else {}
    readable = {
        competitor
        for competitor, name in registered.items()
        if chosen.get(name.casefold(), (False, False))[0] or _owns(store, viewer, name)
    }
    return frozenset(seat for seat, bot in enumerate(bots) if bot in readable)


def _owns(store: Store, viewer: Viewer, name: str) -> bool:
    """Whether a bot belongs to the viewer."""
    if viewer.person is None:
        return False
    versions = store.registered(name)
    return bool(versions) and bool(versions[0].owner) and viewer.owns(versions[0].owner)
