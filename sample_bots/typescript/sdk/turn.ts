/**
 * One decision to be made: what the bot knows, what it may do, and helpers to read both.
 *
 * Each family of games has its own kind of turn, with the family's table in it. Nothing is worked out before somebody
 * asks for it.
 */

import { CROW, GOAT, ROOK, type Card, type Names } from "./cards.js";
import * as crow from "./crow.js";
import type { Game } from "./game.js";
import * as goat from "./goat.js";
import type { CrowView, GoatView, RookView, TurnMessage } from "./messages.js";
import { decodeMove, moveText, readChoose, type Choose, type Move } from "./moves.js";
import type { Random } from "./random.js";
import { Rules } from "./rook.js";

/** A card on the table. */
export interface Played {
  readonly seat: number;
  readonly card: Card;
}

/** A decision in any game. */
export class Turn<View = unknown> {
  #moves: readonly Move[] | undefined;
  readonly #notes: string[] = [];

  /**
   * @param game what was told at the start: seat, partner, ruleset, options
   * @param message the Turn message as it came
   * @param view the view in it
   * @param names the texts of this family's cards and suits
   */
  constructor(
    readonly game: Game,
    readonly message: TurnMessage,
    readonly view: View,
    readonly names: Names,
  ) {}

  /** Number of this decision within the game, all seats counted, from 0. */
  get number(): number {
    return this.message.turn;
  }

  /** The bot's seat. */
  get seat(): number {
    return this.game.seat;
  }

  /** The partner's seat; null where each seat plays for itself. */
  get partner(): number | null {
    return this.game.partner;
  }

  /** This game's own generator. Draw from it alone, and the bot plays the same game again. */
  get random(): Random {
    return this.game.random;
  }

  /** All legal moves, in the arena's order; empty where cards are to be chosen. */
  get moves(): readonly Move[] {
    return (this.#moves ??= this.message.legal.moves.map(decodeMove));
  }

  /** The choice of n cards that this turn asks for; null where legal moves are listed. */
  get choose(): Choose | null {
    return readChoose(this.message.legal);
  }

  /** The cards that may be played now; of a choice of n cards those to choose from. */
  get cards(): Card[] {
    const choose = this.choose;
    if (choose !== null) return [...choose.cards];
    return this.message.legal.moves.flatMap((move) => move.play || []);
  }

  /** Time for this move in milliseconds; null in games without a clock. */
  get limitMs(): number | null {
    return this.message.limitMs ?? null;
  }

  /** The bot's bank in milliseconds before this move; null in games without a clock. */
  get bankMs(): number | null {
    return this.message.bankMs ?? null;
  }

  /** A card or a move as the arena writes it: "R10", "bid 80". */
  text(what: Card | Move): string {
    return typeof what === "number" ? this.names.text(what) : moveText(what, this.names);
  }

  /** The card with this text: `turn.card("R10")`. Throws a RangeError. */
  card(text: string): Card {
    return this.names.card(text);
  }

  /** What a card counts in this game; in The Crow and the Pitcher thirst counts below 0. */
  points(_card: Card): number {
    return 0;
  }

  /** Add a line for your own eyes in the replay of this turn. Never shown to opponents; 2 KiB a turn. */
  note(text: string): void {
    this.#notes.push(text);
  }

  /** What was noted so far in this turn. */
  get notes(): string {
    return this.#notes.join("\n");
  }
}

/** A decision in a game of the Rook family. */
export class RookTurn extends Turn<RookView> {
  static readonly #rules = new WeakMap<Game, Rules>();

  constructor(game: Game, message: TurnMessage, view: RookView) {
    super(game, message, view, ROOK);
  }

  /** The bot's cards, ascending. While discarding they include the nest. */
  get hand(): readonly Card[] {
    return this.view.hand;
  }

  /** The cards of this ruleset: pack, counters, and which card takes a trick. */
  get rules(): Rules {
    let rules = RookTurn.#rules.get(this.game);
    if (rules === undefined) RookTurn.#rules.set(this.game, (rules = new Rules(this.game.options)));
    return rules;
  }

  override points(card: Card): number {
    return this.rules.points[card] ?? 0;
  }

  /** Seat of the standing bid, the declarer after the auction; null while nobody has bid. */
  get bidder(): number | null {
    return this.view.bidder;
  }

