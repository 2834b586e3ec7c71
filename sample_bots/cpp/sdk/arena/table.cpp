#include "arena/table.h"

#include <algorithm>
#include <iostream>

namespace arena {
namespace {

constexpr const char* kVersion = "1.0";
constexpr const char* kSdk = "arena-cpp 0.1";
constexpr size_t kNoteBytes = 2048;
constexpr size_t kFrameBytes = 200'000;  // a frame above this is cut in two; the arena takes 256 KiB

Move decide(Bot& bot, RookTurn& turn) {
  switch (turn.view().phase()) {
    case v1::ROOK_PHASE_AUCTION:
      return bot.bid(turn);
    case v1::ROOK_PHASE_DISCARD:
      return bot.discard(turn);
    case v1::ROOK_PHASE_TRUMP:
      return bot.trump(turn);
    case v1::ROOK_PHASE_PLAY:
      return bot.play_rook(turn);
    default:
      return bot.any_move(turn);
  }
}

Move decide(Bot& bot, CrowTurn& turn) { return bot.play_crow(turn); }

Move decide(Bot& bot, GoatTurn& turn) {
  switch (turn.view().phase()) {
    case v1::GOAT_PHASE_ASK:
      return bot.molodka(turn);
    case v1::GOAT_PHASE_LEAD:
      return bot.lead(turn);
    case v1::GOAT_PHASE_ANSWER:
      return bot.answer(turn);
    default:
      return bot.any_move(turn);
  }
}

template <class ATurn>
void answer(Bot& bot, ATurn turn, v1::Reply* reply) {
  try {
    fill(reply, turn, decide(bot, turn));
  } catch (const IllegalAnswer& error) {
    throw IllegalAnswer("game " + std::to_string(turn.game().number) + " (" + turn.game().ruleset +
                        "), turn " + std::to_string(turn.number()) + ": " + error.what());
  }
  if (!turn.notes().empty()) reply->set_note(cut_note(turn.notes()));
}

bool may_choose(const Choose& choose, const Move& move) {
  const std::vector<Card>& cards = move.cards;  // ascending
  return move.kind == choose.kind && static_cast<int>(cards.size()) == choose.size &&
         std::adjacent_find(cards.begin(), cards.end()) == cards.end() &&
         std::includes(choose.cards.begin(), choose.cards.end(), cards.begin(), cards.end());
}

std::string legal_text(const Turn& turn) {
  const Family family = turn.game().family;
  if (turn.choose()) {
    return std::string(kind_text(turn.choose()->kind)) + " " + std::to_string(turn.choose()->size) +
           " different cards of " + cards_text(family, turn.choose()->cards);
  }
  std::string all;
  for (const Move& move : turn.moves()) all += (all.empty() ? "" : ", ") + move_text(family, move);
  return all;
}

}  // namespace

void Bot::rejected(const Game& game, uint32_t turn, std::string_view reason) {
  log("game " + std::to_string(game.number) + ", turn " + std::to_string(turn) +
      ": not taken: " + std::string(reason));
}

Move Bot::first_move(const Turn& turn) {
  if (!turn.choose()) return turn.moves().at(0);
  const std::vector<Card>& cards = turn.choose()->cards;
  return Move::of_set(turn.choose()->kind, {cards.begin(), cards.begin() + turn.choose()->size});
}

void log(std::string_view line) { std::cerr << line << std::endl; }

v1::BotFrame Table::hello(const std::string& token, uint32_t concurrent_games) {
  v1::BotFrame frame;
  v1::Hello* hello = frame.add_events()->mutable_hello();
  hello->add_versions(kVersion);
  hello->set_token(token);
  hello->set_sdk(kSdk);
  hello->set_concurrent_games(concurrent_games);
  return frame;
}

std::vector<v1::BotFrame> Table::take(const v1::ArenaFrame& frame) {
  std::vector<v1::BotFrame> frames;
  size_t bytes = 0;
  for (const v1::ArenaEvent& event : frame.events()) {
    switch (event.event_case()) {
      case v1::ArenaEvent::kGameStart:
        start(event.game_start());
        break;
      case v1::ArenaEvent::kTurn: {
        v1::BotEvent said;
        *said.mutable_reply() = turn(event.turn());
        bytes += said.ByteSizeLong() + 8;
        if (frames.empty() || bytes > kFrameBytes) {
          frames.emplace_back();
          bytes = said.ByteSizeLong() + 8;
        }
        *frames.back().add_events() = std::move(said);
        break;
      }
      case v1::ArenaEvent::kRejected:
        rejected(event.rejected());
        break;
      case v1::ArenaEvent::kGameOver:
        over(event.game_over());
        break;
      case v1::ArenaEvent::kGoodbye:
        goodbye_ = event.goodbye().reason();
        break;
      default:  // a welcome needs nothing; what is newer than this SDK is ignored
        break;
    }
  }
  return frames;
}

void Table::start(const v1::GameStart& message) {
  auto seat = std::make_unique<Seat>(Seat{Game(message), make_(), {}, {}});
  if (seat->game.family == Family::rook && seat->game.options.has("ranks")) {
    seat->rules.emplace(seat->game.options);
  } else if (seat->game.family == Family::crow) {
    seat->worth = crow::worth_of(seat->game.options);
  }
  seat->bot->started(seat->game);
  seats_[message.game()] = std::move(seat);
}

v1::Reply Table::turn(const v1::Turn& message) {
  Seat& at = seat(message.game());
  v1::Reply reply;
  reply.set_game(message.game());
  reply.set_turn(message.turn());
  if (message.has_rook() && at.rules) {
    answer(*at.bot, RookTurn(at.game, message, *at.rules), &reply);
  } else if (message.has_crow() && at.worth) {
    answer(*at.bot, CrowTurn(at.game, message, *at.worth), &reply);
  } else if (message.has_goat()) {
    answer(*at.bot, GoatTurn(at.game, message), &reply);
  } else {  // a game newer than this SDK
    Turn turn(at.game, message);
    fill(&reply, turn, at.bot->any_move(turn));
  }
  return reply;
}

void Table::over(const v1::GameOver& message) {
  const auto found = seats_.find(message.game());
  if (found == seats_.end()) return;
  found->second->bot->over(found->second->game, decode(message));
  seats_.erase(found);
}

void Table::rejected(const v1::Rejected& message) {
  const auto found = seats_.find(message.game());
  if (found != seats_.end()) {
    found->second->bot->rejected(found->second->game, message.turn(), message.reason());
  } else {
    log("game " + std::to_string(message.game()) + ": not taken: " + message.reason());
  }
}

Table::Seat& Table::seat(uint32_t game) {
  const auto found = seats_.find(game);
  if (found == seats_.end()) {
    throw std::out_of_range("a turn of game " + std::to_string(game) + ", which was never started");
  }
  return *found->second;
}

void fill(v1::Reply* reply, const Turn& turn, const Move& move) {
  if (turn.choose()) {
    if (may_choose(*turn.choose(), move)) return encode(move, reply->mutable_move());
  } else {
    const std::vector<Move>& moves = turn.moves();
    const auto found = std::find(moves.begin(), moves.end(), move);
    if (found != moves.end()) return reply->set_choice(found - moves.begin());
  }
  throw IllegalAnswer("answered '" + turn.text(move) + "', which is not legal; legal: " + legal_text(turn));
}

std::string cut_note(const std::string& note) {
  if (note.size() <= kNoteBytes) return note;
  size_t end = kNoteBytes;
  while (end > 0 && (static_cast<unsigned char>(note[end]) & 0xC0) == 0x80) --end;
  return note.substr(0, end);
}

}  // namespace arena
