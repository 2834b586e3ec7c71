"""The moment when a trick is complete: whether a move completes one, and the table with it still lying there.

A view holds the trick only until it is taken, and nothing of a deal that is over; so the moment is drawn from the view
before the move with the move's cards put down.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena.core.game import AnyGame, Seat
from arena.games import catalog
from arena.web.table.acts import course_of

View = Mapping[str, Any]
"""A view as data."""


def completes_trick(game: AnyGame, before: View, move: str) -> bool:
    """Whether a move is the last one of a trick; `before` is the public view."""
    if catalog()[game.id].family == "goat":
        if before["phase"] != "answer" or move == "molodka":
            return False
        return len(course_of([before]).groups[-1].acts) == game.seats - 1
    return before.get("phase", "play") == "play" and len(before["played"]) % game.seats == game.seats - 1


def with_move(game: AnyGame, view: View, seat: Seat, move: str) -> dict[str, Any]:
    """The view with the cards of a move that completes a trick put down, as its owner may see them."""
    laid = dict(view)
    cards = [move]
    if catalog()[game.id].family == "goat":
        word, *cards = move.split(" ")
        laid["act_seats"] = [*view["act_seats"], seat]
        laid["acts"] = [*view["acts"], word]
        laid["act_counts"] = [*view["act_counts"], len(cards)]
        if word != "drop" or seat == view["seat"]:
            laid["act_cards"] = [*view["act_cards"], *cards]
    else:
        laid["played"] = [*view["played"], *cards]
    if seat == view["seat"]:
        laid["hand"] = [text for text in view["hand"] if text not in cards]
    return laid
