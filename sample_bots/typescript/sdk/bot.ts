/** What an author writes: a class with one method for each kind of decision. Every method has a legal default. */

import type { Answer } from "./answers.js";
import type { Game, Result } from "./game.js";
import type { CrowTurn, GoatTurn, RookTurn, Turn } from "./turn.js";

/** The methods that decide. */
export type Method = "bid" | "discard" | "trump" | "play" | "molodka" | "lead" | "answer" | "anyMove";

/**
 * A player. Every game gets an object of its own, so `this` may remember what it likes during a game.
 *
 * Each method gets a turn and returns a move of `turn.moves`, or, more briefly, the card, cards, points or suit it is
 * about (see `answers.ts`). A method that is not written plays `anyMove`, so that an empty subclass plays every game.
 */
export class Bot {
  /** How many games one process is ready to play at once; `concurrent_games` of bot.toml decides below that. */
  static concurrentGames = 64;

  /**
   * Whether an exception or an illegal answer ends the process with status 1, so that you see it. False: it is logged
   * with its stack, and the first legal move is played.
   */
  strict = true;

  /** A game begins. */
  started(_game: Game): void {}

  /** The game is over. */
  over(_game: Game, _result: Result): void {}

  /** The answer to a turn was not taken, and the default move was played: too late, or illegal. */
  rejected(turn: number, reason: string): void {
    log(`turn ${turn}: not taken: ${reason}`);
  }

  /** Rook: bid or pass. Return points, or null to pass. */
  bid(turn: RookTurn): Answer {
    return this.anyMove(turn);
  }

  /** Rook: discard `turn.choose.size` of the cards in hand. Return the cards. */
  discard(turn: RookTurn): Answer {
    return this.anyMove(turn);
  }

  /** Rook: name trump. Return the suit number. */
  trump(turn: RookTurn): Answer {
    return this.anyMove(turn);
  }

  /** Rook and The Crow and the Pitcher: play one of `turn.cards`. Return the card. */
  play(turn: RookTurn | CrowTurn): Answer {
    return this.anyMove(turn);
  }

  /** Goat with `molodka` = before_trick: call it or decline. Return true or false. */
  molodka(turn: GoatTurn): Answer {
    return this.anyMove(turn);
  }

  /** Goat: lead cards of one suit. Return a move, or the cards. */
  lead(turn: GoatTurn): Answer {
    return this.anyMove(turn);
  }

  /** Goat: beat, drop or call molodka. Return a move, or the cards: they beat if they can, else are dropped. */
  answer(turn: GoatTurn): Answer {
    return this.anyMove(turn);
  }

  /** Any decision for which no method is written: the first legal move. */
  anyMove(turn: Turn): Answer {
    return turn.choose !== null ? turn.choose.cards.slice(0, turn.choose.size) : turn.moves[0];
  }
}

/** A line on stderr, which the arena keeps for you. stdout is kept too; neither is part of the protocol. */
export function log(text: string): void {
  process.stderr.write(`${text}\n`);
}
