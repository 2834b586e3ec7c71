#include "arena/turn.h"

#include "arena/v1/arena.pb.h"

namespace arena {
namespace {

template <class View>
std::vector<Card> hand_of(const View& view) {
  return {view.hand().begin(), view.hand().end()};
}

template <class View>
std::vector<std::vector<Played>> tricks_of(const View& view, int seats) {
  std::vector<std::vector<Played>> tricks;
  for (int number = 0; number < view.leaders_size(); ++number) {
    std::vector<Played>& trick = tricks.emplace_back();
    const int leader = static_cast<int>(view.leaders(number));
    for (int place = 0; place < seats && number * seats + place < view.played_size(); ++place) {
      trick.push_back({(leader + place) % seats, view.played(number * seats + place)});
    }
  }
  return tricks;
}

std::vector<Card> cards_of(const std::vector<Played>& trick) {
  std::vector<Card> cards;
  for (const Played& played : trick) cards.push_back(played.card);
  return cards;
}

std::vector<Played> last_of(const std::vector<std::vector<Played>>& tricks) {
  return tricks.empty() ? std::vector<Played>() : tricks.back();
}

}  // namespace

Turn::Turn(Game& game, const v1::Turn& message) : game_(game), number_(message.turn()) {
  const v1::Legal& legal = message.legal();
  moves_.reserve(static_cast<size_t>(legal.moves_size()));
  for (const v1::Move& move : legal.moves()) moves_.push_back(decode(move));
  if (legal.has_choose()) choose_ = decode(legal.choose());
  if (message.has_limit_ms()) limit_ms_ = message.limit_ms();
  if (message.has_bank_ms()) bank_ms_ = message.bank_ms();
}

std::vector<Card> Turn::cards() const {
  if (choose_) return choose_->cards;
  std::vector<Card> cards;
  for (const Move& move : moves_) {
    if (move.kind == Kind::play) cards.push_back(move.card());
  }
  return cards;
}

std::vector<Move> Turn::moves(Kind kind) const {
  std::vector<Move> found;
  for (const Move& move : moves_) {
    if (move.kind == kind) found.push_back(move);
  }
  return found;
}

void Turn::note(std::string_view line) {
  if (!notes_.empty()) notes_ += '\n';
  notes_ += line;
}

RookTurn::RookTurn(Game& game, const v1::Turn& message, const rook::Rules& rules)
    : Turn(game, message), view_(message.rook()), rules_(rules), hand_(hand_of(view_)) {}

std::optional<int> RookTurn::bidder() const {
  return view_.has_bidder() ? std::optional<int>(view_.bidder()) : std::nullopt;
}

std::optional<int> RookTurn::trump() const {
  return view_.has_trump() ? std::optional<int>(view_.trump()) : std::nullopt;
}

std::vector<Played> RookTurn::trick() const { return last_of(tricks()); }

std::vector<std::vector<Played>> RookTurn::tricks() const { return tricks_of(view_, 4); }

std::optional<Played> RookTurn::winning() const {
  const std::vector<Played> table = trick();
  if (table.empty() || !trump()) return std::nullopt;
  return table[rules_.winner(cards_of(table), *trump())];
}

CrowTurn::CrowTurn(Game& game, const v1::Turn& message, const crow::Worth& worth)
    : Turn(game, message), view_(message.crow()), worth_(worth), hand_(hand_of(view_)) {}

int CrowTurn::pitcher() const { return static_cast<int>(view_.pitchers(view_.pitchers_size() - 1)); }

std::vector<Played> CrowTurn::trick() const { return last_of(tricks()); }

std::vector<std::vector<Played>> CrowTurn::tricks() const { return tricks_of(view_, game().seats); }

crow::Taken CrowTurn::take(Card card) const {
  std::vector<Card> cards = cards_of(trick());
  cards.push_back(card);
  return crow::take(cards, pitcher(), worth_);
}

GoatTurn::GoatTurn(Game& game, const v1::Turn& message)
    : Turn(game, message), view_(message.goat()), hand_(hand_of(view_)) {}

std::vector<Act> GoatTurn::acts() const {
  std::vector<Act> acts;
  int first = 0;
  for (int place = 0; place < view_.acts_size(); ++place) {
    const int size = static_cast<int>(view_.act_counts(place));
    Act act{static_cast<int>(view_.act_seats(place)), view_.acts(place), size, {}};
    const bool hidden = act.kind == v1::GOAT_ACT_DROP && act.seat != seat();
    for (int card = 0; card < (hidden ? 0 : size); ++card) act.cards.push_back(view_.act_cards(first++));
    acts.push_back(std::move(act));
  }
  return acts;
}

std::vector<Act> GoatTurn::trick() const {
  std::vector<Act> trick;
  if (view_.phase() != v1::GOAT_PHASE_ANSWER) return trick;
  for (Act& act : acts()) {
    if (act.kind == v1::GOAT_ACT_LEAD || act.kind == v1::GOAT_ACT_MOLODKA) trick.clear();
    trick.push_back(std::move(act));
  }
  return trick;
}

std::optional<Act> GoatTurn::winning() const {
  std::optional<Act> winning;
  for (Act& act : trick()) {
    if (act.kind != v1::GOAT_ACT_DROP) winning = std::move(act);
  }
  return winning;
}

}  // namespace arena
