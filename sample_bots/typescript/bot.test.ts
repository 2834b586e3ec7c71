/** Tests of the strategy. A turn is made of a view and legal moves; nothing else is needed. */

import assert from "node:assert/strict";
import { test } from "node:test";
import Lookout, { bestTrump, holds } from "./bot.js";
import { ROOK, type Answer } from "./sdk/index.js";
import { CROWSNEST, decide, rookTurn } from "./sdk/testing.js";

const STRONG = ["R14", "R13", "R12", "R10", "R9", "ROOK", "B14", "B13", "G14"];
const WEAK = ["B6", "B8", "G6", "G9", "R7", "R9", "Y6", "Y8", "Y12"];

function bid(hand: string[], legal: string[], others: object = {}): Answer {
  return decide(new Lookout(), rookTurn({ phase: 1, hand, ...others }, legal));
}

test("a strong hand bids", () => {
  assert.match(String(bid(STRONG, ["pass", "bid 70", "bid 75", "bid 80"])), /^bid (70|75|80)$/);
});

test("a weak hand passes, unless it must bid", () => {
  assert.equal(bid(WEAK, ["pass", "bid 70"]), "pass");
  assert.equal(bid(WEAK, ["bid 70"]), "bid 70");
});

test("the partner is never bid over", () => {
  const others = { bidSeats: [2, 3], bidPoints: [80, 0], bid: 80, bidder: 2 };
  assert.equal(bid(STRONG, ["pass", "bid 85"], others), "pass");
});

test("trump is the long and strong suit", () => {
  const hand = STRONG.map((text) => ROOK.card(text));
  assert.equal(bestTrump(CROWSNEST, hand).suit, 2);
  assert.equal(decide(new Lookout(), rookTurn({ phase: 3, hand: STRONG }, ["trump black", "trump red"])), "trump red");
});

test("the discard keeps trumps and aces", () => {
  const hand = [...STRONG, "G7", "Y6", "Y8", "B7", "Y12"];
  const discard = decide(new Lookout(), rookTurn({ phase: 2, hand }, { choose: 5, from: hand }));
  assert.equal(discard, "discard B7 G7 Y6 Y8 Y12");
});

test("a trick that the partner has for sure gets counters", () => {
  const view = { phase: 4, hand: ["B5", "B10", "G7"], trump: 2, bidder: 1, played: ["B6", "B14", "B8"], leaders: [1] };
  assert.equal(decide(new Lookout(), rookTurn(view, ["B5", "B10"])), "B10");
});

test("a trick that is lost gets the cheapest card", () => {
  const view = { phase: 4, hand: ["B5", "B10", "B7"], trump: 2, bidder: 1, played: ["B6", "B8", "B14"], leaders: [1] };
  assert.equal(decide(new Lookout(), rookTurn(view, ["B5", "B7", "B10"])), "B7");
});

test("the last seat takes a trick with counters", () => {
  const hand = ["B9", "B14", "G5", "G6", "G7", "G8", "Y6", "Y7", "Y8"];
  const view = { phase: 4, hand, trump: 2, bidder: 1, played: ["B10", "B6", "B7"], leaders: [1] };
  assert.equal(decide(new Lookout(), rookTurn(view, ["B9", "B14"])), "B14");
});

test("chances of holding a card", () => {
  assert.equal(holds(0, 5, 20), 0);
  assert.equal(holds(1, 5, 20), 0.25);
  assert.equal(holds(16, 5, 20), 1);
});
