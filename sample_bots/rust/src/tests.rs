//! Turns put before the bot without an arena.

use arena_bot::v1::{self, CrowView, GameStart, turn::View};
use arena_bot::{Card, Family, Move, Table};

use crate::MyBot;

/// What the bot plays in its second trick of a round; cards are texts.
fn played(hand: &str, trick: &str, pitchers: [u32; 2], legal: &str) -> String {
    let family = Family::Crow;
    let cards = |texts: &str| -> Vec<i32> {
        texts.split(' ').map(|text| family.card(text).expect("a card").0.into()).collect()
    };
    let options = [
        ("ranks", "[2,3,4,5,6,7,8,9,10]"),
        ("pitchers", r#"{"6":1,"7":1,"8":2,"9":2,"10":2,"11":2,"12":1,"13":1}"#),
        ("card_points", r#""face""#),
        ("thirst_lead", r#""broken""#),
        ("void_play", r#""any""#),
    ];
    let start = GameStart {
        game: 1,
        ruleset: "crow_and_pitcher".to_string(),
        options: options.map(|(name, value)| (name.to_string(), value.to_string())).into(),
        seat: 3,
        seats: 4,
        seed: 7,
        ..Default::default()
    };
    let view = CrowView {
        seat: 3,
        hand: cards(hand),
        pitchers: pitchers.into(),
        played: [cards("G2 G3 G4 G5"), cards(trick)].concat(),
        leaders: vec![1, 0],
        ..Default::default()
    };
    let moves: Vec<_> =
        cards(legal).iter().map(|&card| v1::Move { kind: Some(v1::r#move::Kind::Play(card as u32)) }).collect();
    let turn = v1::Turn {
        game: 1,
        turn: 7,
        legal: Some(v1::Legal { moves: moves.clone(), choose: None }),
        view: Some(View::Crow(view)),
        ..Default::default()
    };
    let mut table = Table::new(MyBot::new);
    table.start(&start);
    let reply = table.turn(&turn).expect("a legal move");
    match reply.answer {
        Some(v1::reply::Answer::Choice(place)) => Move::decode(&moves[place as usize]).text(family),
        other => panic!("an index was expected, not {other:?}"),
    }
}

#[test]
fn takes_a_rich_trick() {
    // 9 + 2 + 8 fill the pitcher of 10 without help, so that the highest red takes all.
    assert_eq!(played("R3 R10 G9 B4 B5 B6 T2 T3", "R9 R2 R8", [8, 10], "R3 R10"), "R10");
}

#[test]
fn gives_thirst_to_others() {
    let hand = "G8 G9 G10 B8 B9 B10 T9 T10";
    let card = played(hand, "R9 R2 R8", [8, 10], hand);
    assert!(["T9", "T10"].contains(&card.as_str()));
}

#[test]
fn the_same_game_is_played_again() {
    let again = || played("R3 R10 G9 B4 B5 B6 T2 T3", "R9 R2", [8, 10], "R3 R10");
    assert_eq!(again(), again());
}

#[test]
fn a_game_without_a_strategy_gets_the_first_legal_move() {
    let moves = [Move::Lead(vec![Card::new(0, 6)]), Move::Lead(vec![Card::new(1, 14)])];
    let legal = v1::Legal { moves: moves.iter().map(Move::encode).collect(), choose: None };
    let view = v1::GoatView { phase: v1::GoatPhase::Lead.into(), ..Default::default() };
    let turn = v1::Turn { game: 1, legal: Some(legal), view: Some(View::Goat(view)), ..Default::default() };
    let mut table = Table::new(MyBot::new);
    table.start(&GameStart { game: 1, ruleset: "goat".to_string(), seats: 4, ..Default::default() });
    let reply = table.turn(&turn).expect("a legal move");
    assert_eq!(reply.answer, Some(v1::reply::Answer::Choice(0)));
}