  /** The trump suit; null until it is named. */
  get trump(): number | null {
    return this.view.trump;
  }

  /** The cards of this trick, the led one first. */
  get trick(): Played[] {
    return tricksOf(this.view, 4).at(-1) ?? [];
  }

  /** All tricks of this hand, the last one as far as it is played. */
  get tricks(): Played[][] {
    return tricksOf(this.view, 4);
  }

  /** The card that takes this trick so far, and whose it is; null before the lead. */
  get winning(): Played | null {
    const { trick, trump } = this;
    if (trump === null || trick.length === 0) return null;
    return trick[this.rules.winner(trick.map((played) => played.card), trump)]!;
  }
}

/** A decision in The Crow and the Pitcher. */
export class CrowTurn extends Turn<CrowView> {
  static readonly #worth = new WeakMap<Game, readonly number[]>();

  constructor(game: Game, message: TurnMessage, view: CrowView) {
    super(game, message, view, CROW);
  }

  /** The bot's cards, ascending. */
  get hand(): readonly Card[] {
    return this.view.hand;
  }

  /** What a card scores for the seat that takes it, by card: a stone above 0, thirst below. */
  get worth(): readonly number[] {
    let worth = CrowTurn.#worth.get(this.game);
    if (worth === undefined) CrowTurn.#worth.set(this.game, (worth = crow.worthOf(this.game.options)));
    return worth;
  }

  override points(card: Card): number {
    return this.worth[card] ?? 0;
  }

  /** The pitcher of this trick, 6 to 13. */
  get pitcher(): number {
    return this.view.pitchers.at(-1)!;
  }

  /** The cards of this trick, the led one first. */
  get trick(): Played[] {
    return this.tricks.at(-1) ?? [];
  }

  /** All tricks of this round, the last one as far as it is played. */
  get tricks(): Played[][] {
    return tricksOf(this.view, this.game.seats);
  }

  /** Who would take a trick of these cards with this turn's pitcher, and what it scores. */
  take(cards: readonly Card[]): crow.Taken {
    return crow.take(cards, this.pitcher, this.worth);
  }
}

export type ActKind = "lead" | "beat" | "drop" | "molodka" | "decline" | "unknown";
const ACTS: readonly ActKind[] = ["unknown", "lead", "beat", "drop", "molodka", "decline"];

/** What a seat did in a deal of Goat. */
export interface Act {
  readonly seat: number;
  readonly kind: ActKind;
  /** How many cards it put down. */
  readonly size: number;
  /** Those that you may know: empty for a drop of another seat. */
  readonly cards: readonly Card[];
}

/** A decision in Goat. */
export class GoatTurn extends Turn<GoatView> {
  constructor(game: Game, message: TurnMessage, view: GoatView) {
    super(game, message, view, GOAT);
  }

  /** The bot's cards, ascending. */
  get hand(): readonly Card[] {
    return this.view.hand;
  }

  override points(card: Card): number {
    return goat.worth(card);
  }

  /** The trump suit. */
  get trump(): number {
    return this.view.trump;
  }

  /** Everything done in this deal, in order. */
  get acts(): Act[] {
    const { view } = this;
    let first = 0;
    return view.acts.map((number, place) => {
      const seat = view.actSeats[place]!;
      const kind = ACTS[number] ?? "unknown";
      const size = view.actCounts[place]!;
      const shown = kind === "drop" && seat !== view.seat ? 0 : size;
      first += shown;
      return { seat, kind, size, cards: view.actCards.slice(first - shown, first) };
    });
  }

  /** What was done in this trick since its lead (or since the molodka); empty before the lead. */
  get trick(): Act[] {
    if (this.view.phase !== 3) return [];
    const { acts } = this;
    return acts.slice(acts.findLastIndex((act) => act.kind === "lead" || act.kind === "molodka"));
  }

  /** The act that takes this trick so far: the last that beat, or the lead; null before the lead. */
  get winning(): Act | null {
    return this.trick.findLast((act) => act.kind !== "drop") ?? null;
  }
}

function tricksOf(view: { leaders: readonly number[]; played: readonly Card[] }, seats: number): Played[][] {
  return view.leaders.map((leader, number) =>
    view.played
      .slice(number * seats, (number + 1) * seats)
      .map((card, place) => ({ seat: (leader + place) % seats, card })),
  );
}
