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

  const find = (name) => document.querySelector(`[data-${name}]`);
  const members = find("members"), asks = find("asks");
  let waiting = null;  // the transcript that may be sent

  const read = async (file) => {
    for (const each of [problem, members, asks]) each.hidden = true;
    if (file.size > MOST) { refuse(`${file.name} has ${Math.round(file.size / 1e6)} MB; at most ${MOST / 1e6} MB are read.`); return; }
    const begins = new Uint8Array(await file.slice(0, 4).arrayBuffer());
    if (begins[0] === 0x50 && begins[1] === 0x4b) { await list(file); return; }
    await show(file.name, await file.text());
  };

  // An archive: what is in it stands at its end; one member is unpacked when it is chosen.
  const SHOWN = 2000;
  const list = async (file) => {
    const bytes = await file.arrayBuffer(), view = new DataView(bytes);
    let end = bytes.byteLength - 22;
    while (end >= 0 && end > bytes.byteLength - 66000 && view.getUint32(end, true) !== 0x06054b50) end -= 1;
    if (end < 0 || view.getUint32(end, true) !== 0x06054b50) { refuse(`${file.name} is no whole archive.`); return; }
    const found = [];
    let at = view.getUint32(end + 16, true);
    for (let left = view.getUint16(end + 10, true); left > 0 && view.getUint32(at, true) === 0x02014b50; left -= 1) {
      const long = view.getUint16(at + 28, true), more = view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
      const name = new TextDecoder().decode(new Uint8Array(bytes, at + 46, long));
      const packed = view.getUint32(at + 20, true), method = view.getUint16(at + 10, true);
      if (/\.(arena|html|json)$/.test(name)) found.push({ name, method, packed, at: view.getUint32(at + 42, true) });
      at += 46 + long + more;
    }
    if (!found.length) { refuse(`${file.name} has no game in it: no file ends in .arena, .json or .html.`); return; }
    const select = document.getElementById("member");
    select.replaceChildren(...found.slice(0, SHOWN).map((each, place) => new Option(each.name.split("/").at(-1), String(place))));
    find("archive").textContent = file.name;
    members.hidden = false;
    find("choose").onclick = () => {
      const chosen = found[Number(select.value)], { name } = chosen;
      unpacked(view, chosen).then((text) => show(name.split("/").at(-1), text)).catch((error) => refuse(`${name} cannot be read: ${error.message}`));
    };
    select.focus();
  };

  const unpacked = async (view, { method, packed, at }) => {
    if (method !== 0 && method !== 8) throw new Error("it is packed in another way");
    const start = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
    const part = new Blob([new Uint8Array(view.buffer, start, packed)]);
    const reader = (method ? part.stream().pipeThrough(new DecompressionStream("deflate-raw")) : part.stream()).getReader();
    const parts = [];
    for (let size = 0; ;) {
      const { done, value } = await reader.read();
      if (done) return new Blob(parts).text();
      size += value.length;
      if (size > MOST) throw new Error(`it has more than ${MOST / 1e6} MB`);
      parts.push(value);
    }
  };

  const send = async () => {
    const { name, text } = waiting;
    const key = JSON.parse(document.body.getAttribute("hx-headers") ?? "{}");
    const answer = await fetch("/open", { method: "POST", body: text, headers: { ...key, "Content-Type": "application/json", Accept: "application/json" } });
    const told = await answer.text();
    if (answer.ok) { asks.hidden = true; await show(name, told); return; }
    const { error, where, fix } = JSON.parse(told).data;
    refuse(`${name}: ${error}${where ? ` (${where})` : ""}. ${fix ?? ""}`);
  };

  const show = async (name, text) => {
    problem.hidden = true;
    if (text.trimStart().startsWith("{")) {
      waiting = { name, text };
      find("named").textContent = name;
      asks.hidden = false;
      find("send").focus();
      return;
    }
    const page = inert(text);
    const island = page.getElementById("arena-positions"), frame = page.getElementById("replay");
    const data = page.querySelector("script[data-replay]");
    if (!island || !frame || !data) { refuse(`${name} is no exported game. One is written by: arena replay export GAME game.html`); return; }
    if (island.dataset.format !== place.dataset.format) {
      refuse(`This file needs arena ${island.dataset.arena || "of another version"} (${island.dataset.format}), this is ${place.dataset.arena} (${place.dataset.format}). It opens by itself, too: with a double click.`);
      return;
    }
    let found, told;
    try {
      found = await window.replay.unpack(island.textContent);
      told = JSON.parse(data.textContent);
    } catch (error) {
      refuse(`${name} is damaged: ${error.message}`);
      return;
    }
    if (!checked(told, found)) { refuse(`${name} is damaged: positions are missing.`); return; }
    const root = copied(frame);
    root.id = "replay";
    root.dataset.turn = "0";
    root.dataset.eyes = told.only && found.at[told.only] ? String(told.only) : "all";
    for (const link of root.querySelectorAll("a[data-eyes]")) if (!(link.dataset.eyes in found.at) && link.dataset.eyes !== "mover") link.remove();
    const heading = document.createElement("header");
    for (const each of page.querySelectorAll(".g-head > h1, .g-head > p")) heading.append(copied(each));
    const version = document.createElement("p");
    version.className = "dim";
    version.textContent = `${name}, written by arena ${found.arena}`;
    heading.append(version);
    opened.replaceChildren(heading, root);
    opened.hidden = false;
    for (const each of [place, members, asks]) each.hidden = true;
    window.replay.mount(root, { ...told, board: "", title: String(told.title) }, { ...window.replay.packed(found, clean), fixed: true, silent: true, data: found });
    document.title = `${told.title} · arena`;
    opened.scrollIntoView({ block: "start" });
  };

  const take = (file) => { if (file) read(file).catch((error) => refuse(`${file.name} cannot be read: ${error.message}`)); };
  find("send").addEventListener("click", () => send().catch((error) => refuse(`The site does not answer: ${error.message}`)));
  document.getElementById("file").addEventListener("change", (event) => take(event.target.files[0]));
  for (const kind of ["dragover", "dragleave", "drop"]) {
    document.addEventListener(kind, (event) => {
      event.preventDefault();
      place.classList.toggle("over", kind === "dragover");
      if (kind === "drop") take(event.dataTransfer.files[0]);
    });
  }
})();
