//! Frames that the arena recorded, with their meaning: this SDK must read and write them alike.
//!
//! The file is named by ARENA_VECTORS; else it is that of the arena's repository, which a copied folder does not have.

use std::{env, fs};

use arena_bot::v1::{self, arena_event, bot_event, reply, turn::View};
use arena_bot::{Card, Decision, Family, Game, Legal, Move};
use prost::Message;
use serde_json::{Value, json};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/vectors/frames.jsonl");

#[test]
fn frames_mean_what_the_vectors_say() {
    let named = env::var("ARENA_VECTORS").ok();
    let file = named.as_deref().unwrap_or(FILE);
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if named.is_none() => {
            println!("no vectors were read: {error}: {file}; set ARENA_VECTORS to frames.jsonl of the arena");
            return;
        }
        Err(error) => panic!("{file}: {error}"),
    };
    let mut count = 0;
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).expect("a line of JSON");
        let bytes = base64(line["frame"].as_str().expect("a text"));
        let name = &line["name"];
        if line["from"] == "arena" {
            let frame = v1::ArenaFrame::decode(&bytes[..]).expect("a frame");
            let events: Vec<_> = frame.events.iter().map(arena_event).collect();
            assert_eq!(json!(events), line["events"], "{name}");
        } else {
            let events = line["events"].as_array().expect("a list").iter().map(bot_event).collect();
            assert_eq!(v1::BotFrame { events }.encode_to_vec(), bytes, "{name}");
        }
        count += 1;
    }
    println!("{count} frames were read");
    assert!(count > 100, "only {count} frames in {file}");
}

/// What an event of the arena means.
fn arena_event(event: &v1::ArenaEvent) -> Value {
    match event.event.as_ref().expect("an event that is known") {
        arena_event::Event::Welcome(said) => {
            let limits = said.limits.expect("limits");
            json!({"event": "welcome", "version": said.version, "limits": {"frame_bytes": limits.frame_bytes,
                "note_bytes": limits.note_bytes, "game_note_bytes": limits.game_note_bytes}})
        }
        arena_event::Event::GameStart(start) => {
            let game = Game::new(start);
            let clock = game.clock.map(
                |clock| json!({"bank_ms": clock.bank_ms, "increment_ms": clock.increment_ms, "cap_ms": clock.cap_ms}),
            );
            json!({"event": "game_start", "game": game.number, "ruleset": game.ruleset, "options": game.options,
                "seat": game.seat, "seats": game.seats, "partner": game.partner, "clock": clock,
                "seed": game.seed.to_string()})
        }
        arena_event::Event::Turn(turn) => turn_event(turn),
        arena_event::Event::Rejected(said) => {
            json!({"event": "rejected", "game": said.game, "turn": said.turn, "reason": said.reason})
        }
        arena_event::Event::GameOver(over) => {
            let verdict = over.verdict().as_str_name().trim_start_matches("VERDICT_").to_lowercase();
            json!({"event": "game_over", "game": over.game, "verdict": verdict, "scores": over.scores,
                "ranks": over.ranks, "forfeit_seat": over.forfeit_seat, "reason": over.reason})
        }
        arena_event::Event::Goodbye(said) => json!({"event": "goodbye", "reason": said.reason}),
    }
}

fn turn_event(turn: &v1::Turn) -> Value {
    let (word, view, ruleset) = match turn.view.as_ref().expect("a view that is known") {
        View::Rook(view) => ("rook", rook(view), "crowsnest"),
        View::Crow(view) => ("crow", crow(view), "crow_and_pitcher"),
        View::Goat(view) => ("goat", goat(view), "goat"),
    };
    let game = Game::new(&v1::GameStart { ruleset: ruleset.to_string(), ..Default::default() });
    let decision = Decision::new(&game, turn);
    let family = game.family;
    let legal = match &decision.legal {
        Legal::Moves(moves) => json!(moves.iter().map(|known| known.text(family)).collect::<Vec<_>>()),
        Legal::Choose { kind, count, cards } => {
            let kind = kind.as_str_name().trim_start_matches("MOVE_KIND_").to_lowercase();
            json!({"choose": count, "from": texts(family, cards), "kind": kind})
        }
    };
    json!({"event": "turn", "game": turn.game, "turn": turn.turn, "family": word, "view": view, "legal": legal,
        "limit_ms": decision.limit_ms(), "bank_ms": turn.bank_ms})
}

