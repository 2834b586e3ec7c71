// A copy of a tournament that is opened from a disk: tables are sorted here, since there is no server that would.
"use strict";
(() => {
  const value = (row, at) => {
    const text = row.cells[at]?.textContent.trim().replaceAll("\u2212", "-").replaceAll("\u2013", "-") ?? "";
    const number = /^[+-]?\d[\d ]*(\.\d+)?/.exec(text)?.[0].replaceAll(" ", "");
    return number === undefined ? text.toLowerCase() : Number(number);
  };
  const order = (a, b) => {
    if (typeof a === "number" && typeof b === "number") return a - b;
    if (typeof a === "number") return -1;
    return typeof b === "number" ? 1 : a.localeCompare(b);
  };

  // A row takes along what opens below it; groups stay where they are.
  const sort = (heading, at) => {
    const down = heading.getAttribute("aria-sort") === "ascending";
    for (const each of heading.parentNode.cells) each.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    const body = heading.closest("table").tBodies[0];
    const groups = [{ head: [], rows: [] }];
    for (const row of [...body.rows]) {
      if (row.classList.contains("group")) groups.push({ head: [row], rows: [] });
      else if (row.classList.contains("details")) groups.at(-1).rows.at(-1)?.push(row);
      else groups.at(-1).rows.push([row]);
    }
    for (const { head, rows } of groups) {
      const keyed = rows.map((each) => [value(each[0], at), each]);
      keyed.sort((a, b) => (down ? order(b[0], a[0]) : order(a[0], b[0])));
      body.append(...head, ...keyed.flatMap((each) => each[1]));
    }
    // Brackets join neighbours of one band: in another order there are none.
    for (const row of body.rows) row.classList.remove("band", "band-first", "band-last");
  };

  document.addEventListener("DOMContentLoaded", () => {
    for (const heading of document.querySelectorAll(".sheet thead th")) {
      const words = heading.querySelector(":scope > span");
      if (!words) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "quiet sorts";
      button.textContent = words.textContent;
      words.replaceWith(button);
      button.addEventListener("click", () => sort(heading, heading.cellIndex));
    }
  });
})();
