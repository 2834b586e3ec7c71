"""Cards are small integers, `suit << 4 | rank`; this module reads them and names them.

The same number is used in the rules, in transcripts' memory and on the wire. What a suit or a rank means belongs to
each game; `CardNames` holds one game's texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from arena.core.errors import MalformedMove

Card = int
Suit = int
Rank = int


def card(suit: Suit, rank: Rank) -> Card:
    """The card of a suit (0..7) and a rank (1..15)."""
    return suit << 4 | rank


def suit_of(card: Card) -> Suit:
    """The suit number of a card."""
    return card >> 4


def rank_of(card: Card) -> Rank:
    """The rank number of a card."""
    return card & 15


@dataclass(frozen=True)
class CardNames:
    """The texts of one game's cards and suits. Texts are unique; parsing is exact (upper and lower case differ)."""

    texts: Mapping[Card, str]
    suits: tuple[str, ...]
    """By suit number, in words: "black", "green", ..."""
    _cards: dict[str, Card] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_cards", {text: number for number, text in self.texts.items()})

    def __contains__(self, text: object) -> bool:
        """Whether a text is a card of this game."""
        return text in self._cards

    def text(self, card: Card) -> str:
        """The text of a card, "R10". Raises KeyError for a number that is no card of this game."""
        return self.texts[card]

    def join(self, cards: Iterable[Card]) -> str:
        """Texts of cards in the given order, with one space between."""
        return " ".join([self.texts[card] for card in cards])

    def list(self, cards: Iterable[Card]) -> list[str]:
        """Texts of cards in the given order, as a list for JSON."""
        return [self.texts[card] for card in cards]

    def parse(self, text: str) -> Card:
        """The card with this text. Raises MalformedMove."""
        found = self._cards.get(text)
        if found is None:
            some = ", ".join(list(self._cards)[:4])
            raise MalformedMove(f"no card {text!r} in this game", fix=f"cards are written like {some}, ...")
        return found

    def suit(self, text: str) -> Suit:
        """The suit number of a suit in words. Raises MalformedMove."""
        if text not in self.suits:
            raise MalformedMove(f"no suit {text!r} in this game", fix=f"one of {', '.join(self.suits)}")
        return self.suits.index(text)
