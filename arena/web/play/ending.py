"""What a deal that is over came to, in words and numbers by side. Reads what the game says of finished deals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from arena.core.game import AnyGame, Seat
from arena.games import catalog
from arena.record.outcomes import remark_of
from arena.record.text import seat_names
from arena.web.rendering import number
from arena.web.table.scene import YOU


class Summary(NamedTuple):
    """The last deal that ended."""

    word: str
    """What a deal is called: hand, round, deal."""
    line: str
    """What decided it."""
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    """By side: its name, then a value for each further heading."""
    remark: str = ""
    """What the result of the match says beside; empty before its end, or where there is nothing."""


def summary_of(game: AnyGame, state: Any, names: Sequence[str]) -> Summary | None:  # Any: the state of whichever game
    """The newest finished deal; None where there is none. `names` by seat."""
    facts = game.facts(state)
    if not facts:
        return None
    family = catalog()[game.id].family
    make = FAMILIES[family]
    line, headings, values = make(game, facts[-1], state, names)
    rows = tuple((_side(game, side, names), *row) for side, row in enumerate(values))
    remark = remark_of(facts) if game.to_move(state) is None else ""
    return Summary(WORDS[family], line, ("side", *headings), rows, remark)


def outcome_of(game: AnyGame, ranks: Sequence[int], names: Sequence[str]) -> str:
    """Who won a match: "You and W basic win.", "It is a draw."; empty of a void one, which has no ranks.

    `ranks` and `names` by seat.
    """
    sides = range(len(game.sides) if ranks else 0)
    first = [side for side in sides if ranks[game.sides[side][0]] == 0]
    called = " and ".join(_side(game, side, names) for side in first)
    if not first:
        return ""
    if len(first) == len(sides):
        return "It is a draw."
    if len(first) > 1:
        return f"{called} share the first place."
    alone = len(game.sides[first[0]]) == 1 and called != YOU
    return f"{called} {'wins' if alone else 'win'}."


def _side(game: AnyGame, side: int, names: Sequence[str]) -> str:
    """The names of a side: "You and counter"; its seats where nobody there is spoken to."""
    called = [called_at(game, seat, names) for seat in game.sides[side]]
    return " and ".join(sorted(called, key=lambda name: name != YOU))


def called_at(game: AnyGame, seat: Seat, names: Sequence[str]) -> str:
    """A seat's mark and name, since two bots may have one name: "W basic", "You"."""
    return names[seat] if names[seat] == YOU else f"{seat_names(game.seats)[seat]} {names[seat]}"


Made = tuple[str, tuple[str, ...], list[tuple[str, ...]]]


def _rook(game: AnyGame, fact: Mapping[str, Any], state: Any, names: Sequence[str]) -> Made:
    totals = [game.scores(state)[seats[0]] for seats in game.sides]
    rows: list[tuple[str, ...]] = [
        (number(captured), number(gained, plus=True), number(total))
        for captured, gained, total in zip(fact["captured"], fact["gained"], totals, strict=True)
    ]
    if fact["declarer"] is None:
        line = "All four passed."
    else:
        line = f"{called_at(game, fact['declarer'], names)} bid {fact['bid']}, {fact['trump']} was trump: "
        missing = fact["bid"] - fact["captured"][game.side_of(fact["declarer"])]
        line += "made." if fact["made"] else f"lost, {missing} short."
        if fact["discard_points"]:
            line += f" The discard held {fact['discard_points']} points."
    return line, ("captured", "change", "total"), rows


def _crow(game: AnyGame, fact: Mapping[str, Any], state: Any, names: Sequence[str]) -> Made:
    totals = game.scores(state)
    rows: list[tuple[str, ...]] = [
        (number(points), number(total)) for points, total in zip(fact["scores"], totals, strict=True)
    ]
    best = [called_at(game, seat, names) for seat, points in enumerate(fact["scores"]) if points == max(fact["scores"])]
    return f"Most points in the round: {' and '.join(best)}.", ("round", "total"), rows


def _goat(game: AnyGame, fact: Mapping[str, Any], state: Any, names: Sequence[str]) -> Made:
    totals = [-game.scores(state)[seats[0]] for seats in game.sides]
    rows: list[tuple[str, ...]] = [
        (number(points), number(tricks), number(defeats), number(total))
        for points, tricks, defeats, total in zip(fact["points"], fact["tricks"], fact["defeats"], totals, strict=True)
    ]
    line = "60 to 60, balls: nobody gets defeat points." if fact["balls"] else ""
    if not line:
        loser = fact["defeats"].index(max(fact["defeats"]))
        line = f"{_side(game, loser, names)} lost the deal."
    return line, ("points", "tricks", "defeat points", "in all"), rows


WORDS = {"rook": "hand", "crow": "round", "goat": "deal"}
FAMILIES: dict[str, Callable[[AnyGame, Mapping[str, Any], Any, Sequence[str]], Made]] = {
    "rook": _rook,
    "crow": _crow,
    "goat": _goat,
}
