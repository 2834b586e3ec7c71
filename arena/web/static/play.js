// A seat at a table. The browser knows no rules: what may be sent are the legal moves that came with the position.
// Positions come numbered from the server and are shown one after the other, with pauses; nothing is sent twice, since
// an answer names its turn.
"use strict";
(() => {
  const GAP_MS = 600, POLL_MS = 400, WATCH_MS = 1000, IDLE_MS = 2500, OFFLINE_MS = 4000, SAY_MS = 1000;
  const byId = (id) => document.getElementById(id);

  // Settings, kept in this browser.
  const SETTINGS = { tap: false, fast: false, last: false, sound: false, trick: "1200" };
  const settings = { ...SETTINGS };
  const readSettings = () => {
    try { Object.assign(settings, JSON.parse(localStorage.getItem("table") || "{}")); } catch { /* not allowed: defaults */ }
  };
  const keepSettings = () => {
    try { localStorage.setItem("table", JSON.stringify(settings)); } catch { /* not allowed: for this page only */ }
  };

  let at = "", shown = -1, fetched = -1, seat = null, waiting = null, ended = null, over = false, title = "";
  let step = null;              // the position on the page
  let queue = [];               // positions to come
  let pumping = false, held = null, lastAt = 0, sending = false, heard = Date.now(), pollTimer = 0;
  let showingLast = false, until = 0, notice = "";
  let mine = null;              // choosing, buttons and keys of the seat: seat.js

  // ---- talking to the server

  const csrf = () => {
    try { return JSON.parse(document.body.getAttribute("hx-headers") || "{}")["X-CSRF"] || ""; } catch { return ""; }
  };
  const ask = async (path, body) => {
    const options = { headers: { Accept: "application/json" }, cache: "no-store", signal: AbortSignal.timeout(8000) };
    if (body) {
      options.method = "POST";
      options.headers["Content-Type"] = "application/json";
      if (csrf()) options.headers["X-CSRF"] = csrf();
      options.body = JSON.stringify(body);
    }
    const answer = await fetch(`${at}${path}`, options);
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    heard = Date.now();
    byId("offline").hidden = true;
    return answer.json();
  };
  const lost = () => {
    if (Date.now() - heard < OFFLINE_MS) return;
    const when = new Date(heard).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    byId("offline").textContent = `offline, last change ${when}, retrying`;
    byId("offline").hidden = false;
  };
  const poll = async () => {
    clearTimeout(pollTimer);
    let pause = POLL_MS;
    try {
      if (!sending) take(await ask(`/steps?after=${fetched}`));
      if (waiting !== null || document.hidden) pause = IDLE_MS;
      else if (seat === null) pause = WATCH_MS;
    } catch { lost(); pause = 1000; }
    if (!over) pollTimer = setTimeout(poll, pause);
  };

  const take = (news) => {
    seat = news.seat ?? seat;
    for (const next of news.steps) {
      if (next.n !== fetched + 1 && fetched >= 0) continue;
      fetched = next.n;
      queue.push(next);
    }
    waiting = news.waiting ?? null;
    until = news.left_s === null || news.left_s === undefined ? 0 : Date.now() + 1000 * news.left_s;
    if (news.gone) { over = true; location.reload(); return; }
    if (["finished", "left", "void"].includes(news.state)) {
      if (fetched >= news.latest && !over) { over = true; ended = news.end; }  // a late answer tells it once more
    }
    stateLine(news);
    pump();
  };

  const stateLine = (news) => {
    const line = byId("state-line");
    if (shown >= 0 || fetched >= 0) { line.hidden = true; return; }
    line.hidden = false;
    line.textContent = news.place ? `No table is free for you yet: you are number ${news.place} in line.` : "The bots are getting ready.";
  };

  // ---- showing positions one after the other

  const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
  const untilKey = () => new Promise((done) => { held = () => { held = null; done(); }; });
  const calm = () => !settings.fast && byId("at-table").dataset.pace !== "fast";

  const pump = async () => {
    if (pumping) return;
    pumping = true;
    while (queue.length) {
      const next = queue.shift();
      const first = shown < 0;
      if (!first && !next.mine && calm()) await sleep(Math.max(0, lastAt + GAP_MS - Date.now()));
      if (next.laid && !first) await trickStays(next);
      if (next.deal && !first) await dealEnds(next);
      show(next);
      lastAt = Date.now();
    }
    pumping = false;
    if (over && ended !== null && !queue.length) end();
  };

  const trickStays = async (next) => {
    put("position", next.laid);
    put("controls", "");
    document.title = title;
    say(next.said, true);
    next.told = true;
    if (!calm()) return;
    if (settings.trick === "key") {
      byId("controls").replaceChildren(button("Go on", () => held?.()));
      await untilKey();
    } else await sleep(Number(settings.trick));
    lastAt = 0;
  };

  const dealEnds = async (next) => {
    put("controls", "");
    put("ending", next.deal);
    byId("ending").querySelector("[data-next]").addEventListener("click", () => held?.());
    await untilKey();
    put("ending", "");
  };

  const button = (words, run) => {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "primary";
    made.textContent = words;
    made.addEventListener("click", run);
    return made;
  };

  // Replaces what an element holds; what had the focus keeps it, if it is still there.
  const put = (id, html) => {
    const box = byId(id), focused = box.contains(document.activeElement) ? document.activeElement : null;
    const again = focused && ["data-card", "data-pick", "data-move", "data-verb", "data-confirm"]
      .filter((name) => focused.hasAttribute(name)).map((name) => `[${name}="${focused.getAttribute(name)}"]`)[0];
    box.innerHTML = html;
    if (id === "position") beside(box);
    if (focused) (again && box.querySelector(again) || byId("main")).focus({ preventScroll: true });
  };

  // What lies beside the table stands below the controls, so that these are next to the hand.
  const beside = (box) => {
    const asides = box.querySelector(".asides");
    byId("asides").replaceChildren(...(asides ? [asides] : []));
  };

  const show = (next) => {
    const first = shown < 0;
    step = next;
    shown = next.n;
    mine.clear();
    showingLast = false;
    byId("show-last").setAttribute("aria-pressed", "false");
    put("position", next.table);
    put("controls", next.controls);
    lineHasRoom();
    refuse(notice);
    if (next.choice) notice = "";
    if (!next.told) say(next.said, !first);
    say(next.turn, false);
    yourTurn();
    mine.refresh();
    if (next.choice && settings.last && isLast(next.choice)) setTimeout(() => send(next.choice.legal[0]), calm() ? GAP_MS : 0);
  };

  const foretold = (node) => `${step.choice.names[node.dataset.card]}: ${node.dataset.preview}`;

  // The line under a trick tells what the card under the pointer would come to: it has room for the longest of these, so
  // that no card moves away from the pointer.
  const lineHasRoom = () => {
    const line = document.querySelector("#position .trick .line");
    if (!line || !step?.choice) return;
    const now = line.textContent;
    const texts = new Set([...document.querySelectorAll("#position .card-button[data-preview]")].map(foretold));
    line.style.minHeight = "";
    const heights = [...texts].map((text) => { line.textContent = text; return line.offsetHeight; });
    line.textContent = now;
    if (heights.length) line.style.minHeight = `${Math.max(...heights)}px`;
  };

  // On a low screen the controls may stand before the hand, the more lines they have: as far as needed, no further, and
  // only at one's turn.
  const handInSight = () => {
    const hand = document.querySelector('#position .seat[data-place="bottom"]');
    const hidden = hand ? hand.getBoundingClientRect().bottom - byId("controls").getBoundingClientRect().top : 0;
    if (hidden > 0) scrollBy(0, hidden);
  };

  const isLast = (choice) => Array.isArray(choice.legal) && choice.legal.length === 1 && Object.keys(choice.names).length === 1;

  const yourTurn = () => {
    const awaited = Boolean(step.choice);
    document.title = (awaited ? "● " : "") + title;
    byId("at-table").classList.toggle("my-turn", awaited);
    if (awaited && settings.sound) beep();
  };

  const beep = () => {
    const audio = new AudioContext(), tone = audio.createOscillator(), loud = audio.createGain();
    tone.frequency.value = 660;
    loud.gain.value = 0.05;
    tone.connect(loud).connect(audio.destination);
    tone.start();
    tone.stop(audio.currentTime + 0.12);
    tone.onended = () => audio.close();
  };

  const end = () => {
    put("ending", ended);
    put("controls", "");
    document.title = title;
    byId("time").hidden = true;
    ended = null;
    say(byId("ending").querySelector("h2").textContent + ". " + (byId("ending").querySelector(".sum-line")?.textContent || ""), false);
    byId("ending").scrollIntoView({ block: "nearest" });
  };

  // ---- saying what happens: at most one announcement a second, merged

  let toSay = [], sayTimer = 0, saidAt = 0;
  const inLog = (text) => {
    const line = document.createElement("li");
    line.textContent = text;
    byId("log").append(line);
  };
  const say = (text, isMove) => {
    if (!text) return;
    toSay.push(text);
    if (isMove) inLog(text);
    clearTimeout(sayTimer);
    sayTimer = setTimeout(() => {
      byId("said").textContent = toSay.join(" ");
      toSay = [];
      saidAt = Date.now();
    }, Math.max(0, saidAt + SAY_MS - Date.now()));
  };
  const refuse = (text) => { byId("refused").textContent = text; };

  // ---- sending

  const send = async (move, then = "") => {
    if (sending || !step?.choice || !move || over) return;
    sending = true;
    byId("at-table").setAttribute("aria-busy", "true");
    try {
      const news = await ask("/move", { turn: step.n, move, then, after: fetched });
      if (news.refused) refuse(news.refused);
      if (news.taken === "stale") notice = "This turn was answered already, perhaps on another page: your choice was not played.";
      take(news);
    } catch {
      refuse("That did not reach the server. Your choice is still here: send it again, nothing is played twice.");
      lost();
    }
    sending = false;
    byId("at-table").removeAttribute("aria-busy");
    if (!over) { clearTimeout(pollTimer); pollTimer = setTimeout(poll, POLL_MS); }
  };
  const showLast = () => {
    if (!step) return;
    showingLast = !showingLast;
    byId("show-last").setAttribute("aria-pressed", String(showingLast));
    put("position", showingLast && step.before ? step.before : step.table);
    mine.refresh();
  };

  const asSeen = {
    settings, refuse, say, send, showLast, inSight: handInSight,
    get step() { return step; },
    get held() { return held; },
    get showingLast() { return showingLast; },
  };

  // ---- the rest of the page

  const clock = () => {
    const box = byId("time"), left = Math.max(0, Math.round((until - Date.now()) / 1000));
    box.hidden = !until || waiting === null || over || (left > 120 && byId("at-table").dataset.clock === "none");
    if (!box.hidden) byId("time-left").textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  };

  const start = () => {
    const table = byId("at-table");
    at = table.dataset.at;
    title = document.title;
    mine = arenaSeat(asSeen);
    readSettings();
    for (const name of ["tap", "fast", "last", "sound"]) {
      byId(`set-${name}`).checked = settings[name];
      byId(`set-${name}`).addEventListener("change", (event) => { settings[name] = event.target.checked; keepSettings(); });
    }
    byId("set-trick").value = settings.trick;
    byId("set-trick").addEventListener("change", (event) => { settings.trick = event.target.value; keepSettings(); });
    byId("show-last").addEventListener("click", showLast);
    table.addEventListener("click", (event) => {
      const node = event.target.closest(".card-button, #controls button");
      if (node && table.contains(node)) mine.press(node);
    });
    const preview = (event) => {
      const node = event.target.closest?.(".card-button[data-preview]"), line = document.querySelector("#position .trick .line");
      if (!line || !step?.choice) return;
      if (line.dataset.own === undefined) line.dataset.own = line.textContent;
      line.textContent = node ? foretold(node) : line.dataset.own;
    };
    for (const kind of ["focusin", "focusout", "pointerover"]) table.addEventListener(kind, preview);
    window.addEventListener("resize", () => { if (step) { lineHasRoom(); mine.refresh(); } });
    document.addEventListener("visibilitychange", () => { if (!document.hidden && !over) poll(); });
    mine.keys();
    setInterval(clock, 500);
    const news = JSON.parse(byId("here").textContent);
    for (const text of news.log) inLog(text);
    if (news.steps.length) fetched = news.steps[0].n - 1;
    take(news);
    if (!over) poll();
  };
  document.addEventListener("DOMContentLoaded", start);
})();
