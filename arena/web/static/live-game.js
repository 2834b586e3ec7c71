// The page of a game that runs: it follows while it is at the end; who reads back stays where they are.
"use strict";
(() => {
  const root = document.getElementById("live-game");
  if (!root) return;
  const src = root.dataset.src, path = location.pathname;
  const now = () => root.querySelector(".live-now");
  const number = (key) => Number(now().dataset[key]);
  let following = !new URLSearchParams(location.search).has("turn"), left = number("last"), asked = 0, newest = left;

  const chip = (words) => {
    const host = document.getElementById("chips");
    let button = host?.querySelector(".go-live");
    if (!words) { button?.remove(); return; }
    if (!button) {
      button = document.createElement("button");
      button.type = "button";
      button.className = "go-live";
      button.addEventListener("click", () => go(Infinity));
      host?.append(button);
    }
    if (button.textContent !== words) button.textContent = words;
  };
  const tell = () => {
    const more = newest - left;
    chip(following || more <= 0 ? "" : `${more} new move${more === 1 ? "" : "s"}, go live (End)`);
  };

  const place = (html) => {
    const list = root.querySelector(".g-scroll"), open = root.querySelector(".g-moves")?.open;
    const top = list?.scrollTop ?? 0, atEnd = !list || list.scrollHeight - list.clientHeight - top < 40;
    const focused = root.contains(document.activeElement) ? document.activeElement : null;
    const key = focused && (focused.getAttribute("aria-label") ?? focused.textContent);
    root.innerHTML = html;
    const moves = root.querySelector(".g-moves"), fresh = root.querySelector(".g-scroll");
    if (moves && open !== undefined) moves.open = open;
    if (fresh) fresh.scrollTop = following && atEnd ? fresh.scrollHeight : top;
    if (key) [...root.querySelectorAll("a, summary, [tabindex]")].find((each) => (each.getAttribute("aria-label") ?? each.textContent) === key)?.focus({ preventScroll: true });
    marked();
  };
  const marked = () => {
    const list = root.querySelector(".g-scroll"), current = list?.querySelector("[aria-current]");
    if (!current || following) return;
    const box = list.getBoundingClientRect(), at = current.getBoundingClientRect();
    if (at.top < box.top || at.bottom > box.bottom) list.scrollTop += at.top - box.top - box.height / 2;
  };

  const get = async (turn) => {
    const answer = await fetch(turn === null ? src : `${src}&turn=${turn}`, { credentials: "same-origin" });
    if (answer.status === 404) return null;  // it is over and stored: the page is another one
    if (!answer.ok) throw new Error(`${answer.status}`);
    return answer.text();
  };
  const opened = () => {
    if (following) setTimeout(() => location.reload(), 3000);  // the last trick can be read
    else { chip("over, show what is open"); document.querySelector("#chips .go-live")?.addEventListener("click", () => location.reload()); }
  };
  const speak = (() => {
    let timer = 0, waiting = [];
    return (words) => {
      if (!words || waiting.at(-1) === words) return;
      waiting.push(words);
      timer ||= setTimeout(() => {
        document.getElementById("live-said").textContent = waiting.slice(-3).join(" ");
        waiting = []; timer = 0;
      }, 1000);
    };
  })();

  const go = async (turn) => {
    const wanted = Math.max(0, turn), end = wanted >= Math.max(newest, number("last"));
    if (!end && following) left = number("last");
    following = end;
    const mine = ++asked;
    const html = await get(end ? null : wanted).catch(() => undefined);
    if (mine !== asked || html === undefined) return;
    if (html === null) { location.href = end ? path : `${path}?turn=${wanted}`; return; }
    place(html);
    newest = Math.max(newest, number("last"));
    if (end) left = newest;
    history.replaceState(null, "", end ? path : `${path}?turn=${wanted}`);
    speak(now().dataset.said);
    tell();
  };

  root.addEventListener("arena:part", async () => {
    const mine = asked;
    const html = await get(null).catch(() => undefined);
    if (html === undefined) return;
    if (html === null) { opened(); return; }
    const fresh = new DOMParser().parseFromString(html, "text/html").querySelector(".live-now");
    newest = Number(fresh.dataset.last);
    if (following && mine === asked && !held()) {
      place(html);
      left = newest;
      speak(fresh.dataset.said);
    }
    tell();
  });
  const held = () => {
    const selection = getSelection();
    return selection && !selection.isCollapsed && selection.rangeCount && selection.getRangeAt(0).intersectsNode(root);
  };

  root.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-turn]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    go(link.search ? Number(link.dataset.turn) : Infinity);
  });
  const tricks = () => [...root.querySelectorAll(".g-items")].map((items) => Number(items.querySelector("[data-turn]")?.dataset.turn)).filter((turn) => !Number.isNaN(turn));
  const turn = () => number("turn");
  for (const [key, words, run] of [
    ["ArrowLeft", "one turn back", () => go(turn() - 1)],
    ["ArrowRight", "one turn on", () => go(turn() + 1)],
    ["Home", "first turn", () => go(0)],
    ["End", "live, the end", () => go(Infinity)],
    ["[", "trick before", () => go(tricks().filter((first) => first < turn()).at(-1) ?? 0)],
    ["]", "next trick", () => go(tricks().find((first) => first > turn()) ?? Infinity)],
    ["b", "the board", () => { const link = document.querySelector('.g-where a[href*="/b/"]'); if (link) location.href = link.href; }],
    ["c", "copy link", () => navigator.clipboard?.writeText(`${location.origin}${path}?turn=${turn()}`)],
  ]) window.arena.on(key, words, run);

  const list = root.querySelector(".g-scroll");
  const moves = root.querySelector(".g-moves");
  if (moves && matchMedia("(max-width: 720px)").matches) moves.open = false;
  if (list && following) list.scrollTop = list.scrollHeight;
  marked();
})();
