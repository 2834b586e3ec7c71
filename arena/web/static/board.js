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

  // A step is fetched and put in the place of the one before; of several the newest counts.
  let running = null;
  const step = async (link) => {
    running?.abort();
    const own = running = new AbortController();
    try {
      const answer = await fetch(link.dataset.fetch, { signal: own.signal, headers: { Accept: "text/html" } });
      if (!answer.ok) throw new Error(answer.statusText);
      const text = await answer.text();
      if (running !== own) return;
      const place = document.getElementById("lockstep");
      const held = place.contains(document.activeElement) ? document.activeElement.dataset.step : "";
      place.innerHTML = text;
      history.replaceState(history.state, "", link.getAttribute("href").replace(/#.*/, ""));
      if (held) place.querySelector(`[data-step="${held}"]`)?.focus();
    } catch (error) {
      if (error.name !== "AbortError") location.href = link.href;
    }
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("#lockstep a[data-fetch]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    step(link);
  });
})();
