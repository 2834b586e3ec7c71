// A board: two ticked rows, and keys for two tables in step. The page reads without this file.
"use strict";
(() => {
  const ticks = () => {
    const form = document.getElementById("pick");
    if (!form) return;
    const boxes = [...form.querySelectorAll("input[name=pick]")];
    const button = form.querySelector("[data-compare]");
    const count = () => {
      const chosen = boxes.filter((box) => box.checked).length;
      button.disabled = chosen !== 2;
      for (const box of boxes) box.disabled = !box.checked && chosen >= 2;
    };
    for (const box of boxes) box.addEventListener("change", count);
    addEventListener("pageshow", count);
    count();
  };

  const keys = [["ArrowLeft", "one turn back"], ["ArrowRight", "one turn on"], ["Home", "first turn"], ["End", "last turn"], ["d", "where they part"]];
  document.addEventListener("DOMContentLoaded", () => {
    ticks();
    if (!document.getElementById("lockstep")) return;
    for (const [key, words] of keys) arena.on(key, words, () => document.querySelector(`#lockstep [data-step="${key}"]`)?.click());
  });

  // After a step the focus stays on the same button.
  let held = "";
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.target.id === "lockstep") held = document.activeElement?.dataset?.step ?? "";
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.id === "lockstep" && held) event.target.querySelector(`[data-step="${held}"]`)?.focus();
  });
})();
