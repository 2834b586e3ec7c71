"""One position as markup, in four pieces: the list of moves, the table, the decision, why the game was lost.

The pieces are what the browser swaps at each step, what an exported file is made of, and what a page shows first: one
renderer for all of them. A piece depends on the turn and on whose eyes see it, on nothing else; its links are relative.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from markupsafe import Markup

from arena.core.game import Seat
from arena.record.compare import facts_of
from arena.record.outcomes import remark_of
from arena.web.games.decision import decision_at
from arena.web.games.eyes import ALL, Eyes
from arena.web.games.frames import course_of, strip_at
from arena.web.games.moves import deals_at, drawn, moves_at
from arena.web.games.replays import Replay
from arena.web.games.results import results
from arena.web.games.shown import Shown, eyes_of
from arena.web.games.whys import why_lines
from arena.web.rendering import fragment
from arena.web.table import Scene, markup, scene_of, sentence

__all__ = ["Pieces", "Shown", "eyes_of", "pieces", "said_at", "scene_at"]
PUBLIC: Seat = -1


class Pieces(NamedTuple):
    """A position as markup."""

    moves: Markup
    table: Markup
    decision: Markup
    why: Markup
    said: str
    """What the move before was, in a sentence, for the live region."""
    seat: Seat | None
    """Whose eyes see it; None: all hands are open."""
    further: tuple[tuple[str, Markup], ...] = ()
    """(name, piece) of what is the same at all turns, unless results are hidden: the strip and the list of marks."""
    known: Mapping[str, Any] | None = None
    """What of the game's course may be known by now; None: all of it is. Any: JSON."""


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


def pieces(shown: Shown, turn: int, asked: str = ALL) -> Pieces:
    """A position. Raises NotFound as `eyes_of`."""
    eyes = eyes_of(shown, asked, turn)
    hidden, said = not shown.results, said_at(shown.replay, turn, eyes)
    return Pieces(
        moves=moves_piece(shown, turn, eyes),
        table=table_piece(shown, turn, eyes, said),
        decision=decision_piece(shown, turn, eyes),
        why=why_piece(shown, turn, eyes),
        said=said,
        seat=eyes.seat,
        further=further_pieces(shown, turn, eyes) if hidden else (),
        known=course_of(shown, strip_at(shown, turn), turn) if hidden else None,
    )


def further_pieces(shown: Shown, turn: int, eyes: Eyes) -> tuple[tuple[str, Markup], ...]:
    """The strip, and the marks as a list, as far as they may be known."""
    strip = strip_at(shown, turn)
    return tuple(
        (name, fragment(f"game/{name}.html", strip=strip, shown=shown, eyes=eyes)) for name in ("strip", "signs")
    )


def moves_piece(shown: Shown, turn: int, eyes: Eyes, *, mark_current: bool = True) -> Markup:
    """The moves of the deal; with all hands open and without a mark the same at all turns of a deal."""
    return fragment(
        "game/moves.html",
        shown=shown,
        replay=shown.replay,
        turn=turn,
        asked=eyes.asked,
        drawn=drawn,
        groups=moves_at(shown.replay, turn, eyes, mark_current=mark_current, until=shown.until(turn)),
        deals=deals_at(shown.replay, turn, shown.until(turn)),
        at_end=mark_current and turn == shown.replay.last,
    )


def table_piece(shown: Shown, turn: int, eyes: Eyes, said: str) -> Markup:
    """The table, and what was done last. `said`: that in a sentence, of `said_at`."""
    scene = scene_at(shown.replay, turn, eyes)
    return fragment("game/table.html", table=markup(scene), scene=scene, said=said)


def decision_piece(shown: Shown, turn: int, eyes: Eyes) -> Markup:
    """The decision; the same for all eyes that see the mover's hand, and for all that do not."""
    replay = shown.replay
    mover = replay.at(turn).seat
    told = mover is not None and eyes.sees(mover)
    facts = facts_of(replay.transcript) if mover is None else ()
    return fragment(
        "game/decision.html",
        shown=shown,
        replay=replay,
        turn=turn,
        mover=None if mover is None else replay.called[mover],
        decision=decision_at(replay, turn, shown.comparison, shown.found.clock, shown.notes) if told else None,
        ending=results(replay) if mover is None else (),
        remark=remark_of(fact.data for fact in facts),
        facts=[fact.line for fact in facts if fact.line],
    )


def why_piece(shown: Shown, _turn: int, eyes: Eyes) -> Markup:
    """Why each side lost that lost; the same at all turns."""
    return fragment("game/why.html", whys=why_lines(shown, eyes), also=shown.also)
