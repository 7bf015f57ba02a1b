"use strict";

/* The pane with the source of what is looked at. All that it shows is set as text. */
function sourcePane(data) {
  const pane = document.getElementById("source");
  const AROUND = 3;

  function show(title, file, calls) {
    pane.replaceChildren(line("b", title), document.createTextNode(" "));
    for (const call of calls) {
      pane.append(place(file, call), excerpt(file, call));
    }
  }

  function line(tag, text) {
    const made = document.createElement(tag);
    made.textContent = text;
    return made;
  }

  function place(file, number) {
    const address = data.addresses[file];
    const made = line(address ? "a" : "span", number ? file + ":" + number : file);
    made.className = "place";
    if (address) {
      made.href = address + number;
      made.rel = "noreferrer noopener";
    }
    return made;
  }

  /* The lines around a call, as many of them as the page holds. */
  function excerpt(file, call) {
    const lines = data.lines[file] || {};
    const table = document.createElement("table");
    table.setAttribute("role", "presentation");
    for (let number = call - AROUND; number <= call + AROUND; number++) {
      if (lines[number] === undefined) continue;
      const row = table.insertRow();
      if (number === call) row.className = "called";
      row.append(line("td", String(number)), line("td", lines[number] || " "));
    }
    if (!table.rows.length) return line("p", "the source is not at hand");
    return table;
  }

  return { show };
}
