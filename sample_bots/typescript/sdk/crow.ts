/** The Crow and the Pitcher: what cards are worth and who takes a trick. */

import type { Card } from "./cards.js";
import type { Options } from "./game.js";

export const THIRST = 3;
/** What taking a trick scores whose pitcher is not full. */
export const PITCHER_POINTS = -5;

/** What a trick comes to. */
export interface Taken {
  /** Which card takes the trick, 0 for the led one. */
  readonly place: number;
  /** What it scores for its seat. */
  readonly points: number;
  /** Whether the pitcher was full; true in a trick led with thirst, which takes no pitcher. */
  readonly full: boolean;
}

/** What a card scores for the seat that takes it, by card; thirst is below 0. */
export function worthOf(options: Options): number[] {
  return Array.from({ length: 64 }, (_, card) => {
    const rank = card & 15;
    if (rank < 2 || rank > 10) return 0;
    const worth = { flat: 1, inverse: 12 - rank }[options["card_points"] as string] ?? rank;
    return card >> 4 === THIRST ? -worth : worth;
  });
}

/** The sum of the stones that count: of any colour, of a rank not above the pitcher. */
export function filled(cards: readonly Card[], pitcher: number): number {
  return cards.reduce((sum, card) => sum + (card >> 4 !== THIRST && (card & 15) <= pitcher ? card & 15 : 0), 0);
}

/** Who takes a trick of these cards, the led one first, and what it scores. */
export function take(cards: readonly Card[], pitcher: number, worth: readonly number[]): Taken {
  const led = cards[0]! >> 4;
  const ofSuit = cards.filter((card) => card >> 4 === led);
  const points = (counted: readonly Card[]) => counted.reduce((sum, card) => sum + worth[card]!, 0);
  if (led === THIRST) return { place: cards.indexOf(Math.max(...ofSuit)), points: points(ofSuit), full: true };
  const full = filled(cards, pitcher) >= pitcher;
  const taker = full ? Math.max(...ofSuit) : Math.min(...ofSuit);
  return { place: cards.indexOf(taker), points: points(cards) + (full ? 0 : PITCHER_POINTS), full };
}
