// What an author writes: a class with one method for each kind of decision, and make_bot(). Every method has
// a legal default.
#pragma once

#include <memory>
#include <stdexcept>
#include <string_view>

#include "arena/game.h"
#include "arena/moves.h"
#include "arena/turn.h"

namespace arena {

// A player. Every game gets an object of its own, which may remember what it likes during a game. Each method
// gets a turn and returns a legal move of it; one that is not overridden plays any_move.
class Bot {
 public:
  virtual ~Bot() = default;

  // A game begins; a game is over.
  virtual void started(const Game&) {}
  virtual void over(const Game&, const Result&) {}
  // The answer to a turn was not taken, too late or illegal, and the default move was played. Logs it.
  virtual void rejected(const Game& game, uint32_t turn, std::string_view reason);

  // The Rook family.
  virtual Move bid(RookTurn& turn) { return any_move(turn); }  // Move::bid(points), Move::pass()
  virtual Move discard(RookTurn& turn) {
    return any_move(turn);
  }  // Move::discard(cards), turn.choose()->size many
  virtual Move trump(RookTurn& turn) { return any_move(turn); }      // Move::trump(suit)
  virtual Move play_rook(RookTurn& turn) { return any_move(turn); }  // Move::play(card)

  // The Crow and the Pitcher.
  virtual Move play_crow(CrowTurn& turn) { return any_move(turn); }  // Move::play(card)

  // Goat. Molodka is asked for by itself only in rulesets with molodka = before_trick.
  virtual Move lead(GoatTurn& turn) { return any_move(turn); }    // Move::lead(cards)
  virtual Move answer(GoatTurn& turn) { return any_move(turn); }  // Move::beat(cards), drop(cards), molodka()
  virtual Move molodka(GoatTurn& turn) { return any_move(turn); }  // Move::molodka(), Move::pass()

  // Any decision for which no method is written: the first legal move.
  virtual Move any_move(Turn& turn) { return first_move(turn); }

  // The first legal move; of a choice the first cards.
  static Move first_move(const Turn& turn);
};

// Makes the bot of a game that begins. The author defines it.
std::unique_ptr<Bot> make_bot();

// A method returned something that is no legal move of its turn.
class IllegalAnswer : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A line on stderr, which the arena keeps for you; it is no part of the protocol.
void log(std::string_view line);

}  // namespace arena
