#include "arena/crow.h"

#include <string>

namespace arena::crow {

Worth worth_of(const Options& options) {
  const std::string how = options.text("card_points");
  Worth worth{};
  for (int suit = 0; suit < 4; ++suit) {
    for (int rank = 2; rank <= 10; ++rank) {
      const int points = how == "flat" ? 1 : how == "inverse" ? 12 - rank : rank;
      worth[static_cast<size_t>(suit << 4 | rank)] = suit == kThirst ? -points : points;
    }
  }
  return worth;
}

int filled(std::span<const Card> cards, int pitcher) {
  int sum = 0;
  for (const Card card : cards) {
    if (suit(card) != kThirst && rank(card) <= pitcher) sum += rank(card);
  }
  return sum;
}

Taken take(std::span<const Card> cards, int pitcher, const Worth& worth) {
  const int led = suit(cards[0]);
  const bool full = led == kThirst || filled(cards, pitcher) >= pitcher;
  Taken taken{0, full ? 0 : kPitcherPoints, full};
  for (size_t place = 0; place < cards.size(); ++place) {
    const Card card = cards[place];
    if (suit(card) == led && (full ? card > cards[taken.place] : card < cards[taken.place]))
      taken.place = place;
    if (led != kThirst || suit(card) == led) taken.points += worth[static_cast<size_t>(card)];
  }
  return taken;
}

}  // namespace arena::crow
