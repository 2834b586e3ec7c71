"""One decision to be made: what the bot knows, what it may do, and helpers to read both.

A turn wraps the message as it came; nothing is copied before it is asked for. Each family of games has its own kind of
turn, with the family's table in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from arena_bot import cards as cards_module
from arena_bot import crow, goat, rook
from arena_bot import moves as moves_module
from arena_bot.cards import Card, Names
from arena_bot.game import Game
from arena_bot.moves import Choose, Legal, Move

if TYPE_CHECKING:
    from arena_bot.v1 import arena_pb2, crow_pb2, goat_pb2, rook_pb2


class Played(NamedTuple):
    """A card on the table."""

    seat: int
    card: Card


class Turn:
    """A decision in any game."""

    names: ClassVar[Names] = cards_module.ROOK
    """The texts of this family's cards and suits."""

    __slots__ = ("_hand", "_legal", "_notes", "game", "message", "view")

    def __init__(self, game: Game, message: arena_pb2.Turn, view: Any) -> None:
        self.game = game
        """What was told at the start of the game: seat, partner, ruleset, options."""
        self.message = message
        """The Turn message as it came."""
        self.view = view
        """The view message as it came: RookView, CrowView or GoatView."""
        self._hand: tuple[Card, ...] | None = None
        self._legal: Legal | Choose | None = None
        self._notes: list[str] | None = None

    @property
    def number(self) -> int:
        """Number of this decision within the game, all seats counted, from 0."""
        return self.message.turn

    @property
    def seat(self) -> int:
        """The bot's seat."""
        return self.game.seat

    @property
    def partner(self) -> int | None:
        """The partner's seat; None where each seat plays for itself."""
        return self.game.partner

    @property
    def random(self) -> Random:
        """This game's own generator. Draw from it alone, and the bot plays the same game again."""
        return self.game.random

    @property
    def hand(self) -> tuple[Card, ...]:
        """The bot's cards, ascending."""
        if self._hand is None:
            self._hand = tuple(self.view.hand)
        return self._hand

    @property
    def legal(self) -> Legal | Choose:
        """All legal moves, a sequence of `Move`; or a `Choose` (the discard in Rook).

        Where it matters which, ask for `moves` or for `choose`.
        """
        if self._legal is None:
            self._legal = moves_module.read_legal(self.message.legal)
        return self._legal

    @property
    def moves(self) -> Legal:
        """All legal moves, a sequence of `Move`; empty where cards are to be chosen."""
        legal = self.legal
        return legal if isinstance(legal, Legal) else Legal(())

    @property
    def choose(self) -> Choose | None:
        """The choice of n cards that this turn asks for; None where legal moves are listed."""
        legal = self.legal
        return legal if isinstance(legal, Choose) else None

    @property
    def cards(self) -> list[Card]:
        """The cards that may be played now; of a choice of n cards those to choose from."""
        choose = self.choose
        if choose is not None:
            return list(choose.cards)
        return [move.play for move in self.message.legal.moves if move.play]

    @property
    def limit_ms(self) -> int | None:
        """Time for this move in milliseconds; None in games without a clock."""
        return self.message.limit_ms if self.message.HasField("limit_ms") else None

    @property
    def bank_ms(self) -> int | None:
        """The bot's bank in milliseconds before this move; None in games without a clock."""
        return self.message.bank_ms if self.message.HasField("bank_ms") else None

    def text(self, what: Card | Move) -> str:
        """A card or a move as the arena writes it: "R10", "bid 80"."""
        if isinstance(what, Move):
            return moves_module.text(what, self.names)
        return self.names.text(what)

    def card(self, text: str) -> Card:
        """The card with this text: `turn.card("R10")`. Raises KeyError."""
        return self.names.card(text)

    def suit(self, card: Card) -> int:
        """The suit number of a card."""
        return card >> 4

    def rank(self, card: Card) -> int:
        """The rank number of a card."""
        return card & 15

    def points(self, card: Card) -> int:
        """What a card counts in this game; in The Crow and the Pitcher thirst counts below 0."""
        return 0

    def note(self, text: str) -> None:
        """Add a line for your own eyes in the replay of this turn. Never shown to opponents; 2 KiB a turn."""
        if self._notes is None:
            self._notes = [text]
        else:
            self._notes.append(text)

    @property
    def notes(self) -> str:
        """What was noted so far in this turn."""
        return "\n".join(self._notes) if self._notes else ""

    def __repr__(self) -> str:
        hand = self.names.join(self.hand) if self.view is not None else "?"
        return f"<{type(self).__name__} game {self.game.number} turn {self.number} seat {self.seat} hand {hand}>"


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
