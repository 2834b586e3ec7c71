//! Cards are numbers, `suit << 4 | rank`; this module names them. What a card is worth is in `rook`, `crow` and `goat`.

use crate::v1::{CrowCard, GoatCard, RookCard};

/// A card of any family. Cards are ordered by suit, then by rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(pub u8);

impl Card {
    /// The card of a suit and a rank.
    pub const fn new(suit: usize, rank: usize) -> Card {
        Card((suit << 4 | rank) as u8)
    }

    /// The suit number.
    pub const fn suit(self) -> usize {
        self.0 as usize >> 4
    }

    /// The rank number.
    pub const fn rank(self) -> usize {
        self.0 as usize & 15
    }

    /// Cards out of the numbers of a message; what is newer than this SDK becomes card 0, which is none.
    pub fn list<N: Copy + TryInto<u8>>(numbers: &[N]) -> Vec<Card> {
        numbers.iter().map(|&number| Card::of(number)).collect()
    }

    /// The card of a number of a message.
    pub fn of<N: TryInto<u8>>(number: N) -> Card {
        Card(number.try_into().unwrap_or(0))
    }
}

/// Games with the same cards and the same kind of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    Rook,
    Crow,
    Goat,
}

impl Family {
    /// The family of a ruleset: "crowsnest" is of Rook's.
    pub fn of_ruleset(id: &str) -> Family {
        match id {
            "crow_and_pitcher" => Family::Crow,
            "goat" => Family::Goat,
            _ => Family::Rook,
        }
    }

    /// The text of a card as the arena writes it: "G10", "ROOK", "10H"; "?" for what is no card of the family.
    pub fn text(self, card: Card) -> &'static str {
        let number = i32::from(card.0);
        let name = match self {
            Family::Rook => RookCard::try_from(number).map(|card| card.as_str_name()),
            Family::Crow => CrowCard::try_from(number).map(|card| card.as_str_name()),
            Family::Goat => GoatCard::try_from(number).map(|card| card.as_str_name()),
        };
        name.map_or("?", |name| &name[PREFIX..])
    }

    /// Texts of cards with one space between.
    pub fn texts(self, cards: &[Card]) -> String {
        let texts: Vec<_> = cards.iter().map(|&card| self.text(card)).collect();
        texts.join(" ")
    }

    /// The card with this text.
    pub fn card(self, text: &str) -> Option<Card> {
        let number = match self {
            Family::Rook => RookCard::from_str_name(&format!("ROOK_CARD_{text}"))? as i32,
            Family::Crow => CrowCard::from_str_name(&format!("CROW_CARD_{text}"))? as i32,
            Family::Goat => GoatCard::from_str_name(&format!("GOAT_CARD_{text}"))? as i32,
        };
        (number != 0).then(|| Card::of(number))
    }

    /// Suits in words, by suit number.
    pub fn suits(self) -> [&'static str; 4] {
        match self {
            Family::Rook => ["black", "green", "red", "yellow"],
            Family::Crow => ["red", "green", "blue", "thirst"],
            Family::Goat => ["clubs", "diamonds", "hearts", "spades"],
        }
    }
}

/// Length of "ROOK_CARD_", "CROW_CARD_" and "GOAT_CARD_", which stand before a card's text in the names of the enums.
const PREFIX: usize = "ROOK_CARD_".len();

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_numbers_name_the_same_cards() {
        assert_eq!(Family::Rook.card("G10"), Some(Card::new(1, 10)));
        assert_eq!(Family::Rook.text(Card(65)), "ROOK");
        assert_eq!(Family::Crow.card("T7"), Some(Card::new(3, 7)));
        assert_eq!(Family::Goat.text(Card::new(2, 13)), "10H");
        assert_eq!(Family::Goat.texts(&[Card::new(3, 6), Card::new(0, 14)]), "6S AC");
    }

    #[test]
    fn what_is_no_card_has_no_name() {
        assert_eq!(Family::Rook.card("G15"), None);
        assert_eq!(Family::Crow.card("UNSPECIFIED"), None);
        assert_eq!(Family::Crow.text(Card(1)), "?");
        assert_eq!(Card::of(70_000), Card(0));
    }
}
