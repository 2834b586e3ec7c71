//! Goat: what cards are worth, which beats which, and what was done in a deal.

use crate::cards::Card;
use crate::turn::Turn;
use crate::v1::{GoatAct, GoatPhase, GoatView};

/// What a card counts; 120 in the pack.
pub fn points(card: Card) -> u32 {
    match card.rank() {
        10 => 2,
        11 => 3,
        12 => 4,
        13 => 10,
        14 => 11,
        _ => 0,
    }
}

/// Whether one card beats another: higher of the same suit, or a trump against a plain card.
pub fn beats(card: Card, other: Card, trump: usize) -> bool {
    if card.suit() == other.suit() { card > other } else { card.suit() == trump }
}

/// What a seat did in a deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Act {
    pub seat: usize,
    pub kind: GoatAct,
    /// How many cards it put down.
    pub count: usize,
    /// Those that you may know: none of a drop of another seat.
    pub cards: Vec<Card>,
}

/// A decision in Goat.
pub type GoatTurn<'a> = Turn<'a, GoatView>;

impl Turn<'_, GoatView> {
    /// The bot's cards, ascending.
    pub fn hand(&self) -> Vec<Card> {
        Card::list(&self.view.hand)
    }

    /// The trump suit.
    pub fn trump(&self) -> usize {
        self.view.trump as usize
    }

    /// What a card counts.
    pub fn points(&self, card: Card) -> u32 {
        points(card)
    }

    /// Everything done in this deal, in order.
    pub fn acts(&self) -> Vec<Act> {
        let view = self.view;
        let mut known = view.act_cards.iter();
        let done = view.act_seats.iter().zip(&view.acts).zip(&view.act_counts);
        let read = |((&seat, &kind), &count): ((&u32, &i32), &u32)| {
            let kind = GoatAct::try_from(kind).unwrap_or(GoatAct::Unspecified);
            let hidden = kind == GoatAct::Drop && seat != view.seat;
            let shown = if hidden { 0 } else { count as usize };
            Act {
                seat: seat as usize,
                kind,
                count: count as usize,
                cards: known.by_ref().take(shown).map(|&card| Card::of(card)).collect(),
            }
        };
        done.map(read).collect()
    }

    /// What was done in this trick since its lead (or since the molodka); nothing before the lead.
    pub fn trick(&self) -> Vec<Act> {
        if self.view.phase() != GoatPhase::Answer {
            return Vec::new();
        }
        let mut acts = self.acts();
        let leads = |act: &Act| matches!(act.kind, GoatAct::Lead | GoatAct::Molodka);
        let first = acts.iter().rposition(leads).unwrap_or(0);
        acts.split_off(first)
    }

    /// The act that takes this trick so far: the last that beat, or the lead; None before the lead.
    pub fn winning(&self) -> Option<Act> {
        self.trick().into_iter().rfind(|act| act.kind != GoatAct::Drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_card_of_the_suit_beats_and_a_trump_beats_plain_cards() {
        let (ten, ace, trump) = (Card::new(0, 13), Card::new(0, 14), Card::new(2, 6));
        assert!(beats(ace, ten, 2) && !beats(ten, ace, 2));
        assert!(beats(trump, ace, 2) && !beats(ace, trump, 2));
        assert!(!beats(trump, ace, 1));
    }

    #[test]
    fn a_pack_counts_120() {
        let suit: u32 = (6..=14).map(|rank| points(Card::new(0, rank))).sum();
        assert_eq!(4 * suit, 120);
    }
}
