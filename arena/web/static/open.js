// A game out of a file that somebody gave: read here, sent nowhere. Its markup passes through a list of what is allowed;
// whatever is not on it is left out.
"use strict";
(() => {
  const HTML = new Set("a b bdi br button caption code dd details div dl dt em h1 h2 h3 input label li nav ol option p pre section select small span strong summary table tbody td th thead tr ul".split(" "));
  const SVG = new Set("a svg g use symbol defs pattern rect circle ellipse line path polygon polyline text tspan title".split(" "));
  const NAMES = new Set("class title role hidden open type min max step value selected for scope colspan tabindex x y x1 y1 x2 y2 cx cy r rx ry d points width height viewBox fill fill-opacity fill-rule stroke stroke-width stroke-linejoin stroke-linecap stroke-dasharray transform patternUnits patternTransform font-family font-size font-weight text-anchor letter-spacing opacity preserveAspectRatio".split(" "));
  const IDS = /^(card|suit)-[A-Za-z0-9-]+$|^hatch$|^why-[A-Z0-9]+$/;
  const DATA = /^data-(turn|eyes|go|host|cards|card|seat|place|first|last|play|speed|count|live|mode|phase|bottom|seats|family|game|number)$/;
  const TYPES = new Set(["button", "range"]);
  const XHTML = "http://www.w3.org/1999/xhtml", DRAWING = "http://www.w3.org/2000/svg";

  const fits = (name, value) => {
    if (/^aria-[a-z]+$/.test(name) || DATA.test(name)) return true;
    if (name === "id") return IDS.test(value);
    if (name === "href") return /^[?#]/.test(value);
    if (name === "type") return TYPES.has(value);
    return NAMES.has(name) && (!/url\(/i.test(value) || /^url\(#[a-z]+\)$/.test(value));
  };

  const copied = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data);
    if (node.nodeType !== Node.ELEMENT_NODE) return null;
    const allowed = node.namespaceURI === XHTML ? HTML : node.namespaceURI === DRAWING ? SVG : null;
    if (!allowed?.has(node.localName)) return null;
    const made = document.createElementNS(node.namespaceURI, node.localName);
    for (const { name, value } of node.attributes) if (fits(name, value)) made.setAttribute(name, value);
    if (node.localName === "input" && made.type !== "range") return null;
    for (const child of node.childNodes) {
      const found = copied(child);
      if (found) made.append(found);
    }
    return made;
  };

  // What is in a template does nothing: no script of it runs, no picture of it is fetched.
  const inert = (text) => {
    const template = document.createElement("template");
    template.innerHTML = text;
    return template.content;
  };

  const clean = (text) => {
    const box = document.createElement("div");
    for (const child of inert(text).childNodes) {
      const found = copied(child);
      if (found) box.append(found);
    }
    return box;
  };

  const MOST = 64 * 1024 * 1024;
  const place = document.querySelector("[data-drop]"), opened = document.querySelector("[data-opened]");
  const problem = document.querySelector("[data-problem]");
  const refuse = (text) => { problem.textContent = text; problem.hidden = false; };

  const whole = (value, most) => Number.isInteger(value) && value >= 0 && value <= most;
  const checked = (data, found) => {
    const turns = data.last + 1;
    if (!whole(data.last, 100_000) || !whole(data.seats, 8)) return false;
    if (!["movers", "units", "differences", "faults", "why", "notes"].every((name) => Array.isArray(data[name]))) return false;
    if (!Array.isArray(found.pieces) || typeof found.at !== "object" || found.at === null) return false;
    return Object.values(found.at).every((rows) => Array.isArray(rows) && rows.length === turns);
  };

  const read = async (file) => {
    problem.hidden = true;
    if (file.size > MOST) { refuse(`${file.name} has ${Math.round(file.size / 1e6)} MB; at most ${MOST / 1e6} MB are read.`); return; }
    const text = await file.text();
    if (text.startsWith("{")) {
      refuse("This is a transcript: it has moves only, and the browser knows no rules. Write a file for it with: arena replay export FILE game.html");
      return;
    }
    const page = inert(text);
    const island = page.getElementById("arena-positions"), frame = page.getElementById("replay");
    const data = page.querySelector("script[data-replay]");
    if (!island || !frame || !data) { refuse(`${file.name} is no exported game. One is written by: arena replay export GAME game.html`); return; }
    if (island.dataset.format !== place.dataset.format) {
      refuse(`This file needs arena ${island.dataset.arena || "of another version"} (${island.dataset.format}), this is ${place.dataset.arena} (${place.dataset.format}). It opens by itself, too: with a double click.`);
      return;
    }
    let found, told;
    try {
      found = await window.replay.unpack(island.textContent);
      told = JSON.parse(data.textContent);
    } catch (error) {
      refuse(`${file.name} is damaged: ${error.message}`);
      return;
    }
    if (!checked(told, found)) { refuse(`${file.name} is damaged: positions are missing.`); return; }
    const root = copied(frame);
    root.id = "replay";
    root.dataset.turn = "0";
    root.dataset.eyes = told.only && found.at[told.only] ? String(told.only) : "all";
    for (const link of root.querySelectorAll("a[data-eyes]")) if (!(link.dataset.eyes in found.at) && link.dataset.eyes !== "mover") link.remove();
    const heading = document.createElement("header");
    for (const each of page.querySelectorAll(".g-head > h1, .g-head > p")) heading.append(copied(each));
    const version = document.createElement("p");
    version.className = "dim";
    version.textContent = `${file.name}, written by arena ${found.arena}`;
    heading.append(version);
    opened.replaceChildren(heading, root);
    opened.hidden = false;
    place.hidden = true;
    window.replay.mount(root, { ...told, board: "", title: String(told.title) }, { ...window.replay.packed(found, clean), fixed: true, silent: true, data: found });
    document.title = `${told.title} · arena`;
    opened.scrollIntoView({ block: "start" });
  };

  const take = (file) => { if (file) read(file).catch((error) => refuse(`${file.name} cannot be read: ${error.message}`)); };
  document.getElementById("file").addEventListener("change", (event) => take(event.target.files[0]));
  for (const kind of ["dragover", "dragleave", "drop"]) {
    document.addEventListener(kind, (event) => {
      event.preventDefault();
      place.classList.toggle("over", kind === "dragover");
      if (kind === "drop") take(event.dataTransfer.files[0]);
    });
  }
})();
