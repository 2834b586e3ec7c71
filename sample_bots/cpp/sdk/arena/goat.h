// Goat: what cards are worth and which beats which.
#pragma once

#include <span>

#include "arena/cards.h"

namespace arena::goat {

// What a card counts in a trick; 120 in the pack.
int points(Card card);

// Whether one card beats another: higher of the same suit, or a trump against a plain card.
bool beats(Card card, Card other, int trump);

// Whether as many cards can be paired so that each of `cards` beats its partner in `others`.
bool beats(std::span<const Card> cards, std::span<const Card> others, int trump);

}  // namespace arena::goat
