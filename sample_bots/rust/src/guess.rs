//! A round of The Crow and the Pitcher with guessed hands, played to its end.

use std::iter::repeat_n;

use arena_bot::crow::{THIRST, Worth, take, worth};
use arena_bot::{Card, CrowTurn, Played, Random, Value};

/// The cards of a seat, one bit for each card number.
type Hand = u64;

const SUIT: Hand = 0xffff;

/// What a turn says of the round.
pub struct Known {
    round: Round,
    /// Cards in other hands.
    unseen: Vec<Card>,
    /// By seat: how many cards it holds.
    sizes: Vec<usize>,
    /// By seat and suit: whether it is known to have none.
    void: Vec<[bool; 4]>,
    /// Pitchers that may still be turned up.
    pitchers: Vec<usize>,
}

impl Known {
    /// Read a turn.
    pub fn of(turn: &CrowTurn) -> Known {
        let (game, view) = (turn.game, turn.view);
        let (seats, seat) = (game.seats, game.seat);
        let tricks = turn.tricks();
        let trick: Vec<Card> = turn.trick().iter().map(|played| played.card).collect();
        let leader = (seat + seats - trick.len()) % seats;
        let mut sizes = vec![view.hand.len(); seats];
        (0..trick.len()).for_each(|place| sizes[(leader + place) % seats] -= 1);
        let mut void = vec![[false; 4]; seats];
        for trick in &tricks {
            for played in trick {
                let led = trick[0].card.suit();
                void[played.seat][led] |= played.card.suit() != led;
            }
        }
        let after_first = game.is("thirst_lead", "after_first_trick");
        let thirsty = |trick: &Vec<Played>| trick.iter().any(|played| played.card.suit() == THIRST);
        let mut done = tricks.iter().rev().skip(1);
        let hand = turn.hand().iter().fold(0, |hand, card| hand | 1 << card.0);
        let mut hands = vec![0; seats];
        hands[seat] = hand;
        let round = Round {
            worth: worth(game),
            after_first,
            must_thirst: game.is("void_play", "must_thirst"),
            broken: done.any(|trick| after_first || thirsty(trick)),
            hands,
            trick,
            leader,
            points: vec![0; seats],
            pitchers: vec![turn.pitcher()],
        };
        let gone = view.played.iter().fold(hand, |gone, card| gone | 1 << card);
        let ranks = game.options["ranks"].as_array().into_iter().flatten().filter_map(Value::as_u64);
        let pack = ranks.flat_map(|rank| (0..4).map(move |suit| Card::new(suit, rank as usize)));
        let mut pitchers = Vec::new();
        for (value, count) in game.options["pitchers"].as_object().into_iter().flatten() {
            let value: usize = value.parse().unwrap_or(0);
            let seen = view.pitchers.iter().filter(|&&known| known as usize == value).count();
            let count = count.as_u64().unwrap_or(0) as usize;
            pitchers.extend(repeat_n(value, count - seen));
        }
        let unseen = pack.filter(|card| gone >> card.0 & 1 == 0).collect();
        Known { round, unseen, sizes, void, pitchers }
    }

    /// The round with the unseen cards dealt at random; a seat gets no card of a suit it is out of if that can be.
    pub fn deal(&self, random: &mut Random) -> Round {
        let mut round = self.round.clone();
        let seats = round.hands.len();
        let mut room: Vec<usize> = (0..seats).map(|seat| self.sizes[seat] - round.size(seat)).collect();
        let mut cards = self.unseen.clone();
        random.shuffle(&mut cards);
        let takers = |card: &Card| (0..seats).filter(|&seat| !self.void[seat][card.suit()]).count();
        cards.sort_by_key(takers); // the hardest to place first; cards alike stay shuffled
        for card in cards {
            // a seat with more room gets a card more often
            let places = |seat: usize| repeat_n(seat, room[seat]);
            let open: Vec<usize> = (0..seats).flat_map(places).collect();
            let fit: Vec<usize> = open.iter().copied().filter(|&seat| !self.void[seat][card.suit()]).collect();
            let seat = *random.pick(if fit.is_empty() { &open } else { &fit });
            round.hands[seat] |= 1 << card.0;
            room[seat] -= 1;
        }
        let mut pitchers = self.pitchers.clone();
        random.shuffle(&mut pitchers);
        pitchers.append(&mut round.pitchers);
        round.pitchers = pitchers;
        round
    }
}

/// A round under way, with everything known.
#[derive(Clone)]
pub struct Round {
    worth: Worth,
    after_first: bool,
    must_thirst: bool,
    /// Whether thirst may be led.
    broken: bool,
    hands: Vec<Hand>,
    trick: Vec<Card>,
    leader: usize,
    points: Vec<i32>,
    /// The last one is this trick's.
    pitchers: Vec<usize>,
}

impl Round {
    /// Play a card, then the round to its end. Returns what the seat scores, times its opponents, less what these score.
    pub fn outcome(mut self, card: Card, random: &mut Random) -> i32 {
        let seats = self.hands.len();
        let seat = self.mover();
        self.play(card);
        while self.hands.iter().any(|&hand| hand != 0) {
            let card = self.simple(random);
            self.play(card);
        }
        seats as i32 * self.points[seat] - self.points.iter().sum::<i32>()
    }

    fn size(&self, seat: usize) -> usize {
        self.hands[seat].count_ones() as usize
    }

    fn mover(&self) -> usize {
        (self.leader + self.trick.len()) % self.hands.len()
    }

    fn play(&mut self, card: Card) {
        let (seat, seats) = (self.mover(), self.hands.len());
        self.hands[seat] &= !(1 << card.0);
        self.trick.push(card);
        if self.trick.len() == seats {
            let taken = take(&self.trick, self.pitchers.pop().unwrap_or(0), &self.worth);
            self.leader = (self.leader + taken.place) % seats;
            self.points[self.leader] += taken.points;
            self.broken |= self.after_first || self.trick.iter().any(|card| card.suit() == THIRST);
            self.trick.clear();
        }
    }

    /// The cards that the seat to move may play.
    fn legal(&self) -> Hand {
        let hand = self.hands[self.mover()];
        let thirst = hand & SUIT << 48;
        let first_choice = match self.trick.first() {
            Some(led) => hand & SUIT << (16 * led.suit()),
            None if self.broken => hand,
            None => hand & !thirst,
        };
        match first_choice {
            0 if self.must_thirst && thirst != 0 => thirst,
            0 => hand,
            cards => cards,
        }
    }

    /// What a seat plays that looks no further than this trick; now and then any card.
    fn simple(&mut self, random: &mut Random) -> Card {
        let legal = cards(self.legal());
        if legal.len() == 1 {
            return legal[0];
        }
        if self.trick.is_empty() || random.below(10) == 0 {
            return *random.pick(&legal);
        }
        let pitcher = *self.pitchers.last().unwrap_or(&0);
        let place = self.trick.len();
        let value = |&card: &Card| {
            let mut trick = self.trick.clone();
            trick.push(card);
            let taken = take(&trick, pitcher, &self.worth);
            let gain = if taken.place == place { 10 * taken.points } else { -3 * taken.points };
            gain - 2 * self.worth[card.0 as usize]
        };
        *legal.iter().max_by_key(|&card| value(card)).expect("a card is legal")
    }
}

fn cards(mut hand: Hand) -> Vec<Card> {
    let mut cards = Vec::with_capacity(12);
    while hand != 0 {
        cards.push(Card(hand.trailing_zeros() as u8));
        hand &= hand - 1;
    }
    cards
}
