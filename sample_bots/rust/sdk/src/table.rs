//! The bot's side of the protocol, without a transport: events in, replies out. Tests use it too.

use std::collections::HashMap;
use std::fmt;

use crate::bot::Bot;
use crate::game::Game;
use crate::moves::Move;
use crate::turn::{Decision, Turn};
use crate::v1::{self, GoatPhase, RookPhase, arena_event, bot_event, turn::View};

/// Protocol versions that this SDK speaks.
pub const VERSIONS: [&str; 1] = ["1.0"];
/// Name and version of this SDK.
pub const SDK: &str = "arena-rust 0.1";
/// How many games a process is ready to play at once; `concurrent_games` of bot.toml decides below that.
pub const CONCURRENT_GAMES: u32 = 64;

/// What a bot or an arena did wrong, in a sentence.
#[derive(Debug)]
pub struct BotError(pub String);

impl fmt::Display for BotError {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for BotError {}

/// All games of one process, each with a bot of its own, made by `make`.
pub struct Table<B, F> {
    make: F,
    games: HashMap<u32, (Game, B)>,
    /// The arena's last word, once it was said.
    pub goodbye: Option<String>,
}

impl<B: Bot, F: FnMut(&Game) -> B> Table<B, F> {
    /// A table without games.
    pub fn new(make: F) -> Table<B, F> {
        Table { make, games: HashMap::new(), goodbye: None }
    }

    /// Take a frame. Returns the frame to send, with all replies; None if there are none.
    ///
    /// An error is a move that is not legal, or a turn of a game that was never started.
    pub fn frame(&mut self, frame: &v1::ArenaFrame) -> Result<Option<v1::BotFrame>, BotError> {
        let mut replies = Vec::new();
        for event in &frame.events {
            match &event.event {
                Some(arena_event::Event::Turn(turn)) => replies.push(self.turn(turn)?),
                Some(arena_event::Event::GameStart(start)) => self.start(start),
                Some(arena_event::Event::GameOver(over)) => self.over(over),
                Some(arena_event::Event::Rejected(rejected)) => self.rejected(rejected),
                Some(arena_event::Event::Goodbye(goodbye)) => {
                    self.goodbye = Some(goodbye.reason.clone());
                }
                // Welcome needs nothing; what is newer than this SDK is ignored.
                Some(arena_event::Event::Welcome(_)) | None => {}
            }
        }
        let events = replies.into_iter().map(|reply| event(bot_event::Event::Reply(reply)));
        let frame = v1::BotFrame { events: events.collect() };
        Ok((!frame.events.is_empty()).then_some(frame))
    }

    /// Begin a game.
    pub fn start(&mut self, start: &v1::GameStart) {
        let game = Game::new(start);
        let bot = (self.make)(&game);
        self.games.insert(game.number, (game, bot));
    }

    /// Decide.
    pub fn turn(&mut self, message: &v1::Turn) -> Result<v1::Reply, BotError> {
        let (game, turn) = (message.game, message.turn);
        let unknown = || BotError(format!("turn {turn} is of game {game}, which was never started"));
        let (known, bot) = self.games.get_mut(&game).ok_or_else(unknown)?;
        let (decided, decision) = decide(bot, Decision::new(known, message), message);
        let answer = decision.legal.answer(&decided).ok_or_else(|| {
            let family = known.family;
            let (chosen, legal) = (decided.text(family), decision.legal.text(family));
            let ruleset = &known.ruleset;
            BotError(format!(
                "game {game} ({ruleset}), turn {turn}: the bot chose {chosen:?}, which is not legal; legal: {legal}"
            ))
        })?;
        Ok(v1::Reply { game, turn, note: decision.notes(), answer: Some(answer) })
    }

    fn over(&mut self, over: &v1::GameOver) {
        if let Some((_, mut bot)) = self.games.remove(&over.game) {
            bot.over(over);
        }
    }

