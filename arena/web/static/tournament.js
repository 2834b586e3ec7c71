// Keys of a tournament's pages: tabs by their letters, rows by j and k. Enter opens a row: it is a details element.
"use strict";
(() => {
  document.addEventListener("DOMContentLoaded", () => {
    for (const tab of document.querySelectorAll(".tabs a[data-key]")) {
      if (tab.dataset.key) arena.on(tab.dataset.key, tab.textContent.toLowerCase(), () => tab.click());
    }
    arena.on("j", "next row", () => step(1));
    arena.on("k", "row before", () => step(-1));
  });

  // A row is reached at what opens it, or at its first link.
  const stops = () => [...document.querySelectorAll("main .sheet tbody tr:not(.details, .group)")]
    .map((row) => row.querySelector("summary") ?? row.querySelector("a"))
    .filter(Boolean);
  const step = (by) => {
    const all = stops();
    const row = document.activeElement?.closest?.("main .sheet tbody tr");
    const here = all.findIndex((each) => row?.contains(each));
    const next = here < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, here + by));
    all[next]?.focus();
    all[next]?.scrollIntoView({ block: "nearest" });
  };
})();
