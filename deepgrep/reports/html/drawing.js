"use strict";

/* What the drawing shows of the answer: what is folded, how certain a call has to be, what is marked. */
function drawingView(drawing, { say, showSource, choose }) {
  const holder = document.getElementById("canvas");
  const LEVELS = ["certain", "dispatch", "all"];
  const CERTAINTIES = ["certain", "dispatch", "flow"];
  const LARGE = 200; // edges from which on modules begin folded
  const { functions, modules, edges } = drawing;
  const members = modules.map(() => []);
  functions.forEach((one, index) => { if (one.module >= 0) members[one.module].push(index); });
  const folded = new Set(edges.length > LARGE ? modules.keys() : []);
  let level = LEVELS.length - 1;
  let onPath = [];
  let kept = -1;
  let pointed = -1;
  let found = new Set();
  let boxes = new Map();

  const scene = sceneView(holder, { onPoint: lookAt, onPick: pick });
  refresh();
  holder.addEventListener("keydown", key);

  /* ---- what is drawn ---- */

  /* Draw it anew, after what is folded, hidden or marked has changed. */
  function refresh() {
    const alive = onSomePath();
    const steps = new Set(onPath.slice(1).map((index, step) => endOf(onPath[step]) + " " + endOf(index)));
    boxes = new Map();
    modules.forEach((one, module) => {
      const count = members[module].filter((index) => alive.has(index)).length;
      if (count) boxes.set("m" + module, moduleBox(one, module, count));
    });
    for (const index of alive) if (!folded.has(functions[index].module)) boxes.set("f" + index, functionBox(index));
    const isTarget = onPath.length > 0;
    boxes.set("target", { ...drawing.target.box, kind: "target", text: [drawing.target.name], onPath: isTarget });
    const lines = new Map();
    const join = (from, to, one) => {
      if (from === to) return;
      const key = from + " " + to;
      const known = lines.get(key) || { from: boxes.get(from), to: boxes.get(to), level: one.level, calls: [], ...one.looks };
      known.calls.push(one);
      known.level = Math.min(known.level, one.level);
      if (steps.has(key)) known.mark = "path";
      lines.set(key, known);
    };
    edges.forEach((one, index) => {
      if (one.level > level || !alive.has(one.caller) || !alive.has(one.callee)) return;
      const isNear = kept >= 0 && (one.caller === kept || one.callee === kept);
      join(endOf(one.caller), endOf(one.callee), { ...one, edge: index, looks: isNear ? { mark: "near" } : {} });
    });
    for (const index of drawing.targets) {
      if (!alive.has(index)) continue;
      const isLast = onPath[onPath.length - 1] === index;
      join(endOf(index), "target", { level: 0, lines: functions[index].accesses, via: drawing.does, caller: index, looks: { mark: isLast ? "path" : "access" } });
    }
    for (const line of lines.values()) finish(line);
    scene.show({ boxes: [...boxes.values()], lines: [...lines.values()] });
    return alive.size;
  }

  function endOf(index) {
    return index >= 0 && folded.has(functions[index].module) ? "m" + functions[index].module : "f" + index;
  }

  function moduleBox(one, module, count) {
    if (!folded.has(module)) return { ...one.box, kind: "module", module, text: [one.name], font: 10 };
    const name = one.name.split(".").slice(-2).join(".");
    const font = Math.max(9, Math.min((one.box.width / Math.max(10, name.length)) * 1.6, one.box.height / 3));
    const isOnPath = onPath.some((index) => index >= 0 && functions[index].module === module);
    return { ...one.box, kind: "folded", module, text: [name, count + (count === 1 ? " function" : " functions")], font, onPath: isOnPath };
  }

  function functionBox(index) {
    const one = functions[index];
    const kind = index === drawing.root ? "root" : one.accesses.length ? "access" : "function";
    const step = onPath.indexOf(index);
    const text = step < 0 ? one.label : step + 1 + " " + one.label;
    const marks = { found: found.has(index), shown: index === pointed || index === kept, onPath: step >= 0 };
    return { ...one.box, kind, function: index, text: [text], chokepoint: one.chokepoint, ...marks };
  }

  /* A line for one call is drawn as it was laid out; one for several says how many. */
  function finish(line) {
    const [first] = line.calls;
    const isOne = line.calls.length === 1;
    const whole = line.from.kind !== "folded" && line.to.kind !== "folded";
    line.certainty = CERTAINTIES[line.level];
    line.width = 1 + Math.log2(line.calls.length) / 2;
    line.route = (whole && first.route) || [];
    line.dim = onPath.length > 0 && !line.mark;
    const said = first.via === "call" ? "" : first.via + " ";
    const numbers = first.lines.filter((number) => number > 0).join(", "); // what has no source has no lines
    const isQuiet = edges.length > LARGE && !line.mark;
    line.text = isQuiet ? "" : isOne ? said + numbers : line.calls.length + " calls";
  }

  /* The functions that lie on a path of calls that are as certain as is asked for. */
  function onSomePath() {
    if (level === LEVELS.length - 1) return new Set(functions.keys());
    const ahead = reached([drawing.root], "caller", "callee");
    const back = reached(drawing.targets, "callee", "caller");
    return new Set([...ahead].filter((index) => back.has(index)));
  }

  function reached(starts, from, to) {
    const next = functions.map(() => []);
    edges.forEach((one) => { if (one.level <= level) next[one[from]].push(one[to]); });
    const seen = new Set(starts);
    for (const index of seen) next[index].forEach((other) => seen.add(other)); // a set grows while it is walked
    return seen;
  }

  /* ---- what is asked of it ---- */

  function setLevel(name) {
    level = LEVELS.indexOf(name);
    const count = refresh();
    if (count) say(count + " of " + functions.length + " functions lie on a path of such calls");
    else say("no path is made of such calls alone");
  }

  function foldAll(fold) {
    folded.clear();
    if (fold) for (const module of modules.keys()) folded.add(module);
    refresh();
    say(fold ? "all modules are folded" : "all modules are unfolded");
  }

  function toggle(module) {
    const fold = !folded.delete(module);
    if (fold) folded.add(module);
    refresh();
    say(modules[module].name + (fold ? " is folded" : " is unfolded"));
  }

  function unfoldAround(indices) {
    indices.forEach((index) => { if (index >= 0) folded.delete(functions[index].module); });
  }

  function highlight(path) {
    onPath = path;
    unfoldAround(path);
    refresh();
  }

  function point(name, line) {
    pointed = functions.findIndex((one) => one.name === name && one.line === line);
    for (const box of boxes.values()) box.shown = box.function !== undefined && (box.function === pointed || box.function === kept);
    scene.redraw();
  }

  function keep(index) {
    kept = pointed = index;
    refresh();
    sourceOf(index);
  }

  function visit(index) {
    if (!boxes.has("f" + index) && level < LEVELS.length - 1 && !onSomePath().has(index)) {
      say(functions[index].name + " lies on no path of such calls");
      return;
    }
    unfoldAround([index]);
    keep(index);
    scene.centre(boxes.get("f" + index));
  }

  function search(text) {
    const wanted = text.trim().toLowerCase();
    const matches = functions.map((one, index) => ({ index, name: one.name })).filter(({ name }) => wanted && name.toLowerCase().includes(wanted));
    // What ends like this is most likely meant.
    matches.sort((one, other) => other.name.toLowerCase().endsWith(wanted) - one.name.toLowerCase().endsWith(wanted));
    found = new Set(matches.map(({ index }) => index));
    refresh();
    return matches;
  }

  /* ---- looking ---- */

  function sourceOf(index) {
    const one = functions[index];
    showSource(one.name, one.file, [one.line, ...one.accesses]);
  }

  function lookAt(thing) {
    if (thing.function !== undefined) sourceOf(thing.function);
    else if (thing.module !== undefined) say(modules[thing.module].name + ": " + members[thing.module].length + " functions");
    else if (thing.calls && thing.calls.length === 1) {
      const [call] = thing.calls;
      const from = functions[call.caller];
      const to = call.callee === undefined ? drawing.target.name : functions[call.callee].label;
      showSource(from.label + " → " + to, from.file, call.lines);
    }
  }

  function pick(thing) {
    if (thing && thing.function !== undefined) keep(thing.function);
    else if (thing && thing.module !== undefined) toggle(thing.module);
  }

  function release() {
    kept = pointed = -1;
    found = new Set();
    choose(-1);
  }

  function fit() {
    scene.fit([...boxes.values()], 1.5);
  }

  /* Few functions are shown whole at first; of many, the path. */
  function begin() {
    if (edges.length > LARGE) fitPath();
    else fit();
  }

  function fitPath() {
    const those = [...boxes.values()].filter((box) => box.onPath);
    scene.fit(those.length ? those : [...boxes.values()], 1.5);
  }

  function key(event) {
    const STEP = 60;
    const keys = {
      "+": () => scene.zoom(1.25),
      "=": () => scene.zoom(1.25),
      "-": () => scene.zoom(0.8),
      "0": fit,
      ArrowLeft: () => scene.pan(STEP, 0),
      ArrowRight: () => scene.pan(-STEP, 0),
      ArrowUp: () => scene.pan(0, STEP),
      ArrowDown: () => scene.pan(0, -STEP),
      Escape: release,
    };
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
  }

  return { begin, zoom: scene.zoom, fit, fitPath, foldAll, toggle, setLevel, highlight, point, visit, search };
}
