"use strict";

/* A canvas that shows boxes and lines between them, can be moved about in, and says what is pointed at.
   2,000 functions stay fluent because whole groups of lines are stroked at once, and nothing out of sight is drawn. */
function sceneView(holder, { onPoint, onPick }) {
  const LEAST_TEXT = 5, LARGEST_TEXT = 15, FONT = 11, HEAD = 7, NEAR = 4, CLICK = 4, MANY = 500, REST = 150, SMALL = 5;
  const DASHES = { certain: [], dispatch: [7, 4], flow: [2, 3] };
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d");
  holder.replaceChildren(canvas);
  let scene = { boxes: [], lines: [] };
  let view = { x: 0, y: 0, zoom: 1 };
  let size = { width: 1, height: 1 };
  let colour = colours();
  let awaited = 0;
  let settling = 0;
  let pointed = null;

  new ResizeObserver(resize).observe(holder);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    colour = colours();
    redraw();
  });
  canvas.addEventListener("wheel", wheel, { passive: false });
  canvas.addEventListener("pointerdown", press);
  canvas.addEventListener("pointermove", hover);
  resize();

  function colours() {
    const style = getComputedStyle(document.documentElement);
    const names = ["paper", "panel", "ink", "quiet", "line", "root", "root-ink", "target", "target-ink", "access", "access-ink",
      "path", "node", "edge", "found"];
    const known = Object.fromEntries(names.map((name) => [name, style.getPropertyValue("--" + name).trim()]));
    return (name) => known[name];
  }

  function resize() {
    const scale = devicePixelRatio || 1;
    const width = holder.clientWidth, height = holder.clientHeight;
    if (!width || !height || (width === size.width && height === size.height)) return;
    view.x += (width - size.width) / 2;
    view.y += (height - size.height) / 2;
    size = { width, height };
    canvas.width = width * scale;
    canvas.height = height * scale;
    redraw();
  }

  function redraw() {
    if (!awaited) awaited = requestAnimationFrame(draw);
  }

  /* While a large drawing is moved, the lines that nothing marks are left out; they come back when it rests. */
  function move() {
    clearTimeout(settling);
    settling = setTimeout(() => { settling = 0; redraw(); }, REST);
    redraw();
  }

  function show(next) {
    scene = next;
    for (const line of scene.lines) {
      line.points = between(line.from, line.to, line.route);
      line.extent = extent(line.points);
    }
    for (const box of scene.boxes) {
      const { x, y, width, height } = box;
      box.extent = { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
    }
    pointed = null;
    redraw();
  }

  /* ---- drawing ---- */

  function draw() {
    awaited = 0;
    const scale = devicePixelRatio || 1;
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.fillStyle = colour("paper");
    pen.fillRect(0, 0, size.width, size.height);
    pen.setTransform(scale * view.zoom, 0, 0, scale * view.zoom, scale * view.x, scale * view.y);
    const sight = {
      left: -view.x / view.zoom, right: (size.width - view.x) / view.zoom,
      top: -view.y / view.zoom, bottom: (size.height - view.y) / view.zoom,
    };
    const isSeen = ({ extent: { left, right, top, bottom } }) =>
      right > sight.left && left < sight.right && bottom > sight.top && top < sight.bottom;
    const seen = scene.boxes.filter(isSeen);
    const lines = scene.lines.filter(isSeen);
    seen.filter((box) => box.kind === "module").forEach(drawBox);
    if (!settling || lines.length < MANY) drawLines(lines.filter((line) => !line.mark));
    seen.filter((box) => box.kind !== "module").forEach(drawBox);
    drawLines(lines.filter((line) => line.mark));
    drawLineTexts(lines);
    drawPath(seen.filter((box) => box.onPath));
  }

  function drawLines(lines) {
    const groups = new Map();
    for (const line of lines) {
      const key = [line.certainty, line.mark, line.dim, Math.round(line.width || 1)].join();
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(line);
    }
    for (const group of groups.values()) drawAlike(group);
    pen.setLineDash([]);
    pen.globalAlpha = 1;
  }

  /* Lines keep their width on the screen when they are made smaller. */
  function drawAlike(group) {
    const [{ mark, certainty, dim, width }] = group;
    const thin = 1 / Math.min(1, view.zoom);
    pen.globalAlpha = dim ? (scene.lines.length > MANY ? 0.15 : 0.4) : 1;
    pen.strokeStyle = pen.fillStyle = colour({ path: "path", near: "found", access: "ink" }[mark] || "edge");
    pen.lineWidth = thin * (mark === "path" ? 4 : mark ? 2 : width || 1);
    pen.setLineDash(DASHES[certainty].map((length) => length * thin));
    pen.beginPath();
    for (const { points } of group) {
      pen.moveTo(...points[0]);
      for (let index = 1; index < points.length; index++) pen.lineTo(...points[index]);
    }
    pen.stroke();
    const head = mark === "path" ? HEAD * 1.5 * thin : HEAD;
    if (head * view.zoom < 3) return;
    pen.beginPath();
    for (const { points } of group) arrow(points[points.length - 2], points[points.length - 1], head);
    pen.fill();
  }

  function arrow([x0, y0], [x1, y1], head) {
    const length = Math.hypot(x1 - x0, y1 - y0) || 1;
    const dx = ((x1 - x0) / length) * head, dy = ((y1 - y0) / length) * head;
    pen.moveTo(x1, y1);
    pen.lineTo(x1 - dx - dy / 2, y1 - dy + dx / 2);
    pen.lineTo(x1 - dx + dy / 2, y1 - dy - dx / 2);
  }

  function drawLineTexts(lines) {
    if (view.zoom * 9 < 7) return;
    pen.font = "9px system-ui, sans-serif";
    pen.textAlign = "center";
    for (const line of lines) {
      if (!line.text) continue;
      const [x, y] = middle(line.points);
      const width = pen.measureText(line.text).width + 4;
      pen.fillStyle = colour("paper");
      pen.fillRect(x - width / 2, y - 6, width, 12);
      pen.fillStyle = colour("quiet");
      pen.fillText(line.text, x, y + 3);
    }
  }

  const LOOKS = {
    module: ["panel", "line", "quiet"],
    folded: ["node", "edge", "ink"],
    function: ["node", "edge", "ink"],
    access: ["access", "edge", "access-ink"],
    root: ["root", "root", "root-ink"],
    target: ["target", "ink", "target-ink"],
  };

  function drawBox(box) {
    const [fill, line] = LOOKS[box.kind];
    const thin = 1 / Math.min(1, view.zoom);
    if (box.height * view.zoom < SMALL && !box.found && !box.shown && !box.onPath) {
      pen.fillStyle = colour(box.chokepoint ? line : fill);
      pen.fillRect(box.extent.left, box.extent.top, box.width, box.height);
      return;
    }
    outline(box, 0);
    pen.fillStyle = colour(fill);
    pen.fill();
    const marked = box.found || box.shown ? "found" : box.onPath ? "path" : box.chokepoint ? "ink" : line;
    pen.strokeStyle = colour(marked);
    pen.lineWidth = box.found || box.shown || box.onPath ? 3 * thin : box.chokepoint ? 3 : 1;
    pen.stroke();
    if (box.kind === "target" || box.kind === "folded") {
      pen.lineWidth = 1;
      outline(box, 3);
      pen.stroke();
    }
    if (!box.onPath) drawText(box);
  }

  /* Functions have round corners, the root sharp ones, the target and folded modules cut ones. */
  function outline({ x, y, width, height, kind }, inset) {
    const left = x - width / 2 + inset, top = y - height / 2 + inset, wide = width - 2 * inset, high = height - 2 * inset;
    pen.beginPath();
    if (kind === "root") pen.rect(left, top, wide, high);
    else if (kind === "target" || kind === "folded") {
      const corner = Math.min(8, high / 3);
      const right = left + wide, bottom = top + high;
      pen.moveTo(left + corner, top);
      for (const [px, py] of [[right - corner, top], [right, top + corner], [right, bottom - corner], [right - corner, bottom],
        [left + corner, bottom], [left, bottom - corner], [left, top + corner]]) pen.lineTo(px, py);
      pen.closePath();
    } else pen.roundRect(left, top, wide, high, 5);
  }

  function drawText(box) {
    const font = Math.min(box.font || FONT, Math.max(FONT, LARGEST_TEXT / view.zoom));
    if (font * view.zoom < LEAST_TEXT) return;
    pen.font = (box.kind === "target" ? "bold " : "") + font + "px system-ui, sans-serif";
    pen.fillStyle = colour(LOOKS[box.kind][2]);
    pen.textAlign = "center";
    const first = box.kind === "module" ? box.y - box.height / 2 + 13 : box.y + font * 0.35 - (box.text.length - 1) * font * 0.6;
    box.text.forEach((line, index) => pen.fillText(line, box.x, first + index * font * 1.2, box.width - 6));
  }

  /* The names on the path that is highlighted stay readable however small everything is, and beside each other. */
  function drawPath(boxes) {
    boxes.forEach(drawBox);
    if (view.zoom > 0.9) {
      boxes.forEach(drawText);
      return;
    }
    const font = FONT / view.zoom;
    const placed = [];
    pen.font = "bold " + font + "px system-ui, sans-serif";
    pen.textAlign = "center";
    for (const box of [...boxes].sort((one, other) => one.y - other.y)) {
      const label = { x: box.x, y: box.y, width: pen.measureText(box.text[0]).width + font };
      for (const other of placed) {
        const isOver = Math.abs(other.x - label.x) * 2 < other.width + label.width;
        if (isOver && Math.abs(label.y - other.y) < font * 1.7) label.y = other.y + font * 1.7;
      }
      placed.push(label);
      drawLabel(box, label, font);
    }
  }

  function drawLabel(box, { x, y, width }, font) {
    pen.strokeStyle = colour("path");
    pen.lineWidth = 1.5 / view.zoom;
    pen.fillStyle = colour(LOOKS[box.kind][0]);
    pen.beginPath();
    pen.roundRect(x - width / 2, y - font * 0.8, width, font * 1.6, font / 3);
    pen.fill();
    pen.stroke();
    pen.fillStyle = colour(LOOKS[box.kind][2]);
    pen.fillText(box.text[0], x, y + font * 0.35);
  }

  /* ---- geometry ---- */

  function extent(points) {
    const xs = points.map(([x]) => x), ys = points.map(([, y]) => y);
    return { left: Math.min(...xs), right: Math.max(...xs) + 0.1, top: Math.min(...ys), bottom: Math.max(...ys) + 0.1 };
  }

  function between(from, to, route) {
    const first = route[0] || [to.x, to.y], last = route[route.length - 1] || [from.x, from.y];
    return [leaves(from, first), ...route, leaves(to, last)];
  }

  /* Where a line from the middle of a box leaves it. */
  function leaves(box, [x, y]) {
    const dx = x - box.x, dy = y - box.y;
    const scale = Math.max(Math.abs(dx) / (box.width / 2), Math.abs(dy) / (box.height / 2));
    return scale ? [box.x + dx / scale, box.y + dy / scale] : [box.x, box.y];
  }

  function middle(points) {
    const half = (points.length - 1) / 2, [x0, y0] = points[Math.floor(half)], [x1, y1] = points[Math.ceil(half)];
    return points.length % 2 ? [x0, y0] : [(x0 + x1) / 2, (y0 + y1) / 2];
  }

  function distance([px, py], [x0, y0], [x1, y1]) {
    const dx = x1 - x0, dy = y1 - y0;
    const along = Math.max(0, Math.min(1, ((px - x0) * dx + (py - y0) * dy) / (dx * dx + dy * dy || 1)));
    return Math.hypot(px - x0 - along * dx, py - y0 - along * dy);
  }

  function isNear({ left, right, top, bottom }, [x, y]) {
    const room = NEAR / view.zoom;
    return x > left - room && x < right + room && y > top - room && y < bottom + room;
  }

  /* What is at a place on the screen: a function before a line, and a line before a module. */
  function at(x, y) {
    const here = [(x - view.x) / view.zoom, (y - view.y) / view.zoom];
    const holds = (box) => Math.abs(here[0] - box.x) <= box.width / 2 && Math.abs(here[1] - box.y) <= box.height / 2;
    const isHere = (line) => isNear(line.extent, here) && line.points.some((p, index) => index && distance(here, line.points[index - 1], p) * view.zoom < NEAR);
    return scene.boxes.find((box) => box.kind !== "module" && holds(box))
      || scene.lines.find((line) => line.mark && isHere(line)) || scene.lines.find(isHere)
      || scene.boxes.find(holds) || null;
  }

  /* ---- moving about ---- */

  function zoomAt(factor, x, y) {
    const zoom = Math.max(0.01, Math.min(4, view.zoom * factor));
    view = { zoom, x: x - ((x - view.x) * zoom) / view.zoom, y: y - ((y - view.y) * zoom) / view.zoom };
    move();
  }

  function pan(x, y) {
    view = { ...view, x: view.x + x, y: view.y + y };
    move();
  }

  function fit(boxes, most) {
    if (!boxes.length) return;
    const [left, right] = [Math.min(...boxes.map((b) => b.extent.left)), Math.max(...boxes.map((b) => b.extent.right))];
    const [top, bottom] = [Math.min(...boxes.map((b) => b.extent.top)), Math.max(...boxes.map((b) => b.extent.bottom))];
    const room = 30;
    const zoom = Math.min((size.width - 2 * room) / (right - left), (size.height - 2 * room) / (bottom - top), most);
    view = { zoom, x: size.width / 2 - ((left + right) / 2) * zoom, y: size.height / 2 - ((top + bottom) / 2) * zoom };
    redraw();
  }

  function inside(event) {
    const { left, top } = canvas.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  }

  function wheel(event) {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 30 : 1;
    zoomAt(Math.exp(-Math.max(-300, Math.min(300, event.deltaY * lines)) / 500), ...inside(event));
  }

  const held = new Map(); // the fingers, or the mouse, that are down
  let moved = 0;

  function press(event) {
    canvas.setPointerCapture(event.pointerId);
    held.set(event.pointerId, inside(event));
    moved = held.size > 1 ? CLICK : 0;
    if (held.size > 1) return;
    canvas.addEventListener("pointermove", drag);
    canvas.addEventListener("pointerup", lift);
    canvas.addEventListener("pointercancel", lift);
  }

  function drag(event) {
    const before = held.get(event.pointerId), now = inside(event);
    if (!before) return;
    moved += Math.hypot(now[0] - before[0], now[1] - before[1]);
    const other = [...held].find(([id]) => id !== event.pointerId);
    held.set(event.pointerId, now);
    if (other) {
      const [, [x, y]] = other;
      zoomAt(Math.hypot(now[0] - x, now[1] - y) / (Math.hypot(before[0] - x, before[1] - y) || 1), x, y);
    } else pan(now[0] - before[0], now[1] - before[1]);
  }

  function lift(event) {
    held.delete(event.pointerId);
    if (held.size) return;
    for (const name of ["pointerup", "pointercancel"]) canvas.removeEventListener(name, lift);
    canvas.removeEventListener("pointermove", drag);
    if (event.type === "pointerup" && moved < CLICK) onPick(at(...inside(event)));
  }

  function hover(event) {
    if (held.size) return;
    const found = at(...inside(event));
    canvas.style.cursor = found && found.kind ? "pointer" : "grab";
    if (found === pointed) return;
    pointed = found;
    if (found) onPoint(found);
  }

  return {
    show,
    redraw,
    fit,
    pan,
    zoom: (factor) => zoomAt(factor, size.width / 2, size.height / 2),
    /* Bring a box into the middle, large enough to be read. */
    centre: (box) => fit([box], Math.max(view.zoom, 0.9)),
  };
}
