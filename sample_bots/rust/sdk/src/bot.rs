//! What an author writes: one method for each kind of decision. Every method has a legal default.

use crate::crow::CrowTurn;
use crate::goat::GoatTurn;
use crate::moves::Move;
use crate::rook::RookTurn;
use crate::turn::Decision;
use crate::v1::GameOver;

/// A player. Every game gets a value of its own, which may remember what it likes during a game.
///
/// A method that is not written plays [`Bot::any_move`], so that an empty implementation plays every game. A move that
/// is not legal ends the process, so that you see it.
pub trait Bot {
    /// Rook: bid or pass.
    fn bid(&mut self, turn: &RookTurn) -> Move {
        self.any_move(turn)
    }

    /// Rook: discard `turn.count()` of `turn.cards()`.
    fn discard(&mut self, turn: &RookTurn) -> Move {
        self.any_move(turn)
    }

    /// Rook: name trump.
    fn trump(&mut self, turn: &RookTurn) -> Move {
        self.any_move(turn)
    }

    /// Rook: play a card.
    fn play(&mut self, turn: &RookTurn) -> Move {
        self.any_move(turn)
    }

    /// The Crow and the Pitcher: play a card.
    fn play_crow(&mut self, turn: &CrowTurn) -> Move {
        self.any_move(turn)
    }

    /// Goat with `molodka` = before_trick: call it or decline (pass).
    fn molodka(&mut self, turn: &GoatTurn) -> Move {
        self.any_move(turn)
    }

    /// Goat: lead 1 to 4 cards of one suit.
    fn lead(&mut self, turn: &GoatTurn) -> Move {
        self.any_move(turn)
    }

    /// Goat: beat, drop or call molodka.
    fn answer(&mut self, turn: &GoatTurn) -> Move {
        self.any_move(turn)
    }

    /// Any decision for which no method is written: the first legal move.
    fn any_move(&mut self, turn: &Decision) -> Move {
        turn.first()
    }

    /// The game is over.
    fn over(&mut self, _result: &GameOver) {}

    /// The answer to a turn was not taken, and the default move was played: too late, or illegal.
    fn rejected(&mut self, turn: u32, reason: &str) {
        eprintln!("turn {turn}: not taken: {reason}");
    }
}
