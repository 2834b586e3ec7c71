// The seat's side of a table: choosing cards and bids, the buttons and lines that follow from the choice, and the keys.
// Which sets are moves is for choosing.js to say, by the legal moves that came with the position.
//
// `table` (play.js): step, settings, held, showingLast; refuse(text), say(text), send(move, then), showLast(), inSight().
"use strict";
window.arenaSeat = (table) => {
  const each = (selector, run) => document.querySelectorAll(selector).forEach(run);
  let chosen = [], picked = "";

  // ---- choosing

  const moveOf = (verb) => arenaChoosing.moveOf(table.step.choice, chosen, verb);
  const fits = (cards) => arenaChoosing.fits(table.step.choice, cards);
  const isSingle = () => table.step.choice.kind === "play" || table.step.choice.size === 1 && table.step.choice.kind === "answer";

  const tapCard = (node) => {
    if (!table.step?.choice || table.showingLast) return;
    const card = node.dataset.card;
    if (node.getAttribute("aria-disabled") === "true") { table.refuse(node.dataset.reason || "not now"); return; }
    if (chosen.includes(card)) {
      if (table.step.choice.kind === "play") { sendVerb("play"); return; }
      chosen = chosen.filter((other) => other !== card);
    } else if (isSingle()) chosen = [card];
    else if (fits([...chosen, card])) chosen = [...chosen, card];
    else { table.refuse(tooMany(card)); return; }
    table.refuse("");
    refresh();
    if (table.settings.tap && table.step.choice.kind === "play") sendVerb("play");
  };
  const tooMany = (card) => {
    if (table.step.choice.kind === "lead") return `A lead is of one suit: put back a card, or Esc clears. ${table.step.choice.names[card]} does not go with it.`;
    const { size } = table.step.choice;
    return `${size} ${size > 1 ? "are" : "is"} chosen already: put ${size > 1 ? "one" : "it"} back first.`;
  };

  // Buttons and lines that follow from what is chosen.
  const refresh = () => {
    each("#position .card-button", (node) => node.setAttribute("aria-pressed", String(chosen.includes(node.dataset.card))));
    if (!table.step?.choice) return;
    const { choice } = table.step;
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
    const review = document.querySelector("[data-review-line]");
    if (review) review.textContent = reviewLine();
    table.inSight();
    drawPairs();
  };
  const verbWords = (verb) => {
    if (verb === "play") return chosen.length ? `Play ${table.step.choice.names[chosen[0]]}` : "Play";
    if (verb !== "lead") return "";
    const { suits, names } = table.step.choice;
    if (!chosen.length) return "Lead";
    return chosen.length === 1 ? `Lead ${names[chosen[0]]}` : `Lead ${chosen.length} ${suits[chosen[0]]}`;
  };
  const choiceLine = () => {
    const { kind, size, points, pairs } = table.step.choice;
    if (kind === "discard") {
      const sum = chosen.reduce((total, card) => total + points[card], 0);
      const what = chosen.length ? `${sum} points in the discard · ${table.step.choice.note}` : "the nest is marked in your hand";
      return `${chosen.length} of ${size} chosen · ${what}`;
    }
    if (kind === "answer") {
      const beat = moveOf("beat");
      if (beat) return pairs[beat].map((pair) => pair.text).join(", ");
      return `${chosen.length} of ${size} chosen${chosen.length === size ? " · no beat, only a drop" : ""}`;
    }
    return "";
  };
  // What Confirm will do, in words.
  const reviewLine = () => {
    const { names } = table.step.choice, back = chosen.map((card) => names[card]).join(", ");
    return [chosen.length ? `Back: ${back}` : "", picked].filter(Boolean).join("; ");
  };
  const confirmed = () => Boolean(picked) && (table.step.choice.kind !== "discard" || Boolean(moveOf("discard")));

  // Thin lines from each chosen card to the card that it beats.
  const drawPairs = () => {
    document.querySelector(".pair-lines")?.remove();
    const beat = table.step.choice.kind === "answer" && moveOf("beat");
    if (!beat) return;
    const box = document.getElementById("position"), frame = box.getBoundingClientRect(), space = "http://www.w3.org/2000/svg";
    const lines = document.createElementNS(space, "svg");
    lines.setAttribute("class", "pair-lines");
    lines.setAttribute("aria-hidden", "true");
    lines.setAttribute("width", frame.width);
    lines.setAttribute("height", frame.height);
    const middle = (node, edge) => {
      const rect = node.getBoundingClientRect();
      return [rect.left + rect.width / 2 - frame.left, rect[edge] - frame.top];
    };
    for (const { by, of } of table.step.choice.pairs[beat]) {
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

  const sendVerb = (verb) => {
    const move = moveOf(verb);
    if (move) { table.send(move); return; }
    const need = table.step.choice.size;
    if (verb === "beat" && chosen.length === need) table.refuse("These cards do not beat what lies there; they can be dropped.");
    else table.refuse(need ? `Choose ${need} card${need > 1 ? "s" : ""} first.` : "Choose a card first.");
  };
  const sendConfirm = () => {
    const { kind, size } = table.step.choice;
    if (kind === "discard" && !moveOf("discard")) table.refuse(`Choose exactly ${size} card${size > 1 ? "s" : ""}: ${chosen.length} chosen.`);
    else if (!picked) table.refuse(kind === "auction" ? "Choose a bid first." : "Choose trump first.");
    else if (kind === "discard") table.send(moveOf("discard"), picked);
    else table.send(picked);
  };
  const notBid = () => table.step.choice.legal.includes("pass") ? "That bid is not above the standing one." : "Only the lowest bid can be made now.";
  const pick = (node) => {
    if (node.getAttribute("aria-disabled") === "true") { table.refuse(notBid()); return; }
    const again = picked === node.dataset.pick;
    picked = node.dataset.pick;
    table.refuse("");
    refresh();
    if (table.step.choice.kind === "auction" && (again || table.settings.tap)) table.send(picked);
  };

  const press = (node) => {
    if (node.matches(".card-button")) tapCard(node);
    else if (!table.step?.choice) return;
    else if (node.dataset.pick) pick(node);
    else if (node.dataset.verb) sendVerb(node.dataset.verb);
    else if (node.dataset.move) table.send(node.dataset.move);
    else if (node.dataset.confirm) sendConfirm();
  };

  // ---- keys

  const PLACES = "1234567890qwert";
  const enter = () => {
    if (table.held) { table.held(); return; }
    if (!table.step?.choice) return;
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
    table.refuse("");
    refresh();
    table.say(`${picked[0].toUpperCase()}${picked.slice(1)} chosen.`, false);
  };
  const byKey = (key) => () => { const node = document.querySelector(`#controls [data-key="${key}"]`); if (node) press(node); };

  const keys = () => {
    arena.on("1–9, 0, q–t", "choose the card in that place", () => {});
    arena.on("Enter", "play, bid or confirm what is chosen", (event) => {
      const node = event.target.closest?.("button, a, summary");
      if (event.repeat) return;
      if (node && !node.matches('.card-button[aria-pressed="true"]')) node.click(); else enter();
    });
    arena.on("Escape", "choose nothing", () => { chosen = []; picked = ""; table.refuse(""); refresh(); });
    arena.on("p", "pass", byKey("p"));
    arena.on("b", "beat", () => document.querySelector('#controls [data-verb="beat"]') && sendVerb("beat"));
    arena.on("d", "drop face down", () => document.querySelector('#controls [data-verb="drop"]') && sendVerb("drop"));
    arena.on("m", "molodka", byKey("m"));
    arena.on("ArrowUp", "the next higher bid, the next suit", () => stepBid(1));
    arena.on("ArrowDown", "the next lower bid, the suit before", () => stepBid(-1));
    arena.on("l", "the last trick again", table.showLast);
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.repeat) return;
      if (event.target.closest?.("input, textarea, select, dialog") || arena.lettersOff) return;
      const place = event.key.length === 1 ? PLACES.indexOf(event.key) : -1;
      if (table.held && event.key === " ") { event.preventDefault(); table.held(); return; }
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

  return { press, keys, refresh, clear() { chosen = []; picked = ""; } };
};
