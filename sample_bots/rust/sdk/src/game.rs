//! What a bot is told once for each game.

use serde_json::{Map, Value};

use crate::cards::Family;
use crate::random::Random;
use crate::v1;

/// One game at the table.
#[derive(Clone, Debug)]
pub struct Game {
    /// Number of the game on this connection, from 1: the `game` of logs.
    pub number: u32,
    /// Id of the ruleset, "crowsnest".
    pub ruleset: String,
    /// Which view and which decisions the game has.
    pub family: Family,
    /// Every field of the ruleset.
    pub options: Map<String, Value>,
    /// The bot's seat, from 0, clockwise.
    pub seat: usize,
    /// How many seats the table has, 3 or 4.
    pub seats: usize,
    /// The partner's seat; None where each seat plays for itself.
    pub partner: Option<usize>,
    /// The bot's time; None in games without a clock.
    pub clock: Option<v1::Clock>,
    /// The same whenever this seat of this board is played.
    pub seed: u64,
}

impl Game {
    /// The game that a message starts. An option that is no JSON is taken as a text.
    pub fn new(start: &v1::GameStart) -> Game {
        let value = |text: &String| serde_json::from_str(text).unwrap_or(text.as_str().into());
        let options = start.options.iter();
        Game {
            number: start.game,
            ruleset: start.ruleset.clone(),
            family: Family::of_ruleset(&start.ruleset),
            options: options.map(|(name, text)| (name.clone(), value(text))).collect(),
            seat: start.seat as usize,
            seats: start.seats as usize,
            partner: start.partner.map(|seat| seat as usize),
            clock: start.clock,
            seed: start.seed,
        }
    }

    /// A generator for this game. A bot that draws from it alone plays the same game again.
    pub fn random(&self) -> Random {
        Random::new(self.seed)
    }

    /// Whether an option has this value, as text: `game.is("card_points", "flat")`.
    pub fn is(&self, option: &str, value: &str) -> bool {
        self.options.get(option).and_then(Value::as_str) == Some(value)
    }
}
