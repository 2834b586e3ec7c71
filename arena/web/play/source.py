"""Where `/g/ID` finds the games of people: a table while it is played, a replay with all hands when it is over.

Nobody else plays the cards of a sitting before it is over, so nothing of it is sealed then.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fastapi import Request
from markupsafe import Markup

from arena.core.game import Seat
from arena.games import catalog
from arena.record.text import seat_names
from arena.record.transcript import from_data
from arena.runner.sittings import Seating
from arena.store.sittings import FINISHED, LEFT, PREFIX, REMOVED, RUNNING, VOID, Sitting
from arena.web.games.source import Closed, Found, Open
from arena.web.play.choosing import choice_of
from arena.web.play.ending import outcome_of, summary_of
from arena.web.play.seen import as_lists, eyes_of, told
from arena.web.play.tables import Tables, may_sit, tables_of
from arena.web.rendering import fragment
from arena.web.site import Site
from arena.web.table import cards
from arena.web.viewer import Viewer

COOKIE = "seat_key"
PLAY_AGAIN = ("play another hand", "/play")


@dataclass(frozen=True)
class AtTable:
    """A table for the template of its page, which knows the request."""

    tables: Tables
    seating: Seating
    settings: Mapping[str, Any]

    @property
    def public_id(self) -> str:
        """Of the sitting."""
        return self.seating.plan.id

    @property
    def title(self) -> str:
        """Of the game."""
        return self.seating.plan.game.title

    @property
    def sprite(self) -> Markup:
        """The drawings of the cards."""
        return cards.sprite(catalog()[self.seating.plan.game.id].family)

    def here(self, request: Request) -> dict[str, Any]:
        """What the page begins with: the newest position, and the moves before it in words."""
        seating, seat = self.seating, seat_of(request, self.seating)
        last = len(seating.steps) - 1
        eyes = eyes_of(seating.plan, seat)
        log = [told(seating.steps, number, eyes) for number in range(1, last + 1)]
        return {**news(self.tables, seating, last, seat), "log": log}

    def lists(self, request: Request) -> list[tuple[str, list[str]]]:
        """The newest position as headings with lines; empty before there is one."""
        seating = self.seating
        eyes = eyes_of(seating.plan, seat_of(request, seating))
        return as_lists(seating.steps, len(seating.steps) - 1, eyes) if seating.steps else []


def seat_of(request: Request, seating: Seating) -> Seat | None:
    """The seat that a request holds the key to; None for those who look on."""
    return seating.seat if may_sit(seating, request.cookies.get(COOKIE, "")[:100]) else None


def find_sitting(site: Site, public_id: str, viewer: Viewer) -> Found | None:
    """The source of sittings."""
    if not public_id.startswith(PREFIX):
        return None
    tables = tables_of(site)
    seating = tables.running(public_id)
    kept = tables.kept.find(public_id)
    if seating is not None and (kept is None or kept.state == RUNNING):
        settings = kept.settings if kept is not None else {}
        context = {"at": AtTable(tables, seating, settings)}
        names = tuple(bot.name if bot is not None else "Person" for bot in seating.plan.bots)
        return Closed(public_id, "running", "being played", names, template="play/table.html", context=context)
    return _stored(tables, kept) if kept is not None else None


def _stored(tables: Tables, kept: Sitting) -> Found:
    """A sitting that is over."""
    transcript = tables.kept.transcript(kept.public_id)
    if transcript is not None and kept.state in (FINISHED, LEFT):
        return Open(kept.public_id, from_data(transcript), edition=kept.state, remarks=_remarks(kept))
    if kept.state == REMOVED:
        return Closed(kept.public_id, REMOVED, kept.reason, links=(PLAY_AGAIN,), status=410)
    line = kept.reason or "being played at another server"
    if kept.state == VOID:
        line = f"It ended before its time: {line}."
    facts = (("game", catalog()[kept.game].title), ("it counts for", "nobody"))
    return Closed(kept.public_id, kept.state, line, _names(kept), facts=facts, links=(PLAY_AGAIN,))


def _names(kept: Sitting) -> tuple[str, ...]:
    return tuple(bot.partition("@")[0] or "Person" for bot in kept.bots)


def _remarks(kept: Sitting) -> tuple[str, ...]:
    if kept.parent is not None:
        link = Markup('Bots on the cards of a person: <a href="/g/{0}/compare">all games on these cards</a>')
        return (link.format(kept.parent),)
    said = [f"Not rated. {kept.reason[:1].upper()}{kept.reason[1:]}."] if kept.reason else []
    seat = seat_names(len(kept.bots))[kept.seat or 0]
    link = Markup('A person sat in seat {0}: <a href="/g/{1}/compare">same cards with bots in that seat</a>')
    return (*said, link.format(seat, kept.public_id))


def news(tables: Tables, seating: Seating, number: int, seat: Seat | None) -> dict[str, Any]:
    """What a page that shows everything before position `number` has to know. Any: JSON.

    state, reason, place (in line; 0: none), latest (number of the newest position), seat, steps (positions from
    `number` on), waiting (whether the viewer's answer is awaited), left_s (time for it), end (markup of the result;
    null before the end).
    """
    steps = tables.since(seating, number, seat)
    mine = seat is not None and seating.person is not None
    person = seating.person
    over = seating.over
    seating.end_seen = seating.end_seen or (over and mine)
    return {
        "id": seating.plan.id,
        "state": seating.state,
        "reason": seating.reason,
        "place": tables.room.place(seating),
        "latest": len(seating.steps) - 1,
        "seat": seat,
        "steps": steps,
        "waiting": person.waiting if mine and person is not None else None,
        "left_s": person.left_s() if mine and person is not None else None,
        "end": end_of(seating, seat) if over else None,
    }


def end_of(seating: Seating, seat: Seat | None) -> str:
    """The end of a game as markup."""
    eyes = eyes_of(seating.plan, seat)
    game = seating.plan.game
    summary, outcome = None, ""
    if seating.ending is not None:
        summary = summary_of(game, seating.steps[-1].state, eyes.names)
        outcome = outcome_of(game, seating.ending.result.ranks, eyes.names)
    mine, again = seat is not None, choice_of(game)
    return str(fragment("play/end.html", seating=seating, summary=summary, outcome=outcome, mine=mine, again=again))
