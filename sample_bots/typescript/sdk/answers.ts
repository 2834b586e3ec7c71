/**
 * From what a bot's method returned to the reply that goes out.
 *
 *     a Move             itself
 *     a text             the move with this text: "R10", "bid 80", "pass", "lead 6S 9S"; or texts of cards
 *     a card             play it; lead it; beat with it if that is legal, else drop it
 *     several cards      discard or lead them; beat with them if that is legal, else drop them
 *     a number           bid these points (0 passes); name this suit trump
 *     null or false      pass; true: molodka
 *
 * The reply names the place of the move among the legal ones, or cards of those to choose from, so what leaves here is
 * legal. Anything else throws IllegalAnswer.
 */

import type { Card } from "./cards.js";
import type { Method } from "./bot.js";
import { encodeMove, MOLODKA, ofCards, ofNumber, PASS, readMove, same, type Choose, type Move } from "./moves.js";
import type { Reply } from "./messages.js";
import type { Turn } from "./turn.js";

/** What a method may return. */
export type Answer = Move | Card | string | readonly (Card | string)[] | boolean | null | undefined;

/** A method returned something that is no legal move of its turn. */
export class IllegalAnswer extends Error {
  override name = "IllegalAnswer";
}

/** The reply to a turn. Throws IllegalAnswer. */
export function replyTo(turn: Turn, method: Method, answer: Answer): Reply {
  const reply: Reply = { game: turn.message.game };
  if (turn.number !== 0) reply.turn = turn.number;
  const choose = turn.choose;
  if (choose !== null) reply.move = encodeMove(chosen(turn, choose, answer));
  else reply.choice = place(turn, method, answer);
  return reply;
}

/** Which of the legal moves is meant. */
function place(turn: Turn, method: Method, answer: Answer): number {
  if (method === "play" && typeof answer === "number") {
    const found = turn.message.legal.moves.findIndex((move) => move.play === answer);
    if (found >= 0) return found;
  } else {
    for (const meant of meanings(turn, method, answer)) {
      const found = turn.moves.findIndex((move) => move === meant || same(move, meant));
      if (found >= 0) return found;
    }
  }
  throw illegal(turn, method, answer, turn.moves.map((move) => turn.text(move)).join(", "));
}

/** The moves that an answer may stand for; the first legal one counts. */
function meanings(turn: Turn, method: Method, answer: Answer): Move[] {
  if (answer == null || answer === false) return [PASS];
  if (answer === true) return [MOLODKA];
  if (typeof answer === "number") {
    if (method === "bid") return [answer === 0 ? PASS : ofNumber("bid", answer)];
    return method === "trump" ? [ofNumber("trump", answer)] : ofMethod(method, [answer]);
  }
  if (typeof answer === "string") {
    const move = readMove(answer, turn.names);
    if (move === undefined) return ofMethod(method, numbers(turn, answer.split(" ")));
    return move.kind === "play" ? ofMethod(method, move.cards) : [move];
  }
  if (!isMove(answer)) return ofMethod(method, numbers(turn, answer));
  return [answer, { ...answer, cards: ascending(answer.cards) }];
}

function ofMethod(method: Method, cards: readonly Card[]): Move[] {
  switch (method) {
    case "play":
      return [ofCards("play", cards)];
    case "lead":
      return [ofCards("lead", cards)];
    case "answer":
      return [ofCards("beat", cards), ofCards("drop", cards)];
    default:
      return [];
  }
}

/** The cards of an answer to a choice. */
function chosen(turn: Turn, choose: Choose, answer: Answer): Move {
  let cards: readonly Card[] = [];
  const move = typeof answer === "string" ? (readMove(answer, turn.names) ?? answer.split(" ")) : answer;
  if (Array.isArray(move)) cards = numbers(turn, move);
  else if (isMove(move) && move.kind === choose.kind) cards = move.cards;
  else if (typeof move === "number") cards = [move];
  const different = new Set(cards.filter((card) => choose.cards.includes(card)));
  if (cards.length === choose.size && different.size === choose.size) return ofCards(choose.kind, cards);
  throw illegal(turn, choose.kind, answer, `${choose.size} different cards of ${turn.names.join(choose.cards)}`);
}

function isMove(answer: Answer): answer is Move {
  return typeof answer === "object" && answer !== null && "kind" in answer;
}

function ascending(cards: readonly Card[]): Card[] {
  return [...cards].sort((one, other) => one - other);
}

/** Card numbers of cards given as numbers or texts; 0 for what is no card. */
function numbers(turn: Turn, cards: readonly (Card | string)[]): Card[] {
  return cards.map((card) => {
    if (typeof card === "number") return card;
    const move = readMove(card, turn.names);
    return move?.kind === "play" ? move.cards[0]! : 0;
  });
}

function illegal(turn: Turn, method: string, answer: Answer, legal: string): IllegalAnswer {
  let shown = JSON.stringify(answer) ?? String(answer);
  if (isMove(answer)) shown = turn.text(answer);
  else if (typeof answer === "number" && turn.names.has(answer)) shown += ` (${turn.names.text(answer)})`;
  return new IllegalAnswer(`${method} returned ${shown}, which is not legal; legal: ${legal}`);
}
