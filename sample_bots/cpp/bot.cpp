// Plays the Rook family by imagining: it deals the unseen cards at random, plays the hand out by simple
// rules, and does what came out best. Other games it plays at random. Change any method, or delete it: then
// any_move decides.
#include "arena/bot.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

using namespace arena;

namespace {

constexpr int kDeals = 24;        // imagined for each decision
constexpr double kCourage = 0.5;  // a bid must be made in this share of them

size_t at(int number) { return static_cast<size_t>(number); }

void take_out(std::vector<Card>& cards, Card card) {
  cards.erase(std::find(cards.begin(), cards.end(), card));
}

// A hand of Rook that is played with all cards open. Teams: 0 is seats 0 and 2, 1 is seats 1 and 3.
struct Hand {
  const rook::Rules& rules;
  int trump, leader, trick_bonus, last_bonus;
  int buried = 0;  // points of the discard, which go with the last trick
  std::array<std::vector<Card>, 4> hands{};
  std::vector<Card> trick{};
  std::array<int, 2> captured{}, tricks{};

  int seat() const { return (leader + static_cast<int>(trick.size())) % 4; }

  std::vector<Card> playable() const {
    const std::vector<Card>& hand = hands[at(seat())];
    return trick.empty() ? hand : rules.playable(hand, trick[0], trump);
  }

  // The seat whose turn it is plays a card, of its hand or, while a hand is read from its cards played, from
  // anywhere.
  void put(Card card) {
    trick.push_back(card);
    if (trick.size() < 4) return;
    leader = (leader + static_cast<int>(rules.winner(trick, trump))) % 4;
    for (const Card taken : trick) captured[at(leader % 2)] += rules.points(taken);
    ++tricks[at(leader % 2)];
    trick.clear();
  }

  void play(Card card) {
    take_out(hands[at(seat())], card);
    put(card);
  }

  // Whether a seat could take the trick from the card that has it now.
  bool can_beat(int other, Card led, Card best) const {
    const std::vector<Card>& hand = hands[at(other)];
    const int colour = rules.colour(led, trump);
    bool follows = false, beats = false, beats_following = false;
    for (const Card card : hand) {
      const bool same = rules.colour(card, trump) == colour, higher = rules.beats(card, best, trump);
      follows |= same;
      beats |= higher;
      beats_following |= higher && (same || card >= rook::kRook);
    }
    return follows ? beats_following : beats;
  }

  // What a card is worth by a look at this trick alone: its points, won or lost, less the strength that is
  // spent.
  double looks(Card card) const {
    std::array<Card, 4> cards{};
    std::copy(trick.begin(), trick.end(), cards.begin());
    cards[trick.size()] = card;
    const size_t size = trick.size() + 1;
    const size_t winner = rules.winner(std::span(cards).first(size), trump);
    bool ours = (size - 1 - winner) % 2 == 0;
    for (size_t after = 1; ours && after <= 4 - size; after += 2) {
      ours = !can_beat((seat() + static_cast<int>(after)) % 4, cards[0], cards[winner]);
    }
    double pot = 4;
    for (size_t place = 0; place < size; ++place) pot += rules.points(cards[place]);
    const int power = rules.power(card, trump);
    return (ours ? pot : -pot) -
           (power >= rook::kTrumpPower ? 3 + 0.3 * (power - rook::kTrumpPower) : 0.2 * power);
  }

  // Plays on to the end by looks.
  void finish() {
    while (!hands[at(seat())].empty()) {
      const std::vector<Card> cards = playable();
      Card best = cards[0];
      double most = -1e9;
      for (const Card card : cards.size() > 1 ? cards : std::vector<Card>()) {
        if (const double value = looks(card); value > most) most = value, best = card;
      }
      play(best);
    }
    captured[at(leader % 2)] += buried + last_bonus;
    if (tricks[0] != tricks[1]) captured[tricks[0] > tricks[1] ? 0 : 1] += trick_bonus;
  }
};

// The cards to put away so that `keep` are left: plain losers, of short colours first, counters before
// others.
std::vector<Card> losers(const rook::Rules& rules, std::vector<Card> cards, size_t keep, int trump) {
  std::array<int, 5> length{};
  for (const Card card : cards) ++length[at(suit(card))];
  const auto value = [&](Card card) {
    if (rules.colour(card, trump) == trump) return 100.0 + rules.place(card);
    if (rules.place(card) == rules.ranks()) return 50.0;
    return 2.0 * length[at(suit(card))] + 0.3 * rules.place(card) - 0.4 * rules.points(card);
  };
  std::stable_sort(cards.begin(), cards.end(),
                   [&](Card left, Card right) { return value(left) < value(right); });
  cards.resize(cards.size() - keep);
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
  }

  Move bid(RookTurn& turn) override {
    const std::vector<Move> bids = turn.moves(Kind::bid);
    const bool may_pass = bids.size() < turn.moves().size();
    if (bids.empty() || (may_pass && turn.bidder() && turn.bidder() == turn.partner()))
      return first_move(turn);
    std::vector<int> captured = best_trump(turn).second;
    std::sort(captured.begin(), captured.end(), std::greater<int>());
    const int likely = captured[at(static_cast<int>(kCourage * kDeals))];
    turn.note("likely to capture " + std::to_string(likely));
    return may_pass && bids[0].number > likely ? Move::pass() : bids[0];
  }

