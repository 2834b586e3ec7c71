// The Crow and the Pitcher: what cards are worth and who takes a trick.
#pragma once

#include <array>
#include <span>

#include "arena/cards.h"
#include "arena/game.h"

namespace arena::crow {

constexpr int kThirst = 3;
constexpr int kPitcherPoints = -5;

// What a card scores for the seat that takes it, by card; thirst is below 0.
using Worth = std::array<int, 64>;
Worth worth_of(const Options& options);

// What a trick comes to.
struct Taken {
  size_t place;  // which card takes it, 0 for the led one
  int points;    // what it scores for its seat
  bool full;     // whether the pitcher was full; true in a trick led with thirst, which takes no pitcher
};

// The sum of the stones that count: of any colour, of a rank not above the pitcher.
int filled(std::span<const Card> cards, int pitcher);

// Who takes a trick of these cards, the led one first, and what it scores.
Taken take(std::span<const Card> cards, int pitcher, const Worth& worth);

}  // namespace arena::crow
