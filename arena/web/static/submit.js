// Sends a bot with a bar, and takes files that are dropped. Without this file the form sends itself.
"use strict";
document.addEventListener("DOMContentLoaded", () => {
  const form = document.querySelector(".send");
  if (!form) return;
  const drop = form.querySelector(".drop"), input = form.querySelector("input[type=file]");
  const told = form.querySelector(".told"), bar = form.querySelector("progress"), button = form.querySelector("button");
  const limit = Number(form.dataset.limit);
  const say = (text, wrong = false) => { told.textContent = text; told.classList.toggle("wrong", wrong); };

  const look = () => {
    const file = input.files[0];
    if (!file) return say("");
    if (file.size > limit) return say(`${file.name} has more than ${limit / 1e6} MB`, true);
    say(`${file.name}, ${(file.size / 1000).toFixed(1)} kB`);
  };
  input.addEventListener("change", look);
  for (const kind of ["dragover", "dragleave", "drop"]) {
    drop.addEventListener(kind, (event) => {
      event.preventDefault();
      drop.classList.toggle("over", kind === "dragover");
      if (kind === "drop" && event.dataTransfer.files.length) { input.files = event.dataTransfer.files; look(); }
    });
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const file = input.files[0];
    if (!file || file.size > limit) return look();
    const data = new FormData();
    for (const name of ["csrf", "message"]) data.append(name, form.elements[name].value);
    for (const box of form.querySelectorAll("input[name=games]:checked")) data.append("games", box.value);
    data.append("file", file);
    const request = new XMLHttpRequest();
    request.open("POST", form.action);
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("X-CSRF", form.elements.csrf.value);
    request.responseType = "json";
    const done = (text, wrong) => { button.disabled = false; bar.hidden = true; say(text, wrong); };
    request.upload.addEventListener("progress", (sent) => { bar.value = sent.lengthComputable ? sent.loaded / sent.total : 0; });
    request.addEventListener("error", () => done("the connection was lost; nothing was kept, send it again", true));
    request.addEventListener("load", () => {
      const answer = request.response && request.response.data;
      if (request.status === 202 && answer) return void location.assign(answer.page);
      const away = request.status >= 502 ? "the site is being started anew: send it again in a moment" : `refused (${request.status})`;
      done(answer ? `${answer.error}${answer.fix ? `: ${answer.fix}` : ""}` : away, true);
    });
    button.disabled = true;
    bar.hidden = false;
    say("sending");
    request.send(data);
  });
});
