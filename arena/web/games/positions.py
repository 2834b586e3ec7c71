"""One position as markup, in three pieces: the list of moves, the table, the decision.

The pieces are what the browser swaps at each step, what an exported file is made of, and what a page shows first: one
renderer for all of them. A piece depends on the turn and on whose eyes see it, on nothing else; its links are relative.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from markupsafe import Markup

from arena.core.game import Seat
from arena.record.compare import facts_of
from arena.web.games.comparison import Comparison
from arena.web.games.decision import decision_at
from arena.web.games.eyes import ALL, Eyes, eyes_at
from arena.web.games.moves import deals_at, moves_at
from arena.web.games.replays import Replay
from arena.web.games.results import results
from arena.web.games.source import Open
from arena.web.rendering import fragment
from arena.web.table import Scene, markup, scene_of, sentence

PUBLIC: Seat = -1


@dataclass(frozen=True)
class Shown:
    """A game with what is shown of it."""

    found: Open
    replay: Replay
    comparison: Comparison | None = None
    results: bool = True
    """Whether what came of it may be told."""
    links: bool = True
    """Whether there is a site around it, to which links may lead."""
    notes: frozenset[Seat] = frozenset()
    """The seats whose notes are shown."""


class Pieces(NamedTuple):
    """A position as markup."""

    moves: Markup
    table: Markup
    decision: Markup
    said: str
    """What the move before was, in a sentence, for the live region."""
    seat: Seat | None
    """Whose eyes see it; None: all hands are open."""


def eyes_of(shown: Shown, asked: str, turn: int) -> Eyes:
    """The viewpoint of an address. Raises NotFound for one that there is not, or a turn that there is not."""
    shown.replay.at(turn)
    return eyes_at(asked, shown.replay.game.seats, shown.replay.movers, turn)


def scene_at(replay: Replay, turn: int, eyes: Eyes) -> Scene:
    """A position as those eyes see it."""
    views: Mapping[Seat, Any]  # Any: views as data
    if eyes.seat is None:
        views = {
            PUBLIC: replay.view(turn, None),
            **{seat: replay.view(turn, seat) for seat in range(replay.game.seats)},
        }
    else:
        views = {eyes.seat: replay.view(turn, eyes.seat)}
    return scene_of(replay.game, views, bottom=eyes.seat or 0, names=replay.names, to_move=replay.at(turn).seat)


def said_at(replay: Replay, turn: int, eyes: Eyes) -> str:
    """The move that led to a position in a sentence; empty at the first one."""
    if turn == 0:
        return ""
    move = replay.transcript.moves[turn - 1]
    open_to = range(replay.game.seats) if eyes.seat is None else (eyes.seat,)
    before, after = replay.view(turn - 1, None), replay.view(turn, None)
    return sentence(replay.game, replay.called, move.seat, move.move, before, after, eyes=tuple(open_to))


def pieces(shown: Shown, turn: int, asked: str = ALL, *, mark_current: bool = True) -> Pieces:
    """A position. Raises NotFound as `eyes_of`."""
    replay = shown.replay
    eyes = eyes_of(shown, asked, turn)
    scene = scene_at(replay, turn, eyes)
    mover = replay.at(turn).seat
    told = mover is not None and eyes.sees(mover)
    common = {"shown": shown, "replay": replay, "turn": turn, "eyes": eyes, "asked": eyes.asked}
    return Pieces(
        moves=fragment(
            "game/moves.html",
            **common,
            groups=moves_at(replay, turn, eyes, mark_current=mark_current),
            deals=deals_at(replay, turn),
        ),
        table=fragment("game/table.html", **common, table=markup(scene), scene=scene, said=said_at(replay, turn, eyes)),
        decision=fragment(
            "game/decision.html",
            **common,
            told=told,
            mover=None if mover is None else replay.called[mover],
            decision=decision_at(replay, turn, shown.comparison, shown.found.clock, shown.notes) if told else None,
            ending=results(replay) if mover is None else (),
            facts=[fact.line for fact in facts_of(replay.transcript) if fact.line] if mover is None else [],
        ),
        said=said_at(replay, turn, eyes),
        seat=eyes.seat,
    )
