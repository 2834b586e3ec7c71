// One decision to be made: what the bot knows, what it may do, and readers of both. Each family of games has
// its own kind of turn, with the family's table in it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arena/cards.h"
#include "arena/crow.h"
#include "arena/game.h"
#include "arena/goat.h"
#include "arena/moves.h"
#include "arena/rook.h"
#include "arena/v1/crow.pb.h"
#include "arena/v1/goat.pb.h"
#include "arena/v1/rook.pb.h"

namespace arena {

namespace v1 {
class Turn;
}

// A card on the table.
struct Played {
  int seat;
  Card card;
};

// A decision in any game.
class Turn {
 public:
  Turn(Game& game, const v1::Turn& message);

  // What was told at the start of the game: seat, partner, ruleset, options.
  const Game& game() const { return game_; }
  // Number of this decision within the game, all seats counted, from 0.
  uint32_t number() const { return number_; }
  int seat() const { return game_.seat; }
  // The partner's seat; none where each seat plays for itself.
  std::optional<int> partner() const { return game_.partner; }
  // This game's own generator. Draw from it alone, and the bot plays the same game again.
  Random& random() { return game_.random; }

  // All legal moves, in the arena's order; empty where cards are to be chosen.
  const std::vector<Move>& moves() const { return moves_; }
  // The choice of n cards that this turn asks for (the discard in Rook); none where legal moves are listed.
  const std::optional<Choose>& choose() const { return choose_; }
  // The cards that may be played now; of a choice of n cards those to choose from.
  std::vector<Card> cards() const;
  // The legal moves of one kind.
  std::vector<Move> moves(Kind kind) const;

  // Time for this move, and the bot's bank before it, in milliseconds; none in games without a clock.
  std::optional<uint32_t> limit_ms() const { return limit_ms_; }
  std::optional<uint32_t> bank_ms() const { return bank_ms_; }

  // A card or a move as the arena writes it: "R10", "bid 80".
  std::string text(Card card) const { return card_text(game_.family, card); }
  std::string text(const Move& move) const { return move_text(game_.family, move); }

  // Add a line for your own eyes in the replay of this turn. Never shown to opponents; 2 KiB a turn.
  void note(std::string_view line);
  const std::string& notes() const { return notes_; }

 private:
  Game& game_;
  uint32_t number_;
  std::vector<Move> moves_;
  std::optional<Choose> choose_;
  std::optional<uint32_t> limit_ms_, bank_ms_;
  std::string notes_;
};

// A decision in a game of the Rook family.
class RookTurn : public Turn {
 public:
  RookTurn(Game& game, const v1::Turn& message, const rook::Rules& rules);

  // All that the bot knows, as the protocol sends it. Every field is explained in
  // sdk/proto/arena/v1/rook.proto.
  const v1::RookView& view() const { return view_; }
  // The cards of this ruleset.
  const rook::Rules& rules() const { return rules_; }
  // The bot's cards, ascending.
  const std::vector<Card>& hand() const { return hand_; }
  int points(Card card) const { return rules_.points(card); }
  // Seat of the standing bid, the declarer after the auction; none while nobody has bid.
  std::optional<int> bidder() const;
  // The trump suit; none until it is named.
  std::optional<int> trump() const;
  // The cards of this trick, the led one first, and all tricks of this hand, this one last.
  std::vector<Played> trick() const;
  std::vector<std::vector<Played>> tricks() const;
  // The card that takes this trick so far, and whose it is; none before the lead.
  std::optional<Played> winning() const;

 private:
  const v1::RookView& view_;
  const rook::Rules& rules_;
  std::vector<Card> hand_;
};

// A decision in The Crow and the Pitcher.
class CrowTurn : public Turn {
 public:
  CrowTurn(Game& game, const v1::Turn& message, const crow::Worth& worth);

  // All that the bot knows, as the protocol sends it. Every field is explained in
  // sdk/proto/arena/v1/crow.proto.
  const v1::CrowView& view() const { return view_; }
  // The bot's cards, ascending.
  const std::vector<Card>& hand() const { return hand_; }
  // What a card scores for the seat that takes it: a stone above 0, thirst below.
  int points(Card card) const { return worth_[static_cast<size_t>(card)]; }
  // The pitcher of this trick, 6 to 13.
  int pitcher() const;
  // The cards of this trick, the led one first, and all tricks of this round, this one last.
  std::vector<Played> trick() const;
  std::vector<std::vector<Played>> tricks() const;
  // Who would take this trick if it ended with this card, and what it would score.
  crow::Taken take(Card card) const;

 private:
  const v1::CrowView& view_;
  const crow::Worth& worth_;
  std::vector<Card> hand_;
};

// What a seat did in a deal of Goat.
struct Act {
  int seat;
  v1::GoatAct kind;
  int size;                 // how many cards it put down
  std::vector<Card> cards;  // those that you may know: none for a drop of another seat
};

// A decision in Goat.
class GoatTurn : public Turn {
 public:
  GoatTurn(Game& game, const v1::Turn& message);

  // All that the bot knows, as the protocol sends it. Every field is explained in
  // sdk/proto/arena/v1/goat.proto.
  const v1::GoatView& view() const { return view_; }
  // The bot's cards, ascending.
  const std::vector<Card>& hand() const { return hand_; }
  int points(Card card) const { return goat::points(card); }
  int trump() const { return static_cast<int>(view_.trump()); }
  // Everything done in this deal, in order.
  std::vector<Act> acts() const;
  // What was done in this trick since its lead (or since the molodka); empty before the lead.
  std::vector<Act> trick() const;
  // The act that takes this trick so far: the last that beat, or the lead; none before the lead.
  std::optional<Act> winning() const;

 private:
  const v1::GoatView& view_;
  std::vector<Card> hand_;
};

}  // namespace arena
