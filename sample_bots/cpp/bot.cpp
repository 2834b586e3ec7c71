// Plays the Rook family by imagining: it deals the unseen cards at random, plays the hand out by simple
// rules, and does what came out best. Other games it plays at random. Change any method, or delete it: then
// any_move decides.
#include "arena/bot.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <utility>

#include "arena/rook_hand.h"

using namespace arena;

namespace {

constexpr int kDeals = 24;  // imagined for each decision

size_t at(int number) { return static_cast<size_t>(number); }

// What a card is worth by a look at this trick alone: its points, won or lost, less the strength that is
// spent.
double looks(const rook::OpenHand& hand, Card card) {
  const rook::Rules& rules = hand.rules;
  std::array<Card, 4> cards{};
  std::copy(hand.trick.begin(), hand.trick.end(), cards.begin());
  cards[hand.trick.size()] = card;
  const size_t size = hand.trick.size() + 1;
  const size_t winner = rules.winner(std::span(cards).first(size), hand.trump);
  bool ours = (size - 1 - winner) % 2 == 0;
  for (size_t after = 1; ours && after <= 4 - size; after += 2) {  // the opponents still to play
    ours = !hand.can_beat((hand.seat() + static_cast<int>(after)) % 4, cards[0], cards[winner]);
  }
  double pot = 4;
  for (size_t place = 0; place < size; ++place) pot += rules.points(cards[place]);
  const int power = rules.power(card, hand.trump);
  const double spent = power >= rook::kTrumpPower ? 3 + 0.3 * (power - rook::kTrumpPower) : 0.2 * power;
  return (ours ? pot : -pot) - spent;
}

// Plays a hand to its end by looks.
void finish(rook::OpenHand& hand) {
  while (!hand.over()) {
    const std::vector<Card> cards = hand.playable();
    Card best = cards[0];
    double most = cards.size() > 1 ? looks(hand, best) : 0;
    for (size_t place = 1; place < cards.size(); ++place) {
      if (const double value = looks(hand, cards[place]); value > most) most = value, best = cards[place];
    }
    hand.play(best);
  }
}

// The cards to put away so that `keep` are left: plain losers, of short colours first, counters before
// others.
std::vector<Card> losers(const rook::Rules& rules, std::vector<Card> cards, int keep, int trump) {
  std::array<int, 5> length{};
  for (const Card card : cards) ++length[at(suit(card))];
  const auto value = [&](Card card) {
    if (rules.colour(card, trump) == trump) return 100.0 + rules.place(card);
    if (rules.place(card) == rules.ranks()) return 50.0;
    return 2.0 * length[at(suit(card))] + 0.3 * rules.place(card) - 0.4 * rules.points(card);
  };
  std::stable_sort(cards.begin(), cards.end(),
                   [&](Card left, Card right) { return value(left) < value(right); });
  cards.resize(cards.size() - at(keep));
  return cards;
}

class Dreamer : public Bot {
 public:
  void started(const Game& game) override {
    if (game.family != Family::rook) return;
    hand_size_ = game.options.number("hand");
    trick_bonus_ = game.options.number("trick_bonus");
    last_bonus_ = game.options.number("last_bonus");
    scores_bid_ = game.options.text("made") == "bid";
    courage_ = game.options.number("nest") > 0 ? 0.5 : 0.7;
  }

  // The lowest bid while enough of the imagined hands would make it; never over the partner.
  Move bid(RookTurn& turn) override {
    const std::vector<Move> bids = turn.moves(Kind::bid);
    const bool may_pass = bids.size() < turn.moves().size();
    if (bids.empty() || (may_pass && turn.bidder() && turn.bidder() == turn.partner()))
      return first_move(turn);
    std::vector<int> captured = best_trump(turn).second;
    std::sort(captured.begin(), captured.end(), std::greater<int>());
    const int likely = captured[at(static_cast<int>(courage_ * kDeals))];
    turn.note("likely to capture " + std::to_string(likely));
    return may_pass && bids[0].number > likely ? Move::pass() : bids[0];
  }

  Move discard(RookTurn& turn) override {
    return Move::discard(losers(turn.rules(), turn.hand(), hand_size_, best_trump(turn).first));
  }

  Move trump(RookTurn& turn) override { return Move::trump(best_trump(turn).first); }

  // The card after which the imagined hands score most.
  Move play_rook(RookTurn& turn) override {
    const std::vector<Card> cards = turn.cards();
    if (cards.size() == 1) return Move::play(cards[0]);
    std::vector<int> total(cards.size());
    for (int deal = 0; deal < kDeals; ++deal) {
      const rook::OpenHand imagined = rook::imagine(turn, *turn.trump());
      for (size_t place = 0; place < cards.size(); ++place) {
        rook::OpenHand hand = imagined;
        hand.play(cards[place]);
        finish(hand);
        total[place] += score(turn, hand);
      }
    }
    return Move::play(
        cards[at(static_cast<int>(std::max_element(total.begin(), total.end()) - total.begin()))]);
  }

  Move any_move(Turn& turn) override {
    return turn.choose() ? first_move(turn) : turn.random().choice(turn.moves());
  }

 private:
  // The trump suit with which this seat captures most as declarer, and what it captured in every imagined
  // hand.
  std::pair<int, std::vector<int>> best_trump(RookTurn& turn) const {
    std::pair<int, std::vector<int>> best;
    int most = -1;
    for (int trump = 0; trump < 4; ++trump) {
      std::vector<int> captured;
      for (int deal = 0; deal < kDeals; ++deal) {
        rook::OpenHand hand = rook::imagine(turn, trump);
        take_nest(turn, hand);
        finish(hand);
        captured.push_back(hand.points(trick_bonus_, last_bonus_)[at(turn.seat() % 2)]);
      }
      const int sum = std::accumulate(captured.begin(), captured.end(), 0);
      if (sum > most) most = sum, best = {trump, captured};
    }
    return best;
  }

  // Lets this seat take the nest, if it has not yet, and discard.
  void take_nest(const RookTurn& turn, rook::OpenHand& hand) const {
    std::vector<Card>& mine = hand.hands[at(turn.seat())];
    if (turn.view().phase() == v1::ROOK_PHASE_AUCTION) {
      mine.insert(mine.end(), hand.hidden.begin(), hand.hidden.end());
    }
    if (static_cast<int>(mine.size()) == hand_size_) return;
    hand.hidden = losers(hand.rules, mine, hand_size_, hand.trump);
    std::erase_if(mine,
                  [&](Card card) { return std::count(hand.hidden.begin(), hand.hidden.end(), card) > 0; });
  }

  // What a finished hand scores: ours less theirs.
  int score(const RookTurn& turn, const rook::OpenHand& hand) const {
    const std::array<int, 2> captured = hand.points(trick_bonus_, last_bonus_);
    const int bid = static_cast<int>(turn.view().bid()), team = turn.bidder().value() % 2;
    const int made = scores_bid_ ? bid : captured[at(team)];
    const int difference = (captured[at(team)] < bid ? -bid : made) - captured[at(1 - team)];
    return team == turn.seat() % 2 ? difference : -difference;
  }

  int hand_size_ = 0, trick_bonus_ = 0, last_bonus_ = 0;
  bool scores_bid_ = false;
  double courage_ = 0.5;  // a bid is to be made in this share of the imagined hands; found by play
};

}  // namespace

std::unique_ptr<Bot> arena::make_bot() { return std::make_unique<Dreamer>(); }
