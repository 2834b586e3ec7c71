/** A decoded frame as the data that the recorded frames are described with: for tests. */

import type protobuf from "protobufjs";
import { GOAT, type Names } from "../cards.js";
import { Game, readResult } from "../game.js";
import { decodeFrame, protocol, type ArenaEvent, type GameStart } from "../messages.js";
import { openTurn } from "../table.js";
import type { Turn } from "../turn.js";

/** What a frame from the arena says. A turn is told in the terms of its game, which `games` remembers. */
export function describe(bytes: Uint8Array, games: Map<number, Game>): unknown[] {
  return decodeFrame(bytes).events.map((event) => describeEvent(event, games));
}

function describeEvent(event: ArenaEvent, games: Map<number, Game>): unknown {
  if (event.welcome) {
    const { frameBytes, noteBytes, gameNoteBytes } = event.welcome.limits!;
    const limits = { frame_bytes: frameBytes, note_bytes: noteBytes, game_note_bytes: gameNoteBytes };
    return { event: "welcome", version: event.welcome.version, limits };
  }
  if (event.gameStart) {
    const game = new Game(event.gameStart);
    games.set(game.number, game);
    return describeStart(game, event.gameStart);
  }
  if (event.turn) {
    const { turn } = openTurn(games.get(event.turn.game)!, event.turn);
    return {
      event: "turn",
      game: event.turn.game,
      turn: turn.number,
      family: turn.game.family,
      view: describeView(turn),
      legal: describeLegal(turn),
      limit_ms: turn.limitMs,
      bank_ms: turn.bankMs,
    };
  }
  if (event.rejected) {
    const { game, turn, reason } = event.rejected;
    return { event: "rejected", game, turn, reason };
  }
  if (event.gameOver) {
    const { verdict, scores, ranks, forfeitSeat, reason } = readResult(event.gameOver);
    const over = { verdict, scores: [...scores], ranks: [...ranks], forfeit_seat: forfeitSeat, reason };
    return { event: "game_over", game: event.gameOver.game, ...over };
  }
  if (event.goodbye) return { event: "goodbye", reason: event.goodbye.reason };
  return { event: "unknown" };
}

function describeStart(game: Game, { clock }: GameStart): unknown {
  return {
    event: "game_start",
    game: game.number,
    ruleset: game.ruleset,
    options: game.options,
    seat: game.seat,
    seats: game.seats,
    partner: game.partner,
    clock: clock ? { bank_ms: clock.bankMs, increment_ms: clock.incrementMs, cap_ms: clock.capMs } : null,
    seed: String(game.seed),
  };
}

function describeLegal(turn: Turn): unknown {
  const { choose } = turn;
  if (choose === null) return turn.moves.map((move) => turn.text(move));
  return { choose: choose.size, from: choose.cards.map((card) => turn.text(card)), kind: choose.kind };
}

/** Every field of a view, by the names in the .proto files: cards as texts, phases and acts as words. */
function describeView(turn: Turn): unknown {
  const type = protocol.lookupType(`arena.v1.${{ rook: "Rook", crow: "Crow", goat: "Goat" }[turn.game.family]}View`);
  return describeFields(type, turn.view as Record<string, unknown>, turn.names);
}

function describeFields(type: protobuf.Type, message: Record<string, unknown>, names: Names): unknown {
  const described = type.fieldsArray.map((field) => {
    const value = message[field.name];
    const each = (item: unknown) => describeValue(field, item, names);
    return [snake(field.name), Array.isArray(value) ? value.map(each) : value === null ? null : each(value)];
  });
  return Object.fromEntries(described);
}

function describeValue(field: protobuf.Field, value: unknown, names: Names): unknown {
  const type = field.resolvedType;
  if (field.name === "trump") return names.suits[value as number];
  if (type === null) return value;
  if ("fieldsArray" in type) return describeFields(type, value as Record<string, unknown>, names);
  if (type.name.endsWith("Card")) return names.text(value as number);
  const prefix = `${names === GOAT ? "GOAT" : "ROOK"}_${type.name.endsWith("Act") ? "ACT" : "PHASE"}_`;
  return type.valuesById[value as number]!.slice(prefix.length).toLowerCase();
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
