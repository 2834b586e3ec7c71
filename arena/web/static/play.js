// A seat at a table. The browser knows no rules: what may be sent are the legal moves that came with the position.
// Positions come numbered from the server and are shown one after the other, with pauses; nothing is sent twice, since
// an answer names its turn.
"use strict";
(() => {
  const GAP_MS = 600, POLL_MS = 400, WATCH_MS = 1000, IDLE_MS = 2500, OFFLINE_MS = 4000, SAY_MS = 1000;
  const byId = (id) => document.getElementById(id);
  const each = (selector, run, root = document) => root.querySelectorAll(selector).forEach(run);

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
  let chosen = [], picked = "", showingLast = false, until = 0;

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
    if (["finished", "left", "void"].includes(news.state)) {
      if (news.gone) { location.reload(); over = true; return; }
      if (fetched >= news.latest) { over = true; ended = news.end; }
    }
    stateLine(news);
    pump();
  };

  const stateLine = (news) => {
    const line = byId("state-line");
    if (shown >= 0 || fetched >= 0) { line.hidden = true; return; }
    line.hidden = false;
    line.textContent = news.place ? `All tables are taken: you are number ${news.place} in line.` : "The bots are getting ready.";
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
    chosen = [];
    picked = "";
    showingLast = false;
    byId("show-last").setAttribute("aria-pressed", "false");
    put("position", next.table);
    put("controls", next.controls);
    refuse("");
    if (!next.told) say(next.said, !first);
    say(next.turn, false);
    yourTurn();
    refresh();
    if (next.choice) handInSight();
    if (next.choice && settings.last && isLast(next.choice)) setTimeout(() => send(next.choice.legal[0]), calm() ? GAP_MS : 0);
  };

  // On a low screen the controls may stand before the hand: as far as needed, no further, and only at one's turn.
  const handInSight = () => {
    const hand = document.querySelector('#position .seat[data-place="bottom"]');
    const hidden = hand ? hand.getBoundingClientRect().bottom - byId("controls").getBoundingClientRect().top : 0;
    if (hidden > 0) scrollBy(0, hidden);
  };

  const isLast = (choice) => Array.isArray(choice.legal) && choice.legal.length === 1 && Object.keys(choice.names).length === 1;

  const yourTurn = () => {
    const mine = Boolean(step.choice);
    document.title = (mine ? "● " : "") + title;
    byId("at-table").classList.toggle("my-turn", mine);
    if (mine && settings.sound) beep();
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

  // ---- choosing

  const moveOf = (verb) => arenaChoosing.moveOf(step.choice, chosen, verb);
  const fits = (cards) => arenaChoosing.fits(step.choice, cards);
  const isSingle = () => step.choice.kind === "play" || step.choice.size === 1 && step.choice.kind === "answer";

  const tapCard = (node) => {
    if (!step?.choice || showingLast) return;
    const card = node.dataset.card;
    if (node.getAttribute("aria-disabled") === "true") { refuse(node.dataset.reason || "not now"); return; }
    if (chosen.includes(card)) {
      if (step.choice.kind === "play") { sendVerb("play"); return; }
      chosen = chosen.filter((other) => other !== card);
    } else if (isSingle()) chosen = [card];
    else if (fits([...chosen, card])) chosen = [...chosen, card];
    else { refuse(tooMany(card)); return; }
    refuse("");
    refresh();
    if (settings.tap && step.choice.kind === "play") sendVerb("play");
  };
  const tooMany = (card) => {
    if (step.choice.kind === "lead") return `A lead is of one suit: put back a card, or Esc clears. ${step.choice.names[card]} does not go with it.`;
    return `${step.choice.size} are chosen already: put one back first.`;
  };

  // Buttons and lines that follow from what is chosen.
  const refresh = () => {
    each("#position .card-button", (node) => node.setAttribute("aria-pressed", String(chosen.includes(node.dataset.card))));
    if (!step?.choice) return;
    const { choice } = step;
    each("#controls [data-pick]", (node) => node.setAttribute("aria-pressed", String(node.dataset.pick === picked)));
    each("#controls [data-verb]", (node) => {
      node.setAttribute("aria-disabled", String(!moveOf(node.dataset.verb)));
      const words = verbWords(node.dataset.verb);
      if (words) node.firstChild.textContent = words;
    });
    const confirm = document.querySelector("#controls [data-confirm]");
    if (confirm) {
      confirm.setAttribute("aria-disabled", String(!confirmed()));
      if (choice.kind === "auction") confirm.textContent = picked ? `Bid ${picked.split(" ")[1]}` : "Bid";
    }
    if (choice.held) each("#controls [data-held]", (node) => {
      node.textContent = choice.held[node.dataset.held].filter((card) => !chosen.includes(card)).length;
    });
    const line = document.querySelector("[data-choice-line]");
    if (line) line.textContent = choiceLine();
    drawPairs();
  };
  const verbWords = (verb) => {
    if (verb === "play") return chosen.length ? `Play ${step.choice.names[chosen[0]]}` : "Play";
    if (verb !== "lead") return "";
    const { suits, names } = step.choice;
    if (!chosen.length) return "Lead";
    return chosen.length === 1 ? `Lead ${names[chosen[0]]}` : `Lead ${chosen.length} ${suits[chosen[0]]}`;
  };
  const choiceLine = () => {
    const { kind, size, points, pairs, names } = step.choice;
    if (kind === "discard") {
      const sum = chosen.reduce((total, card) => total + points[card], 0);
      const what = chosen.length ? `${sum} points in the discard · ${step.choice.note}` : "the nest is marked in your hand";
      const review = confirmed() ? ` · back: ${chosen.map((card) => names[card]).join(", ")}; ${picked}` : "";
      return `${chosen.length} of ${size} chosen · ${what}${review}`;
    }
    if (kind === "answer") {
      const beat = moveOf("beat");
      if (beat) return pairs[beat].map((pair) => pair.text).join(", ");
      return `${chosen.length} of ${size} chosen${chosen.length === size ? " · these beat nothing, they can be dropped" : ""}`;
    }
    return "";
  };
  const confirmed = () => Boolean(picked) && (step.choice.kind !== "discard" || Boolean(moveOf("discard")));

  // Thin lines from each chosen card to the card that it beats.
  const drawPairs = () => {
    document.querySelector(".pair-lines")?.remove();
    const beat = step.choice.kind === "answer" && moveOf("beat");
    if (!beat) return;
    const box = byId("position"), frame = box.getBoundingClientRect(), space = "http://www.w3.org/2000/svg";
    const lines = document.createElementNS(space, "svg");
    lines.setAttribute("class", "pair-lines");
    lines.setAttribute("aria-hidden", "true");
    lines.setAttribute("width", frame.width);
    lines.setAttribute("height", frame.height);
    const middle = (node, edge) => {
      const rect = node.getBoundingClientRect();
      return [rect.left + rect.width / 2 - frame.left, rect[edge] - frame.top];
    };
    for (const { by, of } of step.choice.pairs[beat]) {
      const from = box.querySelector(`.card-button[data-card="${by}"]`);
      const plays = [...box.querySelectorAll(".trick .play")].filter((play) => play.dataset.card?.split(" ").includes(of));
      const play = plays[plays.length - 1];
      const to = play && play.querySelectorAll(".put-card")[play.dataset.card.split(" ").indexOf(of)];
      if (!from || !to) continue;
      const line = document.createElementNS(space, "line"), [x1, y1] = middle(from, "top"), [x2, y2] = middle(to, "bottom");
      for (const [name, value] of Object.entries({ x1, y1, x2, y2 })) line.setAttribute(name, value);
      lines.append(line);
    }
    box.append(lines);
  };

  // ---- sending

  const send = async (move, then = "") => {
    if (sending || !step?.choice || !move || over) return;
    sending = true;
    byId("at-table").setAttribute("aria-busy", "true");
    try {
      const news = await ask("/move", { turn: step.n, move, then, after: fetched });
      if (news.refused) refuse(news.refused);
      take(news);
    } catch {
      refuse("That did not reach the server. Your choice is still here: send it again, nothing is played twice.");
      lost();
    }
    sending = false;
    byId("at-table").removeAttribute("aria-busy");
    if (!over) { clearTimeout(pollTimer); pollTimer = setTimeout(poll, POLL_MS); }
  };
  const sendVerb = (verb) => {
    const move = moveOf(verb);
    if (move) { send(move); return; }
    const need = step.choice.size;
    if (verb === "beat" && chosen.length === need) refuse("These cards do not beat what lies there; they can be dropped.");
    else refuse(need ? `Choose ${need} card${need > 1 ? "s" : ""} first.` : "Choose a card first.");
  };
  const sendConfirm = () => {
    const { kind, size } = step.choice;
    if (kind === "discard" && !moveOf("discard")) refuse(`Choose exactly ${size} cards: ${chosen.length} chosen.`);
    else if (!picked) refuse(kind === "auction" ? "Choose a bid first." : "Choose trump first.");
    else if (kind === "discard") send(moveOf("discard"), picked);
    else send(picked);
  };
  const pick = (node) => {
    if (node.getAttribute("aria-disabled") === "true") { refuse("That bid is not above the standing one."); return; }
    const again = picked === node.dataset.pick;
    picked = node.dataset.pick;
    refuse("");
    refresh();
    if (step.choice.kind === "auction" && (again || settings.tap)) send(picked);
  };

  const press = (node) => {
    if (node.matches(".card-button")) tapCard(node);
    else if (!step?.choice) return;
    else if (node.dataset.pick) pick(node);
    else if (node.dataset.verb) sendVerb(node.dataset.verb);
    else if (node.dataset.move) send(node.dataset.move);
    else if (node.dataset.confirm) sendConfirm();
  };

  // ---- keys

  const PLACES = "1234567890qwer";
  const showLast = () => {
    if (!step) return;
    showingLast = !showingLast;
    byId("show-last").setAttribute("aria-pressed", String(showingLast));
    put("position", showingLast && step.before ? step.before : step.table);
    refresh();
  };
  const enter = () => {
    if (held) { held(); return; }
    if (!step?.choice) return;
    const able = [...document.querySelectorAll('#controls [data-verb][aria-disabled="false"]')];
    if (able.length > 1) { able[0].focus(); return; }
    if (able.length) { sendVerb(able[0].dataset.verb); return; }
    const confirm = document.querySelector("#controls [data-confirm]");
    if (confirm) sendConfirm();
    else document.querySelector("#controls [data-verb]") && sendVerb(document.querySelector("#controls [data-verb]").dataset.verb);
  };
  const stepBid = (by) => {
    const able = [...document.querySelectorAll('#controls [data-pick][aria-disabled="false"]')];
    if (!able.length) return;
    const now = able.findIndex((node) => node.dataset.pick === picked);
    const next = now < 0 ? (by > 0 ? 0 : able.length - 1) : Math.min(able.length - 1, Math.max(0, now + by));
    picked = able[next].dataset.pick;
    refuse("");
    refresh();
    say(able[next].dataset.pick, false);
  };
  const byKey = (key) => () => { const node = document.querySelector(`#controls [data-key="${key}"]`); if (node) press(node); };

  const keys = () => {
    arena.on("1–9, 0, q–r", "choose the card in that place", () => {});
    arena.on("Enter", "play, bid or confirm what is chosen", (event) => {
      const node = event.target.closest?.("button, a, summary");
      if (event.repeat) return;
      if (node && !node.matches('.card-button[aria-pressed="true"]')) node.click(); else enter();
    });
    arena.on("Escape", "choose nothing", () => { chosen = []; picked = ""; refuse(""); refresh(); });
    arena.on("p", "pass", byKey("p"));
    arena.on("b", "beat", () => document.querySelector('#controls [data-verb="beat"]') && sendVerb("beat"));
    arena.on("d", "drop face down", () => document.querySelector('#controls [data-verb="drop"]') && sendVerb("drop"));
    arena.on("m", "molodka", byKey("m"));
    arena.on("ArrowUp", "the next higher bid, the next suit", () => stepBid(1));
    arena.on("ArrowDown", "the next lower bid, the suit before", () => stepBid(-1));
    arena.on("l", "the last trick again", showLast);
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.repeat) return;
      if (event.target.closest?.("input, textarea, select, dialog") || arena.lettersOff) return;
      const place = event.key.length === 1 ? PLACES.indexOf(event.key) : -1;
      if (held && event.key === " ") { event.preventDefault(); held(); return; }
      if (place < 0) return;
      const node = document.querySelector(`#position .card-button[data-place="${place + 1}"]`);
      if (!node) return;
      event.preventDefault();
      tapCard(node);
      // A card that is chosen has the focus, so that its line is shown; Enter must not choose another one.
      if (node.getAttribute("aria-pressed") === "true") node.focus({ preventScroll: true });
      else document.activeElement?.matches(".card-button") && document.activeElement.blur();
    });
  };

  // ---- the rest of the page

  const clock = () => {
    const box = byId("time"), left = Math.max(0, Math.round((until - Date.now()) / 1000));
    box.hidden = !until || waiting === null || over || (left > 120 && byId("at-table").dataset.clock === "none");
    if (!box.hidden) box.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")} left`;
  };

  const start = () => {
    const table = byId("at-table");
    at = table.dataset.at;
    title = document.title;
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
      if (node && table.contains(node)) press(node);
    });
    const preview = (event) => {
      const node = event.target.closest?.(".card-button[data-preview]"), line = document.querySelector("#position .trick .line");
      if (!line || !step?.choice) return;
      if (line.dataset.own === undefined) line.dataset.own = line.textContent;
      line.textContent = node ? `${step.choice.names[node.dataset.card]}: ${node.dataset.preview}` : line.dataset.own;
    };
    for (const kind of ["focusin", "focusout", "pointerover"]) table.addEventListener(kind, preview);
    window.addEventListener("resize", () => step?.choice && drawPairs());
    document.addEventListener("visibilitychange", () => { if (!document.hidden && !over) poll(); });
    keys();
    setInterval(clock, 500);
    const news = JSON.parse(byId("here").textContent);
    for (const text of news.log) inLog(text);
    if (news.steps.length) fetched = news.steps[0].n - 1;
    take(news);
    if (!over) poll();
  };
  document.addEventListener("DOMContentLoaded", start);
})();
