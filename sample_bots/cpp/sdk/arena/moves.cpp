#include "arena/moves.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>

#include "arena/v1/arena.pb.h"

namespace arena {
namespace {

constexpr std::array<std::string_view, 10> kWords{"play", "bid",  "pass", "trump",   "discard",
                                                  "lead", "beat", "drop", "molodka", "unknown"};

template <class Numbers>
std::vector<Card> to_cards(const Numbers& numbers) {
  return {numbers.begin(), numbers.end()};
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> found;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (end > 0) found.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return found;
}

}  // namespace

Move Move::of_set(Kind kind, std::vector<Card> cards) {
  std::sort(cards.begin(), cards.end());
  return {kind, std::move(cards), 0};
}

std::string_view kind_text(Kind kind) { return kWords[static_cast<size_t>(kind)]; }

std::string move_text(Family family, const Move& move) {
  const std::string word(kind_text(move.kind));
  switch (move.kind) {
    case Kind::play:
      return cards_text(family, move.cards);
    case Kind::bid:
      return word + " " + std::to_string(move.number);
    case Kind::trump:
      return word + " " + suit_text(family, move.number);
    case Kind::discard:
    case Kind::lead:
    case Kind::beat:
    case Kind::drop:
      return word + " " + cards_text(family, move.cards);
    default:
      return word;
  }
}

Move move_of(Family family, std::string_view text) {
  const std::vector<std::string_view> parts = words(text);
  if (parts.empty()) return {};
  if (parts.size() == 1) {
    if (const Card card = card_of(family, parts[0])) return Move::play(card);
    if (parts[0] == "pass") return Move::pass();
    return parts[0] == "molodka" ? Move::molodka() : Move{};
  }
  const auto word = std::find(kWords.begin(), kWords.end(), parts[0]);
  const Kind kind = word == kWords.end() ? Kind::unknown : static_cast<Kind>(word - kWords.begin());
  if (kind == Kind::bid) {
    int points = 0;
    const auto [end, error] = std::from_chars(parts[1].data(), parts[1].data() + parts[1].size(), points);
    return error == std::errc() && end == parts[1].data() + parts[1].size() ? Move::bid(points) : Move{};
  }
  if (kind == Kind::trump) {
    const int suit = suit_of(family, parts[1]);
    return suit >= 0 ? Move::trump(suit) : Move{};
  }
  if (kind < Kind::discard || kind > Kind::drop) return {};
  std::vector<Card> cards;
  for (size_t place = 1; place < parts.size(); ++place) {
    cards.push_back(card_of(family, parts[place]));
    if (cards.back() == 0) return {};
  }
  return Move::of_set(kind, std::move(cards));
}

Move decode(const v1::Move& message) {
  switch (message.kind_case()) {
    case v1::Move::kPlay:
      return Move::play(static_cast<Card>(message.play()));
    case v1::Move::kBid:
      return Move::bid(static_cast<int>(message.bid()));
    case v1::Move::kPass:
      return Move::pass();
    case v1::Move::kNameTrump:
      return Move::trump(static_cast<int>(message.name_trump()));
    case v1::Move::kDiscard:
      return Move::discard(to_cards(message.discard().cards()));
    case v1::Move::kLead:
      return Move::lead(to_cards(message.lead().cards()));
    case v1::Move::kBeat:
      return Move::beat(to_cards(message.beat().cards()));
    case v1::Move::kDrop:
      return Move::drop(to_cards(message.drop().cards()));
    case v1::Move::kMolodka:
      return Move::molodka();
    default:
      return {};
  }
}

Choose decode(const v1::Choose& message) {
  constexpr std::array kinds{Kind::unknown, Kind::discard, Kind::lead, Kind::beat, Kind::drop};
  const int kind = message.kind();
  return {kind >= 0 && kind < 5 ? kinds[static_cast<size_t>(kind)] : Kind::unknown,
          static_cast<int>(message.count()), to_cards(message.cards())};
}

void encode(const Move& move, v1::Move* message) {
  v1::CardSet* set = nullptr;
  switch (move.kind) {
    case Kind::play:
      return message->set_play(static_cast<uint32_t>(move.card()));
    case Kind::bid:
      return message->set_bid(static_cast<uint32_t>(move.number));
    case Kind::pass:
      return message->set_pass(true);
    case Kind::trump:
      return message->set_name_trump(static_cast<uint32_t>(move.number));
    case Kind::molodka:
      return message->set_molodka(true);
    case Kind::discard:
      set = message->mutable_discard();
      break;
    case Kind::lead:
      set = message->mutable_lead();
      break;
    case Kind::beat:
      set = message->mutable_beat();
      break;
    case Kind::drop:
      set = message->mutable_drop();
      break;
    case Kind::unknown:
      throw std::invalid_argument("a move of unknown kind cannot be sent; choose it by its place");
  }
  for (const Card card : move.cards) set->add_cards(static_cast<uint32_t>(card));
}

}  // namespace arena
