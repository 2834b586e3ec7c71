// A table: games apart from each other, answers checked, notes cut, what is new ignored.
#include "arena/table.h"

#include <gtest/gtest.h>

namespace arena {
namespace {

v1::ArenaFrame crow_turn(uint32_t game, uint32_t turn = 0) {
  v1::ArenaFrame frame;
  v1::GameStart* start = frame.add_events()->mutable_game_start();
  start->set_game(game);
  start->set_ruleset("crow_and_pitcher");
  start->set_seats(4);
  start->set_seed(7);
  (*start->mutable_options())["card_points"] = "\"face\"";
  v1::Turn* asked = frame.add_events()->mutable_turn();
  asked->set_game(game);
  asked->set_turn(turn);
  asked->mutable_crow()->add_pitchers(9);
  asked->mutable_crow()->add_leaders(0);
  for (const uint32_t card : {4, 9, 26}) {
    asked->mutable_crow()->add_hand(static_cast<v1::CrowCard>(card));
    asked->mutable_legal()->add_moves()->set_play(card);
  }
  return frame;
}

v1::ArenaFrame discard_turn() {
  v1::ArenaFrame frame;
  v1::GameStart* start = frame.add_events()->mutable_game_start();
  start->set_game(1);
  start->set_ruleset("crowsnest");
  for (const auto& [name, value] : std::map<std::string, std::string>{{"ranks", "[5,6]"},
                                                                      {"points", "{}"},
                                                                      {"rook", "false"},
                                                                      {"red_one", "false"},
                                                                      {"rook_rank", "\"lowest\""}}) {
    (*start->mutable_options())[name] = value;
  }
  v1::Turn* asked = frame.add_events()->mutable_turn();
  asked->set_game(1);
  asked->mutable_rook()->set_phase(v1::ROOK_PHASE_DISCARD);
  v1::Choose* choose = asked->mutable_legal()->mutable_choose();
  choose->set_kind(v1::MOVE_KIND_DISCARD);
  choose->set_count(2);
  for (const uint32_t card : {5, 6, 21}) choose->add_cards(card);
  return frame;
}

// Answers what it is given.
class Given : public Bot {
 public:
  explicit Given(Move move, std::string note = "") : move_(std::move(move)), note_(std::move(note)) {}
  Move any_move(Turn& turn) override {
    if (!note_.empty()) turn.note(note_);
    return move_;
  }

 private:
  Move move_;
  std::string note_;
};

Table table_of(Move move, std::string note = "") {
  return Table([=] { return std::make_unique<Given>(move, note); });
}

TEST(Table, SaysHello) {
  const v1::Hello hello = Table::hello("secret", 8).events(0).hello();
  EXPECT_EQ(hello.token(), "secret");
  EXPECT_EQ(hello.versions(0), "1.0");
  EXPECT_EQ(hello.concurrent_games(), 8U);
  EXPECT_EQ(hello.sdk().rfind("arena-cpp ", 0), 0U);
}

TEST(Table, AnswersByPlace) {
  Table table = table_of(Move::play(9), "why");
  const std::vector<v1::BotFrame> frames = table.take(crow_turn(1, 5));
  ASSERT_EQ(frames.size(), 1U);
  const v1::Reply& reply = frames[0].events(0).reply();
  EXPECT_EQ(reply.game(), 1U);
  EXPECT_EQ(reply.turn(), 5U);
  EXPECT_EQ(reply.choice(), 1);
  EXPECT_EQ(reply.note(), "why");
}

TEST(Table, EveryGameHasABotOfItsOwnAndTurnsOfSeveralAreAnsweredInOneFrame) {
  int made = 0;
  Table table([&made] {
    ++made;
    return std::make_unique<Given>(Move::play(26));
  });
  v1::ArenaFrame frame = crow_turn(1);
  frame.MergeFrom(crow_turn(2));
  const std::vector<v1::BotFrame> frames = table.take(frame);
  ASSERT_EQ(frames.size(), 1U);
  EXPECT_EQ(frames[0].events_size(), 2);
  EXPECT_EQ(made, 2);
  v1::ArenaFrame over;
  over.add_events()->mutable_game_over()->set_game(1);
  EXPECT_TRUE(table.take(over).empty());
  EXPECT_EQ(table.games(), 1U);
}

TEST(Table, RepliesThatWouldBeTooLargeForAFrameAreSplit) {
  Table table = table_of(Move::play(26), std::string(2000, 'x'));
  v1::ArenaFrame frame;
  for (uint32_t game = 1; game <= 150; ++game) frame.MergeFrom(crow_turn(game));
  int replies = 0;
  for (const v1::BotFrame& each : table.take(frame)) {
    EXPECT_LT(each.ByteSizeLong(), 262'144U);
    replies += each.events_size();
  }
  EXPECT_EQ(replies, 150);
}

TEST(Table, AnIllegalAnswerIsToldWithWhatIsLegal) {
  try {
    table_of(Move::play(10)).take(crow_turn(3, 7));
    FAIL() << "R10 is not in the hand";
  } catch (const IllegalAnswer& error) {
    EXPECT_STREQ(error.what(),
                 "game 3 (crow_and_pitcher), turn 7: answered 'R10', which is not legal; legal: R4, R9, G10");
  }
}

TEST(Table, AChoiceIsCheckedAndSentAsCards) {
  const v1::Reply reply = table_of(Move::discard({21, 5})).take(discard_turn())[0].events(0).reply();
  EXPECT_EQ(reply.move().discard().cards_size(), 2);
  EXPECT_EQ(reply.move().discard().cards(1), 21U);
  for (const Move& move :
       {Move::discard({5}), Move::discard({5, 5}), Move::discard({5, 7}), Move::drop({5, 6})}) {
    EXPECT_THROW(table_of(move).take(discard_turn()), IllegalAnswer);
  }
}

TEST(Table, AMethodThatIsNotWrittenPlaysTheFirstLegalMove) {
  Table table([] { return std::make_unique<Bot>(); });
  EXPECT_EQ(table.take(crow_turn(1))[0].events(0).reply().choice(), 0);
  EXPECT_EQ(table.take(discard_turn())[0].events(0).reply().move().discard().cards_size(), 2);
}

TEST(Table, WhatIsNewIsIgnored) {
  Table table([] { return std::make_unique<Bot>(); });
  v1::ArenaFrame frame;
  ASSERT_TRUE(frame.ParseFromString("\x0a\x04\xf2\x3f\x01x"));  // an event of an unknown kind
  EXPECT_EQ(frame.events_size(), 1);
  EXPECT_TRUE(table.take(frame).empty());
  v1::ArenaFrame newer = crow_turn(1);
  newer.mutable_events(1)->mutable_turn()->clear_view();
  EXPECT_EQ(table.take(newer)[0].events(0).reply().choice(), 0);
}

TEST(Table, ATurnOfAnUnknownGameIsAnError) {
  Table table([] { return std::make_unique<Bot>(); });
  v1::ArenaFrame frame;
  frame.add_events()->mutable_turn()->set_game(9);
  EXPECT_THROW(table.take(frame), std::out_of_range);
}

TEST(Table, NotesAreCutBetweenCharacters) {
  EXPECT_EQ(cut_note(std::string(2048, 'x')).size(), 2048U);
  std::string note(2047, 'x');
  note += "\u2660";
  EXPECT_EQ(cut_note(note), std::string(2047, 'x'));
}

}  // namespace
}  // namespace arena
