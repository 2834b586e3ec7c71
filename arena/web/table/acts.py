"""What was done in a deal of Goat, read from views as data: acts, tricks, which card beats which. Draws nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations
from typing import NamedTuple

from arena.core.cards import suit_of
from arena.core.game import Seat
from arena.games.goat import sets
from arena.games.goat.ruleset import NAMES, SEATS, SUITS
from arena.games.goat.scoring import points_of
from arena.web.table.cards import short_name
from arena.web.table.sight import View

LEAD, BEAT, DROP, MOLODKA, DECLINE = "lead", "beat", "drop", "molodka", "decline"
FULL = "full"
"""Phase of a view in which the cards of a full trick still lie on the table; no view of the game has it."""


class Act(NamedTuple):
    """One act of a seat."""

    seat: Seat
    did: str
    number: int
    cards: tuple[str, ...] | None
    """None for cards that no view shows."""


class Group(NamedTuple):
    """The acts of one trick; a molodka begins it anew."""

    acts: tuple[Act, ...]
    returned: int = 0
    """Cards that went back to their owners."""

    @property
    def complete(self) -> bool:
        """Whether every seat has put down its cards."""
        return len(self.acts) == SEATS

    @property
    def best(self) -> Act:
        """The act that takes the trick as it lies."""
        return [act for act in self.acts if act.did != DROP][-1]

    def points(self) -> int:
        """Points of all cards of the trick that are known."""
        return sum(points_of(NAMES.parse(text) for text in act.cards) for act in self.acts if act.cards)

    def unseen(self) -> int:
        """Cards of the trick that are not known."""
        return sum(act.number for act in self.acts if act.cards is None)


class Course(NamedTuple):
    """A deal so far."""

    groups: tuple[Group, ...]
    """Tricks, the running one last."""
    declined: tuple[Seat, ...]
    """Seats that were asked before the trick that is due, and called nothing."""

    def put(self, seat: Seat) -> int:
        """How many cards a seat has put down that stayed on the table."""
        return sum(act.number for group in self.groups for act in group.acts if act.seat == seat)

    def points(self) -> tuple[int, int]:
        """Points by team in complete tricks, as far as cards are known."""
        sums = [0, 0]
        for group in self.groups:
            if group.complete:
                sums[group.best.seat % 2] += group.points()
        return sums[0], sums[1]


def course_of(views: Iterable[View]) -> Course:
    """A deal from one or more views of the same position; a card is known when any of them shows it."""
    seen = list(views)
    known = [_cards(view) for view in seen]
    groups: list[Group] = []
    declined: list[Seat] = []
    view = seen[0]
    for place, (seat, did, count) in enumerate(zip(view["act_seats"], view["acts"], view["act_counts"], strict=True)):
        cards = next((found[place] for found in known if found[place] is not None), None)
        act = Act(seat, did, count, cards)
        if did == DECLINE:
            declined.append(seat)
            continue
        declined.clear()
        if did == MOLODKA and groups and not groups[-1].complete:
            groups[-1] = Group((act,), sum(earlier.number for earlier in groups[-1].acts))
        elif did in (LEAD, MOLODKA):
            groups.append(Group((act,)))
        else:
            groups[-1] = groups[-1]._replace(acts=(*groups[-1].acts, act))
    return Course(tuple(groups), tuple(declined))


def _cards(view: View) -> list[tuple[str, ...] | None]:
    """By act: its cards, None for those that the view does not show."""
    rest = list(view["act_cards"])
    found: list[tuple[str, ...] | None] = []
    for seat, did, count in zip(view["act_seats"], view["acts"], view["act_counts"], strict=True):
        if did == DROP and seat != view["seat"]:
            found.append(None)
        else:
            found.append(tuple(rest[:count]))
            del rest[:count]
    return found


def pairing(beating: Sequence[str], beaten: Sequence[str], trump: str) -> tuple[str, ...] | None:
    """The cards of `beating` in an order in which each beats the card of `beaten` in the same place; None: no way.

    Of several ways one with as few trumps on plain cards as can be. `trump` in words.
    """
    if len(beating) != len(beaten):
        return None
    targets = [NAMES.parse(text) for text in beaten]
    suit = SUITS.index(trump)
    ways = [
        way
        for way in permutations([NAMES.parse(text) for text in beating])
        if all(sets.beats(x, y, suit) for x, y in zip(way, targets, strict=True))
    ]
    if not ways:
        return None
    best = max(ways, key=lambda way: sum(suit_of(x) == suit_of(y) for x, y in zip(way, targets, strict=True)))
    return tuple(NAMES.list(best))


def beats_text(x: str, y: str) -> str:
    """ "10♠ beats 9♠", or "7♥ trumps J♠" where the suits differ."""
    verb = "beats" if x[-1] == y[-1] else "trumps"
    return f"{short_name(x, 'goat')} {verb} {short_name(y, 'goat')}"


def pairs_text(beating: Sequence[str], beaten: Sequence[str], trump: str) -> tuple[str, ...]:
    """What beats what, one text a pair, in the order of `beaten`; empty when the set does not beat the other."""
    order = pairing(beating, beaten, trump)
    return () if order is None else tuple(beats_text(x, y) for x, y in zip(order, beaten, strict=True))
