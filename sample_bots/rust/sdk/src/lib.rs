//! The SDK of a bot: it connects to the arena, reads turns, and sends what the bot decides.
//!
//! A bot is a type that implements [`Bot`]; [`run`] is its main program. All else is there to read a turn with:
//! [`Turn`] with the rules of its family ([`rook`], [`crow`], [`goat`]), [`Card`], [`Move`], [`Game`], [`Random`].
//! The messages of the protocol are in [`v1`], with a comment on every field.

mod bot;
mod cards;
pub mod crow;
mod dial;
mod game;
pub mod goat;
mod moves;
mod random;
pub mod rook;
mod stream;
mod table;
mod turn;
#[allow(clippy::all)]
#[rustfmt::skip] // generated
pub mod v1;

pub use bot::Bot;
pub use cards::{Card, Family};
pub use crow::CrowTurn;
pub use game::Game;
pub use goat::GoatTurn;
pub use moves::{Legal, Move};
pub use random::Random;
pub use rook::RookTurn;
pub use serde_json::Value;
pub use stream::run;
pub use table::{BotError, Table};
pub use turn::{Decision, Played, Turn};
