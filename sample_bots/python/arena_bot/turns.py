"""The turn of each family of games: the table read from its view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from arena_bot import cards as cards_module
from arena_bot import crow, goat, rook
from arena_bot.cards import Card
from arena_bot.turn import Turn

if TYPE_CHECKING:
    from arena_bot.v1 import crow_pb2, goat_pb2, rook_pb2


class Played(NamedTuple):
    """A card on the table."""

    seat: int
    card: Card


class RookTurn(Turn):
    """A decision in a game of the Rook family."""

    __slots__ = ()
    names = cards_module.ROOK
    view: rook_pb2.RookView

    @property
    def rules(self) -> rook.Rules:
        """The cards of this ruleset: pack, counters, and which card takes a trick."""
        known: rook.Rules | None = self.game.__dict__.get("rook_rules")
        if known is None:
            known = self.game.__dict__["rook_rules"] = rook.rules_of(self.game.options)
        return known

    def points(self, card: Card) -> int:
        """What a card counts."""
        return self.rules.points[card]

    @property
    def bidder(self) -> int | None:
        """Seat of the standing bid, the declarer after the auction; None while nobody has bid."""
        return self.view.bidder if self.view.HasField("bidder") else None

    @property
    def trump(self) -> int | None:
        """The trump suit; None until it is named."""
        return self.view.trump if self.view.HasField("trump") else None

    @property
    def trick(self) -> list[Played]:
        """The cards of this trick, the led one first."""
        return _tricks(self.view.played, self.view.leaders, 4)[-1] if self.view.leaders else []

    @property
    def tricks(self) -> list[list[Played]]:
        """All tricks of this hand, the last one as far as it is played."""
        return _tricks(self.view.played, self.view.leaders, 4)

    @property
    def winning(self) -> Played | None:
        """The card that takes this trick so far, and whose it is; None before the lead."""
        trick, trump = self.trick, self.trump
        if not trick or trump is None:
            return None
        return trick[self.rules.winner([played.card for played in trick], trump)]


class CrowTurn(Turn):
    """A decision in The Crow and the Pitcher."""

    __slots__ = ()
    names = cards_module.CROW
    view: crow_pb2.CrowView

    @property
    def worth(self) -> list[int]:
        """What a card scores, by card."""
        known: list[int] | None = self.game.__dict__.get("crow_points")
        if known is None:
            known = self.game.__dict__["crow_points"] = crow.points_of(self.game.options)
        return known

    def points(self, card: Card) -> int:
        """What a card scores for the seat that takes it: a stone above 0, thirst below."""
        return self.worth[card]

    @property
    def pitcher(self) -> int:
        """The pitcher of this trick, 6 to 13."""
        return self.view.pitchers[-1]

    @property
    def trick(self) -> list[Played]:
        """The cards of this trick, the led one first."""
        return self.tricks[-1]

    @property
    def tricks(self) -> list[list[Played]]:
        """All tricks of this round, the last one as far as it is played."""
        return _tricks(self.view.played, self.view.leaders, self.game.seats)

    def take(self, cards: Sequence[Card]) -> crow.Taken:
        """Who would take a trick of these cards with this turn's pitcher, and what it scores."""
        return crow.take(cards, self.pitcher, self.worth)


class Act(NamedTuple):
    """What a seat did in a deal of Goat."""

    seat: int
    kind: str
    """ "lead", "beat", "drop", "molodka" or "decline"."""
    size: int
    """How many cards it put down."""
    cards: tuple[Card, ...]
    """Those that you may know: empty for a drop of another seat."""


_ACTS = {1: "lead", 2: "beat", 3: "drop", 4: "molodka", 5: "decline"}


class GoatTurn(Turn):
    """A decision in Goat."""

    __slots__ = ()
    names = cards_module.GOAT
    view: goat_pb2.GoatView

    def points(self, card: Card) -> int:
        """What a card counts."""
        return goat.POINTS[card]

    @property
    def trump(self) -> int:
        """The trump suit."""
        return self.view.trump

    @property
    def acts(self) -> list[Act]:
        """Everything done in this deal, in order."""
        view, acts, first = self.view, [], 0
        known = view.act_cards
        for seat, kind, count in zip(view.act_seats, view.acts, view.act_counts, strict=True):
            shown = 0 if kind == 3 and seat != view.seat else count
            acts.append(Act(seat, _ACTS.get(kind, "unknown"), count, tuple(known[first : first + shown])))
            first += shown
        return acts

    @property
    def trick(self) -> list[Act]:
        """What was done in this trick since its lead (or since the molodka); empty before the lead."""
        view = self.view
        if view.phase != 3:
            return []
        acts = self.acts
        first = max(place for place, act in enumerate(acts) if act.kind in ("lead", "molodka"))
        return acts[first:]

    @property
    def winning(self) -> Act | None:
        """The act that takes this trick so far: the last that beat, or the lead; None before the lead."""
        found = [act for act in self.trick if act.kind != "drop"]
        return found[-1] if found else None


def _tricks(cards: Sequence[Card], leaders: Sequence[int], seats: int) -> list[list[Played]]:
    return [
        [
            Played((leader + place) % seats, card)
            for place, card in enumerate(cards[number * seats : number * seats + seats])
        ]
        for number, leader in enumerate(leaders)
    ]
