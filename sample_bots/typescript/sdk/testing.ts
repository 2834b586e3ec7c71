/** Turns made by hand, for tests of strategies and of the SDK. Cards and moves are given as texts. */

import { CROW, GOAT, ROOK, type Names } from "./cards.js";
import type { Bot } from "./bot.js";
import { Game } from "./game.js";
import { protocol, type CrowView, type GoatView, type RookView, type TurnMessage } from "./messages.js";
import { encodeMove, moveText, ofCards, readMove } from "./moves.js";
import { replyTo } from "./answers.js";
import { Rules } from "./rook.js";
import { ask, openTurn } from "./table.js";
import { CrowTurn, GoatTurn, RookTurn, type Turn } from "./turn.js";

/** Legal moves as texts, or how many of which cards are to be discarded. */
export type Legal = readonly string[] | { readonly choose: number; readonly from: readonly string[] };

const CROWSNEST_OPTIONS = {
  ranks: [5, 6, 7, 8, 9, 10, 11, 12, 13, 14],
  points: { 5: 5, 10: 10, 14: 10, 65: 20 },
  rook: true,
  rook_rank: "lowest",
  red_one: false,
  hand: 9,
  nest: 5,
  trick_bonus: 0,
  last_bonus: 0,
  lowest_bid: 70,
  highest_bid: 120,
  made: "bid",
};

export const CROWSNEST = new Rules(CROWSNEST_OPTIONS);

/** A game whose bot sits in seat 0, with its partner (if it has one) in seat 2. */
export function game(ruleset: string, options: object = CROWSNEST_OPTIONS, seed = { low: 7, high: 0 }): Game {
  const texts = Object.fromEntries(Object.entries(options).map(([name, value]) => [name, JSON.stringify(value)]));
  const partner = ruleset === "crow_and_pitcher" ? null : 2;
  return new Game({ game: 1, ruleset, options: texts, seat: 0, seats: 4, partner, seed });
}

/** A turn of CrowsNest. Fields of the view that are left out are empty; lists of cards are texts. */
export function rookTurn(view: object, legal: Legal): RookTurn {
  const made = turnOf("Rook", game("crowsnest"), view, legal, ROOK);
  return new RookTurn(made.game, made.message, made.message.rook as RookView);
}

/** A turn of The Crow and the Pitcher. */
export function crowTurn(view: object, legal: Legal, options: object = { card_points: "face" }): CrowTurn {
  const made = turnOf("Crow", game("crow_and_pitcher", options), view, legal, CROW);
  return new CrowTurn(made.game, made.message, made.message.crow as CrowView);
}

/** A turn of Goat. */
export function goatTurn(view: object, legal: Legal): GoatTurn {
  const made = turnOf("Goat", game("goat", {}), view, legal, GOAT);
  return new GoatTurn(made.game, made.message, made.message.goat as GoatView);
}

/** What a bot answers, as the text of a move; throws where it is not legal. */
export function decide(bot: Bot, turn: Turn): string {
  const { method } = openTurn(turn.game, turn.message);
  const reply = replyTo(turn, method, ask(bot, turn, method));
  const move = reply.move === undefined ? turn.moves[reply.choice!]! : ofCards("discard", reply.move.discard!.cards);
  return moveText(move, turn.names);
}

function turnOf(family: "Rook" | "Crow" | "Goat", of: Game, view: object, legal: Legal, names: Names) {
  const type = protocol.lookupType("arena.v1.Turn");
  const asCard = (value: unknown) => (typeof value === "string" ? names.card(value) : value);
  const fields = Object.entries(view).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(asCard) : asCard(value),
  ]);
  const moves =
    "choose" in legal
      ? { choose: { kind: 1, count: legal.choose, cards: legal.from.map((card) => names.card(card)) } }
      : { moves: legal.map((text) => encodeMove(readMove(text, names)!)) };
  const plain = { game: 1, turn: 5, [family.toLowerCase()]: Object.fromEntries(fields), legal: moves };
  const bytes = type.encode(plain).finish(); // through bytes, so that it is what the decoder makes of a frame
  return { game: of, message: type.decode(bytes) as unknown as TurnMessage };
}
