// Cards, moves, options, and the rules of the three families.
#include <gtest/gtest.h>

#include <numeric>

#include "arena/turn.h"

namespace arena {
namespace {

std::vector<Card> cards(Family family, std::string_view text) {
  std::vector<Card> found;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    found.push_back(card_of(family, text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return found;
}

std::vector<Card> rook_cards(std::string_view text) { return cards(Family::rook, text); }

Options rook_options(const std::string& rank, bool red_one) {
  return Options({{"ranks", "[5,6,7,8,9,10,11,12,13,14]"},
                  {"points", R"({"5":5,"10":10,"14":10,"65":20,"66":30})"},
                  {"rook", "true"},
                  {"rook_rank", '"' + rank + '"'},
                  {"red_one", red_one ? "true" : "false"}});
}

constexpr int kGreen = 1, kBlack = 0;

TEST(Cards, HaveNumbersAndTexts) {
  EXPECT_EQ(card_of(Family::rook, "G10"), 26);
  EXPECT_EQ(suit(26), 1);
  EXPECT_EQ(rank(26), 10);
  EXPECT_EQ(card_text(Family::rook, 65), "ROOK");
  EXPECT_EQ(card_text(Family::goat, 45), "10H");
  EXPECT_EQ(card_text(Family::crow, 58), "T10");
  EXPECT_EQ(card_text(Family::crow, 0), "0");
  EXPECT_EQ(card_text(Family::crow, 63), "63");
  EXPECT_EQ(card_of(Family::goat, "G10"), 0);
  EXPECT_EQ(suit_text(Family::goat, 3), "spades");
  EXPECT_EQ(suit_of(Family::rook, "spades"), -1);
}

TEST(Moves, AreEqualWhateverTheOrderOfCards) {
  EXPECT_EQ(Move::lead({13, 6}), Move::lead({6, 13}));
  EXPECT_EQ(move_text(Family::goat, Move::lead({13, 6})), "lead 6C 10C");
  EXPECT_EQ(move_of(Family::rook, "trump green"), Move::trump(1));
  for (const char* text : {"", "bid", "bid x", "bid 5x", "trump spades", "lead 6X", "fly 6C"}) {
    EXPECT_EQ(move_of(Family::rook, text).kind, Kind::unknown) << text;
  }
}

TEST(Options, AreReadByTheirType) {
  const Options options = rook_options("lowest", false);
  EXPECT_EQ(options.list("ranks").size(), 10U);
  EXPECT_EQ(options.table("points").at(65), 20);
  EXPECT_EQ(options.text("rook_rank"), "lowest");
  EXPECT_TRUE(options.flag("rook"));
  EXPECT_THROW(options.number("rook_rank"), std::invalid_argument);
  EXPECT_THROW(options.number("nothing"), std::out_of_range);
}

TEST(Random, IsTheSameForTheSameSeedOnEveryMachine) {
  Random one(7), two(7);
  std::vector<int> cards(20);
  std::iota(cards.begin(), cards.end(), 0);
  std::vector<int> others = cards;
  one.shuffle(cards);
  two.shuffle(others);
  EXPECT_EQ(cards, others);
  Random first(1);
  std::vector<int> drawn;
  for (int draw = 0; draw < 6; ++draw) drawn.push_back(first.below(100));
  EXPECT_EQ(drawn, (std::vector<int>{28, 62, 30, 46, 84, 9}));
}

TEST(Rook, TheCrowIsTheLowestTrumpOrTheRookTheHighest) {
  const std::vector<Card> trick = rook_cards("ROOK G9 Y6 G5");
  EXPECT_EQ(rook::Rules(rook_options("lowest", false)).winner(trick, kGreen), 1U);
  EXPECT_EQ(rook::Rules(rook_options("highest", false)).winner(trick, kGreen), 0U);
  EXPECT_EQ(rook::Rules(rook_options("lowest", true)).winner(rook_cards("ROOK RED1 G14"), kGreen), 1U);
  const rook::Rules rules(rook_options("lowest", false));
  EXPECT_EQ(rules.winner(rook_cards("B14 ROOK Y14"), kGreen), 1U);
  EXPECT_EQ(rules.winner(rook_cards("B6 B10 Y14 B7"), kGreen), 1U);
  EXPECT_EQ(rules.cards().size(), 41U);
  EXPECT_EQ(rules.points(65), 20);
}

TEST(Rook, ColoursAreFollowedAndSpecialCardsAlwaysPlayable) {
  const rook::Rules rules(rook_options("lowest", false));
  const auto playable = [&](std::string_view hand, std::string_view led) {
    return rules.playable(rook_cards(hand), card_of(Family::rook, led), kGreen);
  };
  EXPECT_EQ(playable("B6 R5 ROOK", "B14"), rook_cards("B6 ROOK"));
  EXPECT_EQ(playable("G9 G12 R14", "ROOK"), rook_cards("G9 G12"));
  EXPECT_EQ(playable("R5 ROOK", "G5"), rook_cards("ROOK"));
  EXPECT_EQ(playable("R5 ROOK", "Y5"), rook_cards("R5 ROOK"));
  const rook::Rules red(rook_options("lowest", true));
  EXPECT_EQ(red.playable(rook_cards("R5 Y14 RED1"), 40, kBlack), rook_cards("R5 RED1"));
  EXPECT_EQ(red.playable(rook_cards("Y14 RED1"), 65, kBlack), rook_cards("RED1"));
}

TEST(Crow, APitcherIsFilledByStonesOfAnyColour) {
  const crow::Worth worth =
      crow::worth_of(Options(std::map<std::string, std::string>{{"card_points", "\"face\""}}));
  const std::vector<Card> full = cards(Family::crow, "R4 G6 R2 T3");
  EXPECT_EQ(crow::filled(full, 9), 12);
  EXPECT_EQ(crow::take(full, 9, worth).place, 0U);
  EXPECT_EQ(crow::take(full, 9, worth).points, 9);
  EXPECT_FALSE(crow::take(full, 13, worth).full);
  EXPECT_EQ(crow::take(full, 13, worth).place, 2U);
  EXPECT_EQ(crow::take(full, 13, worth).points, 4);
  const std::vector<Card> thirst = cards(Family::crow, "T4 T9 R10 T2");
  EXPECT_EQ(crow::take(thirst, 13, worth).place, 1U);
  EXPECT_EQ(crow::take(thirst, 13, worth).points, -15);
}

TEST(Goat, SetsBeatInPairs) {
  const int trump = suit_of(Family::goat, "spades");
  const auto beats = [&](std::string_view cards_, std::string_view others) {
    return goat::beats(cards(Family::goat, cards_), cards(Family::goat, others), trump);
  };
  EXPECT_TRUE(beats("8C", "7C"));
  EXPECT_FALSE(beats("AD", "6C"));
  EXPECT_TRUE(beats("6S", "AC"));
  EXPECT_TRUE(beats("8C 6S", "7C AC"));
  EXPECT_FALSE(beats("6S AC", "7S 6C"));
  int total = 0;
  for (int suit = 0; suit < 4; ++suit) {
    for (int rank = 6; rank <= 14; ++rank) total += goat::points(suit << 4 | rank);
  }
  EXPECT_EQ(total, 120);
}

}  // namespace
}  // namespace arena