  Move discard(RookTurn& turn) override {
    return Move::discard(losers(turn.rules(), turn.hand(), at(hand_size_), best_trump(turn).first));
  }

  Move trump(RookTurn& turn) override { return Move::trump(best_trump(turn).first); }

  Move play_rook(RookTurn& turn) override {
    const std::vector<Card> cards = turn.cards();
    if (cards.size() == 1) return Move::play(cards[0]);
    std::vector<int> total(cards.size());
    for (int deal = 0; deal < kDeals; ++deal) {
      const Hand imagined = imagine(turn, *turn.trump());
      for (size_t place = 0; place < cards.size(); ++place) {
        Hand hand = imagined;
        hand.play(cards[place]);
        hand.finish();
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
  // The position as it may be: unseen cards are dealt at random to seats that are not known to lack their
  // colour. In the auction this seat is the declarer, with the nest.
  Hand imagine(RookTurn& turn, int trump) const {
    const rook::Rules& rules = turn.rules();
    const v1::RookView& view = turn.view();
    Hand hand{rules, trump, static_cast<int>(view.dealer() + 1) % 4, trick_bonus_, last_bonus_};
    std::array<int, 5> room{hand_size_, hand_size_, hand_size_, hand_size_,
                            0};  // by seat; 4 is the nest or discard
    std::array<std::array<bool, 4>, 5> lacks{};
    std::vector<Card> unseen = rules.cards();
    for (const int card : view.played()) {
      const int led = rules.colour(hand.trick.empty() ? card : hand.trick[0], trump);
      if (rules.colour(card, trump) != led && card < rook::kRook) lacks[at(hand.seat())][at(led)] = true;
      --room[at(hand.seat())];
      take_out(unseen, card);
      hand.put(card);
    }
    for (const Card card : turn.hand()) take_out(unseen, card);
    for (const int card : view.discard()) {
      take_out(unseen, card);
      hand.buried += rules.points(card);
    }
    room[at(turn.seat())] = 0;
    room[4] = static_cast<int>(unseen.size()) - room[0] - room[1] - room[2] - room[3];
    turn.random().shuffle(unseen);
    const auto may_have = [&](Card card, int seat) {
      return room[at(seat)] > 0 && !lacks[at(seat)][at(rules.colour(card, trump))];
    };
    const auto seats = [&](Card card) {
      int count = 0;
      for (int seat = 0; seat < 5; ++seat) count += may_have(card, seat);
      return count;
    };
    std::stable_sort(unseen.begin(), unseen.end(),
                     [&](Card left, Card right) { return seats(left) < seats(right); });
    std::vector<Card> nest;
    for (const Card card : unseen) {
      const bool anywhere = seats(card) == 0;
      std::vector<int> free;
      for (int seat = 0; seat < 5; ++seat) {
        if (anywhere || may_have(card, seat)) free.insert(free.end(), at(room[at(seat)]), seat);
      }
      const int seat = turn.random().choice(free);
      --room[at(seat)];
      (seat < 4 ? hand.hands[at(seat)] : nest).push_back(card);
    }
    std::vector<Card>& mine = hand.hands[at(turn.seat())];
    mine = turn.hand();
    if (view.phase() == v1::ROOK_PHASE_AUCTION) {
      mine.insert(mine.end(), nest.begin(), nest.end());
      nest.clear();
    }
    if (static_cast<int>(mine.size()) > hand_size_) nest = losers(rules, mine, at(hand_size_), trump);
    for (const Card card : nest) {
      hand.buried += rules.points(card);
      if (const auto found = std::find(mine.begin(), mine.end(), card); found != mine.end())
        mine.erase(found);
    }
    return hand;
  }

  // The trump suit with which this seat captures most as declarer, and what it captured in every imagined
  // deal.
  std::pair<int, std::vector<int>> best_trump(RookTurn& turn) const {
    std::pair<int, std::vector<int>> best;
    int most = -1;
    for (int trump = 0; trump < 4; ++trump) {
      std::vector<int> captured;
      for (int deal = 0; deal < kDeals; ++deal) {
        Hand hand = imagine(turn, trump);
        hand.finish();
        captured.push_back(hand.captured[at(turn.seat() % 2)]);
      }
      const int sum = std::accumulate(captured.begin(), captured.end(), 0);
      if (sum > most) most = sum, best = {trump, captured};
    }
    return best;
  }

  // What a finished hand scores: ours less theirs.
  int score(const RookTurn& turn, const Hand& hand) const {
    const int bid = static_cast<int>(turn.view().bid()), team = *turn.bidder() % 2;
    const int captured = hand.captured[at(team)];
    const int declarers = captured < bid ? -bid : scores_bid_ ? bid : captured;
    const int difference = declarers - hand.captured[at(1 - team)];
    return team == turn.seat() % 2 ? difference : -difference;
  }

  int hand_size_ = 0, trick_bonus_ = 0, last_bonus_ = 0;
  bool scores_bid_ = false;
};

}  // namespace

std::unique_ptr<Bot> arena::make_bot() { return std::make_unique<Dreamer>(); }
