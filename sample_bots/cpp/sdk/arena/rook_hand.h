// A hand of the Rook family with all cards open, to play out what might happen; and hands as they may be,
// given what a seat knows.
#pragma once

#include <array>
#include <vector>

#include "arena/turn.h"

namespace arena::rook {

// A hand in play. Teams: 0 is seats 0 and 2, 1 is seats 1 and 3.
struct OpenHand {
  const Rules& rules;
  int trump;
  int leader;  // of this trick
  std::array<std::vector<Card>, 4> hands{};
  std::vector<Card> hidden{};  // the nest during the auction, later the discard
  std::vector<Card> trick{};
  std::array<int, 2> captured{};  // points in tricks, by team
  std::array<int, 2> tricks{};    // by team

  // The seat whose turn it is.
  int seat() const { return (leader + static_cast<int>(trick.size())) % 4; }
  const std::vector<Card>& hand() const { return hands[static_cast<size_t>(seat())]; }
  bool over() const { return hand().empty(); }

  // The cards that may be played now.
  std::vector<Card> playable() const;

  // The seat whose turn it is plays a card out of its hand.
  void play(Card card);

  // The same for a card that is in no hand any more: how the past of a hand is told.
  void put(Card card);

  // Whether a seat could take a trick in which `led` was led from `best`, the card that has it now.
  bool can_beat(int seat, Card led, Card best) const;

  // The points of the hand once it is over, by team, with the discard and the bonuses of the ruleset.
  std::array<int, 2> points(int trick_bonus, int last_bonus) const;
};

// A hand as it may be: the cards that a turn does not show are dealt at random, each equally likely in every
// place that is not known to lack its colour (which assumes that this suit is trump).
OpenHand imagine(RookTurn& turn, int trump);

}  // namespace arena::rook
