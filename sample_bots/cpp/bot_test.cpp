// Tests of the strategy: a Table plays it from messages, without a network, a clock or a process.
#include <gtest/gtest.h>

#include "arena/table.h"

using namespace arena;

namespace {

// A game of Partnership from one seat's view: 14 cards each, no Rook, no nest; green is trump once it is
// named.
class Partnership {
 public:
  explicit Partnership(uint64_t seed = 7) {
    v1::GameStart start;
    start.set_game(1);
    start.set_ruleset("partnership");
    start.set_seats(4);
    start.set_partner(2);
    start.set_seed(seed);
    const std::map<std::string, std::string> options{
        {"ranks", "[1,2,3,4,5,6,7,8,9,10,11,12,13,14]"},
        {"points", R"({"5":5,"10":10,"14":10})"},
        {"rook", "false"},
        {"rook_rank", "\"lowest\""},
        {"red_one", "false"},
        {"hand", "14"},
        {"nest", "0"},
        {"trick_bonus", "20"},
        {"last_bonus", "0"},
        {"made", "\"captured\""},
    };
    start.mutable_options()->insert(options.begin(), options.end());
    table_.start(start);
  }

  // What seat 0 answers in a phase, with these cards in its hand, when it may do these moves.
  std::string answer(v1::RookPhase phase, const std::string& hand, const std::vector<std::string>& moves,
                     const std::vector<std::string>& played = {}) {
    v1::Turn turn;
    turn.set_game(1);
    v1::RookView* view = turn.mutable_rook();
    view->set_phase(phase);
    view->set_dealer(played.empty() ? 3 : 2 - static_cast<uint32_t>(played.size() - 1));
    for (const Card card : Move(move_of(Family::rook, "discard " + hand)).cards) {
      view->add_hand(static_cast<v1::RookCard>(card));
    }
    if (phase == v1::ROOK_PHASE_PLAY) {
      view->set_trump(1);
      view->set_bid(70);
      view->set_bidder(0);
      view->add_leaders((view->dealer() + 1) % 4);
      for (const std::string& card : played)
        view->add_played(static_cast<v1::RookCard>(card_of(Family::rook, card)));
    }
    for (const std::string& move : moves)
      encode(move_of(Family::rook, move), turn.mutable_legal()->add_moves());
    return moves.at(static_cast<size_t>(table_.turn(turn).choice()));
  }

 private:
  Table table_;
};

constexpr const char* kStrong = "B14 G5 G6 G7 G8 G9 G10 G11 G12 G13 G14 R14 Y13 Y14";
constexpr const char* kWeak = "B1 B2 B3 G1 G2 G3 R1 R2 R3 R4 Y1 Y2 Y3 Y4";

TEST(Strategy, BidsOnAStrongHandOnly) {
  EXPECT_EQ(Partnership().answer(v1::ROOK_PHASE_AUCTION, kStrong, {"pass", "bid 70", "bid 75"}), "bid 70");
  EXPECT_EQ(Partnership().answer(v1::ROOK_PHASE_AUCTION, kWeak, {"pass", "bid 70", "bid 75"}), "pass");
}

TEST(Strategy, NamesTheLongSuit) {
  const std::vector<std::string> suits{"trump black", "trump green", "trump red", "trump yellow"};
  EXPECT_EQ(Partnership().answer(v1::ROOK_PHASE_TRUMP, kStrong, suits), "trump green");
}

TEST(Strategy, GivesPointsToThePartnerAndNoneToOpponents) {
  const std::vector<std::string> cards{"R2", "R10"};
  const std::string hand = "B1 B2 B3 G1 G2 G3 R2 R10 Y1 Y2 Y3 Y4 Y6 Y7";
  EXPECT_EQ(Partnership().answer(v1::ROOK_PHASE_PLAY, hand, cards, {"R3", "R14", "R4"}), "R10");
  EXPECT_EQ(Partnership().answer(v1::ROOK_PHASE_PLAY, hand, cards, {"R14", "R3", "R4"}), "R2");
}

TEST(Strategy, PlaysTheSameForTheSameSeed) {
  const std::vector<std::string> cards{"B1", "B2", "B3", "G1", "G2", "G3",
                                       "R1", "R2", "R3", "R4", "Y1", "Y2"};
  for (const uint64_t seed : {1U, 2U, 3U}) {
    EXPECT_EQ(Partnership(seed).answer(v1::ROOK_PHASE_PLAY, kWeak, cards),
              Partnership(seed).answer(v1::ROOK_PHASE_PLAY, kWeak, cards));
  }
}

}  // namespace
