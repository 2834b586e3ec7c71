#include "arena/rook.h"

#include <algorithm>

namespace arena::rook {

Rules::Rules(const Options& options) {
  const std::vector<int> ranks = options.list("ranks");  // low to high
  std::map<int, int> worth = options.table("points");
  ranks_ = static_cast<int>(ranks.size());
  for (int suit = 0; suit < 4; ++suit) {
    for (size_t place = 0; place < ranks.size(); ++place) {
      const Card card = suit << 4 | ranks[place];
      cards_.push_back(card);
      points_[static_cast<size_t>(card)] = worth[ranks[place]];
      place_[static_cast<size_t>(card)] = static_cast<int>(place) + 1;
    }
  }
  const bool red_one = options.flag("red_one");
  if (options.flag("rook")) {
    cards_.push_back(kRook);
    points_[kRook] = worth[kRook];
    place_[kRook] = options.text("rook_rank") == "highest" || red_one ? 20 : 0;
  }
  if (red_one) {
    cards_.push_back(kRedOne);
    points_[kRedOne] = worth[kRedOne];
    place_[kRedOne] = 21;
  }
  std::sort(cards_.begin(), cards_.end());
}

size_t Rules::winner(std::span<const Card> trick, int trump) const {
  size_t winner = 0;
  for (size_t place = 1; place < trick.size(); ++place) {
    if (beats(trick[place], trick[winner], trump)) winner = place;
  }
  return winner;
}

std::vector<Card> Rules::playable(std::span<const Card> hand, Card led, int trump) const {
  const int colour_led = colour(led, trump);
  const auto follows = [&](Card card) { return colour(card, trump) == colour_led; };
  if (std::none_of(hand.begin(), hand.end(), follows)) return {hand.begin(), hand.end()};
  std::vector<Card> found;
  for (const Card card : hand) {
    if (follows(card) || card >= kRook) found.push_back(card);  // special cards at any time
  }
  return found;
}

}  // namespace arena::rook
