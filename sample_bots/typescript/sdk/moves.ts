/** Moves as a bot sees them, and what is legal. It knows how they are written, not what they do. */

import type { Card, Names } from "./cards.js";
import type { LegalMessage, MoveMessage } from "./messages.js";

export type Kind = "play" | "bid" | "pass" | "trump" | "discard" | "lead" | "beat" | "drop" | "molodka" | "unknown";

/** One decision. */
export interface Move {
  readonly kind: Kind;
  /** One card of a play; the cards of a discard, lead, beat or drop, ascending; else empty. */
  readonly cards: readonly Card[];
  /** The points of a bid, the suit number of a trump; else 0. */
  readonly number: number;
}

/** Any `size` different cards of `cards`, where a list of all sets would be long. */
export interface Choose {
  readonly kind: Kind;
  readonly size: number;
  /** Ascending. */
  readonly cards: readonly Card[];
}

export const PASS: Move = { kind: "pass", cards: [], number: 0 };
export const MOLODKA: Move = { kind: "molodka", cards: [], number: 0 };

/** A move of cards, put in order. */
export function ofCards(kind: Kind, cards: Iterable<Card>): Move {
  return { kind, cards: [...cards].sort((one, other) => one - other), number: 0 };
}

/** A bid of points, or a trump suit. */
export function ofNumber(kind: "bid" | "trump", number: number): Move {
  return { kind, cards: [], number };
}

/** Whether two moves mean the same; both have their cards in order. */
export function same(one: Move, other: Move): boolean {
  return (
    one.kind === other.kind &&
    one.number === other.number &&
    one.cards.length === other.cards.length &&
    one.cards.every((card, place) => card === other.cards[place])
  );
}

/** A move as the arena writes it: "R10", "bid 80", "pass", "trump green", "lead 6S 9S". */
export function moveText(move: Move, names: Names): string {
  switch (move.kind) {
    case "play":
      return names.join(move.cards);
    case "bid":
      return `bid ${move.number}`;
    case "trump":
      return `trump ${names.suits[move.number] ?? move.number}`;
    case "discard":
    case "lead":
    case "beat":
    case "drop":
      return `${move.kind} ${names.join(move.cards)}`;
    default:
      return move.kind;
  }
}

/** The move with this text, legal or not; undefined where the text is none. */
export function readMove(text: string, names: Names): Move | undefined {
  const [word = "", ...rest] = text.split(" ");
  try {
    switch (word) {
      case "pass":
        return rest.length === 0 ? PASS : undefined;
      case "molodka":
        return rest.length === 0 ? MOLODKA : undefined;
      case "bid":
        return rest.length === 1 && /^\d+$/.test(rest[0]!) ? ofNumber("bid", Number(rest[0])) : undefined;
      case "trump":
        return rest.length === 1 && names.suits.includes(rest[0]!)
          ? ofNumber("trump", names.suits.indexOf(rest[0]!))
          : undefined;
      case "discard":
      case "lead":
      case "beat":
      case "drop":
        return rest.length > 0 ? ofCards(word, rest.map((each) => names.card(each))) : undefined;
      default:
        return rest.length === 0 ? ofCards("play", [names.card(word)]) : undefined;
    }
  } catch (error) {
    if (error instanceof RangeError) return undefined; // no card
    throw error;
  }
}

/** A move from its message; of a kind newer than this SDK "unknown", which may still be chosen. */
export function decodeMove(message: MoveMessage): Move {
  switch (message.kind) {
    case "play":
      return { kind: "play", cards: [message.play!], number: 0 };
    case "bid":
      return ofNumber("bid", message.bid!);
    case "pass":
      return PASS;
    case "nameTrump":
      return ofNumber("trump", message.nameTrump!);
    case "molodka":
      return MOLODKA;
    case "discard":
    case "lead":
    case "beat":
    case "drop":
      return { kind: message.kind, cards: message[message.kind]!.cards, number: 0 };
    default:
      return { kind: "unknown", cards: [], number: 0 };
  }
}

/** The message of a move. Throws a RangeError for one of a kind that this SDK does not know. */
export function encodeMove(move: Move): MoveMessage {
  switch (move.kind) {
    case "play":
      return { play: move.cards[0]! };
    case "bid":
      return { bid: move.number };
    case "trump":
      return { nameTrump: move.number };
    case "pass":
    case "molodka":
      return { [move.kind]: true };
    case "discard":
    case "lead":
    case "beat":
    case "drop":
      return { [move.kind]: { cards: move.cards } };
    case "unknown":
      throw new RangeError("a move of an unknown kind can only be chosen from the legal ones");
  }
}

const CHOOSE_KINDS: readonly Kind[] = ["unknown", "discard", "lead", "beat", "drop"];

/** The choice of cards that a turn asks for; null where the legal moves are listed. */
export function readChoose(message: LegalMessage): Choose | null {
  const { choose } = message;
  if (choose == null) return null;
  return { kind: CHOOSE_KINDS[choose.kind] ?? "unknown", size: choose.count, cards: choose.cards };
}
