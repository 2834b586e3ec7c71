"""Views as they are for the moment in which a card lies on the table and its trick is not yet taken away.

A game goes on at once when a trick is full: the next view shows the next trick or, at the end of a deal, the next
deal. People want to see the full trick first. Works on views as data, for cards that are put down; knows no rule.
"""

from __future__ import annotations

from collections.abc import Mapping

from arena.core.game import AnyGame, Seat
from arena.core.moves import Kind
from arena.web.table.acts import FULL, course_of
from arena.web.table.sight import View

PUT = frozenset({Kind.PLAY, Kind.LEAD, Kind.BEAT, Kind.DROP})


def with_move(game: AnyGame, shown: Mapping[Seat, View], seat: Seat, move: str) -> dict[Seat, View]:
    """The views before a move with its cards put down, and nothing taken, drawn, counted or dealt.

    `shown`: views as data before the move, by seat, -1 for spectators. A drop is added where its cards are known: in
    the view of its own seat; the others get its number. Raises ValueError for a move that puts no card down.
    """
    made = game.notation.parse(move)
    if made.kind not in PUT:
        raise ValueError(f"{move!r} puts no card on the table")
    texts = game.notation.names.list(made.cards)
    return {viewer: _put(view, seat, made.kind, texts) for viewer, view in shown.items()}


def _put(view: View, seat: Seat, kind: Kind, texts: list[str]) -> View:
    changed = dict(view)
    own = view["seat"] == seat
    if own:
        changed["hand"] = [text for text in view["hand"] if text not in texts]
    if kind is Kind.PLAY:
        changed["played"] = [*view["played"], *texts]
        return changed
    changed["act_seats"] = [*view["act_seats"], seat]
    changed["acts"] = [*view["acts"], kind.value]
    changed["act_counts"] = [*view["act_counts"], len(texts)]
    if kind is not Kind.DROP or own:
        changed["act_cards"] = [*view["act_cards"], *texts]
    changed["phase"] = FULL if course_of([changed]).groups[-1].complete else "answer"
    return changed
