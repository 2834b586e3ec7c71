/**
 * A bot for CrowsNest (and, with the same ideas, for the rest of the Rook family). Other games it plays legally.
 *
 * In the auction it guesses the points that its team would capture; in the play every unseen card counts as equally
 * likely in every hidden place. Change whatever you like: a method left out plays the first legal move.
 */

import { Bot, CrowTurn, rook, type Answer, type Card, type RookTurn } from "./sdk/index.js";

/** The guess of a team's share of all points is linear in what a hand holds, with these weights. */
const SHARE = { start: 0.543, control: 0.052, sideTop: 0.033, short: 0.019, points: 0.131 / 100, special: 0.056 };
/** Standard deviation of the share about the guess. */
const SPREAD = 0.164;
/** What the bid of a partner adds to the guess, and what that of an opponent takes away. */
const PARTNER_BIDS = 0.06;
const OPPONENT_BIDS = 0.07;
/** The least chance to make a contract with which it is bid. */
const COURAGE = 0.54;

export default class Lookout extends Bot {
  /** Bid what wins most on average while the contract is likely to be made, and never over the partner. */
  override bid(turn: RookTurn): Answer {
    const bids = turn.moves.filter((move) => move.kind === "bid").map((move) => move.number);
    const mayPass = bids.length < turn.moves.length;
    if (bids.length === 0 || (mayPass && turn.bidder === turn.partner)) return mayPass ? "pass" : turn.moves[0];
    const { rules, view, game: { options } } = turn;
    const bidders = new Set(view.bidSeats.filter((_, place) => view.bidPoints[place]! > 0));
    let share = bestTrump(rules, turn.hand).share;
    for (const seat of bidders) {
      if (seat !== turn.seat) share += seat === turn.partner ? PARTNER_BIDS : -OPPONENT_BIDS;
    }
    const total = rules.total + options["trick_bonus"] + options["last_bonus"];
    // The chance of a normal variable to be above the bid, by a logistic curve that is off by less than 0.01.
    const chance = (bid: number) => 1 / (1 + Math.exp((1.702 * (bid / total - share)) / SPREAD));
    turn.note(`guess ${Math.round(share * total)} points, chance of ${bids[0]} is ${chance(bids[0]!).toFixed(2)}`);
    if (mayPass && chance(bids[0]!) < COURAGE) return "pass";
    return options["made"] === "bid" ? best(bids, (bid) => bid * (2 * chance(bid) - 1)) : bids[0]!;
  }

  /** Keep trumps, cards that win, and long suits; put away short suits, and counters that would be lost. */
  override discard(turn: RookTurn): Answer {
    const { rules, hand } = turn;
    const power = rules.power(bestTrump(rules, hand).suit);
    const keep = (card: Card) => {
      if (power[card]! >= rook.TRUMP_POWER) return power[card]!;
      if (higher(rules, card, power).every((other) => hand.includes(other))) return 50;
      const length = hand.filter((other) => other >> 4 === card >> 4).length;
      return 2 * length + 0.3 * rules.place[card]! - 0.4 * rules.points[card]!;
    };
    return [...hand].sort((one, other) => keep(one) - keep(other) || one - other).slice(0, turn.choose!.size);
  }

  override trump({ rules, hand }: RookTurn): Answer {
    return bestTrump(rules, hand).suit;
  }

  override play(turn: RookTurn | CrowTurn): Answer {
    if (turn instanceof CrowTurn) return this.anyMove(turn);
    const trick = new Trick(turn);
    return best(turn.cards, (card) => trick.worth(card));
  }
}

/** The trump with the best guess, and the share of the points that a team should capture with this hand and trump. */
export function bestTrump(rules: rook.Rules, hand: readonly Card[]): { suit: number; share: number } {
  const guess = (suit: number) => {
    const power = rules.power(suit);
    let share = SHARE.start;
    const lengths = [0, 0, 0, 0];
    for (const card of hand) {
      const missing = higher(rules, card, power).filter((other) => !hand.includes(other)).length;
      share += SHARE.points * rules.points[card]!;
      if (card >= rook.ROOK_CARD) share += SHARE.special;
      if (power[card]! >= rook.TRUMP_POWER) share += SHARE.control / (1 + missing);
      else {
        lengths[card >> 4]! += 1;
        if (rules.place[card]! >= rules.ranks.length - 3) share += SHARE.sideTop / (1 + missing) ** 2;
      }
    }
    return share + SHARE.short * sum(lengths.map((length, side) => (side === suit ? 0 : Math.max(0, 2 - length))));
  };
  return best([0, 1, 2, 3].map((suit) => ({ suit, share: guess(suit) })), (trump) => trump.share);
}

/** A trick that a card is to be played to, and what the tricks before it tell. */
export class Trick {
  readonly #rules: rook.Rules;
  readonly #trump: number;
  readonly #power: readonly number[];
  readonly #unseen: readonly Card[];
  /** How many are unseen; 1 at least, so that shares of them can be taken. */
  readonly #size: number;
  /** By seat and colour: known to have none. */
  readonly #void = [0, 1, 2, 3].map(() => [false, false, false, false]);
  readonly #played: readonly Card[];

