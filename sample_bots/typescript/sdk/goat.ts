/** Goat: what cards are worth and which beats which. */

import type { Card } from "./cards.js";

const COUNTS: readonly number[] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 3, 4, 10, 11, 0];

/** What a card counts in a trick; 120 in the pack. */
export function worth(card: Card): number {
  return COUNTS[card & 15]!;
}

/** Whether one card beats another: higher of the same suit, or a trump against a plain card. */
export function beats(card: Card, other: Card, trump: number): boolean {
  return card >> 4 === other >> 4 ? card > other : card >> 4 === trump;
}

/** Whether as many cards can be paired so that each of `cards` beats its partner in `others`. */
export function setBeats(cards: readonly Card[], others: readonly Card[], trump: number): boolean {
  const trumpsLast = (one: Card, other: Card) =>
    Number(one >> 4 === trump) - Number(other >> 4 === trump) || one - other;
  const spare = [...cards].sort(trumpsLast);
  for (const other of [...others].sort(trumpsLast)) {
    // A card of the suit first, so that trumps are kept for what nothing else beats; the lowest that does it.
    let found = spare.findIndex((card) => card >> 4 === other >> 4 && card > other);
    if (found < 0) found = spare.findIndex((card) => beats(card, other, trump));
    if (found < 0) return false;
    spare.splice(found, 1);
  }
  return true;
}
