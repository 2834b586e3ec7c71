/** What cards are worth and who takes a trick, in every family; the turns that show it; the generator. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { CROW, GOAT, rank, ROOK, suit } from "../cards.js";
import { filled, take, worthOf } from "../crow.js";
import { beats, setBeats, worth } from "../goat.js";
import { wholeNumber } from "../messages.js";
import { Random } from "../random.js";
import { Rules, TRUMP_POWER } from "../rook.js";
import { CROWSNEST, crowTurn, game, goatTurn, rookTurn } from "../testing.js";

const cards = (names: typeof ROOK, text: string) => text.split(" ").map((each) => names.card(each));

test("cards have texts, suits and ranks", () => {
  assert.equal(ROOK.card("G10"), 26);
  assert.equal(ROOK.text(65), "ROOK");
  assert.equal(suit(26), 1);
  assert.equal(rank(26), 10);
  assert.equal(ROOK.all.length, 58);
  assert.throws(() => ROOK.card("G15"), RangeError);
  assert.throws(() => CROW.text(1), /1 is no card here/);
});

test("the pack of CrowsNest has 41 cards and 120 points", () => {
  assert.equal(CROWSNEST.cards.length, 41);
  assert.equal(CROWSNEST.total, 120);
});

test("a trump takes a trick, else the highest of the led colour; the Rook is the lowest trump", () => {
  const winner = (text: string) => CROWSNEST.winner(cards(ROOK, text), 2);
  assert.equal(winner("B9 B14 B10 G14"), 1);
  assert.equal(winner("B9 B14 ROOK G14"), 2);
  assert.equal(winner("B9 R5 ROOK G14"), 1);
  assert.equal(winner("ROOK B14"), 0);
  assert.equal(CROWSNEST.power(2)[65], TRUMP_POWER);
  assert.equal(CROWSNEST.colour(65, null), 4);
});

test("the special cards of The Red 1 are above all others", () => {
  const options = { ranks: [2, 14, 1], points: { 1: 15, 65: 20, 66: 30 }, rook: true, red_one: true };
  const rules = new Rules({ ...options, rook_rank: "lowest" });
  assert.deepEqual(rules.cards.slice(-3), [ROOK.card("Y14"), 65, 66]);
  assert.equal(rules.winner(cards(ROOK, "G1 ROOK RED1 R1"), 1), 2);
  assert.equal(rules.winner(cards(ROOK, "B14 B1 B2"), 1), 1, "a 1 is high where the ranks say so");
});

test("a turn of Rook knows the trick and who has it", () => {
  const view = { phase: 4, played: ["B9", "B14", "B10", "G14", "G7", "G8"], leaders: [1, 2], trump: 2, bidder: 1 };
  const turn = rookTurn(view, ["G9", "G10"]);
  assert.deepEqual(turn.trick, [{ seat: 2, card: ROOK.card("G7") }, { seat: 3, card: ROOK.card("G8") }]);
  assert.equal(turn.tricks[0]?.[3]?.seat, 0);
  assert.equal(turn.winning?.seat, 3);
  assert.equal(turn.points(ROOK.card("G10")), 10);
  assert.deepEqual([turn.limitMs, turn.bankMs, turn.bidder], [null, null, 1]);
  assert.deepEqual([rookTurn({ phase: 1 }, ["pass"]).bidder, rookTurn({ phase: 1 }, ["pass"]).winning], [null, null]);
});

test("a full pitcher goes to the highest stone of the led suit, another to the lowest", () => {
  const points = worthOf({ card_points: "face" });
  assert.deepEqual(take(cards(CROW, "R4 R9 G5"), 9, points), { place: 1, points: 18, full: true });
  assert.deepEqual(take(cards(CROW, "R4 R9 G5"), 8, points), { place: 1, points: 18, full: true });
  assert.deepEqual(take(cards(CROW, "R4 R9 T10"), 8, points), { place: 0, points: -2, full: false });
  assert.deepEqual(take(cards(CROW, "T4 T9 G5"), 8, points), { place: 1, points: -13, full: true });
  assert.equal(filled(cards(CROW, "R4 R9 T2"), 8), 4);
  assert.equal(worthOf({ card_points: "inverse" })[CROW.card("T2")], -10);
  assert.equal(worthOf({ card_points: "flat" })[CROW.card("R9")], 1);
  const turn = crowTurn({ pitchers: [6, 8], played: ["R4", "R5", "G2", "T2", "R4"], leaders: [0, 3] }, ["R9", "T10"]);
  assert.deepEqual([turn.pitcher, turn.trick], [8, [{ seat: 3, card: CROW.card("R4") }]]);
  assert.deepEqual(turn.take([...turn.trick.map((played) => played.card), CROW.card("R9")]).place, 0);
});

test("sets of cards beat sets of cards in Goat", () => {
  assert.equal(GOAT.all.reduce((sum, card) => sum + worth(card), 0), 120);
  assert.ok(beats(GOAT.card("10C"), GOAT.card("KC"), 3));
  assert.ok(!beats(GOAT.card("AD"), GOAT.card("6C"), 3));
  const sets = (one: string, other: string) => setBeats(cards(GOAT, one), cards(GOAT, other), 3);
  assert.ok(sets("7C 6S", "6C 9D"));
  assert.ok(sets("6S 9C", "8C AC"), "the trump is needed for the ace");
  assert.ok(!sets("7C 6D", "6C 9D"));
  assert.ok(!sets("6S 7S", "8S 6C"));
});

test("a turn of Goat knows what was done in the trick", () => {
  const acts = { actSeats: [1, 2, 3], acts: [1, 3, 2], actCounts: [1, 1, 1], actCards: ["6C", "7C"] };
  const turn = goatTurn({ phase: 3, trump: 3, ...acts }, ["drop 6D"]);
  assert.deepEqual(turn.trick.map((act) => [act.seat, act.kind, act.cards]), [
    [1, "lead", [6]],
    [2, "drop", []],
    [3, "beat", [7]],
  ]);
  assert.equal(turn.winning?.seat, 3);
  assert.equal(goatTurn({ phase: 2, ...acts }, ["lead 6D"]).winning, null);
});

test("the generator is made by all 64 bits of the seed", () => {
  assert.equal(wholeNumber({ low: -1, high: -1 }), 2n ** 64n - 1n);
  assert.equal(game("goat", {}, { low: 7, high: 1 }).seed, 2n ** 32n + 7n);
  const drawn = (seed: bigint) => new Random(seed).sample([..."abcdefgh"], 8);
  assert.notDeepEqual(drawn(7n), drawn(2n ** 32n + 7n));
  const random = new Random(7n);
  const again = new Random(7n);
  assert.deepEqual(random.sample([..."abcdef"], 4), again.sample([..."abcdef"], 4));
  const counts = [0, 0, 0];
  for (let count = 0; count < 3000; count += 1) counts[random.below(3)]! += 1;
  assert.ok(counts.every((count) => count > 900 && count < 1100), String(counts));
  const numbers = Array.from({ length: 1000 }, () => random.number());
  assert.ok(numbers.every((number) => number >= 0 && number < 1) && new Set(numbers).size === 1000);
  assert.equal(new Set(random.sample([1, 2, 3], 3)).size, 3);
  assert.throws(() => random.choice([]), RangeError);
  assert.throws(() => random.sample([1], 2), RangeError);
});