fn rook(view: &v1::RookView) -> Value {
    let cards = |cards: &[i32]| texts(Family::Rook, &Card::list(cards));
    let results = view.results.iter();
    let result = |done: &v1::RookResult| json!({"declarer": done.declarer, "bid": done.bid, "captured": done.captured});
    json!({
        "seat": view.seat,
        "phase": view.phase().as_str_name().trim_start_matches("ROOK_PHASE_").to_lowercase(),
        "hand_number": view.hand_number,
        "redeals": view.redeals,
        "dealer": view.dealer,
        "hand": cards(&view.hand),
        "bid_seats": view.bid_seats,
        "bid_points": view.bid_points,
        "bid": view.bid,
        "bidder": view.bidder,
        "nest": cards(&view.nest),
        "discard": cards(&view.discard),
        "trump": view.trump.map(|suit| Family::Rook.suits()[suit as usize]),
        "played": cards(&view.played),
        "leaders": view.leaders,
        "captured": view.captured,
        "scores": view.scores,
        "results": results.map(result).collect::<Vec<_>>(),
    })
}

fn crow(view: &v1::CrowView) -> Value {
    let cards = |cards: &[i32]| texts(Family::Crow, &Card::list(cards));
    json!({
        "seat": view.seat,
        "round": view.round,
        "dealer": view.dealer,
        "hand": cards(&view.hand),
        "pitchers": view.pitchers,
        "played": cards(&view.played),
        "leaders": view.leaders,
        "round_scores": view.round_scores,
        "scores": view.scores,
        "results": view.results,
    })
}

fn goat(view: &v1::GoatView) -> Value {
    let cards = |cards: &[i32]| texts(Family::Goat, &Card::list(cards));
    let acts = view.acts().map(|act| act.as_str_name().trim_start_matches("GOAT_ACT_").to_lowercase());
    let results = view.results.iter();
    json!({
        "seat": view.seat,
        "phase": view.phase().as_str_name().trim_start_matches("GOAT_PHASE_").to_lowercase(),
        "deal_number": view.deal_number,
        "dealer": view.dealer,
        "leader": view.leader,
        "hand": cards(&view.hand),
        "trump": Family::Goat.suits()[view.trump as usize],
        "trump_card": Family::Goat.text(Card::of(view.trump_card)),
        "stock": view.stock,
        "act_seats": view.act_seats,
        "acts": acts.collect::<Vec<_>>(),
        "act_counts": view.act_counts,
        "act_cards": cards(&view.act_cards),
        "received": cards(&view.received),
        "points": view.points,
        "tricks": view.tricks,
        "defeats": view.defeats,
        "results": results.map(|done| json!({"points": done.points, "defeats": done.defeats})).collect::<Vec<_>>(),
    })
}

/// The event of a bot that the vectors describe.
fn bot_event(said: &Value) -> v1::BotEvent {
    let number = |name: &str| said[name].as_u64().expect("a number") as u32;
    let text = |name: &str| said[name].as_str().expect("a text").to_string();
    let event = match said["event"].as_str() {
        Some("hello") => bot_event::Event::Hello(v1::Hello {
            versions: said["versions"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .map(String::from)
                .collect(),
            token: text("token"),
            sdk: text("sdk"),
            concurrent_games: number("concurrent_games"),
        }),
        Some("reply") => {
            let answer = match said["choice"].as_i64() {
                Some(place) => reply::Answer::Choice(place),
                None => {
                    let family = match text("family").as_str() {
                        "crow" => Family::Crow,
                        "goat" => Family::Goat,
                        _ => Family::Rook,
                    };
                    let meant = Move::parse(&text("move"), family).expect("a move");
                    assert_eq!(meant.text(family), text("move"));
                    reply::Answer::Move(meant.encode())
                }
            };
            let (game, turn, note) = (number("game"), number("turn"), text("note"));
            bot_event::Event::Reply(v1::Reply { game, turn, note, answer: Some(answer) })
        }
        other => panic!("an event {other:?} of a bot"),
    };
    v1::BotEvent { event: Some(event) }
}

fn texts(family: Family, cards: &[Card]) -> Vec<&'static str> {
    cards.iter().map(|&card| family.text(card)).collect()
}

/// The bytes of a text in base64.
fn base64(text: &str) -> Vec<u8> {
    let signs = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits = |sign: u8| signs.iter().position(|&known| known == sign).expect("a sign of base64") as u32;
    let mut bytes = Vec::new();
    for group in text.trim_end_matches('=').as_bytes().chunks(4) {
        let joined = group.iter().fold(0, |joined, &sign| joined << 6 | bits(sign)) << (6 * (4 - group.len()));
        bytes.extend_from_slice(&joined.to_be_bytes()[1..group.len()]);
    }
    bytes
}
