// The SDK reads and writes the recorded frames of all games exactly as the arena does.
#include "vectors.h"

#include <gtest/gtest.h>

#include "arena/table.h"
#include "meaning.h"

namespace arena {
namespace {

class Vectors : public testing::Test {
 protected:
  void SetUp() override {
    lines_ = read_vectors();
    if (!lines_)
      GTEST_SKIP() << "no vectors were read: set ARENA_VECTORS to the arena's tests/vectors/frames.jsonl";
  }

  std::optional<std::vector<nlohmann::json>> lines_;
};

TEST_F(Vectors, MeanTheSame) {
  int arena = 0, bot = 0;
  for (const nlohmann::json& line : *lines_) {
    SCOPED_TRACE(line["name"].get<std::string>());
    if (line["from"] == "arena") {
      v1::ArenaFrame frame;
      ASSERT_TRUE(frame.ParseFromString(bytes_of(line)));
      EXPECT_EQ(meaning(frame), line["events"]);
      ++arena;
    } else {
      EXPECT_EQ(frame_of(line["events"]).SerializeAsString(), bytes_of(line));
      ++bot;
    }
  }
  EXPECT_GT(arena, 100);
  EXPECT_GT(bot, 10);
  std::cout << arena + bot << " frames were read" << std::endl;
}

TEST_F(Vectors, EveryMoveIsReadBackFromItsText) {
  for (const nlohmann::json& line : *lines_) {
    v1::ArenaFrame frame;
    if (line["from"] != "arena" || !frame.ParseFromString(bytes_of(line))) continue;
    for (const v1::ArenaEvent& event : frame.events()) {
      if (!event.has_turn()) continue;
      const Family family = event.turn().has_rook()   ? Family::rook
                            : event.turn().has_crow() ? Family::crow
                                                      : Family::goat;
      for (const v1::Move& message : event.turn().legal().moves()) {
        const Move move = decode(message);
        EXPECT_EQ(move_of(family, move_text(family, move)), move) << move_text(family, move);
        v1::Move written;
        encode(move, &written);
        EXPECT_EQ(written.SerializeAsString(), message.SerializeAsString());
      }
    }
  }
}

// Looks at everything a turn offers, and plays the last legal move.
class Curious : public Bot {
 public:
  Move play_rook(RookTurn& turn) override {
    const std::vector<Played> trick = turn.trick();
    if (!trick.empty()) {
      EXPECT_EQ(turn.rules().playable(turn.hand(), trick[0].card, *turn.trump()), turn.cards());
      EXPECT_TRUE(turn.winning());
    }
    return Bot::play_rook(turn);
  }
  Move play_crow(CrowTurn& turn) override {
    for (const Card card : turn.cards()) EXPECT_LE(turn.take(card).place, turn.trick().size());
    return Bot::play_crow(turn);
  }
  Move answer(GoatTurn& turn) override {
    std::vector<Card> best = turn.winning().value().cards;
    for (const Move& move : turn.moves(Kind::beat)) EXPECT_TRUE(goat::beats(move.cards, best, turn.trump()));
    return Bot::answer(turn);
  }
  Move any_move(Turn& turn) override { return turn.choose() ? first_move(turn) : turn.moves().back(); }
};

TEST_F(Vectors, ATableAnswersEveryTurnLegally) {
  Table table([] { return std::make_unique<Curious>(); });
  for (const nlohmann::json& line : *lines_) {
    if (line["from"] != "arena") continue;
    SCOPED_TRACE(line["name"].get<std::string>());
    v1::ArenaFrame frame;
    ASSERT_TRUE(frame.ParseFromString(bytes_of(line)));
    int turns = 0, replies = 0;
    for (const v1::ArenaEvent& event : frame.events()) turns += event.has_turn();
    for (const v1::BotFrame& answered : table.take(frame)) replies += answered.events_size();
    EXPECT_EQ(replies, turns);
  }
  EXPECT_EQ(table.goodbye(), "done");
  EXPECT_EQ(table.games(), 0U);
}

}  // namespace
}  // namespace arena
