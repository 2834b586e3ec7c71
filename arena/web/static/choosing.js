// Which move a set of chosen cards is, by the legal moves that came with a position, and by nothing else.
//
// A choice: {legal: ["lead 6S", "beat 7H 10S", "R10", ...]} or {legal: {choose: 5, from: [...], kind: "discard"}}.
"use strict";
window.arenaChoosing = (() => {
  const SETS = ["lead", "beat", "drop"];
  const made = (move) => {
    const [word, ...rest] = move.split(" ");
    return SETS.includes(word) ? { verb: word, cards: rest } : { verb: "play", cards: [move] };
  };
  const same = (some, others) => some.length === others.length && some.every((card) => others.includes(card));
  return {
    // The legal move of a verb with exactly these cards; "" when there is none.
    moveOf({ legal }, cards, verb) {
      if (Array.isArray(legal)) {
        return legal.find((move) => made(move).verb === verb && same(made(move).cards, cards)) || "";
      }
      const inOrder = legal.from.filter((card) => cards.includes(card));
      return verb === legal.kind && inOrder.length === legal.choose ? [verb, ...inOrder].join(" ") : "";
    },
    // Whether these cards are part of a legal move.
    fits({ legal }, cards) {
      if (!Array.isArray(legal)) return cards.length <= legal.choose && cards.every((card) => legal.from.includes(card));
      return legal.some((move) => cards.every((card) => made(move).cards.includes(card)));
    },
  };
})();
