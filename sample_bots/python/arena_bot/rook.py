"""The cards of one ruleset of the Rook family: which there are, what they count, which card takes a trick."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from arena_bot.cards import Card

ROOK: Card = 65
RED_ONE: Card = 66
"""The special card of The Red 1; elsewhere the red 1 is card 33."""
SPECIAL = 4
"""The suit number that the two special cards have on paper; at the table they are of the trump colour."""
TRUMP_POWER = 100
"""Powers from here on are those of trumps."""


class Rules:
    """What a ruleset says of its cards. Lists are indexed by card."""

    def __init__(
        self, ranks: Sequence[int], points: Mapping[int, int], rook: int, red_one: int, rook_highest: bool
    ) -> None:
        """`rook` and `red_one` are the points of these cards, -1 without such a card."""
        self.ranks = tuple(ranks)
        """Ranks of a colour, low to high."""
        plain = [suit << 4 | rank for suit in range(4) for rank in sorted(ranks)]
        specials = [(ROOK, rook), (RED_ONE, red_one)]
        self.cards: tuple[Card, ...] = (*plain, *[card for card, worth in specials if worth >= 0])
        """The whole pack, ascending."""
        self.points = [0] * 128
        """What a card counts."""
        self.place = [0] * 128
        """Strength among cards of the same colour, from 1."""
        for card in plain:
            self.points[card] = points.get(card & 15, 0)
            self.place[card] = 1 + self.ranks.index(card & 15)
        for card, worth in specials:
            self.points[card] = max(worth, 0)
        self.place[ROOK] = 20 if rook_highest or red_one >= 0 else 0
        self.place[RED_ONE] = 21
        self._power: dict[int, list[int]] = {}
        self._above: dict[int, dict[Card, list[Card]]] = {}

    def colour(self, card: Card, trump: int | None) -> int:
        """The suit a card is of at the table. Special cards are of the trump suit, 4 while there is none."""
        if card >= ROOK:
            return SPECIAL if trump is None else trump
        return card >> 4

    def power(self, trump: int) -> list[int]:
        """Strength of every card with this trump: trumps from 100, plain cards below."""
        if trump not in self._power:
            self._power[trump] = [
                place + (TRUMP_POWER if self.colour(card, trump) == trump else 0)
                for card, place in enumerate(self.place)
            ]
        return self._power[trump]

    def above(self, trump: int) -> dict[Card, list[Card]]:
        """By card: the cards of its colour that beat it, with this trump."""
        if trump not in self._above:
            power, colour = self.power(trump), self.colour
            self._above[trump] = {
                card: [
                    other
                    for other in self.cards
                    if colour(other, trump) == colour(card, trump) and power[other] > power[card]
                ]
                for card in self.cards
            }
        return self._above[trump]

    def winner(self, cards: Sequence[Card], trump: int) -> int:
        """Which card of a trick takes it, 0 for the led one. Also of a trick that is not complete."""
        power = self.power(trump)
        best, winner = power[cards[0]], 0
        led = self.colour(cards[0], trump)
        for place in range(1, len(cards)):
            card = cards[place]
            strength = power[card]
            if strength > best and (strength >= TRUMP_POWER or card >> 4 == led):
                best, winner = strength, place
        return winner


@cache
def _rules(ranks: tuple[int, ...], points: tuple[tuple[int, int], ...], special: tuple[int, int], high: bool) -> Rules:
    return Rules(ranks, dict(points), *special, high)


def rules_of(options: Mapping[str, Any]) -> Rules:  # Any: JSON values
    """The rules that a game's options describe; equal options share one object."""
    points = {int(rank): int(worth) for rank, worth in options["points"].items()}
    special = (
        points.pop(ROOK, 0) if options["rook"] else -1,
        points.pop(RED_ONE, 0) if options["red_one"] else -1,
    )
    return _rules(tuple(options["ranks"]), tuple(sorted(points.items())), special, options["rook_rank"] == "highest")
