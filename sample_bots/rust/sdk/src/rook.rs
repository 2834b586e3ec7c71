//! The Rook family: what cards count and which card takes a trick, as the options of a game say.

use serde_json::Value;

use crate::cards::Card;
use crate::game::Game;
use crate::turn::{Played, Turn, tricks};
use crate::v1::RookView;

/// The Rook card.
pub const ROOK: Card = Card(65);
/// The special card of The Red 1; elsewhere the red 1 is card 33.
pub const RED_ONE: Card = Card(66);
/// Strengths from here on are those of trumps.
const TRUMP: u32 = 100;

/// What a card counts in a game.
pub fn points(game: &Game, card: Card) -> u32 {
    let key = if card >= ROOK { usize::from(card.0) } else { card.rank() };
    let points = game.options.get("points").and_then(|known| known.get(key.to_string()));
    points.and_then(Value::as_u64).unwrap_or(0) as u32
}

/// How strong a card is with this trump: trumps from 100, plain cards below; of a colour the stronger has more.
pub fn power(game: &Game, card: Card, trump: usize) -> u32 {
    let red_one = game.options.get("red_one") == Some(&Value::Bool(true));
    if card == RED_ONE {
        return TRUMP + 21;
    }
    if card == ROOK {
        let high = red_one || game.is("rook_rank", "highest");
        return if high { TRUMP + 20 } else { TRUMP };
    }
    let ranks = game.options.get("ranks").and_then(Value::as_array);
    let same = |rank: &Value| rank.as_u64() == Some(card.rank() as u64);
    let place = ranks.and_then(|ranks| ranks.iter().position(same));
    let strength = 1 + place.unwrap_or(0) as u32;
    if card.suit() == trump { TRUMP + strength } else { strength }
}

/// A decision in a game of the Rook family.
pub type RookTurn<'a> = Turn<'a, RookView>;

impl Turn<'_, RookView> {
    /// The bot's cards, ascending. While discarding they include the nest.
    pub fn hand(&self) -> Vec<Card> {
        Card::list(&self.view.hand)
    }

    /// The trump suit; None until it is named.
    pub fn trump(&self) -> Option<usize> {
        self.view.trump.map(|suit| suit as usize)
    }

    /// What a card counts.
    pub fn points(&self, card: Card) -> u32 {
        points(self.game, card)
    }

    /// The cards of this trick, the led one first; none before trump is named.
    pub fn trick(&self) -> Vec<Played> {
        self.tricks().pop().unwrap_or_default()
    }

    /// All tricks of this hand, the last one as far as it is played.
    pub fn tricks(&self) -> Vec<Vec<Played>> {
        tricks(&self.view.played, &self.view.leaders, 4)
    }

    /// The card that takes this trick so far, and whose it is; None before the lead.
    pub fn winning(&self) -> Option<Played> {
        winning(self.game, &self.trick(), self.trump()?)
    }
}

/// The card that takes a trick, complete or not; None if it is empty.
pub fn winning(game: &Game, trick: &[Played], trump: usize) -> Option<Played> {
    let mut best = *trick.first()?;
    let led = if best.card >= ROOK { trump } else { best.card.suit() };
    for played in &trick[1..] {
        let strength = power(game, played.card, trump);
        let counts = strength >= TRUMP || played.card.suit() == led;
        if counts && strength > power(game, best.card, trump) {
            best = *played;
        }
    }
    Some(best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::Family;
    use crate::v1::GameStart;

    fn game(rook_rank: &str) -> Game {
        let options = [
            ("ranks", "[5,6,7,8,9,10,11,12,13,14,1]".to_string()),
            ("points", r#"{"5":5,"10":10,"65":20}"#.to_string()),
            ("rook_rank", format!("{rook_rank:?}")),
        ];
        Game::new(&GameStart {
            ruleset: "partnership".into(),
            options: options.map(|(name, value)| (name.to_string(), value)).into(),
            ..Default::default()
        })
    }

    fn winner(texts: &str, trump: usize, rook_rank: &str) -> usize {
        let card = |text| Family::Rook.card(text).expect("a card");
        let play = |(seat, text)| Played { seat, card: card(text) };
        let trick: Vec<_> = texts.split(' ').enumerate().map(play).collect();
        winning(&game(rook_rank), &trick, trump).expect("a trick").seat
    }

    #[test]
    fn the_highest_trump_wins_else_the_highest_of_the_led_suit() {
        assert_eq!(winner("B9 B1 G14 B13", 3, "highest"), 1);
        assert_eq!(winner("B9 G5 B14 G6", 1, "highest"), 3);
        assert_eq!(winner("B9 G5 ROOK G14", 1, "highest"), 2);
        assert_eq!(winner("B9 G5 ROOK G14", 1, "lowest"), 3);
        assert_eq!(winner("B9 B14 ROOK Y14", 1, "lowest"), 2);
        assert_eq!(winner("ROOK B14 G5 Y14", 1, "lowest"), 2);
    }

    #[test]
    fn counters_count() {
        let counts = |card| points(&game("highest"), card);
        assert_eq!(counts(Card::new(2, 10)), 10);
        assert_eq!((counts(ROOK), counts(Card::new(1, 1)), counts(RED_ONE)), (20, 0, 0));
    }
}