  constructor(readonly turn: RookTurn) {
    const { rules, view, hand } = turn;
    this.#rules = rules;
    this.#trump = turn.trump!;
    this.#power = rules.power(this.#trump);
    const gone = new Set([...view.played, ...hand, ...view.discard]);
    this.#unseen = rules.cards.filter((card) => !gone.has(card));
    this.#size = Math.max(this.#unseen.length, 1);
    this.#played = turn.trick.map((played) => played.card);
    for (const [first, ...others] of turn.tricks) {
      const led = first && rules.colour(first.card, this.#trump);
      for (const { seat, card } of others) {
        if (rules.colour(card, this.#trump) !== led && card < rook.ROOK_CARD) this.#void[seat]![led!] = true;
      }
    }
  }

  /** Points that a card should bring, ours less theirs: what it may win now, less what it may win later. */
  worth(card: Card): number {
    const { turn } = this;
    const trick = [...this.#played, card];
    const winner = this.#rules.winner(trick, this.#trump);
    const led = this.#rules.colour(trick[0]!, this.#trump);
    let ours = winner === trick.length - 1 || turn.winning?.seat === turn.partner ? 1 : 0;
    for (let step = 1; step <= 4 - trick.length; step += 1) {
      const seat = (turn.seat + step) % 4;
      const beaten = this.#beats(seat, led, this.#power[trick[winner]!]!);
      ours = seat === turn.partner ? ours + (1 - ours) * 0.8 * beaten : ours * (1 - beaten);
    }
    const toCome = (0.8 * (4 - trick.length) * this.#points(this.#unseen)) / this.#size;
    const stake = this.#points(trick) + toCome + this.#lastTrick();
    return (2 * ours - 1) * stake - this.#later(card) + this.#drawing(card) - this.#power[card]! / 1000;
  }

  /** How many trumps are unseen. */
  #trumps(): number {
    return this.#unseen.filter((card) => this.#power[card]! >= rook.TRUMP_POWER).length;
  }

  #points(cards: readonly Card[]): number {
    return sum(cards.map((card) => this.turn.points(card)));
  }

  /** What goes with the last trick: its bonus, and the discard as far as this seat knows it. */
  #lastTrick(): number {
    const { hand, view, game } = this.turn;
    if (hand.length > 1) return 0;
    const guess = (0.5 * game.options["nest"] * this.#points(this.#unseen)) / this.#size;
    return game.options["last_bonus"] + (view.discard.length > 0 ? this.#points(view.discard) : guess);
  }

  /** What a card is worth in hand: a card that wins by itself, and any trump, is a share of a later trick. */
  #later(card: Card): number {
    const { hand } = this.turn;
    const aTrick = this.#points([...this.#unseen, ...hand, ...this.#played]) / hand.length;
    const above = higher(this.#rules, card, this.#power).filter((other) => this.#unseen.includes(other)).length;
    if (this.#power[card]! >= rook.TRUMP_POWER) return aTrick * (1 + 1.5 / (1 + above));
    return (aTrick * 1.5 * (1 - Math.min(1, this.#trumps() / 8) / 2)) / (1 + 2 * above);
  }

  /** The declarer's side gains by leading trump while the opponents have some. */
  #drawing(card: Card): number {
    const { turn } = this;
    const declares = turn.bidder! % 2 === turn.seat % 2;
    if (this.#played.length > 0 || !declares || this.#power[card]! < rook.TRUMP_POWER) return 0;
    const holders = [turn.seat + 1, turn.seat + 3].filter((seat) => !this.#void[seat % 4]![this.#trump]).length;
    return 16 * Math.min(2, (holders * turn.hand.length * this.#trumps()) / this.#size);
  }

  /** The chance that a seat still to play beats a card of this power. */
  #beats(seat: number, led: number, power: number): number {
    const held = (wanted: (card: Card) => boolean) =>
      holds(this.#unseen.filter(wanted).length, this.turn.hand.length, this.#size);
    const lacks = this.#void[seat]!;
    const colour = (card: Card) => this.#rules.colour(card, this.#trump);
    const beating = (suit: number) => held((card) => colour(card) === suit && this.#power[card]! > power);
    const ruffs = lacks[this.#trump] ? 0 : beating(this.#trump);
    if (led === this.#trump || lacks[led]) return ruffs;
    return beating(led) + (1 - beating(led)) * (1 - held((card) => colour(card) === led)) * ruffs;
  }
}

/** The cards of a card's colour, trumps among themselves, that are stronger. */
function higher(rules: rook.Rules, card: Card, power: readonly number[]): Card[] {
  const trump = power[card]! >= rook.TRUMP_POWER;
  return rules.cards.filter((other) => power[other]! > power[card]! && (trump || other >> 4 === card >> 4));
}

/** The chance that a hand has one of some cards, when `size` cards lie in hidden places. */
export function holds(cards: number, hand: number, size: number): number {
  let none = 1;
  for (let place = 0; place < cards; place += 1) none *= Math.max(0, size - hand - place) / (size - place);
  return 1 - none;
}

/** The item of the highest value, the first of equal ones. */
function best<T>(items: readonly T[], value: (item: T) => number): T {
  return items.reduce((found, item) => (value(item) > value(found) ? item : found));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
