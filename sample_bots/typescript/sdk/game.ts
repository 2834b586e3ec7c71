/** What a bot is told once for each game: its seat, the ruleset, a generator of its own; and how the game ended. */

import { wholeNumber, type GameOver, type GameStart } from "./messages.js";
import { Random } from "./random.js";

export type Family = "rook" | "crow" | "goat";

/** Fields of a ruleset: numbers, texts, true or false, lists, objects. `Rules` and the like read them with types. */
export type Options = Readonly<Record<string, any>>; // any: JSON values, whose types the ruleset says

/** One game at the table, from its first message to its last. */
export class Game {
  /** Number of the game on this connection, from 1: the `game` of logs. */
  readonly number: number;
  /** Id of the ruleset, "crowsnest". */
  readonly ruleset: string;
  /** The bot's seat, from 0, clockwise. */
  readonly seat: number;
  /** How many seats the table has. */
  readonly seats: number;
  /** The partner's seat; null where each seat plays for itself. */
  readonly partner: number | null;
  /** Every field of the ruleset. */
  readonly options: Options;
  /** What the arena gave to draw from: 64 bits, the same whenever this seat of this board is played. */
  readonly seed: bigint;
  /** This game's own generator, seeded with `seed`. A bot that draws from it alone plays the same game again. */
  readonly random: Random;
  /** The message as it came. */
  readonly message: GameStart;

  constructor(start: GameStart) {
    this.message = start;
    this.number = start.game;
    this.ruleset = start.ruleset;
    this.seat = start.seat;
    this.seats = start.seats;
    this.partner = start.partner ?? null;
    this.options = Object.fromEntries(Object.entries(start.options).map(([name, value]) => [name, JSON.parse(value)]));
    this.seed = wholeNumber(start.seed);
    this.random = new Random(this.seed);
  }

  /** Which view and which decisions the game has. */
  get family(): Family {
    switch (this.ruleset) {
      case "crow_and_pitcher":
        return "crow";
      case "goat":
        return "goat";
      default:
        return "rook";
    }
  }
}

export type Verdict = "finished" | "forfeit" | "void" | "unknown";

/** How a game ended. */
export interface Result {
  readonly verdict: Verdict;
  /** Points by seat, higher is better; empty when the game is void. */
  readonly scores: readonly number[];
  /** Places by seat, 0 is best, equal means tied; empty when the game is void. */
  readonly ranks: readonly number[];
  /** The seat that forfeited; null where none did. */
  readonly forfeitSeat: number | null;
  /** Why, as a fault code; empty when the game was finished. */
  readonly reason: string;
}

const VERDICTS: readonly Verdict[] = ["unknown", "finished", "forfeit", "void"];

/** The result in a GameOver message. */
export function readResult(message: GameOver): Result {
  return {
    verdict: VERDICTS[message.verdict] ?? "unknown",
    scores: message.scores,
    ranks: message.ranks,
    forfeitSeat: message.forfeitSeat ?? null,
    reason: message.reason,
  };
}
