//! The Crow and the Pitcher: what cards are worth and who takes a trick.

use crate::cards::Card;
use crate::game::Game;
use crate::turn::{Played, Turn, tricks};
use crate::v1::CrowView;

/// The suit of thirst; 0 to 2 are stones.
pub const THIRST: usize = 3;
/// What a pitcher scores that was not filled.
pub const PITCHER_POINTS: i32 = -5;

/// What each card scores for the seat that takes it, by card number.
pub type Worth = [i32; 64];

/// What the cards are worth in a game: stones above 0, thirst below.
pub fn worth(game: &Game) -> Worth {
    let mut worth = [0; 64];
    for suit in 0..4 {
        for rank in 2..=10 {
            let points = if game.is("card_points", "flat") {
                1
            } else if game.is("card_points", "inverse") {
                12 - rank as i32
            } else {
                rank as i32
            };
            let sign = if suit == THIRST { -1 } else { 1 };
            worth[Card::new(suit, rank).0 as usize] = sign * points;
        }
    }
    worth
}

/// What a trick comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Which card takes the trick, 0 for the led one.
    pub place: usize,
    /// What it scores for its seat.
    pub points: i32,
    /// Whether the pitcher was full; true in a trick led with thirst, which takes no pitcher.
    pub full: bool,
}

/// Who takes a trick of these cards, the led one first, and what it scores. Panics without cards.
pub fn take(cards: &[Card], pitcher: usize, worth: &Worth) -> Taken {
    let led = cards[0].suit();
    let (mut counted, mut all, mut of_suit) = (0, 0, 0);
    let (mut highest, mut lowest) = (0, 0);
    for (place, &card) in cards.iter().enumerate() {
        let points = worth[card.0 as usize];
        all += points;
        if card.suit() != THIRST && card.rank() <= pitcher {
            counted += card.rank();
        }
        if card.suit() == led {
            of_suit += points;
            if card > cards[highest] {
                highest = place;
            }
            if card < cards[lowest] {
                lowest = place;
            }
        }
    }
    if led == THIRST {
        Taken { place: highest, points: of_suit, full: true }
    } else if counted >= pitcher {
        Taken { place: highest, points: all, full: true }
    } else {
        Taken { place: lowest, points: all + PITCHER_POINTS, full: false }
    }
}

/// A decision in The Crow and the Pitcher.
pub type CrowTurn<'a> = Turn<'a, CrowView>;

impl Turn<'_, CrowView> {
    /// The bot's cards, ascending.
    pub fn hand(&self) -> Vec<Card> {
        Card::list(&self.view.hand)
    }

    /// The pitcher of this trick, 6 to 13.
    pub fn pitcher(&self) -> usize {
        self.view.pitchers.last().map_or(0, |&value| value as usize)
    }

    /// The cards of this trick, the led one first.
    pub fn trick(&self) -> Vec<Played> {
        self.tricks().pop().unwrap_or_default()
    }

    /// All tricks of this round, the last one as far as it is played.
    pub fn tricks(&self) -> Vec<Vec<Played>> {
        tricks(&self.view.played, &self.view.leaders, self.game.seats)
    }

    /// Who would take this trick if it ended with this card, and what it would score.
    pub fn take(&self, card: Card) -> Taken {
        let mut cards: Vec<Card> = self.trick().iter().map(|played| played.card).collect();
        cards.push(card);
        take(&cards, self.pitcher(), &worth(self.game))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::Family;
    use crate::v1::GameStart;

    fn taken(texts: &str, pitcher: usize) -> (usize, i32, bool) {
        let start = GameStart { ruleset: "crow_and_pitcher".into(), ..Default::default() };
        let card = |text| Family::Crow.card(text).expect("a card");
        let cards: Vec<_> = texts.split(' ').map(card).collect();
        let taken = take(&cards, pitcher, &worth(&Game::new(&start)));
        (taken.place, taken.points, taken.full)
    }

    #[test]
    fn the_examples_of_the_rules() {
        assert_eq!(taken("R4 R10 R6 T7", 9), (1, 13, true));
        assert_eq!(taken("B3 B5 T2 G2", 12), (0, 3, false));
        assert_eq!(taken("R10 R9 R8 R5", 6), (3, 27, false));
        assert_eq!(taken("T3 T8 R10 T5", 9), (1, -16, true));
    }
}
