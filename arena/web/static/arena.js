// What all pages share: keys, the bar of a slow request, local times. Pages read without this file.
"use strict";
(() => {
  const typing = (target) => target.closest?.("input, textarea, select, [contenteditable]");

  // The viewer's own time beside UTC.
  const localTimes = (root) => {
    for (const time of root.querySelectorAll("time[datetime]")) {
      const when = new Date(time.dateTime);
      if (Number.isNaN(when.getTime())) continue;
      time.title = when.toLocaleString();
      if (!time.closest("[data-both]") || time.dataset.local) continue;
      time.dataset.local = "1";
      time.append(` (${when.toLocaleString([], { weekday: "short", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" })} your time)`);
    }
  };

  // Keys: pages register {key, words, run}; single letters can be switched off.
  const keys = [];
  let pending = "";
  window.arena = {
    on(key, words, run) { keys.push({ key, words, run }); },
    get lettersOff() { return localStorage.getItem("letters") === "off"; },
  };
  const go = (path) => () => { location.href = path; };
  const onSite = document.querySelector(".find") !== null;  // not in an exported file
  for (const [letter, path, words] of !onSite ? [] : [["h", "/", "home"], ["t", "/t", "tournaments"], ["b", "/bots", "bots"], ["p", "/play", "play"]]) {
    arena.on(`g ${letter}`, `go to ${words}`, go(path));
  }
  if (onSite) arena.on("/", "search", () => document.querySelector(".find input")?.focus());
  arena.on("?", "these keys", () => showKeys());

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || typing(event.target)) return;
    if (event.key === " " && event.target.closest?.("button, a, summary")) return;
    if (event.key.length === 1 && arena.lettersOff && event.key !== "?") return;
    const wanted = pending ? `${pending} ${event.key}` : event.key;
    const found = keys.find((each) => each.key === wanted);
    pending = !found && keys.some((each) => each.key.startsWith(`${event.key} `)) ? event.key : "";
    if (found) { event.preventDefault(); found.run(event); }
  });

  const showKeys = () => {
    const dialog = document.createElement("dialog");
    dialog.className = "keys";
    const heading = document.createElement("h2");
    heading.textContent = "Keys";
    const list = document.createElement("dl");
    for (const { key, words } of keys) {
      const term = document.createElement("dt");
      const kbd = document.createElement("kbd");
      kbd.textContent = key === " " ? "space" : key;
      term.append(kbd);
      const text = document.createElement("dd");
      text.textContent = words;
      list.append(term, text);
    }
    const label = document.createElement("label");
    const box = document.createElement("input");
    box.type = "checkbox";
    box.checked = !arena.lettersOff;
    box.addEventListener("change", () => localStorage.setItem("letters", box.checked ? "on" : "off"));
    label.append(box, " single letters are keys");
    const close = document.createElement("button");
    close.textContent = "Close";
    close.addEventListener("click", () => dialog.close());
    dialog.append(heading, list, label, close);
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  };

  // A bar when a request takes longer than 300 ms; what is on the page stays meanwhile.
  let waiting = 0, timer = 0;
  const bar = () => {
    if (document.querySelector(".htmx-bar")) return;
    const line = document.createElement("div");
    line.className = "htmx-bar";
    document.body.append(line);
  };
  document.addEventListener("htmx:beforeRequest", () => { waiting++; clearTimeout(timer); timer = setTimeout(bar, 300); });
  document.addEventListener("htmx:afterRequest", () => {
    if (--waiting > 0) return;
    clearTimeout(timer);
    document.querySelector(".htmx-bar")?.remove();
  });
  document.addEventListener("htmx:afterSettle", (event) => localTimes(event.target));
  document.addEventListener("arena:swapped", (event) => localTimes(event.target));
  document.addEventListener("DOMContentLoaded", () => {
    localTimes(document);
    for (const button of document.querySelectorAll("[data-keys]")) {
      button.hidden = false;
      button.addEventListener("click", showKeys);
    }
  });
})();
