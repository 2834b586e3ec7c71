/**
 * TypeScript SDK of Arena: a bot is a class with one method for each kind of decision.
 *
 *     export default class Mine extends Bot {
 *       override play(turn: RookTurn | CrowTurn): Answer {
 *         return turn.cards.at(-1);
 *       }
 *     }
 */

export { IllegalAnswer, type Answer } from "./answers.js";
export { Bot, log } from "./bot.js";
export { CROW, GOAT, Names, rank, ROOK, suit, type Card } from "./cards.js";
export * as crow from "./crow.js";
export { Game, type Family, type Options, type Result, type Verdict } from "./game.js";
export * as goat from "./goat.js";
export type { CrowView, GoatView, RookView } from "./messages.js";
export { MOLODKA, moveText, ofCards, ofNumber, PASS, readMove, same } from "./moves.js";
export type { Choose, Kind, Move } from "./moves.js";
export { Random } from "./random.js";
export * as rook from "./rook.js";
export { run } from "./stream.js";
export { Table, type BotClass } from "./table.js";
export { CrowTurn, GoatTurn, RookTurn, Turn, type Act, type Played } from "./turn.js";
