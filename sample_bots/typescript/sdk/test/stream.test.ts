/** A scripted arena on a unix socket, and the bot's process that dials it. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { Server, ServerCredentials, status, type ServerDuplexStream } from "@grpc/grpc-js";
import { protocol } from "../messages.js";

const MAIN = fileURLToPath(new URL("../main.js", import.meta.url));
const arenaFrame = protocol.lookupType("arena.v1.ArenaFrame");
const botFrame = protocol.lookupType("arena.v1.BotFrame");
const asBytes = (bytes: Buffer): Buffer => bytes;

type Stream = ServerDuplexStream<Buffer, Buffer>;
type Event = Record<string, any>; // any: one of the protocol's events as it is

const say = (stream: Stream, ...events: object[]) => stream.write(Buffer.from(arenaFrame.encode({ events }).finish()));

/** Start a bot, answer its frames by a script, wait for its end. */
async function meet(address: (folder: string) => string, script: (stream: Stream, event: Event) => void) {
  const folder = mkdtempSync(join(tmpdir(), "arena-"));
  const server = new Server();
  const path = "/arena.v1.Arena/Play";
  const method = { path, requestStream: true, responseStream: true } as const;
  const raw = { requestSerialize: asBytes, requestDeserialize: asBytes };
  const back = { responseSerialize: asBytes, responseDeserialize: asBytes };
  server.addService({ play: { ...method, ...raw, ...back } }, {
    play: (stream: Stream) => {
      stream.on("data", (bytes: Buffer) => {
        for (const event of (botFrame.decode(bytes) as Event)["events"]) script(stream, event);
      });
      stream.on("error", () => {}); // a bot that ends is what some scripts want
    },
  });
  const target = address(folder);
  const port = await new Promise<number>((resolve, reject) => {
    const done = (error: Error | null, bound: number) => (error ? reject(error) : resolve(bound));
    server.bindAsync(target, ServerCredentials.createInsecure(), done);
  });
  const dialled = target.startsWith("unix:") ? target : `127.0.0.1:${port}`;
  try {
    return await bot({ ARENA_ADDRESS: dialled, ARENA_TOKEN: "secret", ARENA_INSECURE: "1" });
  } finally {
    server.forceShutdown();
    rmSync(folder, { recursive: true });
  }
}

/** Run a bot to its end, 20 s at most. */
function bot(variables: Record<string, string>): Promise<{ code: number | null; said: string }> {
  const timeout = 20_000;
  const child = spawn(process.execPath, [MAIN], { env: variables, stdio: ["ignore", "ignore", "pipe"], timeout });
  let said = "";
  child.stderr.on("data", (text) => (said += text));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, said })));
}

const START = { gameStart: { game: 1, ruleset: "crow_and_pitcher", seats: 4 } };
const TURN = { turn: { game: 1, turn: 2, crow: { hand: [4], pitchers: [9] }, legal: { moves: [{ play: 4 }] } } };

for (const [kind, address] of [
  ["a unix socket", (folder: string) => `unix:${folder}/seat.sock`],
  ["a port", () => "127.0.0.1:0"],
] as const) {
  test(`a bot plays over ${kind} until goodbye`, async () => {
    const events: Event[] = [];
    const { code, said } = await meet(address, (stream, event) => {
      events.push(event);
      if (event["hello"]) say(stream, { welcome: { version: "1.0" } }, START, TURN);
      else say(stream, { goodbye: { reason: "done" } });
    });
    assert.deepEqual({ code, said }, { code: 0, said: "" });
    assert.equal(events[0]?.["hello"].token, "secret");
    assert.equal(Number(events[1]?.["reply"].choice), 0);
    assert.equal(events.length, 2);
  });
}

const socket = (folder: string) => `unix:${folder}/seat.sock`;

test("a stream that ends in order ends the bot with status 0", async () => {
  assert.equal((await meet(socket, (stream) => stream.end())).code, 0);
});

test("a connection that is lost ends the bot with status 1 and a line", async () => {
  const refused = { code: status.PERMISSION_DENIED, details: "refused" };
  const lost = await meet(socket, (stream) => stream.emit("error", refused));
  assert.equal(lost.code, 1);
  assert.match(lost.said, /^the connection to the arena at "unix:.*" ended: PERMISSION_DENIED: refused\n$/);
});

test("an arena that is not there is told", async () => {
  const { code, said } = await bot({ ARENA_ADDRESS: "unix:/nowhere/seat.sock" });
  assert.equal(code, 1);
  assert.match(said, /"unix:\/nowhere\/seat.sock" ended: UNAVAILABLE/);
});

test("a turn that the bot cannot answer ends it with status 1 and the place", async () => {
  const { code, said } = await meet(socket, (stream) => say(stream, TURN));
  assert.equal(code, 1);
  assert.match(said, /turn 2 of game 1, which was never started/);
});

test("without an address the program says how it is started", async () => {
  const { code, said } = await bot({});
  assert.equal(code, 2);
  assert.match(said, /ARENA_ADDRESS is not set.*\nfix: /);
});
