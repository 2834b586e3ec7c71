/** A bot's connection to the arena: one stream over gRPC, from hello to goodbye. It knows frames as bytes only. */

import { Client, status, type ChannelCredentials, type StatusObject } from "@grpc/grpc-js";
import { inspect } from "node:util";
import { log } from "./bot.js";
import { security } from "./dial.js";
import { Table, type BotClass } from "./table.js";

const METHOD = "/arena.v1.Arena/Play";
/** How long a closed stream may keep the process after goodbye. */
const PATIENCE_MS = 500;

/**
 * Play until the arena says goodbye: the main program of a bot.
 *
 * Reads ARENA_ADDRESS (a gRPC target, `unix:/path` or `host:port`), ARENA_TOKEN, and what `security` reads. Ends the
 * process: with status 0 after a goodbye or the end of the stream, 1 when the arena does not let it in, the connection
 * is lost or the bot throws, 2 without an address that can be dialled.
 */
export function run(make: BotClass): void {
  const address = process.env["ARENA_ADDRESS"];
  if (!address) {
    log("this program plays when the arena starts it: ARENA_ADDRESS is not set, a gRPC target was expected");
    log('fix: play it with "arena play GAME FOLDER", or check it with "arena bot check FOLDER"');
    process.exitCode = 2;
    return;
  }
  let transport: ChannelCredentials;
  try {
    transport = security(address, process.env);
  } catch (error) {
    log((error as Error).message);
    process.exitCode = 2;
    return;
  }
  play(new Table(make), address, transport, process.env["ARENA_TOKEN"] ?? "");
}

/** Frames go through as they are, so that whatever is new in them never ends the stream. */
const asBytes = (bytes: Buffer): Buffer => bytes;

function play(table: Table, address: string, transport: ChannelCredentials, token: string): void {
  const client = new Client(address, transport, {
    "grpc.enable_http_proxy": 0,
    "grpc.max_receive_message_length": -1,
    "grpc.max_send_message_length": -1,
  });
  const call = client.makeBidiStreamRequest(METHOD, asBytes, asBytes);

  let failed = false;
  call.on("data", (bytes: Buffer) => {
    if (failed || table.goodbye !== null) return;
    try {
      for (const frame of table.frame(bytes)) call.write(frame);
    } catch (error) {
      failed = true;
      end(1, inspect(error)); // with the stack, and the cause's
    }
    if (table.goodbye !== null) {
      call.end();
      setTimeout(() => part(table.goodbye), PATIENCE_MS).unref();
    }
  });
  call.on("error", () => {}); // told by the status
  call.on("status", ({ code, details }: StatusObject) => {
    if (failed) return;
    if (table.goodbye !== null || code === status.OK) part(table.goodbye);
    else end(1, `the connection to the arena at ${JSON.stringify(address)} ended: ${status[code]}: ${details}`);
  });
  call.write(table.hello(token));
}

/** End after a goodbye: with status 1 after one that sends the bot away. */
function part(reason: string | null): void {
  if (reason === null || reason === "done") end(0);
  else end(1, `the arena sent this bot away: ${reason}`);
}

/** End the process, once its last line is written. */
function end(code: number, line?: string): void {
  if (line === undefined) process.exit(code);
  process.stderr.write(`${line}\n`, () => process.exit(code));
}
