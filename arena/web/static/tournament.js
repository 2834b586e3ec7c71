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

// The grid of many bots: a cell tells who it is about when it is reached, by pointer or with the arrow keys.
(() => {
  const nameOf = (heading) => heading.querySelector("bdi").textContent;
  const about = (cell) => {
    const table = cell.closest("table");
    const bot = table.querySelector(`tbody tr:nth-child(${cell.parentNode.sectionRowIndex + 1}) th`);
    const other = table.tHead.rows[0].cells[cell.cellIndex];
    return { bot: nameOf(other.ownerDocument.contains(bot) ? table.tHead.rows[0].cells[cell.parentNode.sectionRowIndex + 1] : bot), other: nameOf(other) };
  };
  const grid = (target) => {
    const cell = target.closest?.("table.cross.many tbody td");
    return cell && cell.dataset.blocks ? cell : null;
  };
  const tell = (cell) => {
    const { bot, other } = about(cell);
    const line = document.querySelector("[data-reached]");
    if (line) line.textContent = `${bot} against ${other}: ${cell.textContent} a block in ${cell.dataset.blocks} blocks`;
  };
  const open = (cell) => {
    const { bot, other } = about(cell);
    const where = cell.closest("table").dataset.tournament;
    if (!where) return;  // a copy without pages of pairs
    const tournament = encodeURIComponent(where);
    location.href = `/bot/${encodeURIComponent(bot)}/vs/${encodeURIComponent(other)}?t=${tournament}`;
  };
  document.addEventListener("mouseover", (event) => { const cell = grid(event.target); if (cell) tell(cell); });
  document.addEventListener("click", (event) => { const cell = grid(event.target); if (cell) open(cell); });
  document.addEventListener("focusin", (event) => { const cell = grid(event.target); if (cell) tell(cell); });
  document.addEventListener("keydown", (event) => {
    const box = event.target.closest?.(".cross-box");
    if (!box?.querySelector("table.many")) return;
    const cell = grid(event.target) ?? (event.target.closest("td") || null);
    if (event.key === "Enter" && cell) { event.preventDefault(); open(cell); return; }
    const by = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!by) return;
    event.preventDefault();
    const rows = box.querySelector("tbody").rows;
    const next = cell ? rows[cell.parentNode.sectionRowIndex + by[0]]?.cells[cell.cellIndex + by[1]] : rows[0].cells[2] ?? rows[0].cells[1];
    if (!next || next.tagName !== "TD") return;
    if (cell) cell.removeAttribute("tabindex");
    next.tabIndex = 0;
    next.focus();
  });
})();
