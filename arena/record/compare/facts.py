"""The key facts of each deal of a game in a line, and the dealt cards for a diagram. Texts and data only.

Knows no game: it goes by the fields of facts and deals, and says what it finds of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from arena.core.game import DealData, Seat
from arena.record.compare.tables import course
from arena.record.replay import game_of
from arena.record.text import seat_names
from arena.record.transcript import Transcript

Data = Mapping[str, Any]  # Any: JSON


class DealFacts(NamedTuple):
    """What is worth a line of one deal."""

    number: int
    """From 0, passed-out deals too."""
    dealer: Seat
    line: str
    """"N 85 green, made" | "pitchers 9 12 8" | "trump 10H"; empty where there is nothing yet."""
    data: Data
    """The game's own facts of the deal; empty of one that is not over, or was dealt again."""


class Diagram(NamedTuple):
    """The cards of a deal as they were dealt."""

    dealer: Seat
    hands: tuple[tuple[str, ...], ...]
    """By seat: texts of cards, ascending."""
    extras: tuple[tuple[str, tuple[str, ...]], ...]
    """(name, texts): nest, pitchers, stock, trump card."""


def facts_of(transcript: Transcript) -> tuple[DealFacts, ...]:
    """The key facts of each deal of a game, in order. Trusts the transcript."""
    game = game_of(transcript)
    *_, (last, _move) = course(transcript)
    by_deal: dict[int, Data] = {}
    number = 0
    for facts in game.facts(last):
        number += facts.get("redeals", 0)
        by_deal[number] = facts
        number += 1
    names = seat_names(game.seats)
    found = []
    for place, deal in enumerate(transcript.deals):
        data = by_deal.get(place, {})
        again = place < max(by_deal, default=-1) and not data
        line = "all passed, dealt again" if again else _line(deal, data, names)
        found.append(DealFacts(place, deal["dealer"], line, data))
    return tuple(found)


def diagram(deal: DealData) -> Diagram:
    """The cards of a deal, from its data."""
    extras = [
        (name.replace("_", " "), tuple(map(str, value)) if isinstance(value, list | tuple) else (str(value),))
        for name, value in deal.items()
        if name not in ("hands", "dealer")
    ]
    return Diagram(deal["dealer"], tuple(tuple(map(str, hand)) for hand in deal["hands"]), tuple(extras))


def _line(deal: DealData, facts: Data, names: tuple[str, ...]) -> str:
    return ", ".join(text for tell in TELLERS if (text := tell(deal, facts, names)))


def _contract(deal: DealData, facts: Data, names: tuple[str, ...]) -> str:
    """Who played for how much."""
    if "declarer" not in facts:
        return ""
    if facts["declarer"] is None:
        return "all passed"
    made = "made" if facts["made"] else "lost"
    return f"{names[facts['declarer']]} {facts['bid']} {facts['trump']}, {made}"


def _pitchers(deal: DealData, facts: Data, names: tuple[str, ...]) -> str:
    """Those that were turned up: one for each card of a hand."""
    if "pitchers" not in deal:
        return ""
    return "pitchers " + " ".join(map(str, deal["pitchers"][: len(deal["hands"][0])]))


def _trump_card(deal: DealData, facts: Data, names: tuple[str, ...]) -> str:
    return f"trump {deal['trump_card']}" if "trump_card" in deal else ""


def _captured(deal: DealData, facts: Data, names: tuple[str, ...]) -> str:
    """Card points by side."""
    points = facts.get("captured", facts.get("points"))
    return "" if points is None or facts.get("declarer", 0) is None else "points " + "–".join(map(str, points))


Tell = Callable[[DealData, Data, tuple[str, ...]], str]
TELLERS: tuple[Tell, ...] = (_contract, _pitchers, _trump_card, _captured)
