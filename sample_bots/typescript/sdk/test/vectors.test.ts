/** The recorded frames of the arena: the SDK reads and writes every one of them as it is described. */

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { CROW, GOAT, ROOK } from "../cards.js";
import type { Game } from "../game.js";
import { encodeFrame, type BotEvent, type Reply } from "../messages.js";
import { encodeMove, readMove } from "../moves.js";
import { describe } from "./texts.js";

const FILE = resolve(process.env["ARENA_VECTORS"] ?? "../../tests/vectors/frames.jsonl");
const NAMES = { rook: ROOK, crow: CROW, goat: GOAT };

interface Line {
  readonly name: string;
  readonly from: "arena" | "bot";
  readonly frame: string;
  readonly events: readonly any[]; // any: what the frame means, as JSON
}

const here = existsSync(FILE);
const reason = `${FILE} is not here; set ARENA_VECTORS to the arena's tests/vectors/frames.jsonl`;

test("recorded frames", { skip: !here && process.env["ARENA_VECTORS"] === undefined && reason }, (context) => {
  const lines = readFileSync(FILE, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line) as Line);
  assert.ok(lines.length > 100, `${lines.length} lines`);
  const games = new Map<number, Game>();
  for (const line of lines) {
    const bytes = Buffer.from(line.frame, "base64");
    if (line.from === "arena") assert.deepEqual(describe(bytes, games), line.events, line.name);
    else assert.equal(encodeFrame(line.events.map(written)).toString("base64"), line.frame, line.name);
  }
  context.diagnostic(`${lines.length} frames were read`);
});

/** The event that a description is of. */
function written(event: any): BotEvent { // any: as above
  if (event.event === "hello") {
    const { versions, token, sdk, concurrent_games: concurrentGames } = event;
    return { hello: { versions, token, sdk, concurrentGames } };
  }
  const reply: Reply = { game: event.game };
  if (event.turn) reply.turn = event.turn;
  if (event.choice !== undefined) reply.choice = event.choice;
  else reply.move = encodeMove(readMove(event.move, NAMES[event.family as keyof typeof NAMES])!);
  if (event.note) reply.note = event.note;
  return { reply };
}
