"""Rules of the games, what a fault costs, and what this site is."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from arena import games
from arena.core import options
from arena.core.errors import ConfigError
from arena.match.clock import Clock
from arena.record.codes import CODES
from arena.web.errors import NotFound
from arena.web.rendering import page, wants_lists
from arena.web.rulebook.example import example
from arena.web.rulebook.text import rules_of
from arena.web.table import as_text, cards, markup, scene_of, sentence

router = APIRouter()
SEATS = {3: ("South", "West", "East"), 4: ("South", "West", "North", "East")}


@router.get("/rules")
def all_rules(request: Request) -> HTMLResponse:
    """The games."""
    made = [(variant, variant.make({})) for variant in games.catalog().values()]
    return page(request, "rules/games.html", title="Rules", games=made)


@router.get("/rules/{game}")
def rules(
    request: Request,
    game: str,
    turn: Annotated[int, Query(ge=0)] = 0,
    seat: Annotated[int | None, Query(ge=0)] = None,
) -> HTMLResponse:
    """One ruleset: its options, the rules of its family, and a hand to step through. Raises NotFound."""
    try:
        made = games.make(game)
    except ConfigError as error:
        raise NotFound(error.message, where=request.url.path, fix=error.fix) from None
    variant = games.catalog()[game]
    shown: dict[str, Any] = _shown(game, turn, seat if seat is None or seat < made.seats else None)
    return page(
        request,
        "rules/game.html",
        title=f"Rules of {variant.title}",
        variant=variant,
        game=made,
        options=options.describe(made.ruleset),
        faults=[code for code in CODES.values() if code.fault_class],
        clock=Clock(),
        rules=rules_of(variant.family),
        sprite=cards.sprite(variant.family),
        as_lists=wants_lists(request),
        **shown,
    )


def _shown(game_id: str, turn: int, seat: int | None) -> dict[str, Any]:
    """One position of the example, as a template shows it. Any: likewise."""
    game, moments = example(game_id)
    turn = min(turn, len(moments) - 1)
    moment, names = moments[turn], SEATS[game.seats]
    views = moment.views if seat is None else {seat: moment.views[seat]}
    scene = scene_of(game, views, bottom=seat or 0, names=names, to_move=moment.to_move)
    said = "The cards are dealt."
    if moment.last is not None:
        mover, move, before, after = moment.last
        said = sentence(game, names, mover, move, before, after, eyes=tuple(views))
    return {
        "turn": turn, "last_turn": len(moments) - 1, "seat": seat, "seats": list(enumerate(names)), "said": said,
        "table": markup(scene), "lists": as_text(scene),
    }  # fmt: skip


@router.get("/about")
def about(request: Request) -> HTMLResponse:
    """How ratings work, how cards are drawn and checked, versions."""
    rulesets = [(variant, variant.make({}).version) for variant in games.catalog().values()]
    return page(request, "rules/about.html", title="About", rulesets=rulesets)
