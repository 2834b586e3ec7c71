#include "arena/goat.h"

#include <algorithm>
#include <vector>

namespace arena::goat {

int points(Card card) {
  switch (rank(card)) {
    case 10:
      return 2;
    case 11:
      return 3;
    case 12:
      return 4;
    case 13:
      return 10;
    case 14:
      return 11;
    default:
      return 0;
  }
}

bool beats(Card card, Card other, int trump) {
  return suit(card) == suit(other) ? card > other : suit(card) == trump;
}

bool beats(std::span<const Card> cards, std::span<const Card> others, int trump) {
  const auto weaker = [trump](Card left, Card right) {
    const bool left_trump = suit(left) == trump, right_trump = suit(right) == trump;
    return left_trump != right_trump ? right_trump : left < right;
  };
  std::vector<Card> spare(cards.begin(), cards.end()), to_beat(others.begin(), others.end());
  std::sort(spare.begin(), spare.end(), weaker);
  std::sort(to_beat.begin(), to_beat.end(), weaker);
  for (const Card other : to_beat) {  // the weakest of its own suit if there is one, else the weakest trump
    const auto fits = [other](Card card) { return suit(card) == suit(other) && card > other; };
    auto found = std::find_if(spare.begin(), spare.end(), fits);
    if (found == spare.end()) {
      found = std::find_if(spare.begin(), spare.end(), [&](Card card) { return beats(card, other, trump); });
    }
    if (found == spare.end()) return false;
    spare.erase(found);
  }
  return true;
}

}  // namespace arena::goat
