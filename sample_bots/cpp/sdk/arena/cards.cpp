#include "arena/cards.h"

#include <array>

#include "arena/v1/crow.pb.h"
#include "arena/v1/goat.pb.h"
#include "arena/v1/rook.pb.h"

namespace arena {
namespace {

constexpr std::string_view kPrefix = "ROOK_CARD_";  // as long as CROW_CARD_ and GOAT_CARD_
constexpr std::array<std::array<std::string_view, 4>, 3> kSuits{{
    {"black", "green", "red", "yellow"},
    {"red", "green", "blue", "thirst"},
    {"clubs", "diamonds", "hearts", "spades"},
}};

std::string enum_name(Family family, Card card) {
  switch (family) {
    case Family::rook:
      return v1::RookCard_IsValid(card) ? v1::RookCard_Name(static_cast<v1::RookCard>(card)) : "";
    case Family::crow:
      return v1::CrowCard_IsValid(card) ? v1::CrowCard_Name(static_cast<v1::CrowCard>(card)) : "";
    case Family::goat:
      return v1::GoatCard_IsValid(card) ? v1::GoatCard_Name(static_cast<v1::GoatCard>(card)) : "";
  }
  return "";
}

}  // namespace

std::string card_text(Family family, Card card) {
  const std::string name = card == 0 ? "" : enum_name(family, card);
  return name.empty() ? std::to_string(card) : name.substr(kPrefix.size());
}

std::string cards_text(Family family, std::span<const Card> cards) {
  std::string all;
  for (const Card card : cards) {
    if (!all.empty()) all += ' ';
    all += card_text(family, card);
  }
  return all;
}

Card card_of(Family family, std::string_view text) {
  const std::string ending(text);
  v1::RookCard rook{};
  v1::CrowCard crow{};
  v1::GoatCard goat{};
  switch (family) {
    case Family::rook:
      return v1::RookCard_Parse("ROOK_CARD_" + ending, &rook) ? rook : 0;
    case Family::crow:
      return v1::CrowCard_Parse("CROW_CARD_" + ending, &crow) ? crow : 0;
    case Family::goat:
      return v1::GoatCard_Parse("GOAT_CARD_" + ending, &goat) ? goat : 0;
  }
  return 0;
}

std::string suit_text(Family family, int suit) {
  if (suit < 0 || suit > 3) return std::to_string(suit);
  return std::string(kSuits[static_cast<size_t>(family)][static_cast<size_t>(suit)]);
}

int suit_of(Family family, std::string_view text) {
  for (int suit = 0; suit < 4; ++suit) {
    if (kSuits[static_cast<size_t>(family)][static_cast<size_t>(suit)] == text) return suit;
  }
  return -1;
}

}  // namespace arena
