/**
 * Cards are whole numbers, `suit << 4 | rank`; this module names them.
 *
 * The numbers are those of the card enums in the protocol, the texts those the arena prints. It knows no ruleset: what
 * a card is worth is in `rook.ts`, `crow.ts` and `goat.ts`.
 */

import { enumValues, type Card } from "./messages.js";

export type { Card };

/** The suit number of a card. */
export function suit(card: Card): number {
  return card >> 4;
}

/** The rank number of a card. */
export function rank(card: Card): number {
  return card & 15;
}

/** The texts of one family's cards and suits: `names.text(26)` is "G10", `names.card("G10")` is 26. */
export class Names {
  /** Suits in words, by suit number. */
  readonly suits: readonly string[];
  readonly #cards: ReadonlyMap<string, Card>;
  readonly #texts: ReadonlyMap<Card, string>;

  constructor(cards: ReadonlyMap<string, Card>, suits: readonly string[]) {
    this.#cards = new Map([...cards].filter(([, card]) => card !== 0));
    this.#texts = new Map([...this.#cards].map(([text, card]) => [card, text]));
    this.suits = suits;
  }

  /** Every card of the family, ascending; a ruleset may use fewer. */
  get all(): Card[] {
    return [...this.#texts.keys()].sort((one, other) => one - other);
  }

  /** Whether a number is a card of this family. */
  has(card: Card): boolean {
    return this.#texts.has(card);
  }

  /** The text of a card. Throws a RangeError for a number that is no card of this family. */
  text(card: Card): string {
    const text = this.#texts.get(card);
    if (text === undefined) {
      throw new RangeError(`${card} is no card here, expected suit << 4 | rank of ${this.suits.join(", ")}`);
    }
    return text;
  }

  /** Texts of cards in the given order, with one space between; a number where there is no text. */
  join(cards: Iterable<Card>): string {
    return Array.from(cards, (card) => this.#texts.get(card) ?? String(card)).join(" ");
  }

  /** The card with this text. Throws a RangeError. */
  card(text: string): Card {
    const card = this.#cards.get(text);
    if (card === undefined) {
      const some = this.join(this.all.slice(0, 3));
      throw new RangeError(`${JSON.stringify(text)} is no card here, expected a text like ${some}`);
    }
    return card;
  }
}

export const ROOK = new Names(enumValues("RookCard", "ROOK_CARD_"), ["black", "green", "red", "yellow"]);
export const CROW = new Names(enumValues("CrowCard", "CROW_CARD_"), ["red", "green", "blue", "thirst"]);
export const GOAT = new Names(enumValues("GoatCard", "GOAT_CARD_"), ["clubs", "diamonds", "hearts", "spades"]);
