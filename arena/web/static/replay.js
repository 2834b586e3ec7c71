// Stepping through a game: pieces of markup come from the server, or out of a file, and are put in their places.
// Pages read without this script, since every step is a link. It knows no rules and no cards.
"use strict";
(() => {
  const PIECES = ["moves", "table", "decision", "why"];

  // Where positions come from: the server, one answer for each; those near by are asked for beforehand.
  const server = (path, also) => {
    const known = new Map();
    const ask = (turn, eyes) => {
      const name = `${turn}/${eyes}`;
      if (!known.has(name)) {
        if (known.size > 400) known.delete(known.keys().next().value);
        const asked = fetch(`${path}?part=position&turn=${turn}&seat=${encodeURIComponent(eyes)}${also}`, { headers: { Accept: "text/html" } })
          .then((answer) => { if (!answer.ok) throw new Error(`${answer.status}`); return answer.text(); })
          .then((text) => {
            const box = new DOMParser().parseFromString(text, "text/html").querySelector(".g-pieces");
            const nodes = [...box.querySelectorAll("[data-piece]")].map((each) => [each.dataset.piece, [...each.childNodes]]);
            const { said, turn: shown, ask, known: course } = box.dataset;
            return { said, nodes: Object.fromEntries(nodes), turn: Number(shown), ask: ask !== undefined, course: course && JSON.parse(course) };
          });
        asked.catch(() => known.delete(name));
        known.set(name, asked);
      }
      return known.get(name);
    };
    return { ask, near: (turn, eyes) => { ask(turn, eyes).catch(() => {}); } };
  };

  // ... or a file, which has them all. `clean` makes nodes of its markup.
  const packed = (data, clean) => ({
    ask: async (turn, eyes) => {
      const row = data.at[eyes][turn];
      const nodes = (place) => [...clean(data.pieces[row[place]]).childNodes];
      return { said: row[PIECES.length], nodes: Object.fromEntries(PIECES.map((each, place) => [each, nodes(place)])) };
    },
    near: () => {},
  });

  const unpack = async (text, most = 256 * 1024 * 1024) => {
    const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
    const parts = [];
    for (let size = 0; ;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > most) throw new Error("the file is too large when unpacked");
      parts.push(value);
    }
    const found = JSON.parse(await new Blob(parts).text());
    const { lines } = found;
    return { ...found, pieces: found.pieces.map((piece) => piece.map((line) => lines[line]).join("\n")) };
  };

  const mount = (root, data, source) => {
    const find = (selector) => document.querySelector(selector);
    let turn = Number(root.dataset.turn), eyes = root.dataset.eyes, wanted = 0, playing = 0;
    let goal = turn;  // where steps lead that are not shown yet
    const scrub = root.querySelector(".g-scrub"), play = root.querySelector("[data-play]");
    const speed = root.querySelector("[data-speed]"), live = root.querySelector("[data-live]");
    const hidden = data.last === null;  // results are: what follows is not known here, and the end asks
    const within = (n) => Math.max(0, hidden ? n : Math.min(data.last, n));
    const mover = (n) => (data.movers.length ? data.movers[Math.min(n, data.movers.length - 1)] : 0);
    const whose = (n, asked) => (source.fixed && asked === "mover" ? String(mover(n)) : asked);
    const address = (n, asked) => `?turn=${n}&seat=${asked}`;
    const own = (n, asked) => address(n, asked) + (data.also ?? "");
    const ask = root.querySelector("[data-ask]");
    const asking = () => { stop(); if (ask) { ask.open = true; ask.querySelector("a").focus({ preventScroll: true }); } };

    // The live region says one sentence a move, and at most one a second: the last one.
    let due = 0, saying = "";
    const say = (text) => {
      saying = text;
      if (due) return;
      live.textContent = text;
      due = setTimeout(() => { due = 0; if (live.textContent !== saying) say(saying); }, 1000);
    };

    const marked = () => {
      for (const link of root.querySelectorAll("[data-host=moves] a[data-turn]")) {
        const here = Number(link.dataset.turn) === turn && !link.closest(".g-deals");
        if (here) link.setAttribute("aria-current", "true");
        else if (!link.closest(".g-deals")) link.removeAttribute("aria-current");
        if (here) {
          const box = link.closest(".g-scroll");
          const top = link.offsetTop - box.clientHeight / 2;
          if (link.offsetTop < box.scrollTop + 20 || link.offsetTop > box.scrollTop + box.clientHeight - 40) box.scrollTop = top;
        }
      }
      for (const rect of root.querySelectorAll(".strip .hit")) {
        const here = Number(rect.dataset.first) <= turn && turn <= Number(rect.dataset.last);
        rect.classList.toggle("here", here);
        const box = rect.closest(".g-strip");
        if (here && box.scrollWidth > box.clientWidth) box.scrollLeft = rect.x.baseVal.value - box.clientWidth / 2;
      }
      for (const link of root.querySelectorAll(".g-eyes a")) {
        link.dataset.turn = turn;
        link.setAttribute("href", own(turn, link.dataset.eyes));
        if (link.dataset.eyes === eyes) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      }
      const goals = { first: 0, back: within(turn - 1), on: within(turn + 1), last: data.last };
      for (const link of root.querySelectorAll("[data-go]")) {
        link.dataset.turn = goals[link.dataset.go];
        link.setAttribute("href", own(goals[link.dataset.go], eyes));
      }
      for (const link of root.querySelectorAll(".strip a, .g-signs a")) link.setAttribute("href", own(link.dataset.turn, eyes));
      if (scrub) {
        if (hidden) scrub.max = Math.max(Number(scrub.max), turn);
        scrub.value = turn;
        scrub.setAttribute("aria-valuetext", hidden ? `turn ${turn}` : `turn ${turn} of ${data.last}`);
      }
      for (const count of root.querySelectorAll("[data-count]")) count.textContent = turn;
      find("[data-text]")?.setAttribute("href", `${own(turn, eyes)}&text=1`);
      ask?.querySelector("a").setAttribute("href", `?end=1&seat=${eyes}`);
      for (const link of document.querySelectorAll("[data-svg], [data-embed], [data-whole]")) {
        link.setAttribute("href", link.getAttribute("href").split("?")[0] + address(turn, eyes));
      }
    };

    const put = (found) => {
      for (const each of Object.keys(found.nodes)) {
        const host = root.querySelector(`[data-host="${each}"]`);
        if (!host) continue;
        const open = new Map([...host.querySelectorAll("details[class]")].map((one) => [one.className, one.open]));
        const held = host.contains(document.activeElement) ? document.activeElement.dataset.turn : undefined;
        const top = host.scrollTop;
        host.replaceChildren(...found.nodes[each].map((node) => document.importNode(node, true)));
        for (const one of host.querySelectorAll("details[class]")) one.open = open.get(one.className) ?? one.open;
        host.scrollTop = top;
        if (held !== undefined) (host.querySelector(`a[data-turn="${held}"]`) ?? root).focus({ preventScroll: true });
      }
    };

    const show = async (n, asked = eyes) => {
      n = within(n);
      if (data.only) asked = data.only;
      const mine = ++wanted;
      goal = n;
      let found;
      try {
        found = await source.ask(n, whose(n, asked));
      } catch {
        if (mine === wanted) { stop(); location.search = own(n, asked); }
        return;
      }
      if (mine !== wanted) return;
      if (hidden) n = goal = found.turn;
      Object.assign(data, found.course);
      const stepped = n !== turn;
      turn = n; eyes = asked;
      root.dataset.turn = turn; root.dataset.eyes = eyes;
      put(found);
      marked();
      if (stepped) say(found.said);
      if (!source.silent) {
        try { history.replaceState(null, "", own(turn, eyes)); } catch { /* a file that may not */ }
        document.title = `turn ${turn}, ${data.title} · arena`;
      }
      source.near(within(turn + 1), whose(turn + 1, eyes));
      source.near(within(turn - 1), whose(turn - 1, eyes));
      if (found.ask) asking();
      else if (ask && stepped) ask.open = false;
    };

    const stop = () => {
      clearInterval(playing); playing = 0;
      if (play) play.textContent = "▶ play";
    };
    const start = () => {
      if (!hidden && goal >= data.last) show(0);
      play.textContent = "⏸ pause";
      clearInterval(playing);
      playing = setInterval(() => { if (!hidden && goal >= data.last) stop(); else show(goal + 1); }, 1000 / Number(speed?.value ?? 1));
    };
    const step = (n, asked) => { stop(); show(n, asked); };
    const after = (turns) => turns.find((each) => each > goal) ?? turns[0];
    const unit = () => data.units.findIndex(([first, last]) => first <= goal && goal <= last);

    // Where a trick ends is not known while results are hidden: step by step until another has begun.
    const nextTrick = async () => {
      stop();
      for (const begun = data.units.length; data.units.length === begun && !ask?.open;) await show(turn + 1);
    };

    // Where the table begins low, as on phones, whoever goes to a turn from above it is led to it.
    const inSight = () => {
      const middle = root.querySelector(".g-middle");
      if (middle.getBoundingClientRect().top > innerHeight / 2) middle.scrollIntoView({ block: "start" });
    };

    // Clicks: every link to a turn, and every card, which leads to where it was played.
    root.ownerDocument.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
      const link = event.target.closest?.("a[data-turn]");
      if (link && (root.contains(link) || link.closest(".g-more"))) {
        event.preventDefault();
        step(Number(link.dataset.turn), link.dataset.eyes ?? eyes);
        if (!root.contains(link)) root.scrollIntoView({ block: "start" });
        else if (link.closest(".g-why")) inSight();
        return;
      }
      const card = event.target.closest?.(".g-table svg.card");
      const name = card?.querySelector("use")?.getAttribute("href")?.replace("#card-", "");
      if (!name) return;
      const text = name === "CROW" ? "ROOK" : name;
      const played = [...root.querySelectorAll("[data-host=moves] a[data-cards]")].filter((each) => each.dataset.cards.split(" ").includes(text));
      if (played.length) step(Number(played[played.length - 1].dataset.turn));
    });
    if (scrub) { scrub.hidden = false; scrub.addEventListener("input", () => step(Number(scrub.value))); }
    if (play) { play.hidden = false; play.addEventListener("click", () => (playing ? stop() : start())); }
    if (speed) { speed.closest("label").hidden = false; speed.addEventListener("change", () => { if (playing) start(); }); }

    const copy = find("[data-copy]");
    const copied = async () => {
      const link = new URL(address(turn, eyes), location.href).href;
      try { await navigator.clipboard.writeText(link); say("link copied"); if (copy) copy.textContent = "copied"; } catch { say("the browser does not allow copying"); }
      if (copy) setTimeout(() => { copy.textContent = "copy link"; }, 1500);
    };
    if (copy) { copy.hidden = false; copy.addEventListener("click", copied); }
    const png = find("[data-png]");
    if (png) { png.hidden = false; png.addEventListener("click", () => drawn(find("[data-svg]").href, `${data.id}-turn${turn}.png`)); }

    const keys = [
      ["ArrowLeft", "one turn back", () => step(goal - 1)],
      ["ArrowRight", "one turn on", () => step(goal + 1)],
      ["[", "trick before", () => { const here = unit(); step(here < 0 ? (data.units.at(-1)?.[0] ?? 0) : goal > data.units[here][0] ? data.units[here][0] : (data.units[here - 1]?.[0] ?? 0)); }],
      ["]", "next trick", () => { const here = unit(); if (hidden && !data.units[here + 1]) nextTrick(); else step(data.units[here + 1]?.[0] ?? data.last); }],
      ["Home", "first turn", () => step(0)],
      ["End", "end", () => (hidden ? asking() : step(data.last))],
      ["0", "all hands", () => show(goal, "all")],
      ["v", "as the mover saw", () => show(goal, "mover")],
      ["d", "next first difference ◆", () => { if (data.differences.length) step(after(data.differences)); }],
      ["f", "next fault ×", () => { if (data.faults.length) step(after(data.faults)); }],
      ["w", "why it was lost: go there", () => { const first = root.querySelector(".g-why a[data-turn]"); if (first) first.click(); else if (data.why.length) step(...data.why[0]); }],
      ["l", "last trick", () => { const last = root.querySelector(".g-last"); if (last) last.open = !last.open; }],
      ["b", "the board", () => { if (data.board) location.href = data.board; }],
      ["c", "copy link", copied],
      ["n", "next note ✎", () => { if (data.notes?.length) step(after(data.notes)); }],
      [" ", "play, pause", () => (playing ? stop() : start())],
    ];
    for (let seat = 0; seat < data.seats; seat++) keys.push([String(seat + 1), `as seat ${seat + 1} saw it`, () => show(goal, String(seat))]);
    for (const [key, words, run] of keys) window.arena.on(key, words, run);

    const moves = root.querySelector(".g-moves");
    if (moves && matchMedia("(max-width: 720px)").matches) moves.open = false;
    marked();
    const query = new URLSearchParams(location.search);
    if (source.fixed && !source.silent && (query.has("turn") || query.has("seat"))) {
      const asked = query.get("seat") ?? "all";
      const known = asked === "mover" || asked in (source.data?.at ?? {});
      show(Number.parseInt(query.get("turn") ?? "0", 10) || 0, known ? asked : "all");
    } else {
      source.near(within(turn + 1), whose(turn + 1, eyes));
    }
    return { show };
  };

  // A picture of the position as PNG, drawn from the server's SVG.
  const drawn = async (address, name) => {
    const text = await (await fetch(address)).text();
    const image = new Image();
    image.src = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth * 2; canvas.height = image.naturalHeight * 2;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(image.src);
    const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };

  const trusted = (text) => new DOMParser().parseFromString(text, "text/html").body;
  window.replay = { mount, packed, unpack };

  const begin = async () => {
    const root = document.getElementById("replay");
    if (!root) return;
    const data = JSON.parse(root.querySelector("script[data-replay]").textContent);
    const island = document.getElementById("arena-positions");
    if (!island) { mount(root, data, server(location.pathname, data.also ?? "")); return; }
    const found = await unpack(island.textContent);
    mount(root, data, { ...packed(found, trusted), fixed: true, data: found });
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
