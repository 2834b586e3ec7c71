/** The bot's side of the protocol: several games at once, what answers may be, what happens when a bot fails. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Bot } from "../bot.js";
import type { Game, Result } from "../game.js";
import { protocol } from "../messages.js";
import { Table } from "../table.js";
import type { Answer } from "../answers.js";
import type { CrowTurn, RookTurn } from "../turn.js";
import { crowTurn, decide, goatTurn, rookTurn } from "../testing.js";

const arenaFrame = protocol.lookupType("arena.v1.ArenaFrame");
const botFrame = protocol.lookupType("arena.v1.BotFrame");

const frame = (...events: object[]) => arenaFrame.encode({ events }).finish();
const start = (game: number) => ({ gameStart: { game, ruleset: "crow_and_pitcher", options: {}, seat: 0, seats: 4 } });
const turn = (game: number, number: number, ...cards: number[]) => ({
  turn: { game, turn: number, crow: { hand: cards, pitchers: [9] }, legal: { moves: cards.map((play) => ({ play })) } },
});
/** A frame as it is. */
const read = (bytes: Uint8Array): any => botFrame.toObject(botFrame.decode(bytes), { longs: Number });

class Last extends Bot {
  static seen: string[] = [];
  readonly cards: number[] = [];

  override started(game: Game): void {
    Last.seen.push(`started ${game.number}`);
  }

  override play(turn: RookTurn | CrowTurn): Answer {
    this.cards.push(turn.cards.length);
    turn.note(`cards ${this.cards.join(" ")}`);
    return turn.cards.at(-1);
  }

  override rejected(turn: number, reason: string): void {
    Last.seen.push(`rejected ${turn} ${reason}`);
  }

  override over(game: Game, result: Result): void {
    Last.seen.push(`over ${game.number} ${result.verdict} ${result.forfeitSeat} ${result.reason}`);
  }
}

test("a frame is answered by one frame, each game by a bot of its own", () => {
  const table = new Table(Last);
  Last.seen = [];
  const frames = table.frame(frame(start(1), start(2), turn(1, 0, 4, 9), turn(2, 3, 5), {}, turn(1, 4, 9)));
  assert.equal(frames.length, 1);
  assert.deepEqual(read(frames[0]!).events, [
    { reply: { game: 1, choice: 1, note: "cards 2" } },
    { reply: { game: 2, turn: 3, choice: 0, note: "cards 1" } },
    { reply: { game: 1, turn: 4, choice: 0, note: "cards 2 1" } },
  ]);
  const over = { gameOver: { game: 2, verdict: 2, scores: [1, 2, 3, 4], forfeitSeat: 0, reason: "CRASH" } };
  assert.deepEqual(table.frame(frame({ rejected: { game: 1, turn: 4, reason: "LATE" } }, over)), []);
  assert.deepEqual(Last.seen, ["started 1", "started 2", "rejected 4 LATE", "over 2 forfeit 0 CRASH"]);
  assert.equal(table.size, 1);
  table.frame(frame({ goodbye: {} }));
  assert.equal(table.goodbye, "done");
});

test("hello says what the bot is", () => {
  const hello = { versions: ["1.0"], token: "secret", sdk: "arena-typescript 0.1", concurrentGames: 64 };
  assert.deepEqual(read(new Table(Last).hello("secret")), { events: [{ hello }] });
});

test("a bot without methods plays the first legal move", () => {
  assert.equal(decide(new Bot(), crowTurn({ hand: ["R4", "G10"], pitchers: [9] }, ["R4", "G10"])), "R4");
  assert.equal(decide(new Bot(), rookTurn({ phase: 1 }, ["pass", "bid 70"])), "pass");
  assert.equal(decide(new Bot(), rookTurn({ phase: 2 }, { choose: 2, from: ["B5", "B6", "G5"] })), "discard B5 B6");
  assert.equal(decide(new Bot(), goatTurn({ phase: 2 }, ["lead 6C", "lead 7C"])), "lead 6C");
});

/** What a bot whose every method returns `answer` plays. */
function answering(answer: Answer) {
  return new (class extends Bot {
    override anyMove(): Answer {
      return answer;
    }
  })();
}

