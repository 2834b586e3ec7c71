"""Cards are whole numbers, `suit << 4 | rank`; this module names them.

The numbers are those of the card enums in the protocol (RookCard, CrowCard, GoatCard), the texts those the arena
prints. It knows no ruleset: what a card is worth is in `arena_bot.rook`, `.crow` and `.goat`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from arena_bot.v1 import crow_pb2, goat_pb2, rook_pb2

Card = int


def suit(card: Card) -> int:
    """The suit number of a card."""
    return card >> 4


def rank(card: Card) -> int:
    """The rank number of a card."""
    return card & 15


class Names:
    """The texts of one family's cards and suits: `names.text(26)` is "G10", `names.card("G10")` is 26."""

    def __init__(self, numbers: Mapping[str, int], prefix: str, suits: tuple[str, ...]) -> None:
        self.texts: dict[Card, str] = {number: text[len(prefix) :] for text, number in numbers.items() if number}
        self.cards: dict[str, Card] = {text: card for card, text in self.texts.items()}
        self.suits = suits
        """Suits in words, by suit number."""

    def text(self, card: Card) -> str:
        """The text of a card. Raises KeyError for a number that is no card of this family."""
        return self.texts[card]

    def join(self, cards: Iterable[Card]) -> str:
        """Texts of cards in the given order, with one space between."""
        return " ".join([self.texts.get(card, str(card)) for card in cards])

    def card(self, text: str) -> Card:
        """The card with this text. Raises KeyError."""
        return self.cards[text]


ROOK = Names(dict(rook_pb2.RookCard.items()), "ROOK_CARD_", ("black", "green", "red", "yellow"))
CROW = Names(dict(crow_pb2.CrowCard.items()), "CROW_CARD_", ("red", "green", "blue", "thirst"))
GOAT = Names(dict(goat_pb2.GoatCard.items()), "GOAT_CARD_", ("clubs", "diamonds", "hearts", "spades"))
