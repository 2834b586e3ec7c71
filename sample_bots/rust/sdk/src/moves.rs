//! Moves as a bot sees them, and the set of the legal ones.

use crate::cards::{Card, Family};
use crate::v1;
use crate::v1::r#move::Kind;

/// One decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// Play this card.
    Play(Card),
    /// Bid these points.
    Bid(u32),
    /// Pass; also: decline a molodka.
    Pass,
    /// Name this suit trump.
    Trump(usize),
    /// Discard these cards.
    Discard(Vec<Card>),
    /// Lead these cards.
    Lead(Vec<Card>),
    /// Beat with these cards.
    Beat(Vec<Card>),
    /// Drop these cards face down.
    Drop(Vec<Card>),
    /// Call molodka.
    Molodka,
    /// A kind that is newer than this SDK. It may be chosen where it is the first legal move of this kind.
    Unknown,
}

impl Move {
    /// The cards of the move: none of a bid.
    pub fn cards(&self) -> &[Card] {
        match self {
            Move::Play(card) => std::slice::from_ref(card),
            Move::Discard(cards) | Move::Lead(cards) | Move::Beat(cards) | Move::Drop(cards) => cards,
            _ => &[],
        }
    }

    /// The move as the arena writes it: "R10", "bid 80", "pass", "trump green", "lead 6S 9S".
    pub fn text(&self, family: Family) -> String {
        match self {
            Move::Play(card) => family.text(*card).to_string(),
            Move::Bid(points) => format!("bid {points}"),
            Move::Pass => "pass".to_string(),
            Move::Trump(suit) => format!("trump {}", family.suits().get(*suit).unwrap_or(&"?")),
            Move::Discard(cards) => format!("discard {}", family.texts(cards)),
            Move::Lead(cards) => format!("lead {}", family.texts(cards)),
            Move::Beat(cards) => format!("beat {}", family.texts(cards)),
            Move::Drop(cards) => format!("drop {}", family.texts(cards)),
            Move::Molodka => "molodka".to_string(),
            Move::Unknown => "unknown".to_string(),
        }
    }

    /// The move with this text; None if it has no meaning in the family.
    pub fn parse(text: &str, family: Family) -> Option<Move> {
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let cards = || -> Option<Vec<Card>> { rest.split(' ').map(|t| family.card(t)).collect() };
        Some(match word {
            "bid" => Move::Bid(rest.parse().ok()?),
            "pass" => Move::Pass,
            "trump" => Move::Trump(family.suits().iter().position(|&suit| suit == rest)?),
            "discard" => Move::Discard(cards()?),
            "lead" => Move::Lead(cards()?),
            "beat" => Move::Beat(cards()?),
            "drop" => Move::Drop(cards()?),
            "molodka" => Move::Molodka,
            _ => Move::Play(family.card(text)?),
        })
    }

    /// The move of a message.
    pub fn decode(message: &v1::Move) -> Move {
        match &message.kind {
            Some(Kind::Play(card)) => Move::Play(Card::of(*card)),
            Some(Kind::Bid(points)) => Move::Bid(*points),
            Some(Kind::Pass(_)) => Move::Pass,
            Some(Kind::NameTrump(suit)) => Move::Trump(*suit as usize),
            Some(Kind::Discard(set)) => Move::Discard(Card::list(&set.cards)),
            Some(Kind::Lead(set)) => Move::Lead(Card::list(&set.cards)),
            Some(Kind::Beat(set)) => Move::Beat(Card::list(&set.cards)),
            Some(Kind::Drop(set)) => Move::Drop(Card::list(&set.cards)),
            Some(Kind::Molodka(_)) => Move::Molodka,
            None => Move::Unknown,
        }
    }

    /// The message of a move; cards are sent ascending.
    pub fn encode(&self) -> v1::Move {
        let set = |cards: &[Card]| {
            let mut cards: Vec<u32> = cards.iter().map(|card| card.0.into()).collect();
            cards.sort_unstable();
            v1::CardSet { cards }
        };
        let kind = match self {
            Move::Play(card) => Some(Kind::Play(card.0.into())),
            Move::Bid(points) => Some(Kind::Bid(*points)),
            Move::Pass => Some(Kind::Pass(true)),
            Move::Trump(suit) => Some(Kind::NameTrump(*suit as u32)),
            Move::Discard(cards) => Some(Kind::Discard(set(cards))),
            Move::Lead(cards) => Some(Kind::Lead(set(cards))),
            Move::Beat(cards) => Some(Kind::Beat(set(cards))),
            Move::Drop(cards) => Some(Kind::Drop(set(cards))),
            Move::Molodka => Some(Kind::Molodka(true)),
            Move::Unknown => None,
        };
        v1::Move { kind }
    }

