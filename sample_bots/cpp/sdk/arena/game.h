// What a bot is told once for each game: its seat, the ruleset, a generator of its own; and how the game
// ended.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "arena/cards.h"

namespace arena {

namespace v1 {
class GameStart;
class GameOver;
}  // namespace v1

// Every field of the ruleset by name, each a JSON value. All throw std::out_of_range for a name that is not
// there, and std::invalid_argument for a value of another type.
class Options {
 public:
  Options() = default;
  explicit Options(std::map<std::string, std::string> values) : values_(std::move(values)) {}

  bool has(const std::string& name) const { return values_.contains(name); }
  const std::string& json(const std::string& name) const;
  int number(const std::string& name) const;                // "target": 300
  bool flag(const std::string& name) const;                 // "rook": true
  std::string text(const std::string& name) const;          // "made": "bid"
  std::vector<int> list(const std::string& name) const;     // "ranks": 5, 6, ...
  std::map<int, int> table(const std::string& name) const;  // "points": 5 -> 5, 10 -> 10, ...
  const std::map<std::string, std::string>& all() const { return values_; }

 private:
  std::map<std::string, std::string> values_;
};

// A generator seeded by the arena for each game and seat: a bot that draws from it alone plays the same game
// again.
class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}

  // A whole number from 0 to n - 1, each equally likely. n is 1 or more.
  int below(int n);

  // One of the values, each equally likely. There is at least one.
  template <class T>
  const T& choice(const std::vector<T>& values) {
    return values[static_cast<size_t>(below(static_cast<int>(values.size())))];
  }

  // Put values into any order, each equally likely.
  template <class T>
  void shuffle(std::vector<T>& values) {
    for (size_t left = values.size(); left > 1; --left) {
      std::swap(values[left - 1], values[static_cast<size_t>(below(static_cast<int>(left)))]);
    }
  }

 private:
  std::mt19937_64 engine_;
};

// One game at the table, from its first message to its last.
class Game {
 public:
  explicit Game(const v1::GameStart& start);

  uint32_t number;             // of the game on this connection, from 1: the `game` of logs
  std::string ruleset;         // its id, "crowsnest"
  Family family;               // which view and which decisions it has
  int seat;                    // the bot's, from 0, clockwise
  int seats;                   // how many the table has
  std::optional<int> partner;  // the partner's seat; none where each seat plays for itself
  Options options;             // every field of the ruleset
  Random random;
};

enum class Verdict { unknown, finished, forfeit, voided };

// How a game ended.
struct Result {
  Verdict verdict = Verdict::unknown;
  std::vector<int> scores;          // by seat, higher is better; empty when the game is void
  std::vector<int> ranks;           // by seat, 0 is best, equal means tied; empty when the game is void
  std::optional<int> forfeit_seat;  // the seat that forfeited
  std::string reason;               // why, as a fault code; empty when the game was finished
};

Result decode(const v1::GameOver& message);

}  // namespace arena
