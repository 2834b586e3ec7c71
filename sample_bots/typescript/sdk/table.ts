/**
 * The bot's side of the protocol, without a transport: frames in, frames out. Tests use it too.
 *
 *     const table = new Table(Fox);
 *     const frames = table.frame(bytes);
 */

import { replyTo, type Answer } from "./answers.js";
import { Bot, log, type Method } from "./bot.js";
import { ROOK } from "./cards.js";
import { Game, readResult } from "./game.js";
import { decodeFrame, encodeFrame } from "./messages.js";
import type { BotEvent, GameOver, GameStart, Rejected, Reply, TurnMessage } from "./messages.js";
import { CrowTurn, GoatTurn, RookTurn, Turn } from "./turn.js";

export const VERSIONS: readonly string[] = ["1.0"];
export const SDK = "arena-typescript 0.1";
const NOTE_BYTES = 2048;
/** A frame above this many bytes is cut in two; the arena takes 256 KiB. */
const FRAME_BYTES = 200_000;

/** A class of bots, or anything else with which `new` makes one. */
export interface BotClass {
  new (): Bot;
  readonly concurrentGames?: number;
}

/** All games of one process, each with a bot of its own. */
export class Table {
  /** The arena's last word, once it was said. */
  goodbye: string | null = null;
  readonly #games = new Map<number, { game: Game; bot: Bot }>();
  readonly #make: BotClass;

  constructor(make: BotClass) {
    this.#make = make;
  }

  /** How many games run now. */
  get size(): number {
    return this.#games.size;
  }

  /** The first frame to send. */
  hello(token: string): Buffer {
    const concurrentGames = this.#make.concurrentGames ?? Bot.concurrentGames;
    return encodeFrame([{ hello: { versions: VERSIONS, token, sdk: SDK, concurrentGames } }]);
  }

  /** Take a frame from the arena. Returns the frames to send: one with all replies, none if there are none. */
  frame(bytes: Uint8Array): Buffer[] {
    const replies: BotEvent[] = [];
    for (const event of decodeFrame(bytes).events) {
      if (event.turn) replies.push({ reply: this.turn(event.turn) });
      else if (event.gameStart) this.start(event.gameStart);
      else if (event.gameOver) this.over(event.gameOver);
      else if (event.rejected) this.#rejected(event.rejected);
      else if (event.goodbye) this.goodbye = event.goodbye.reason || "done";
      // Welcome needs nothing; what is newer than this SDK is ignored.
    }
    return split(replies);
  }

  /** Begin a game. */
  start(message: GameStart): void {
    const game = new Game(message);
    const bot = new this.#make();
    this.#games.set(game.number, { game, bot });
    guarded(bot, game, "started", () => bot.started(game));
  }

  /** Decide. Throws IllegalAnswer, or what the bot threw; a RangeError for a game that was never started. */
  turn(message: TurnMessage): Reply {
    const seated = this.#games.get(message.game);
    if (seated === undefined) {
      throw new RangeError(`turn ${message.turn} of game ${message.game}, which was never started`);
    }
    const { game, bot } = seated;
    const { turn, method } = openTurn(game, message);
    const reply =
      guarded(bot, game, `${method}, turn ${message.turn}`, () => replyTo(turn, method, ask(bot, turn, method))) ??
      replyTo(turn, "anyMove", Bot.prototype.anyMove(turn));
    const note = cut(turn.notes);
    if (note !== "") reply.note = note;
    return reply;
  }

  /** End a game. */
  over(message: GameOver): void {
    const seated = this.#games.get(message.game);
    this.#games.delete(message.game);
    if (seated !== undefined) {
      const { game, bot } = seated;
      guarded(bot, game, "over", () => bot.over(game, readResult(message)));
    }
  }

  #rejected(message: Rejected): void {
    const seated = this.#games.get(message.game);
    if (seated === undefined) log(`game ${message.game}, turn ${message.turn}: not taken: ${message.reason}`);
    else guarded(seated.bot, seated.game, "rejected", () => seated.bot.rejected(message.turn, message.reason));
  }
}

const ROOK_METHODS: readonly Method[] = ["anyMove", "bid", "discard", "trump", "play"];
const GOAT_METHODS: readonly Method[] = ["anyMove", "molodka", "lead", "answer"];

/** The turn of a message and the method that decides it; anyMove for what this SDK does not know. */
export function openTurn(game: Game, message: TurnMessage): { turn: Turn; method: Method } {
  const { rook, crow, goat } = message;
  if (rook) return { turn: new RookTurn(game, message, rook), method: ROOK_METHODS[rook.phase] ?? "anyMove" };
  if (crow) return { turn: new CrowTurn(game, message, crow), method: "play" };
  if (goat) return { turn: new GoatTurn(game, message, goat), method: GOAT_METHODS[goat.phase] ?? "anyMove" };
  return { turn: new Turn(game, message, null, ROOK), method: "anyMove" };
}

/** What a bot answers; each method gets the kind of turn that `openTurn` pairs it with. */
export function ask(bot: Bot, turn: Turn, method: Method): Answer {
  return (bot[method] as (turn: Turn) => Answer).call(bot, turn);
}

/** Call a bot. What it throws is thrown again with the place where it happened; of a lenient bot it is logged. */
function guarded<Result>(bot: Bot, game: Game, where: string, call: () => Result): Result | undefined {
  try {
    return call();
  } catch (cause) {
    const place = `in ${bot.constructor.name}, game ${game.number} (${game.ruleset}), ${where}`;
    if (bot.strict) throw new Error(`${place}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    log(`${place}: ${cause instanceof Error ? cause.stack : String(cause)}`);
    return undefined;
  }
}

/** A note of no more bytes than the arena keeps, in proper UTF-8. */
function cut(note: string): string {
  if (note === "") return note;
  const bytes = Buffer.from(note, "utf8"); // half of a surrogate pair becomes a replacement character
  let end = Math.min(bytes.length, NOTE_BYTES);
  while (end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end -= 1;
  return bytes.toString("utf8", 0, end);
}

/** Replies as a frame, as several frames where one would be too large. */
function split(events: readonly BotEvent[]): Buffer[] {
  if (events.length === 0) return [];
  const frame = encodeFrame(events);
  if (frame.length <= FRAME_BYTES || events.length === 1) return [frame];
  const half = events.length >> 1;
  return [...split(events.slice(0, half)), ...split(events.slice(half))];
}
