// Moves as a bot sees them: made, compared, written as texts, read from messages and put into them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "arena/cards.h"

namespace arena {

namespace v1 {
class Move;
class Legal;
class Choose;
}  // namespace v1

enum class Kind { play, bid, pass, trump, discard, lead, beat, drop, molodka, unknown };

// One decision. Moves are equal if they mean the same, wherever they were made.
struct Move {
  Kind kind = Kind::unknown;
  // One card of a play; the cards of a discard, lead, beat or drop, ascending; else empty.
  std::vector<Card> cards;
  // The points of a bid, the suit number of a trump; else 0.
  int number = 0;

  static Move play(Card card) { return {Kind::play, {card}, 0}; }
  static Move bid(int points) { return {Kind::bid, {}, points}; }
  // Pass; also: decline a molodka.
  static Move pass() { return {Kind::pass, {}, 0}; }
  static Move trump(int suit) { return {Kind::trump, {}, suit}; }
  static Move discard(std::vector<Card> cards) { return of_set(Kind::discard, std::move(cards)); }
  static Move lead(std::vector<Card> cards) { return of_set(Kind::lead, std::move(cards)); }
  static Move beat(std::vector<Card> cards) { return of_set(Kind::beat, std::move(cards)); }
  static Move drop(std::vector<Card> cards) { return of_set(Kind::drop, std::move(cards)); }
  static Move molodka() { return {Kind::molodka, {}, 0}; }
  static Move of_set(Kind kind, std::vector<Card> cards);

  // The first card: of a play its only one.
  Card card() const { return cards.at(0); }

  friend bool operator==(const Move&, const Move&) = default;
};

// Any `size` different cards of `cards`, where a list of all sets would be long.
struct Choose {
  Kind kind = Kind::unknown;
  int size = 0;
  std::vector<Card> cards;  // ascending
};

// A move as the arena writes it: "R10", "bid 80", "pass", "trump green", "lead 6S 9S".
std::string move_text(Family family, const Move& move);

// The move with a text; of kind unknown when there is none.
Move move_of(Family family, std::string_view text);

// The word of a kind: "discard".
std::string_view kind_text(Kind kind);

// A move from its message; of a kind newer than this SDK unknown, which may still be chosen by its place.
Move decode(const v1::Move& message);
Choose decode(const v1::Choose& message);

// Write a move into a message. Throws std::invalid_argument for an unknown one.
void encode(const Move& move, v1::Move* message);

}  // namespace arena
