// Live parts of pages. An element with data-part, data-version and data-src is fetched again and swapped when the server
// says that its part is at a later version; with data-own it is told by an event "arena:part" instead. Nothing moves
// under the reader: a part that holds focus, selection, the pointer or an open row waits behind a chip.
//
// One stream a browser: the visible tabs elect one that listens (a lock), it tells the others. A hidden tab needs none.
"use strict";
(() => {
  const BEAT = 2000, SILENT = 7000, LOST = 5000, APART = 2000, STILL = 8000, AGAIN = 2000, MOST = 60;
  const me = Math.random().toString(36).slice(2);
  const channel = "BroadcastChannel" in window ? new BroadcastChannel("arena-live") : null;
  const say = (message) => channel?.postMessage({ from: me, ...message });
  const all = () => [...document.querySelectorAll("[data-part]")];
  const versions = new Map(), final = new Set();
  let instance = "", changed = new Date(), heard = performance.now(), up = false, down = 0;

  // The parts of this page.

  const parts = () => [...new Set(all().map((each) => each.dataset.part))].slice(0, MOST);
  const late = (element) => (versions.get(element.dataset.part) ?? 0) > Number(element.dataset.version);
  const state = new WeakMap();
  const of = (element) => {
    if (!state.has(element)) state.set(element, { swapped: 0, timer: 0, busy: false, ready: null, version: 0 });
    return state.get(element);
  };

  let moved = 0;
  document.addEventListener("pointermove", () => { moved = performance.now(); }, { passive: true });
  const isHeld = (element) => {
    const selection = getSelection();
    if (selection && !selection.isCollapsed && selection.rangeCount && selection.getRangeAt(0).intersectsNode(element)) return true;
    if (element.contains(document.activeElement) && document.activeElement !== element) return true;
    if (element.querySelector("details[open]:not([data-calm])")) return true;
    return !("follow" in element.dataset) && element.matches(":hover") && performance.now() - moved < STILL;
  };

  const look = (element) => {
    const now = performance.now(), its = of(element);
    if (!element.isConnected || its.busy || !late(element)) return;
    const wait = its.swapped + APART - now;
    if (wait > 0) { clearTimeout(its.timer); its.timer = setTimeout(() => look(element), wait); return; }
    its.swapped = now;
    const version = versions.get(element.dataset.part);
    if ("own" in element.dataset) {
      element.dataset.version = version;
      element.dispatchEvent(new CustomEvent("arena:part", { detail: { version, final: final.has(element.dataset.part) } }));
      return;
    }
    if (its.version >= version) { settle(element); return; }
    its.busy = true;
    get(element.dataset.src).then((html) => {
      its.ready = html; its.version = version;
      settle(element);
    }).catch(() => { its.swapped = performance.now() + APART; }).finally(() => {
      its.busy = false;
      if (late(element)) { clearTimeout(its.timer); its.timer = setTimeout(() => look(element), APART); }
    });
  };

  const get = async (address) => {
    const answer = await fetch(address, { headers: { "HX-Request": "true", Accept: "text/html" }, credentials: "same-origin" });
    if (!answer.ok) throw new Error(`${answer.status}`);
    return answer.text();
  };

  // Show what was fetched, or a chip that says so.
  const settle = (element) => {
    const its = of(element);
    if (its.ready === null) return;
    if (isHeld(element)) { chip(element, its.ready); return; }
    swap(element);
  };

  const swap = (element) => {
    const its = of(element);
    if (its.ready === null) return;
    const kept = keep(element);
    const html = its.ready;
    its.ready = null;
    element.dataset.version = its.version;
    if (window.htmx) window.htmx.swap(element, html, { swapStyle: "innerHTML", swapDelay: 0, settleDelay: 0 });
    else element.innerHTML = html;
    restore(kept);
    its.swapped = performance.now();
    unchip(element);
    element.dispatchEvent(new CustomEvent("arena:swapped", { bubbles: true }));
  };

  // What the reader has done to a part: rows opened, boxes scrolled, where the focus is.
  // A node is found again by its id, or by its place among its like under the nearest one that has an id.
  const place = (node) => {
    if (node.id) return [node.id];
    const under = node.parentElement.closest("[id]");
    return [under.id, node.tagName, [...under.getElementsByTagName(node.tagName)].indexOf(node)];
  };
  const find = ([id, tag, at]) => {
    const under = document.getElementById(id);
    return tag ? under?.getElementsByTagName(tag)[at] : under;
  };
  const keep = (element) => {
    const inside = [...element.querySelectorAll("*")], focus = document.activeElement;
    return {
      open: inside.filter((node) => node.localName === "details" && node.open).map(place),
      boxes: inside.filter((node) => node.scrollTop || node.scrollLeft).map((node) => [place(node), node.scrollTop, node.scrollLeft]),
      focus: focus !== element && element.contains(focus) ? place(focus) : null,
      page: [scrollX, scrollY],
    };
  };
  const restore = (kept) => {
    for (const details of kept.open.map(find)) if (details) details.open = true;
    for (const [where, top, left] of kept.boxes) {
      const node = find(where);
      if (node) { node.scrollTop = top; node.scrollLeft = left; }
    }
    if (kept.focus) find(kept.focus)?.focus({ preventScroll: true });
    scrollTo({ left: kept.page[0], top: kept.page[1], behavior: "instant" });
  };

  // Chips.

  const chips = () => document.getElementById("chips");
  const amount = (root) => {
    const told = root.querySelector?.("[data-amount]");
    return told ? [Number(told.dataset.amount), told.dataset.amountWord ?? "changes"] : null;
  };
  const chip = (element, html) => {
    let button = chips()?.querySelector(`[data-for="${CSS.escape(element.dataset.part)}"]`);
    if (!button) {
      button = document.createElement("button");
      button.type = "button";
      button.dataset.for = element.dataset.part;
      button.addEventListener("click", () => {
        const focused = element.contains(document.activeElement);
        for (const each of all().filter((one) => one.dataset.part === button.dataset.for)) swap(each);
        button.remove();
        if (!focused) element.querySelector("a, button, summary")?.blur();
      });
      chips()?.append(button);
    }
    const then = amount(element), now = amount(new DOMParser().parseFromString(html, "text/html"));
    const more = then && now ? now[0] - then[0] : 0;
    const words = more > 0 ? `${more} new ${more === 1 ? now[1].replace(/s$/, "") : now[1]}, show` : "changed, show";
    if (button.textContent !== words) button.textContent = words;
  };
  const unchip = (element) => {
    const others = all().some((each) => each.dataset.part === element.dataset.part && of(each).ready !== null);
    if (!others) chips()?.querySelector(`[data-for="${CSS.escape(element.dataset.part)}"]`)?.remove();
  };
  // A part that was let go shows what waits for it.
  setInterval(() => {
    for (const element of all()) {
      const its = of(element);
      if (its.ready !== null && !isHeld(element) && !document.hidden && performance.now() - its.swapped > APART) swap(element);
    }
  }, 1000);

  // Figures that are counted for the first time: their part is asked for again until it has them.
  setInterval(() => {
    if (document.hidden) return;
    for (const element of all()) {
      const its = of(element);
      if (its.busy || its.ready !== null || "own" in element.dataset || !element.querySelector("[data-again]")) continue;
      its.busy = true;
      get(element.dataset.src).then((html) => {
        const same = html.includes("data-again") && (its.counted ??= html) === html;
        if (same) return;
        its.counted = its.ready = html; its.version = Math.max(its.version, Number(element.dataset.version));
        settle(element);
      }).catch(() => {}).finally(() => { its.busy = false; });
    }
  }, AGAIN);

  const clock = (when) => when.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  const tellLost = () => {
    const lost = needed() && !document.hidden && down && performance.now() - down > LOST;
    let note = chips()?.querySelector(".lost");
    if (!lost) { note?.remove(); document.documentElement.classList.remove("offline"); return; }
    if (!note) {
      note = document.createElement("span");
      note.className = "chip lost";
      chips()?.append(note);
    }
    document.documentElement.classList.add("offline");
    const words = `offline, last change ${clock(changed)}, retrying`;
    if (note.textContent !== words) note.textContent = words;
  };

  // What was heard, whoever heard it.

  const needed = () => parts().some((part) => !final.has(part));
  const hear = (part, version, over) => {
    const known = versions.get(part) ?? 0;
    if (over) final.add(part); else final.delete(part);
    if (version <= known) return;
    versions.set(part, version);
    let news = false;
    for (const element of all()) if (element.dataset.part === part) { news ||= late(element); look(element); }
    if (news) changed = new Date();
  };
  const connected = (which) => {
    // Of another start of the server what this page has may be anything: all is fetched again.
    if (instance && which && which !== instance) for (const element of all()) element.dataset.version = 0;
    instance = which || instance;
    up = true; down = 0; heard = performance.now();
    tellLost();
  };
  const lost = () => { up = false; if (!down) down = performance.now(); };

  // The tab that listens.

  let source = null, listening = false, release = null, asked = null, members = new Map(), wanted = "", retry = 0, tries = 0;
  const union = () => {
    const found = new Set(parts().filter((part) => !final.has(part)));
    for (const [id, { theirs, at }] of members) {
      if (performance.now() - at > 3 * SILENT) members.delete(id);
      else for (const part of theirs) found.add(part);
    }
    return [...found].sort().slice(0, MOST);
  };
  const connect = () => {
    clearTimeout(retry);
    if (!listening) return;
    const asks = union().join(",");
    if (source && source.readyState !== EventSource.CLOSED && asks === wanted) return;
    source?.close();
    source = null;
    wanted = asks;
    if (!asks) { up = true; down = 0; return; }
    const mine = source = new EventSource(`/events?parts=${encodeURIComponent(asks)}`);
    mine.addEventListener("hello", (event) => {
      tries = 0;
      const which = JSON.parse(event.data).instance;
      connected(which);
      say({ is: "up", instance: which });
    });
    mine.addEventListener("part", (event) => {
      const { part, version, final: over } = JSON.parse(event.data);
      hear(part, version, over);
      say({ is: "part", part, version, over });
    });
    mine.addEventListener("over", () => { mine.close(); if (source === mine) { source = null; wanted = ""; } });
    mine.addEventListener("error", () => {
      mine.close();
      if (source !== mine) return;
      source = null; wanted = "";
      lost();
      tries += 1;
      retry = setTimeout(connect, Math.min(400 * tries, 3000) + Math.random() * 600);
    });
  };
  const lead = () => new Promise((done) => {
    if (document.hidden) { done(); return; }
    listening = true;
    release = () => { listening = false; release = null; source?.close(); source = null; wanted = ""; clearTimeout(retry); done(); };
    say({ is: "who" });
    setTimeout(connect, 50);
  });
  const stand = () => {
    if (asked || listening || !needed()) return;
    if (!navigator.locks) { lead(); return; }  // without TLS: every visible tab listens for itself
    asked = new AbortController();
    navigator.locks.request("arena-live", { signal: asked.signal }, lead).catch(() => {}).finally(() => { asked = null; });
  };
  const leave = () => {
    say({ is: "bye" });
    release?.();
    asked?.abort();
    asked = null;
  };
  const want = () => { if (!listening) say({ is: "want", parts: parts().filter((part) => !final.has(part)) }); };

  channel?.addEventListener("message", ({ data }) => {
    if (data.is === "want" && listening) {
      members.set(data.from, { theirs: data.parts, at: performance.now() });
      for (const part of data.parts) if (versions.has(part)) say({ is: "part", part, version: versions.get(part), over: final.has(part) });
      if (up && instance) say({ is: "up", instance });
      connect();
    } else if (data.is === "bye") members.delete(data.from);
    else if (listening) return;
    else if (data.is === "who") want();
    else if (data.is === "part") { heard = performance.now(); hear(data.part, data.version, data.over); }
    else if (data.is === "up") connected(data.instance);
    else if (data.is === "beat") { heard = performance.now(); if (data.up) { up = true; down = 0; } else lost(); }
  });

  setInterval(() => {
    if (document.hidden) return;
    if (listening) { say({ is: "beat", up }); connect(); if (!needed() && !members.size) release?.(); }
    else if (needed()) {
      stand();
      want();
      if (performance.now() - heard > SILENT) lost();
    }
    tellLost();
  }, BEAT);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) leave();
    else { heard = performance.now(); down = 0; stand(); want(); }
  });
  addEventListener("pagehide", leave);
  addEventListener("pageshow", () => { if (all().length && !document.hidden) { stand(); want(); } });
  document.addEventListener("htmx:afterSettle", () => { stand(); want(); if (listening) connect(); });
  const begin = () => { if (all().length) { stand(); want(); } };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
