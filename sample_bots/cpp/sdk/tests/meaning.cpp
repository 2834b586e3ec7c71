#include "meaning.h"

#include <stdexcept>

#include "arena/turn.h"

namespace arena {
namespace {

using nlohmann::json;

template <class Cards>
json texts(Family family, const Cards& cards) {
  json all = json::array();
  for (const int card : cards) all.push_back(card_text(family, card));
  return all;
}

template <class Numbers>
json list(const Numbers& numbers) {
  json all = json::array();
  for (const auto number : numbers) all.push_back(static_cast<int64_t>(number));
  return all;
}

json maybe(bool present, int64_t value) { return present ? json(value) : json(nullptr); }

json view(const v1::RookView& view) {
  static const std::vector<std::string> phases{"", "auction", "discard", "trump", "play", "over"};
  json results = json::array();
  for (const v1::RookResult& result : view.results()) {
    results.push_back({{"declarer", maybe(result.has_declarer(), result.declarer())},
                       {"bid", result.bid()},
                       {"captured", list(result.captured())}});
  }
  return {{"seat", view.seat()},
          {"phase", phases.at(static_cast<size_t>(view.phase()))},
          {"hand_number", view.hand_number()},
          {"redeals", view.redeals()},
          {"dealer", view.dealer()},
          {"hand", texts(Family::rook, view.hand())},
          {"bid_seats", list(view.bid_seats())},
          {"bid_points", list(view.bid_points())},
          {"bid", view.bid()},
          {"bidder", maybe(view.has_bidder(), view.bidder())},
          {"nest", texts(Family::rook, view.nest())},
          {"discard", texts(Family::rook, view.discard())},
          {"trump",
           view.has_trump() ? json(suit_text(Family::rook, static_cast<int>(view.trump()))) : json(nullptr)},
          {"played", texts(Family::rook, view.played())},
          {"leaders", list(view.leaders())},
          {"captured", list(view.captured())},
          {"scores", list(view.scores())},
          {"results", results}};
}

json view(const v1::CrowView& view) {
  return {{"seat", view.seat()},
          {"round", view.round()},
          {"dealer", view.dealer()},
          {"hand", texts(Family::crow, view.hand())},
          {"pitchers", list(view.pitchers())},
          {"played", texts(Family::crow, view.played())},
          {"leaders", list(view.leaders())},
          {"round_scores", list(view.round_scores())},
          {"scores", list(view.scores())},
          {"results", list(view.results())}};
}

json view(const v1::GoatView& view) {
  static const std::vector<std::string> phases{"", "ask", "lead", "answer", "over"};
  static const std::vector<std::string> words{"", "lead", "beat", "drop", "molodka", "decline"};
  json acts = json::array(), results = json::array();
  for (const int act : view.acts()) acts.push_back(words.at(static_cast<size_t>(act)));
  for (const v1::GoatResult& result : view.results()) {
    results.push_back({{"points", list(result.points())}, {"defeats", list(result.defeats())}});
  }
  return {{"seat", view.seat()},
          {"phase", phases.at(static_cast<size_t>(view.phase()))},
          {"deal_number", view.deal_number()},
          {"dealer", view.dealer()},
          {"leader", view.leader()},
          {"hand", texts(Family::goat, view.hand())},
          {"trump", suit_text(Family::goat, static_cast<int>(view.trump()))},
          {"trump_card", card_text(Family::goat, view.trump_card())},
          {"stock", view.stock()},
          {"act_seats", list(view.act_seats())},
          {"acts", acts},
          {"act_counts", list(view.act_counts())},
          {"act_cards", texts(Family::goat, view.act_cards())},
          {"received", texts(Family::goat, view.received())},
          {"points", list(view.points())},
          {"tricks", list(view.tricks())},
          {"defeats", list(view.defeats())},
          {"results", results}};
}

json legal(Family family, const v1::Legal& legal) {
  if (legal.has_choose()) {
    const Choose choose = decode(legal.choose());
    return {{"choose", choose.size}, {"from", texts(family, choose.cards)}, {"kind", kind_text(choose.kind)}};
  }
  json all = json::array();
  for (const v1::Move& move : legal.moves()) all.push_back(move_text(family, decode(move)));
  return all;
}

json event(const v1::GameStart& start) {
  const Game game(start);
  json options = json::object();
  for (const auto& [name, value] : game.options.all()) options[name] = json::parse(value);
  json clock;
  if (start.has_clock()) {
    clock = {{"bank_ms", start.clock().bank_ms()},
             {"increment_ms", start.clock().increment_ms()},
             {"cap_ms", start.clock().cap_ms()}};
  }
  return {{"event", "game_start"},
          {"game", game.number},
          {"ruleset", game.ruleset},
          {"options", options},
          {"seat", game.seat},
          {"seats", game.seats},
          {"partner", game.partner ? json(*game.partner) : json(nullptr)},
          {"clock", clock},
          {"seed", std::to_string(start.seed())}};
}

json event(const v1::Turn& turn) {
  json said{{"event", "turn"},
            {"game", turn.game()},
            {"turn", turn.turn()},
            {"limit_ms", maybe(turn.has_limit_ms(), turn.limit_ms())},
            {"bank_ms", maybe(turn.has_bank_ms(), turn.bank_ms())}};
  switch (turn.view_case()) {
    case v1::Turn::kRook:
      said["family"] = "rook";
      said["view"] = view(turn.rook());
      said["legal"] = legal(Family::rook, turn.legal());
      break;
    case v1::Turn::kCrow:
      said["family"] = "crow";
      said["view"] = view(turn.crow());
      said["legal"] = legal(Family::crow, turn.legal());
      break;
    case v1::Turn::kGoat:
      said["family"] = "goat";
      said["view"] = view(turn.goat());
      said["legal"] = legal(Family::goat, turn.legal());
      break;
    default:
      throw std::runtime_error("a turn without a view");
  }
  return said;
}

json event(const v1::GameOver& over) {
  static const std::vector<std::string> verdicts{"unknown", "finished", "forfeit", "void"};
  const Result result = decode(over);
  return {{"event", "game_over"},
          {"game", over.game()},
          {"verdict", verdicts.at(static_cast<size_t>(result.verdict))},
          {"scores", result.scores},
          {"ranks", result.ranks},
          {"forfeit_seat", result.forfeit_seat ? json(*result.forfeit_seat) : json(nullptr)},
          {"reason", result.reason}};
}

json event(const v1::ArenaEvent& said) {
  switch (said.event_case()) {
    case v1::ArenaEvent::kWelcome: {
      const v1::Limits& limits = said.welcome().limits();
      return {{"event", "welcome"},
              {"version", said.welcome().version()},
              {"limits",
               {{"frame_bytes", limits.frame_bytes()},
                {"note_bytes", limits.note_bytes()},
                {"game_note_bytes", limits.game_note_bytes()}}}};
    }
    case v1::ArenaEvent::kGameStart:
      return event(said.game_start());
    case v1::ArenaEvent::kTurn:
      return event(said.turn());
    case v1::ArenaEvent::kRejected:
      return {{"event", "rejected"},
              {"game", said.rejected().game()},
              {"turn", said.rejected().turn()},
              {"reason", said.rejected().reason()}};
    case v1::ArenaEvent::kGameOver:
      return event(said.game_over());
    case v1::ArenaEvent::kGoodbye:
      return {{"event", "goodbye"}, {"reason", said.goodbye().reason()}};
    default:
      throw std::runtime_error("an event without a kind");
  }
}

Family family_of(const std::string& word) {
  if (word == "rook") return Family::rook;
  return word == "crow" ? Family::crow : Family::goat;
}

}  // namespace

json meaning(const v1::ArenaFrame& frame) {
  json events = json::array();
  for (const v1::ArenaEvent& said : frame.events()) events.push_back(event(said));
  return events;
}

v1::BotFrame frame_of(const json& events) {
  v1::BotFrame frame;
  for (const json& said : events) {
    v1::BotEvent* event = frame.add_events();
    if (said["event"] == "hello") {
      v1::Hello* hello = event->mutable_hello();
      for (const json& version : said["versions"]) hello->add_versions(version.get<std::string>());
      hello->set_token(said["token"].get<std::string>());
      hello->set_sdk(said["sdk"].get<std::string>());
      hello->set_concurrent_games(said["concurrent_games"].get<uint32_t>());
      continue;
    }
    v1::Reply* reply = event->mutable_reply();
    reply->set_game(said["game"].get<uint32_t>());
    reply->set_turn(said["turn"].get<uint32_t>());
    reply->set_note(said["note"].get<std::string>());
    if (said.contains("choice")) {
      reply->set_choice(said["choice"].get<int64_t>());
    } else {
      encode(move_of(family_of(said["family"]), said["move"].get<std::string>()), reply->mutable_move());
    }
  }
  return frame;
}

}  // namespace arena
