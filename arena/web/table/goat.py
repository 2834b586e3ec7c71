"""Goat on the table: leads, beats and drops as a ladder, stock, points known, defeats. Rules come from the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from arena.core.game import AnyGame, Seat
from arena.games.goat.game import Goat
from arena.games.goat.ruleset import SEATS
from arena.web.table.acts import BEAT, DROP, FULL, LEAD, MOLODKA, Act, Course, Group, course_of, pairing, pairs_text
from arena.web.table.scene import Aside, CardFace, Fact, Play, SeatScene, Trick
from arena.web.table.sight import Sight, View

PHASES = {"ask": "asking for molodka", "lead": "lead", "answer": "answer", "over": "over", FULL: "full trick"}
DID = {LEAD: "led", BEAT: "beat", DROP: "dropped", MOLODKA: "called molodka"}


def goat_game(game: AnyGame) -> Goat:
    """The game as what it is. Raises TypeError for another game."""
    if not isinstance(game, Goat):
        raise TypeError(f"{game.id} is not Goat")
    return game


@dataclass(frozen=True)
class GoatTable:
    """One position."""

    sight: Sight

    @property
    def game(self) -> Goat:
        """The game that is played."""
        return goat_game(self.sight.game)

    @property
    def view(self) -> View:
        """Where public facts are read."""
        return self.sight.view

    @cached_property
    def course(self) -> Course:
        """The deal so far, with every card that a shown view knows."""
        return course_of(self.sight.shown.values())

    @property
    def phase(self) -> str:
        """What is going on, in words."""
        return PHASES[self.view["phase"]]

    def doing(self) -> str:
        """What the seat to move has to do."""
        match self.view["phase"]:
            case "ask":
                return "to say: molodka or not"
            case "answer":
                count = self.course.groups[-1].acts[0].number
                return f"to beat or drop {count} card{'s' if count > 1 else ''}"
            case _:
                return "to lead"

    def header(self) -> tuple[Fact, ...]:
        """Deal, trump, stock, points known, tricks, defeat points."""
        view, sight = self.view, self.sight
        all_known = all(act.cards is not None for group in self.course.groups for act in group.acts)
        return (
            Fact("deal", str(view["deal_number"] + 1)),
            Fact("trump", view["trump"], suit=view["trump"]),
            Fact("stock", f"{view['stock']} cards" if view["stock"] else "empty"),
            Fact("points" if all_known else "points known", sight.by_side(self.course.points())),
            Fact("tricks", sight.by_side(view["tricks"])),
            Fact("defeats", f"{sight.by_side(view['defeats'])}, {self.game.ruleset.target} loses"),
        )

    # Seats

    def seats(self) -> tuple[SeatScene, ...]:
        """All seats, clockwise from the bottom."""
        return tuple(self._seat(seat) for seat in self.sight.clockwise())

    def _seat(self, seat: Seat) -> SeatScene:
        own = self.sight.own(seat)
        hand = None
        if own is not None:
            hand = tuple(self.sight.chosen(seat, self.face(text)) for text in own["hand"])
        received = (len(self.game.ruleset.pack()) - self.view["stock"]) // SEATS
        calls = ("no molodka",) if seat in self.course.declined else ()
        count = received - self.course.put(seat)
        return self.sight.seat(seat, hand=hand, count=count, facts=(), calls=calls)

    def face(self, text: str, mark: str = "") -> CardFace:
        """A card, marked as a trump where it is one."""
        return self.sight.face(text, trump=text[-1] == self.view["trump"][0].upper(), mark=mark)

    # Tricks

    def trick(self) -> Trick:
        """The trick that is being played, also before its lead; when all is over the last one."""
        groups = self.course.groups
        if groups and (not groups[-1].complete or self.view["phase"] in ("over", FULL)):
            return self._trick(len(groups) - 1)
        return Trick((), False, ladder=True, number=len(groups) + 1)

    def last(self) -> Trick | None:
        """The trick before."""
        number = self.trick().number - 2
        return self._trick(number) if number >= 0 else None

    def _trick(self, number: int) -> Trick:
        group = self.course.groups[number]
        note = ""
        if group.returned:
            cards = "1 card" if group.returned == 1 else f"{group.returned} cards"
            note = f"Molodka: {cards} went back to their owners"
        return Trick(self._plays(group), group.complete, self._line(group), ladder=True, number=number + 1, note=note)

    def _plays(self, group: Group) -> tuple[Play, ...]:
        """The acts of a trick; cards of a beat stand where the card lies that each of them beats."""
        plays = []
        above: tuple[str, ...] = ()
        pairs: tuple[str, ...]
        for act in group.acts:
            cards, pairs = act.cards, ()
            if act.did == BEAT and cards is not None:
                cards = pairing(cards, above, self.view["trump"]) or cards
                pairs = pairs_text(cards, above, self.view["trump"])
            if act.did != DROP and cards is not None:
                above = cards
            plays.append(self._play(act, cards, pairs, wins=act is group.best))
        return tuple(plays)

    def _play(self, act: Act, cards: tuple[str, ...] | None, pairs: tuple[str, ...], *, wins: bool) -> Play:
        if act.did == DROP:
            faces = [self.face(text, "face down") for text in cards or ()]
            backs = act.number if cards is None else 0
            return self.sight.play(act.seat, DID[DROP], faces, backs=backs, hidden=cards is not None)
        return self.sight.play(act.seat, DID[act.did], map(self.face, cards or ()), wins=wins, pairs=pairs)

    def _line(self, group: Group) -> str:
        takes = self.sight.takes(group.best.seat, group.complete)
        if not group.complete:
            return takes
        unseen = group.unseen()
        hidden = f" and {unseen} card{'s' if unseen > 1 else ''} unseen" if unseen else ""
        return f"{takes}, {group.points()} points{hidden}"

    # Beside the table

    def asides(self) -> tuple[Aside, ...]:
        """The card that showed trump, the stock, own drops, results."""
        view = self.view
        asides = [Aside("trump card", (self.face(view["trump_card"]),), lines=("shown from the stock",))]
        if view["stock"]:
            asides.append(Aside("stock", backs=view["stock"]))
        asides += [aside for seat in self.sight.eyes for aside in self._dropped(seat)]
        if view["results"]:
            lines = tuple(self._result(number, result) for number, result in enumerate(view["results"], 1))
            asides.append(Aside("deals so far", lines=lines))
        return tuple(asides)

    def _dropped(self, seat: Seat) -> list[Aside]:
        acts = [act for group in self.course.groups for act in group.acts if act.seat == seat and act.did == DROP]
        faces = tuple(self.face(text) for act in acts for text in act.cards or ())
        if not faces:
            return []
        you = self.sight.choices is not None and seat == self.sight.bottom
        return [Aside("you dropped" if you else f"dropped by {self.sight.called(seat)}", faces)]

    def _result(self, number: int, result: Mapping[str, Any]) -> str:
        line = f"deal {number}: points {self.sight.by_side(result['points'])}"
        given = [
            f"{self.sight.side(side)} {points} defeat points" for side, points in enumerate(result["defeats"]) if points
        ]
        return f"{line}; {given[0] if given else 'balls'}"


def table(sight: Sight) -> GoatTable:
    """The position of a sight."""
    return GoatTable(sight)


def why_not(game: AnyGame, view: View, text: str) -> str:
    """Every card of a hand can be led or dropped; there is only no card to play while seats are asked for molodka."""
    return "cards are led when all have been asked" if view["phase"] == "ask" else "not now"
