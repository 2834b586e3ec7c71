"""The Rook family on the table: auction, nest, trump, tricks, points. Reads views as data; rules come from the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from arena.core.game import AnyGame, Seat
from arena.games.rook.game import RookGame
from arena.games.rook.ruleset import COLOURS, FIRST_SPECIAL, SEATS, points_of
from arena.games.rook.scoring import trick_winner
from arena.web.table import cards
from arena.web.table.scene import Aside, CardFace, Fact, Play, SeatScene, Trick
from arena.web.table.sight import Sight, View

PHASES = {"auction": "auction", "discard": "discard", "trump": "naming trump", "play": "play", "over": "over"}
ACTS = {"auction": "to bid", "discard": "to discard", "trump": "to name trump", "play": "to play"}


def rook_game(game: AnyGame) -> RookGame:
    """The game as what it is. Raises TypeError for a game of another family."""
    if not isinstance(game, RookGame):
        raise TypeError(f"{game.id} is no game of the Rook family")
    return game


@dataclass(frozen=True)
class RookTable:
    """One position of the family."""

    sight: Sight

    @property
    def game(self) -> RookGame:
        """The game that is played."""
        return rook_game(self.sight.game)

    @property
    def view(self) -> View:
        """Where public facts are read."""
        return self.sight.view

    @property
    def phase(self) -> str:
        """What is going on, in words."""
        return PHASES[self.view["phase"]]

    def doing(self) -> str:
        """What the seat to move has to do: "to bid"."""
        return ACTS.get(self.view["phase"], "")

    # Cards

    def face(self, text: str, mark: str = "") -> CardFace:
        """A card, marked as a trump where it is one."""
        named = self.view["trump"]
        card = self.game.notation.names.parse(text)
        is_trump = named is not None and self.game.lookup.suits[COLOURS.index(named)][card] == COLOURS.index(named)
        return self.sight.face(text, trump=is_trump, mark=mark)

    def points(self, texts: Sequence[str]) -> int:
        """What cards count together."""
        return sum(points_of(self.game.ruleset, self.game.notation.names.parse(text)) for text in texts)

    # Header

    def header(self) -> tuple[Fact, ...]:
        """Hand, bid, trump, points of the hand, scores of the match."""
        view, sight = self.view, self.sight
        limit = self.game.ruleset.max_hands
        hand = f"{view['hand_number'] + 1}" + (f" of {limit}" if limit > 1 else "")
        facts = [Fact("hand", hand + (f", dealt again ({view['redeals']})" if view["redeals"] else ""))]
        if view["bidder"] is not None:
            label = "standing bid" if view["phase"] == "auction" else "bid"
            facts.append(Fact(label, f"{view['bid']} by {sight.called(view['bidder'])}"))
        elif view["phase"] == "auction":
            facts.append(Fact("standing bid", "none yet"))
        if view["trump"] is not None:
            facts.append(Fact("trump", view["trump"], suit=view["trump"]))
        if view["phase"] == "play":
            facts.append(Fact("captured", sight.by_side(view["captured"])))
            facts.append(self._to_go())
        elif view["phase"] == "over" and view["trump"] is not None:
            facts.append(Fact("captured", sight.by_side(view["results"][-1]["captured"])))
        facts.append(Fact("score", sight.by_side(view["scores"])))
        return tuple(facts)

    def _to_go(self) -> Fact:
        side = self.game.side_of(self.view["bidder"])
        missing = self.view["bid"] - self.view["captured"][side]
        if missing <= 0:
            return Fact("bid to go", f"none, {self.sight.side(side)} has it", sign="good")
        return Fact("bid to go", f"needs {missing} more")

    # Seats

    def seats(self) -> tuple[SeatScene, ...]:
        """All seats, clockwise from the bottom."""
        winners = self._winners
        return tuple(self._seat(seat, winners) for seat in self.sight.clockwise())

    def _seat(self, seat: Seat, winners: Sequence[Seat]) -> SeatScene:
        view = self.view
        own = self.sight.own(seat)
        declares = seat == view["bidder"] and view["phase"] != "auction"
        hand = None
        if own is not None:
            nest = own["nest"] if own["phase"] == "discard" else ()
            hand = tuple(
                self.sight.chosen(seat, self.face(text, "nest" if text in nest else "")) for text in own["hand"]
            )
        played = sum(play_seat == seat for play_seat, _ in self._plays)
        extra = self.game.ruleset.nest if declares and view["phase"] == "discard" else 0
        facts = [Fact("tricks", str(winners.count(seat)))] if view["trump"] is not None else []
        said = [points for who, points in zip(view["bid_seats"], view["bid_points"], strict=True) if who == seat]
        return self.sight.seat(
            seat,
            hand=hand,
            count=self.game.ruleset.hand - played + extra,
            facts=facts,
            calls=["pass" if points == 0 else str(points) for points in said],
            declarer=declares,
        )

    # Tricks

    @cached_property
    def _plays(self) -> list[tuple[Seat, str]]:
        """Seat and card of every card played, in order."""
        leaders = self.view["leaders"]
        return [((leaders[place // SEATS] + place) % SEATS, text) for place, text in enumerate(self.view["played"])]

    @cached_property
    def _winners(self) -> list[Seat]:
        """The winner of every complete trick, in order."""
        complete = len(self.view["played"]) // SEATS
        return [self._winner(number) for number in range(complete)]

    def _winner(self, number: int) -> Seat:
        """Who takes trick `number` as it lies."""
        texts = self.view["played"][SEATS * number : SEATS * (number + 1)]
        trick = tuple(self.game.notation.names.parse(text) for text in texts)
        named = COLOURS.index(self.view["trump"])
        return trick_winner(self.game.lookup, named, self.view["leaders"][number], trick)

    def trick(self) -> Trick | None:
        """The trick that is being played, also when it has no card yet; when all is over the last one."""
        if self.view["trump"] is None:
            return None
        played = len(self.view["played"])
        over = played // SEATS == len(self.view["leaders"])
        return self._trick(played // SEATS - over)

    def last(self) -> Trick | None:
        """The trick before."""
        now = self.trick()
        return self._trick(now.number - 2) if now is not None and now.number > 1 else None

    def _trick(self, number: int) -> Trick:
        plays: list[Play] = []
        put = self._plays[SEATS * number : SEATS * (number + 1)]
        winner = self._winner(number) if put else None
        for seat, text in put:
            did = "played" if plays else "led"
            plays.append(self.sight.play(seat, did, [self.face(text)], wins=seat == winner))
        complete = len(plays) == SEATS
        line = ""
        if winner is not None:
            points = self.points([text for _, text in put])
            line = f"{self.sight.takes(winner, complete)}, {points} points in it"
        return Trick(tuple(plays), complete, line, number=number + 1)

    # Beside the table

    def asides(self) -> tuple[Aside, ...]:
        """Nest, discard, results."""
        view, size = self.view, self.game.ruleset.nest
        asides = []
        seen = self.sight.own(view["bidder"]) if view["bidder"] is not None else None
        if size and view["phase"] == "auction":
            asides.append(Aside("nest", backs=size))
        elif size and view["bidder"] is not None:
            taker = self.sight.called(view["bidder"])
            if seen is not None and view["phase"] != "discard":
                faces = tuple(self.face(text) for text in seen["nest"])
                asides.append(Aside("nest", faces, lines=(f"{taker} took it",)))
            if seen is not None and seen["discard"]:
                faces = tuple(self.face(text) for text in seen["discard"])
                points = f"{self.points(seen['discard'])} points, to the winner of the last trick"
                asides.append(Aside("discard", faces, lines=(points,)))
            elif seen is None and view["phase"] != "discard":
                asides.append(Aside("discard", backs=size, lines=(f"by {taker}",)))
        if view["results"]:
            lines = tuple(self._result(number, result) for number, result in enumerate(view["results"], 1))
            asides.append(Aside("hands so far", lines=lines))
        return tuple(asides)

    def _result(self, number: int, result: Mapping[str, Any]) -> str:
        if result["declarer"] is None:
            return f"hand {number}: all passed"
        made = result["captured"][self.game.side_of(result["declarer"])] >= result["bid"]
        came = "made" if made else "lost"
        return (
            f"hand {number}: {self.sight.called(result['declarer'])} bid {result['bid']}, {came}; "
            f"captured {self.sight.by_side(result['captured'])}"
        )


def table(sight: Sight) -> RookTable:
    """The position of a sight."""
    return RookTable(sight)


def why_not(game: AnyGame, view: View, text: str) -> str:
    """Why a card of the own hand may not be played to the trick: what was led, and what the hand has of it."""
    rook = rook_game(game)
    names = rook.notation.names
    in_trick = len(view["played"]) % SEATS
    if view["phase"] != "play" or not in_trick:
        return "not now"
    led_text = view["played"][-in_trick]
    named = COLOURS.index(view["trump"])
    led = rook.lookup.suits[named][names.parse(led_text)]
    held = [card for card in view["hand"] if rook.lookup.suits[named][names.parse(card)] == led]
    special = names.parse(led_text) > FIRST_SPECIAL
    what = f"{cards.full_name(led_text, 'rook', game.id) if special else COLOURS[led]} was led"
    if special or any(names.parse(card) > FIRST_SPECIAL for card in held):
        what += ", it is trump"
    hold = " ".join(cards.short_name(card, "rook", game.id) for card in held)
    return f"{what[0].upper()}{what[1:]}; you hold {hold}"
