// Cards are whole numbers, `suit << 4 | rank`; here they get their names. What a card is worth is in rook.h,
// crow.h and goat.h.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace arena {

using Card = int;

// Which view and which decisions a game has.
enum class Family { rook, crow, goat };

// The suit number of a card: black 0 green 1 red 2 yellow 3; red 0 green 1 blue 2 thirst 3; clubs 0 diamonds
// 1 hearts 2 spades 3.
constexpr int suit(Card card) { return card >> 4; }

// The rank number of a card, as printed; in Goat J is 10, Q 11, K 12, the ten 13, A 14.
constexpr int rank(Card card) { return card & 15; }

// The text of a card as the arena prints it, "G10"; the number itself for what is no card of the family.
std::string card_text(Family family, Card card);

// Texts of cards in the given order, with one space between.
std::string cards_text(Family family, std::span<const Card> cards);

// The card with a text; 0 when there is none.
Card card_of(Family family, std::string_view text);

// A suit in words, "green"; the number itself for what is no suit.
std::string suit_text(Family family, int suit);

// The suit number of a word; -1 when there is none.
int suit_of(Family family, std::string_view text);

}  // namespace arena
