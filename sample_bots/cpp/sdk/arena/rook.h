// The cards of one ruleset of the Rook family: which there are, what they count, which may be played, which
// takes a trick.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "arena/cards.h"
#include "arena/game.h"

namespace arena::rook {

constexpr Card kRook = 65;
constexpr Card kRedOne = 66;      // of The Red 1; elsewhere the red 1 is card 33
constexpr int kTrumpPower = 100;  // powers from here on are those of trumps

class Rules {
 public:
  explicit Rules(const Options& options);

  // The whole pack, ascending.
  const std::vector<Card>& cards() const { return cards_; }

  // How many ranks a colour has.
  int ranks() const { return ranks_; }

  // What a card counts.
  int points(Card card) const { return points_[static_cast<size_t>(card)]; }

  // Strength among the cards of its own colour, from 1.
  int place(Card card) const { return place_[static_cast<size_t>(card)]; }

  // The suit that a card is of at the table: special cards are of the trump suit.
  int colour(Card card, int trump) const { return card >= kRook ? trump : suit(card); }

  // Strength of a card with this trump: trumps from kTrumpPower, plain cards below.
  int power(Card card, int trump) const {
    return place(card) + (colour(card, trump) == trump ? kTrumpPower : 0);
  }

  // Whether a card takes a trick from the card that has taken it so far.
  bool beats(Card card, Card best, int trump) const {
    const int strength = power(card, trump);
    return strength > power(best, trump) &&
           (strength >= kTrumpPower || colour(card, trump) == colour(best, trump));
  }

  // Which card of a trick takes it, 0 for the led one. Also of a trick that is not complete.
  size_t winner(std::span<const Card> trick, int trump) const;

  // The cards of a hand that may be played when `led` was led.
  std::vector<Card> playable(std::span<const Card> hand, Card led, int trump) const;

 private:
  int ranks_ = 0;
  std::vector<Card> cards_;
  std::array<int, 128> points_{};
  std::array<int, 128> place_{};
};

}  // namespace arena::rook
