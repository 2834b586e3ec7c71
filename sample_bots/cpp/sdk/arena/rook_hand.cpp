#include "arena/rook_hand.h"

#include <algorithm>

namespace arena::rook {
namespace {

constexpr int kHidden = 4;  // the place of the nest or the discard, beside the four seats

size_t at(int number) { return static_cast<size_t>(number); }

void take_out(std::vector<Card>& cards, Card card) {
  cards.erase(std::find(cards.begin(), cards.end(), card));
}

// What is known of the places where unseen cards may be.
struct Places {
  std::array<int, 5> room{};                   // for how many cards
  std::array<std::array<bool, 4>, 5> lacks{};  // by colour: known to have none

  bool may_have(int place, int colour) const { return room[at(place)] > 0 && !lacks[at(place)][at(colour)]; }

  int choices(int colour) const {
    int count = 0;
    for (int place = 0; place <= kHidden; ++place) count += may_have(place, colour);
    return count;
  }

  // A place for a card of a colour, each free space equally likely; anywhere when no place may have it.
  int draw(int colour, Random& random) const {
    const bool anywhere = choices(colour) == 0;
    std::vector<int> spaces;
    for (int place = 0; place <= kHidden; ++place) {
      if (anywhere || may_have(place, colour)) spaces.insert(spaces.end(), at(room[at(place)]), place);
    }
    return random.choice(spaces);
  }
};

}  // namespace

std::vector<Card> OpenHand::playable() const {
  return trick.empty() ? hand() : rules.playable(hand(), trick[0], trump);
}

void OpenHand::play(Card card) {
  take_out(hands[at(seat())], card);
  put(card);
}

void OpenHand::put(Card card) {
  trick.push_back(card);
  if (trick.size() < 4) return;
  leader = (leader + static_cast<int>(rules.winner(trick, trump))) % 4;
  for (const Card taken : trick) captured[at(leader % 2)] += rules.points(taken);
  ++tricks[at(leader % 2)];
  trick.clear();
}

bool OpenHand::can_beat(int seat, Card led, Card best) const {
  const int colour = rules.colour(led, trump);
  bool follows = false, beats = false, beats_following = false;
  for (const Card card : hands[at(seat)]) {
    const bool same = rules.colour(card, trump) == colour, higher = rules.beats(card, best, trump);
    follows |= same;
    beats |= higher;
    beats_following |= higher && (same || card >= kRook);
  }
  return follows ? beats_following : beats;
}

std::array<int, 2> OpenHand::points(int trick_bonus, int last_bonus) const {
  std::array<int, 2> points = captured;
  for (const Card card : hidden) points[at(leader % 2)] += rules.points(card);
  points[at(leader % 2)] += last_bonus;
  if (tricks[0] != tricks[1]) points[tricks[0] > tricks[1] ? 0 : 1] += trick_bonus;
  return points;
}

OpenHand imagine(RookTurn& turn, int trump) {
  const Rules& rules = turn.rules();
  const v1::RookView& view = turn.view();
  const int size = turn.game().options.number("hand");
  OpenHand hand{rules, trump, static_cast<int>(view.dealer() + 1) % 4};
  Places places{{size, size, size, size, 0}, {}};
  std::vector<Card> unseen = rules.cards();
  for (const int card : view.played()) {
    const int led = rules.colour(hand.trick.empty() ? card : hand.trick[0], trump);
    if (rules.colour(card, trump) != led && card < kRook) places.lacks[at(hand.seat())][at(led)] = true;
    --places.room[at(hand.seat())];
    take_out(unseen, card);
    hand.put(card);
  }
  hand.hands[at(turn.seat())] = turn.hand();
  hand.hidden.assign(view.discard().begin(), view.discard().end());
  for (const Card card : turn.hand()) take_out(unseen, card);
  for (const Card card : hand.hidden) take_out(unseen, card);
  places.room[at(turn.seat())] = 0;
  places.room[kHidden] = static_cast<int>(unseen.size());
  for (int seat = 0; seat < 4; ++seat) places.room[kHidden] -= places.room[at(seat)];

  turn.random().shuffle(unseen);
  std::array<int, 4> choices{};  // cards with the fewest places go first
  for (int colour = 0; colour < 4; ++colour) choices[at(colour)] = places.choices(colour);
  std::stable_sort(unseen.begin(), unseen.end(), [&](Card left, Card right) {
    return choices[at(rules.colour(left, trump))] < choices[at(rules.colour(right, trump))];
  });
  for (const Card card : unseen) {
    const int place = places.draw(rules.colour(card, trump), turn.random());
    --places.room[at(place)];
    (place == kHidden ? hand.hidden : hand.hands[at(place)]).push_back(card);
  }
  return hand;
}

}  // namespace arena::rook
