//! A bot to start from. What it leaves out is played for it, legally: the first legal move.
//!
//! It has a strategy for The Crow and the Pitcher (`guess.rs`): it deals the cards that it cannot see at random, plays
//! each of its cards and then the rest of the round in a simple manner, and keeps the card that came out best.

mod guess;
#[cfg(test)]
mod tests;

use std::process::ExitCode;

use arena_bot::{Bot, CrowTurn, Game, Move, Random, run};

/// How many deals are tried for each decision.
const DEALS: usize = 60;

/// The bot of one game; it may remember here what it likes.
struct MyBot {
    random: Random,
}

impl MyBot {
    fn new(game: &Game) -> MyBot {
        MyBot { random: game.random() }
    }
}

impl Bot for MyBot {
    fn play_crow(&mut self, turn: &CrowTurn) -> Move {
        let cards = turn.cards();
        if cards.len() == 1 {
            return Move::Play(cards[0]);
        }
        let known = guess::Known::of(turn);
        let mut totals = vec![0; cards.len()];
        for _ in 0..DEALS {
            let round = known.deal(&mut self.random);
            for (total, &card) in totals.iter_mut().zip(&cards) {
                *total += round.clone().outcome(card, &mut self.random);
            }
        }
        let best = (0..cards.len()).max_by_key(|&place| totals[place]).expect("a card may be played");
        let lead = totals[best] / (DEALS * (turn.game.seats - 1)) as i32;
        turn.note(format!("{} comes out {lead:+} ahead of the others", turn.text(cards[best])));
        Move::Play(cards[best])
    }
}

fn main() -> ExitCode {
    run(MyBot::new)
}
