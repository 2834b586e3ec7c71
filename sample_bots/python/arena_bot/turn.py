"""One decision to be made: what the bot knows, what it may do, and helpers to read both.

A turn wraps the message as it came; nothing is copied before it is asked for. Each family of games has its own kind of
turn, in `arena_bot.turns`, with the family's table in it.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

from arena_bot import cards as cards_module
from arena_bot import moves as moves_module
from arena_bot.cards import Card, Names
from arena_bot.game import Game
from arena_bot.moves import Choose, Legal, Move

if TYPE_CHECKING:
    from arena_bot.v1 import arena_pb2


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