    fn rejected(&mut self, rejected: &v1::Rejected) {
        match self.games.get_mut(&rejected.game) {
            Some((_, bot)) => bot.rejected(rejected.turn, &rejected.reason),
            None => eprintln!("game {}: not taken: {}", rejected.game, rejected.reason),
        }
    }
}

/// Ask the method of the bot that a turn is for.
fn decide<'a>(bot: &mut impl Bot, decision: Decision<'a>, message: &'a v1::Turn) -> (Move, Decision<'a>) {
    match &message.view {
        Some(View::Rook(view)) => {
            let turn = Turn::new(decision, view);
            let decided = match view.phase() {
                RookPhase::Auction => bot.bid(&turn),
                RookPhase::Discard => bot.discard(&turn),
                RookPhase::Trump => bot.trump(&turn),
                RookPhase::Play => bot.play(&turn),
                RookPhase::Unspecified | RookPhase::Over => bot.any_move(&turn),
            };
            (decided, turn.into_decision())
        }
        Some(View::Crow(view)) => {
            let turn = Turn::new(decision, view);
            (bot.play_crow(&turn), turn.into_decision())
        }
        Some(View::Goat(view)) => {
            let turn = Turn::new(decision, view);
            let decided = match view.phase() {
                GoatPhase::Ask => bot.molodka(&turn),
                GoatPhase::Lead => bot.lead(&turn),
                GoatPhase::Answer => bot.answer(&turn),
                GoatPhase::Unspecified | GoatPhase::Over => bot.any_move(&turn),
            };
            (decided, turn.into_decision())
        }
        None => (bot.any_move(&decision), decision),
    }
}

/// The first frame to send.
pub fn hello(token: &str) -> v1::BotFrame {
    let hello = v1::Hello {
        versions: VERSIONS.map(String::from).into(),
        token: token.to_string(),
        sdk: SDK.to_string(),
        concurrent_games: CONCURRENT_GAMES,
    };
    v1::BotFrame { events: vec![event(bot_event::Event::Hello(hello))] }
}

fn event(event: bot_event::Event) -> v1::BotEvent {
    v1::BotEvent { event: Some(event) }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixed(Move);

    impl Bot for Fixed {
        fn any_move(&mut self, turn: &Decision) -> Move {
            turn.note("thought");
            self.0.clone()
        }
    }

    fn turn(game: u32) -> v1::Turn {
        let moves = vec![Move::Pass.encode(), Move::Bid(70).encode()];
        let view = v1::RookView { phase: RookPhase::Auction.into(), ..Default::default() };
        v1::Turn {
            game,
            turn: 3,
            legal: Some(v1::Legal { moves, choose: None }),
            view: Some(View::Rook(view)),
            ..Default::default()
        }
    }

    fn frame(events: Vec<arena_event::Event>) -> v1::ArenaFrame {
        let wrap = |event| v1::ArenaEvent { event: Some(event) };
        v1::ArenaFrame { events: events.into_iter().map(wrap).collect() }
    }

    fn start(game: u32) -> arena_event::Event {
        arena_event::Event::GameStart(v1::GameStart { game, seats: 4, ..Default::default() })
    }

    #[test]
    fn all_turns_of_a_frame_are_answered_in_one_frame() {
        let mut table = Table::new(|_: &Game| Fixed(Move::Bid(70)));
        let turns = [1, 2].map(|game| arena_event::Event::Turn(turn(game)));
        let events = [vec![start(1), start(2)], turns.into()].concat();
        let sent = table.frame(&frame(events)).expect("legal").expect("a frame");
        let replies: Vec<_> = sent.events.into_iter().map(|said| said.event).collect();
        let reply = |game| {
            let answer = Some(v1::reply::Answer::Choice(1));
            let note = "thought".to_string();
            Some(bot_event::Event::Reply(v1::Reply { game, turn: 3, note, answer }))
        };
        assert_eq!(replies, [reply(1), reply(2)]);
    }

    #[test]
    fn an_illegal_move_and_an_unknown_game_are_errors() {
        let mut table = Table::new(|_: &Game| Fixed(Move::Bid(75)));
        table.frame(&frame(vec![start(1)])).expect("no error");
        let error = table.turn(&turn(1)).expect_err("not legal").to_string();
        assert!(error.ends_with(r#"the bot chose "bid 75", which is not legal; legal: pass, bid 70"#));
        let error = table.turn(&turn(9)).expect_err("no such game").to_string();
        assert!(error.contains("game 9, which was never started"));
    }

    #[test]
    fn a_goodbye_ends_it_and_the_unknown_is_ignored() {
        let mut table = Table::new(|_: &Game| Fixed(Move::Pass));
        let goodbye = v1::Goodbye { reason: "done".to_string() };
        let mut said = frame(vec![arena_event::Event::Goodbye(goodbye)]);
        said.events.insert(0, v1::ArenaEvent { event: None });
        assert_eq!(table.frame(&said).expect("no error"), None);
        assert_eq!(table.goodbye.as_deref(), Some("done"));
    }
}
