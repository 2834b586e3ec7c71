// The form at /play: hides places and seats that a game has not. The form works without this file.
"use strict";
document.addEventListener("DOMContentLoaded", () => {
  const form = document.querySelector("form.choose");
  const fit = () => {
    const { family, seats } = form.elements.game.selectedOptions[0].dataset;
    const top = form.elements.top.closest(".field");
    top.hidden = seats === "3";
    top.firstElementChild.textContent = family === "crow" ? "Opposite" : "Opposite, your partner";
    const east = form.elements.seat.querySelector('[value="3"]');
    east.disabled = east.hidden = seats === "3";
    if (east.disabled && east.selected) form.elements.seat.value = "any";
  };
  form.elements.game.addEventListener("change", fit);
  fit();
});
