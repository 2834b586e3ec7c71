//! One decision to be made: what the bot knows and what it may do. What the families add is in `rook`, `crow`, `goat`.

use std::cell::RefCell;
use std::ops::Deref;

use crate::cards::Card;
use crate::game::Game;
use crate::moves::{Legal, Move};
use crate::v1;

/// A decision in any game.
pub struct Decision<'a> {
    /// What was told at the start of the game: seat, partner, ruleset, options.
    pub game: &'a Game,
    /// The message as it came.
    pub message: &'a v1::Turn,
    /// What may be done.
    pub legal: Legal,
    notes: RefCell<Vec<String>>,
}

impl<'a> Decision<'a> {
    /// The decision of a message.
    pub fn new(game: &'a Game, message: &'a v1::Turn) -> Decision<'a> {
        Decision { game, message, legal: Legal::decode(message.legal.as_ref()), notes: RefCell::default() }
    }

    /// The legal moves; none where cards are to be chosen.
    pub fn moves(&self) -> &[Move] {
        match &self.legal {
            Legal::Moves(moves) => moves,
            Legal::Choose { .. } => &[],
        }
    }

    /// The cards that may be played; of a choice of cards those to choose from.
    pub fn cards(&self) -> Vec<Card> {
        let played = |known: &Move| match known {
            Move::Play(card) => Some(*card),
            _ => None,
        };
        match &self.legal {
            Legal::Moves(moves) => moves.iter().filter_map(played).collect(),
            Legal::Choose { cards, .. } => cards.clone(),
        }
    }

    /// How many cards are to be chosen; 0 where legal moves are listed.
    pub fn count(&self) -> usize {
        match &self.legal {
            Legal::Moves(_) => 0,
            Legal::Choose { count, .. } => *count,
        }
    }

    /// The first legal move.
    pub fn first(&self) -> Move {
        self.legal.first()
    }

    /// The text of a card: "R10".
    pub fn text(&self, card: Card) -> &'static str {
        self.game.family.text(card)
    }

    /// The card with this text.
    pub fn card(&self, text: &str) -> Option<Card> {
        self.game.family.card(text)
    }

    /// Time for this move in milliseconds; None in games without a clock.
    pub fn limit_ms(&self) -> Option<u32> {
        self.message.limit_ms
    }

    /// Add a line for your own eyes in the replay of this turn. Never shown to opponents; 2 KiB a turn are kept.
    pub fn note(&self, text: impl Into<String>) {
        self.notes.borrow_mut().push(text.into());
    }

    /// What was noted so far, no longer than the arena keeps.
    pub fn notes(&self) -> String {
        let mut notes = self.notes.borrow().join("\n");
        let cut = (0..=NOTE_BYTES.min(notes.len())).rfind(|&end| notes.is_char_boundary(end));
        notes.truncate(cut.unwrap_or(0));
        notes
    }
}

const NOTE_BYTES: usize = 2048;

/// A decision in a game of one family, with what the bot knows.
pub struct Turn<'a, V> {
    decision: Decision<'a>,
    /// All that the bot knows, as the protocol sends it.
    pub view: &'a V,
}

impl<'a, V> Turn<'a, V> {
    /// A decision with its view.
    pub fn new(decision: Decision<'a>, view: &'a V) -> Turn<'a, V> {
        Turn { decision, view }
    }

    /// The decision without its view.
    pub fn into_decision(self) -> Decision<'a> {
        self.decision
    }
}

impl<'a, V> Deref for Turn<'a, V> {
    type Target = Decision<'a>;

    fn deref(&self) -> &Decision<'a> {
        &self.decision
    }
}

/// A card on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    pub seat: usize,
    pub card: Card,
}

/// The tricks of a deal, the last one as far as it is played, perhaps empty.
pub fn tricks(played: &[i32], leaders: &[u32], seats: usize) -> Vec<Vec<Played>> {
    let trick = |(number, &leader): (usize, &u32)| {
        let cards = played.iter().skip(number * seats).take(seats);
        let seat = |place| (leader as usize + place) % seats;
        cards.enumerate().map(|(place, &card)| Played { seat: seat(place), card: Card::of(card) }).collect()
    };
    leaders.iter().enumerate().map(trick).collect()
}
