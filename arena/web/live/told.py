"""The moves of a game that runs, or is sealed, as everybody may know them: in groups by tricks, and in sentences.

Works on positions of spectators alone (`LivePosition`), so that nothing more can come out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from arena.core.game import AnyGame, Seat
from arena.core.moves import Kind
from arena.record.outcomes import new_result
from arena.record.text import HIDDEN, TRICK_MOVES, seat_names
from arena.web.live.games import LiveGame, LivePosition
from arena.web.table import sentence

KINDS = {kind.value: kind for kind in Kind}
CALLS = "calls"
UNTOLD = {Kind.BID, Kind.TRUMP, Kind.LEAD}
"""Kinds whose word is left out in a list: the place says it."""


class Item(NamedTuple):
    """One move in a list."""

    turn: int
    """The position before it."""
    mark: str
    text: str
    fault: str


class Group(NamedTuple):
    """A trick, or the calls between two."""

    deal: int
    """From 1."""
    label: str
    items: tuple[Item, ...]


def kind_of(move: str) -> Kind:
    """The kind of a public text; a play is written as its card alone."""
    return KINDS.get(move.split(" ", 1)[0], Kind.PLAY)


def groups_of(live: LiveGame, last: int | None = None) -> list[Group]:
    """All moves up to a position, in groups; None: up to the newest one."""
    marks = seat_names(live.game.seats)
    found: list[tuple[int, str, list[Item]]] = []
    deal, tricks, cards, label = 1, 0, 0, ""
    before = live.at(0)
    for turn in range(live.last if last is None else last):
        after = live.at(turn + 1)
        assert after.seat is not None, "only the first position has no move"
        kind = kind_of(after.move)
        trick = kind in TRICK_MOVES
        if trick and not cards:
            tricks += 1
        wanted = f"trick {tricks}" if trick else str(before.view.get("phase", CALLS))
        if wanted != label:
            label = wanted
            found.append((deal, label, []))
        text = after.move.partition(" ")[2] if kind in UNTOLD else after.move
        found[-1][2].append(Item(turn, marks[after.seat], text, after.fault))
        if trick:
            cards = 1 if kind is Kind.MOLODKA else cards + 1
        if is_new_deal(live.game, before, after):
            deal, tricks, cards, label = deal + 1, 0, 0, ""
        elif cards == live.game.seats:
            cards, label = 0, ""
        before = after
    return [Group(number, name, tuple(items)) for number, name, items in found]


def is_new_deal(game: AnyGame, before: LivePosition, after: LivePosition) -> bool:
    """Whether a deal ended with a move."""
    ended = new_result(dict(before.view), dict(after.view), len(game.sides)) is not None
    return ended or before.view.get("redeals", 0) != after.view.get("redeals", 0)


def said(live: LiveGame, turn: int) -> str:
    """The move that led to a position in a sentence; empty at the first one."""
    if turn == 0:
        return ""
    before, after = live.at(turn - 1), live.at(turn)
    seat: Seat | None = after.seat
    assert seat is not None, "only the first position has no move"
    return sentence(live.game, live.called, seat, spelled(live.game, after.move), before.view, after.view)


def spelled(game: AnyGame, move: str) -> str:
    """A public text as a move that can be read: cards that nobody may know stand for as many of the pack, of which
    a sentence tells their number alone."""
    kind = kind_of(move)
    count = move.partition(" ")[2]
    if kind not in HIDDEN or not count.isdecimal():
        return move
    some: Sequence[int] = sorted(game.notation.names.texts)[: int(count)]
    return f"{kind.value} {game.notation.names.join(some)}"
