/** The cards of one ruleset of the Rook family: which there are, what they count, which card takes a trick. */

import type { Card } from "./cards.js";
import type { Options } from "./game.js";

/** The Rook card. */
export const ROOK_CARD: Card = 65;
/** The special card of The Red 1; elsewhere the red 1 is card 33. */
export const RED_ONE: Card = 66;
/** Powers from here on are those of trumps. */
export const TRUMP_POWER = 100;
/** The suit of the two special cards while no trump is named. */
const SPECIAL = 4;

/** What a ruleset says of its cards. Lists are indexed by card. */
export class Rules {
  /** The whole pack, ascending. */
  readonly cards: readonly Card[];
  /** Ranks of a colour, low to high. */
  readonly ranks: readonly number[];
  /** What a card counts. */
  readonly points: readonly number[];
  /** Strength among cards of the same colour, from 1. */
  readonly place: readonly number[];
  /** Points of the pack. */
  readonly total: number;
  readonly #power: (readonly number[])[] = [];

  /** The rules that a game's options describe. */
  constructor(options: Options) {
    this.ranks = options["ranks"] as number[];
    const worth = options["points"] as Record<string, number>;
    const sorted = [...this.ranks].sort((one, other) => one - other);
    const cards = [0, 1, 2, 3].flatMap((suit) => sorted.map((rank) => (suit << 4) | rank));
    const points = new Array<number>(128).fill(0);
    const place = new Array<number>(128).fill(0);
    for (const card of cards) {
      points[card] = worth[card & 15] ?? 0;
      place[card] = 1 + this.ranks.indexOf(card & 15);
    }
    for (const [card, there] of [[ROOK_CARD, options["rook"]], [RED_ONE, options["red_one"]]] as const) {
      if (!there) continue;
      cards.push(card);
      points[card] = worth[card] ?? 0;
    }
    place[ROOK_CARD] = options["rook_rank"] === "highest" || options["red_one"] ? 20 : 0;
    place[RED_ONE] = 21;
    this.cards = cards;
    this.points = points;
    this.place = place;
    this.total = cards.reduce((sum, card) => sum + points[card]!, 0);
  }

  /** The suit a card is of at the table. Special cards are of the trump suit, 4 while there is none. */
  colour(card: Card, trump: number | null): number {
    return card >= ROOK_CARD ? (trump ?? SPECIAL) : card >> 4;
  }

  /** Strength of every card with this trump: trumps from 100, plain cards below. */
  power(trump: number): readonly number[] {
    return (this.#power[trump] ??= this.place.map((place, card) =>
      this.colour(card, trump) === trump ? place + TRUMP_POWER : place,
    ));
  }

  /** Which card of a trick takes it, 0 for the led one. Also of a trick that is not complete. */
  winner(cards: readonly Card[], trump: number): number {
    const power = this.power(trump);
    const led = this.colour(cards[0]!, trump);
    let winner = 0;
    cards.forEach((card, place) => {
      const follows = power[card]! >= TRUMP_POWER || card >> 4 === led;
      if (follows && power[card]! > power[cards[winner]!]!) winner = place;
    });
    return winner;
  }
}