test("answers may be moves, texts, cards, points and suits", () => {
  const bid = rookTurn({ phase: 1 }, ["pass", "bid 70", "bid 75"]);
  for (const answer of [75, "bid 75", bid.moves[2]!, { ...bid.moves[2]! }]) {
    assert.equal(decide(answering(answer), bid), "bid 75");
  }
  for (const answer of [0, null, undefined, false, "pass"]) assert.equal(decide(answering(answer), bid), "pass");
  const trump = rookTurn({ phase: 3 }, ["trump black", "trump green"]);
  for (const answer of [1, "trump green"]) assert.equal(decide(answering(answer), trump), "trump green");
  const lead = goatTurn({ phase: 2 }, ["lead 6C", "lead 7C", "lead 6C 7C"]);
  const unordered = { kind: "lead", cards: [7, 6], number: 0 } as const;
  for (const answer of [[7, 6], ["7C", "6C"], "lead 7C 6C", "7C 6C", unordered]) {
    assert.equal(decide(answering(answer), lead), "lead 6C 7C");
  }
  assert.equal(decide(answering("7C"), lead), "lead 7C");
  const reply = goatTurn({ phase: 3 }, ["beat 7C", "drop 6C", "drop 7C", "molodka"]);
  assert.equal(decide(answering(7), reply), "beat 7C");
  assert.equal(decide(answering("6C"), reply), "drop 6C");
  assert.equal(decide(answering(true), reply), "molodka");
  assert.equal(decide(answering("drop 7C"), reply), "drop 7C");
  const discard = rookTurn({ phase: 2 }, { choose: 2, from: ["B5", "B6", "G5"] });
  for (const answer of [[21, 5], ["G5", "B5"], "discard G5 B5", "G5 B5"]) {
    assert.equal(decide(answering(answer), discard), "discard B5 G5");
  }
});

test("what is not legal is named, with what is", () => {
  const bid = rookTurn({ phase: 1 }, ["pass", "bid 70"]);
  assert.throws(() => decide(answering(71), bid), /bid returned 71, which is not legal; legal: pass, bid 70/);
  assert.throws(() => decide(answering(true), bid), { name: "IllegalAnswer" });
  const play = crowTurn({ pitchers: [9] }, ["R4"]);
  assert.throws(() => decide(answering(5), play), /play returned 5 \(R5\), which is not legal; legal: R4/);
  assert.throws(() => decide(answering("Q9"), play), /play returned "Q9"/);
  const discard = rookTurn({ phase: 2 }, { choose: 2, from: ["B5", "B6", "G5"] });
  for (const answer of [[5], [5, 5], [5, 6, 21], [5, 7], "discard B5 B7", null, 5, "trump red"]) {
    assert.throws(() => decide(answering(answer), discard), /legal: 2 different cards of B5 B6 G5/);
  }
});

class Failing extends Bot {
  override strict = false;

  override play(): Answer {
    throw new Error("no idea");
  }
}

test("a bot that fails says where; a lenient one goes on with the first legal move", (context) => {
  const strict = new Table(class Strict extends Failing {
    override strict = true;
  });
  strict.frame(frame(start(1)));
  const where = /in Strict, game 1 \(crow_and_pitcher\), play, turn 7: no idea/;
  assert.throws(() => strict.frame(frame(turn(1, 7, 4))), where);
  assert.throws(() => strict.frame(frame(turn(2, 7, 4))), /game 2, which was never started/);
  const said = context.mock.method(process.stderr, "write", () => true);
  const lenient = new Table(Failing);
  const [bytes] = lenient.frame(frame(start(1), turn(1, 7, 4)));
  assert.deepEqual(read(bytes!).events, [{ reply: { game: 1, turn: 7, choice: 0 } }]);
  assert.match(String(said.mock.calls[0]?.arguments[0]), /in Failing, game 1 .*no idea/);
});

test("notes are cut to what the arena keeps, and stay text", () => {
  class Talker extends Bot {
    override play(turn: RookTurn | CrowTurn): Answer {
      turn.note("\ud83d" + "\u2660".repeat(1000));
      return turn.cards[0];
    }
  }
  const table = new Table(Talker);
  const [bytes] = table.frame(frame(start(1), turn(1, 0, 4)));
  const { note } = read(bytes!).events[0].reply;
  assert.equal(note, "\ufffd" + "\u2660".repeat(681));
  const turns = Array.from({ length: 200 }, (_, number) => turn(1, number, 4));
  const frames = table.frame(frame(...turns));
  assert.ok(frames.length > 1 && frames.every((each) => each.length < 2 ** 18));
  assert.deepEqual(
    frames.flatMap((each) => read(each).events.map((event: any) => event.reply.turn ?? 0)), // any: as it is
    turns.map((_, number) => number),
  );
});
