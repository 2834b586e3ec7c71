"""The cards of a person's game with bots in the person's seat: which games to play, and what came of them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import NamedTuple

from arena.core.game import AnyGame
from arena.games import make
from arena.runner.roster import Roster
from arena.runner.sittings import Plan
from arena.store.sittings import RUNNING, Sitting, Sittings, new_id
from arena.web.play.choosing import house_bots

MOST = 3
"""So many bots are put on a person's cards."""


class Row(NamedTuple):
    """One game on the cards."""

    id: str
    name: str
    """Who sat in the person's seat."""
    state: str
    score: float | None
    """Points of that seat; None until the game is over, or where it came to nothing."""
    difference: float | None
    """Against the person's game; None for that game itself."""


def game_of_sitting(sitting: Sitting) -> AnyGame:
    """The game of a sitting, with its options."""
    return make(sitting.game, sitting.ruleset)


def plans_on(sitting: Sitting, finder: Roster) -> list[Plan]:
    """Plans of the same cards, with house bots in the person's seat. Raises BotError for bots that are gone."""
    assert sitting.seat is not None, "a person sat there"
    game = game_of_sitting(sitting)
    others = tuple(finder.find(bot) if bot else None for bot in sitting.bots)
    own = Plan(new_id(), game, others, sitting.secret)
    return [_with(own, sitting.seat, bot) for bot in house_bots(game)[:MOST]]


def _with(plan: Plan, seat: int, bot: object) -> Plan:
    bots = tuple(bot if place == seat else each for place, each in enumerate(plan.bots))
    return replace(plan, id=new_id(), bots=bots)  # type: ignore[arg-type]


def rows_of(kept: Sittings, sitting: Sitting) -> list[Row]:
    """The person's game and those of bots on its cards, in the order they were dealt."""
    seat = sitting.seat or 0
    own = _score(kept, sitting, seat)
    rows = [Row(sitting.public_id, "person", sitting.state, own, None)]
    row = partial(_row, kept, seat, own)
    return rows + [row(child) for child in kept.children(sitting.public_id)]


def _row(kept: Sittings, seat: int, own: float | None, child: Sitting) -> Row:
    score = _score(kept, child, seat)
    difference = score - own if score is not None and own is not None else None
    state = (
        "being played" if child.state == RUNNING else f"{child.state}: {child.reason}" if child.reason else child.state
    )
    return Row(child.public_id, child.bots[seat].partition("@")[0], state, score, difference)


def _score(kept: Sittings, sitting: Sitting, seat: int) -> float | None:
    """What a seat has scored in a game that is over."""
    transcript = kept.transcript(sitting.public_id) if sitting.state != RUNNING else None
    scores = transcript["scores"] if transcript is not None else ()
    return float(scores[seat]) if scores else None
