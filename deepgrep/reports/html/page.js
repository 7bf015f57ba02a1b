"use strict";

/* The page: which path is highlighted, what source is shown, what the controls do. */
(function () {
  document.documentElement.classList.add("js");
  const data = JSON.parse(document.getElementById("data").textContent);
  const all = (selector) => [...document.querySelectorAll(selector)];

  unfoldForPrint();
  if (!data.paths.length) return;

  const pane = sourcePane(data);
  const said = document.getElementById("said");
  const say = (text) => { if (said) said.textContent = text; };
  const view = data.drawing ? drawingView(data.drawing, { say, showSource: pane.show, choose }) : null;
  const buttons = all(".path button[data-path]");
  buttons.forEach((button, path) => button.addEventListener("click", () => choose(isChosen(button) ? -1 : path)));
  for (const hop of all(".hop")) {
    hop.addEventListener("mouseenter", () => look(hop));
    hop.addEventListener("focusin", () => look(hop));
  }
  if (view) connectControls();
  look(document.querySelector(".hop"));
  choose(0);
  if (view) view.begin();

  function isChosen(button) {
    return button.getAttribute("aria-pressed") === "true";
  }

  /* Highlight one path, and no other; -1: none. */
  function choose(path) {
    buttons.forEach((button, number) => {
      button.setAttribute("aria-pressed", String(number === path));
      button.closest(".path").classList.toggle("chosen", number === path);
    });
    if (view) view.highlight(path < 0 ? [] : data.paths[path]);
    say(path < 0 ? "no path is highlighted" : buttons[path].querySelector(".title").textContent + " is highlighted");
  }

  function look(hop) {
    all(".hop.shown").forEach((other) => other.classList.remove("shown"));
    hop.classList.add("shown");
    const name = hop.querySelector("b").textContent;
    pane.show(name, hop.dataset.file, [Number(hop.dataset.line)]);
    if (view) view.point(hop.dataset.function, Number(hop.dataset.defined));
  }

  function connectControls() {
    const on = (id, does) => document.getElementById(id).addEventListener("click", does);
    on("zoom-in", () => view.zoom(1.25));
    on("zoom-out", () => view.zoom(0.8));
    on("fit", view.fit);
    on("fit-path", view.fitPath);
    on("fold", () => view.foldAll(true));
    on("unfold", () => view.foldAll(false));
    const level = document.getElementById("level");
    level.addEventListener("change", () => view.setLevel(level.value));
    document.getElementById("search").addEventListener("submit", (event) => {
      event.preventDefault();
      search(document.getElementById("find").value);
    });
    for (const button of all("[data-function]:not(.hop)")) {
      button.addEventListener("click", () => view.visit(Number(button.dataset.function)));
    }
    for (const button of all("[data-module]")) {
      button.addEventListener("click", () => view.toggle(Number(button.dataset.module)));
    }
  }

  function search(text) {
    const found = view.search(text);
    const results = document.getElementById("results");
    const SHOWN = 50;
    results.replaceChildren(...found.slice(0, SHOWN).map(({ index, name }) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = name;
      button.addEventListener("click", () => view.visit(index));
      const item = document.createElement("li");
      item.append(button);
      return item;
    }));
    if (!text.trim()) say("");
    else if (!found.length) say("no function drawn has “" + text + "” in its name");
    else {
      const more = found.length > SHOWN ? ", " + SHOWN + " of them listed" : "";
      say(found.length + (found.length === 1 ? " function found" : " functions found") + more);
      view.visit(found[0].index);
    }
  }

  /* What is folded is shown in print, but for the rest of long lists. */
  function unfoldForPrint() {
    let folded = [];
    addEventListener("beforeprint", () => {
      folded = all("details:not([open]):not(.rest)");
      folded.forEach((one) => { one.open = true; });
    });
    addEventListener("afterprint", () => folded.forEach((one) => { one.open = false; }));
  }
})();
