"""Where games with the same cards went different ways: two games, or each from what most of its board did.

Games of a board differ in nothing but their moves: with the same cards and the same moves the positions are the same.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from arena.core.game import Seat
from arena.record.compare.tables import Told, same_cards


class Parting(NamedTuple):
    """The first turn at which two games differ."""

    turn: int
    seat: Seat
    own: str
    """The move of the first game."""
    other: str


class MajorityParting(NamedTuple):
    """The first turn at which a game left what most tables with the same course did."""

    turn: int
    seat: Seat
    own: str
    most: str
    """The choice of most tables; empty where several were equally common."""
    chose: int
    """At how many tables: those that chose `most`, or, where it is empty, that chose otherwise than this one."""
    tables: int
    """At how many tables the course was the same until then, this one included."""


def first_difference(one: Told, other: Told) -> Parting | None:
    """Where two games parted; None: they never did, one of them broke off first, or their cards are not the same."""
    if not same_cards(one, other):
        return None
    for turn, (left, right) in enumerate(zip(one.transcript.moves, other.transcript.moves, strict=False)):
        if left.move != right.move:
            return Parting(turn, left.seat, left.move, right.move)
    return None


def majority_parting(tables: Sequence[Told]) -> dict[str, MajorityParting]:
    """By game (public id): where it left the choice that most tables of the same course made.

    A game that never did has no entry. Where no choice was the most common, every table parts there. Void games are
    left aside.
    """
    found: dict[str, MajorityParting] = {}
    together: list[tuple[int, list[Told]]] = [(0, list(group)) for group in _by_cards(tables)]
    while together:
        turn, group = together.pop()
        if len(group) < 2:
            continue
        ways: dict[str, list[Told]] = defaultdict(list)
        for table in group:
            if turn < len(table.transcript.moves):
                ways[table.transcript.moves[turn].move].append(table)
        counts = Counter({move: len(went) for move, went in ways.items()})
        ranked = counts.most_common(2)
        most, chose = ranked[0] if ranked else ("", 0)
        if len(ranked) == 2 and ranked[1][1] == chose:
            most = ""
        for move, went in ways.items():
            for table in went if move != most else ():
                told = chose if most else counts.total() - len(went)
                seat = table.transcript.moves[turn].seat
                parted = MajorityParting(turn, seat, move, most, told, counts.total())
                found.setdefault(table.public_id, parted)
            together.append((turn + 1, went))
    return found


def _by_cards(tables: Sequence[Told]) -> list[list[Told]]:
    groups: list[list[Told]] = []
    for table in tables:
        if table.void:
            continue
        group = next((each for each in groups if same_cards(each[0], table)), None)
        if group is None:
            groups.append([table])
        else:
            group.append(table)
    return groups
