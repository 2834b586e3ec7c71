// The bot's side of the protocol without a transport: messages in, replies out. Tests and practice use it
// too.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arena/bot.h"
#include "arena/v1/arena.pb.h"

namespace arena {

// All games of one process, each with a bot object of its own.
class Table {
 public:
  explicit Table(std::function<std::unique_ptr<Bot>()> make = make_bot) : make_(std::move(make)) {}

  // The first frame to send.
  static v1::BotFrame hello(const std::string& token, uint32_t concurrent_games);

  // Take a frame. Returns the frames to send: one with all replies, several where it would be too large, none
  // if there are no replies. Throws IllegalAnswer, std::out_of_range for a game that was never started, or
  // what the bot threw.
  std::vector<v1::BotFrame> take(const v1::ArenaFrame& frame);

  // Begin a game, decide, end a game: what take() does with one event.
  void start(const v1::GameStart& message);
  v1::Reply turn(const v1::Turn& message);
  void over(const v1::GameOver& message);

  // The arena's last word, once it was said.
  const std::optional<std::string>& goodbye() const { return goodbye_; }
  // How many games run now.
  size_t games() const { return seats_.size(); }

 private:
  struct Seat {
    Game game;
    std::unique_ptr<Bot> bot;
    std::optional<rook::Rules> rules;  // of a Rook game
    std::optional<crow::Worth> worth;  // of a game of The Crow and the Pitcher
  };

  Seat& seat(uint32_t game);
  void rejected(const v1::Rejected& message);

  std::function<std::unique_ptr<Bot>()> make_;
  std::map<uint32_t, std::unique_ptr<Seat>> seats_;
  std::optional<std::string> goodbye_;
};

// Write a legal move of a turn into a reply: its place among the legal ones, or the chosen cards. Throws
// IllegalAnswer.
void fill(v1::Reply* reply, const Turn& turn, const Move& move);

// A note of no more bytes than the arena keeps, cut between characters.
std::string cut_note(const std::string& note);

}  // namespace arena