    /// The same move with its cards ascending.
    fn sorted(&self) -> Move {
        let mut copy = self.clone();
        if let Move::Discard(cards) | Move::Lead(cards) | Move::Beat(cards) | Move::Drop(cards) = &mut copy {
            cards.sort_unstable();
        }
        copy
    }
}

/// What a turn allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Legal {
    /// One of these moves, which are in the arena's order.
    Moves(Vec<Move>),
    /// Any `count` different cards of `cards` (ascending), where a list of all sets would be long: the discard of Rook.
    Choose { kind: v1::MoveKind, count: usize, cards: Vec<Card> },
}

impl Legal {
    /// What a message allows.
    pub fn decode(message: Option<&v1::Legal>) -> Legal {
        match message {
            None => Legal::Moves(Vec::new()),
            Some(v1::Legal { moves, choose: None }) => Legal::Moves(moves.iter().map(Move::decode).collect()),
            Some(v1::Legal { choose: Some(choose), .. }) => {
                Legal::Choose { kind: choose.kind(), count: choose.count as usize, cards: Card::list(&choose.cards) }
            }
        }
    }

    /// The first legal move: of a choice of cards the lowest.
    pub fn first(&self) -> Move {
        match self {
            Legal::Moves(moves) => moves.first().cloned().unwrap_or(Move::Unknown),
            Legal::Choose { kind, count, cards } => choice(*kind, cards[..*count].to_vec()),
        }
    }

    /// The answer that names a move: its place in the list, or the cards chosen. None if the move is not legal.
    pub fn answer(&self, decided: &Move) -> Option<v1::reply::Answer> {
        let decided = decided.sorted();
        match self {
            Legal::Moves(moves) => {
                let place = moves.iter().position(|known| *known == decided)?;
                Some(v1::reply::Answer::Choice(place as i64))
            }
            Legal::Choose { kind, count, cards } => {
                let chosen = decided.cards();
                let differ = chosen.windows(2).all(|pair| pair[0] < pair[1]);
                let fits = chosen.len() == *count && chosen.iter().all(|card| cards.contains(card));
                let legal = differ && fits && decided == choice(*kind, chosen.to_vec());
                legal.then(|| v1::reply::Answer::Move(decided.encode()))
            }
        }
    }

    /// The legal moves in texts, for people.
    pub fn text(&self, family: Family) -> String {
        match self {
            Legal::Moves(moves) => {
                let texts: Vec<_> = moves.iter().map(|known| known.text(family)).collect();
                texts.join(", ")
            }
            Legal::Choose { count, cards, .. } => {
                format!("{count} different cards of {}", family.texts(cards))
            }
        }
    }
}

/// The move that chooses these cards.
fn choice(kind: v1::MoveKind, cards: Vec<Card>) -> Move {
    match kind {
        v1::MoveKind::Discard => Move::Discard(cards),
        v1::MoveKind::Lead => Move::Lead(cards),
        v1::MoveKind::Beat => Move::Beat(cards),
        v1::MoveKind::Drop => Move::Drop(cards),
        v1::MoveKind::Unspecified => Move::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_named_by_its_place() {
        let legal = Legal::Moves(vec![Move::Pass, Move::Lead(vec![Card(6), Card(13)])]);
        let backwards = Move::Lead(vec![Card(13), Card(6)]);
        assert_eq!(legal.answer(&backwards), Some(v1::reply::Answer::Choice(1)));
        assert_eq!(legal.answer(&Move::Molodka), None);
    }

    #[test]
    fn a_choice_takes_so_many_different_cards() {
        let legal = Legal::Choose { kind: v1::MoveKind::Discard, count: 2, cards: vec![Card(5), Card(6), Card(65)] };
        assert_eq!(legal.first(), Move::Discard(vec![Card(5), Card(6)]));
        assert!(legal.answer(&Move::Discard(vec![Card(65), Card(5)])).is_some());
        assert_eq!(legal.answer(&Move::Discard(vec![Card(5), Card(5)])), None);
        assert_eq!(legal.answer(&Move::Discard(vec![Card(5), Card(7)])), None);
        assert_eq!(legal.answer(&Move::Lead(vec![Card(5), Card(6)])), None);
    }

    #[test]
    fn texts_and_moves_are_the_same() {
        for text in ["lead 6S 9S", "molodka", "10H", "pass", "drop 6C"] {
            let read = Move::parse(text, Family::Goat).expect("a move");
            assert_eq!(read.text(Family::Goat), text);
            assert_eq!(Move::decode(&read.encode()), read);
        }
        assert_eq!(Move::parse("trump green", Family::Rook), Some(Move::Trump(1)));
        assert_eq!(Move::parse("lead", Family::Goat), None);
    }
}
