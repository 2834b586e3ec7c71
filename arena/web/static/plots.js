// Draws every [data-plot] with uPlot: lines with bands, vertical marks, zoom by buttons, PNG. The data is in the page.
"use strict";
(() => {
  const token = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const DASHES = [[], [7, 3], [2, 3], [9, 3, 2, 3], [4, 4]];

  const colours = () => matchMedia("(prefers-color-scheme: dark)").matches
    ? ["#7cc4ff", "#ffb07a", "#7fd6b5", "#c9b1f2", "#ffd27a"]
    : ["#0b5cad", "#a63d00", "#008561", "#5b3a8c", "#7a5200"];

  // 15 % of a colour, written as uPlot wants it.
  const faint = (hex) => `${hex}26`;

  const marksOver = (marks) => ({
    hooks: {
      draw: [(plot) => {
        const { ctx, bbox } = plot;
        ctx.save();
        ctx.strokeStyle = ctx.fillStyle = token("--dim");
        ctx.font = `${12 * devicePixelRatio}px system-ui, sans-serif`;
        ctx.setLineDash([4, 4]);
        for (const { x, word } of marks) {
          const at = Math.round(plot.valToPos(x, "x", true));
          if (at < bbox.left || at > bbox.left + bbox.width) continue;
          ctx.beginPath();
          ctx.moveTo(at, bbox.top);
          ctx.lineTo(at, bbox.top + bbox.height);
          ctx.stroke();
          ctx.fillText(word, at + 4, bbox.top + 12 * devicePixelRatio);
        }
        ctx.restore();
      }],
    },
  });

  const draw = (figure) => {
    const data = JSON.parse(figure.dataset.plot);
    const place = figure.querySelector(".plot-canvas");
    place.replaceChildren();
    const ink = token("--ink"), line = token("--line"), palette = colours();
    const series = [{ label: data.xLabel }], columns = [data.x], bands = [];
    data.lines.forEach((each, number) => {
      const colour = palette[number % palette.length];
      const few = data.x.length <= 60;
      series.push({ label: each.name, stroke: colour, width: 2, dash: DASHES[number % DASHES.length], points: { show: few, size: 6 } });
      series.push({ label: "", stroke: "transparent", points: { show: false } }, { label: "", stroke: "transparent", points: { show: false } });
      columns.push(each.y, each.high, each.low);
      bands.push({ series: [series.length - 2, series.length - 1], fill: faint(colour) });
    });
    const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 }, font: "12px system-ui, sans-serif" };
    const whole = (plot, values) => values.map((value) => (Number.isInteger(value) ? String(value) : ""));
    const plot = new uPlot({
      width: Math.max(200, place.clientWidth), height: place.clientWidth < 500 ? 220 : 300,
      scales: { x: { time: false } }, series, bands, legend: { show: false }, cursor: { drag: { x: false, y: false } },
      axes: [{ ...axis, label: data.xLabel, labelFont: "12px system-ui, sans-serif", labelSize: 18, labelGap: 0, size: 32, values: whole }, axis],
      plugins: [marksOver(data.marks)],
    }, columns, place);
    plot.over.addEventListener("click", () => {
      const links = data.lines.map((each) => each.links[plot.cursor.idx]).filter(Boolean);
      if (links.length) location.href = links[0];
    });
    return { plot, data };
  };

  const tools = (figure, held) => {
    const zoom = (how) => {
      const { plot, data } = held.now;
      const ends = [data.x[0], data.x[data.x.length - 1]];
      let { min, max } = plot.scales.x;
      const middle = (min + max) / 2, half = (max - min) / 2;
      if (how === "all") [min, max] = ends;
      else if (how === "in" || how === "out") {
        const wide = how === "in" ? half / 2 : half * 2;
        [min, max] = [Math.max(ends[0], middle - wide), Math.min(ends[1], middle + wide)];
      } else {
        const way = how === "left" ? Math.max(-half, ends[0] - min) : Math.min(half, ends[1] - max);
        [min, max] = [min + way, max + way];
      }
      if (max - min > 0.5) plot.setScale("x", { min, max });
    };
    for (const button of figure.querySelectorAll("[data-zoom]")) button.addEventListener("click", () => zoom(button.dataset.zoom));
    figure.querySelector("[data-png]").addEventListener("click", () => {
      const link = document.createElement("a");
      link.href = held.now.plot.ctx.canvas.toDataURL("image/png");
      link.download = `${held.now.data.title.replace(/[^\w-]+/g, "-")}.png`;
      link.click();
    });
    figure.querySelector(".plot-buttons").hidden = false;
  };

  const start = (root) => {
    for (const figure of root.querySelectorAll("[data-plot]:not([data-drawn])")) {
      figure.dataset.drawn = "1";
      const held = { now: draw(figure) };
      tools(figure, held);
      let width = innerWidth;
      addEventListener("resize", () => {
        if (innerWidth === width || !figure.isConnected) return;
        width = innerWidth;
        held.now.plot.destroy();
        held.now = draw(figure);
      });
      matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
        held.now.plot.destroy();
        held.now = draw(figure);
      });
    }
  };
  document.addEventListener("DOMContentLoaded", () => start(document));
  document.addEventListener("htmx:afterSettle", (event) => start(event.target.parentElement ?? document));
})();
