/* SPDX-License-Identifier: MIT */
/*
 * The viewer: everything that moves, on top of a picture that is complete without it.
 *
 *     <metadata id="profile"> ── unpack ── model: arrays by row, rows in preorder
 *                                            │ nodes: rows that are drawn as one box
 *                                            ▼
 *     pointer, keys, address ── view ── layout: boxes by level ── draw: a path for each colour
 *
 * A node is a set of rows and a direction: one row and what stands on it, or all places of a
 * function and who called them. What it weighs is what its origins do: rows of its own, or those it
 * called. Nodes are opened only as far as their boxes are wide enough to be
 * seen, so that no view costs more than what it shows. The still picture is left alone until the
 * first view that differs from it.
 */
(function () {
  "use strict";

  /* Kinds of frames that are no code, the latter and all after it. */
  const GROUP = 0, MARK = 5;
  const HELP_WIDTH = 600;
  const SVG = "http://www.w3.org/2000/svg";

  const script = document.currentScript;
  const svg = script && script.closest ? script.closest("svg") : document.documentElement;
  /* Boxes may have ids of their own. */
  const part = (id) => svg.querySelector("#" + id + ":not(#frames *)");
  const packed = part("profile");
  if (!packed) return;

  const still = part("frames"), details = part("details"), matched = part("matched");
  const bar = part("bar"), foot = part("foot");
  const [MARGIN, ROW, BASELINE, PADDING, FOOT] = still.getAttribute("data-look").split(" ").map(Number); /* svg_look.h */
  const BOX = ROW - 1;
  const nameType = still.getAttribute("data-type");
  const top = Number(still.getAttribute("data-top"));
  const stillLevels = Number(still.getAttribute("data-levels"));
  const narrowest = Number(still.getAttribute("data-narrowest"));
  const stillWidth = Number(svg.getAttribute("width")), stillHeight = Number(svg.getAttribute("height"));
  const wasInverted = still.hasAttribute("data-inverted");
  /* Rows of one name stay apart, and their own weight is left. */
  const isOrdered = still.hasAttribute("data-ordered");
  const isFluid = svg.hasAttribute("data-fluid");
  const isAlone = svg === document.documentElement || (svg.parentNode === document.body && !svg.nextElementSibling && !svg.previousElementSibling);

  let model;
  let width = stillWidth, height = stillHeight;
  let glyph = 7.2;
  let levels = [];   /* of the layout: boxes of each row of the picture, from left to right */
  let axis = 0;      /* the level that stands still: the root's, or the function's of a sandwich */
  let cursor = null; /* the box that has the focus */
  let pointed = null;
  let drawing, outline, ring;
  const idle = details.textContent;
  const headings = new Map(Array.from(svg.querySelectorAll(".heading,.facts,.incomplete"), (line) => [line, line.textContent]));
  let term = "";
  let isHit = null;  /* by frame; null: nothing is searched for */

  const first = { kind: "tree", path: [], frame: -1, isHeavy: false, isInverted: wasInverted, side: 0 };
  let view = Object.assign({}, first);

  /* ---- The model ---- */

  async function unpack() {
    const text = packed.textContent;
    if (packed.getAttribute("class") === "plain") return JSON.parse(text);
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return JSON.parse(await new Response(stream).text());
  }

  function makeModel(data) {
    const diff = data.diff, stride = diff ? 6 : 3;
    const count = data.rows.length / stride + 1;
    const made = {
      unit: data.unit,
      of: data.of,
      factor: data.factor || 1,
      links: new Map(Object.entries(data.links || {})),
      name: [],
      module: [],
      kind: [],
      colour: [],
      source: data.sources || [],
      frame: new Int32Array(count),
      parent: new Int32Array(count),
      end: new Int32Array(count).fill(count),
      self: new Float64Array(count),
      diff: diff,
      before: { self: new Float64Array(count) },
      verdict: new Uint16Array(count).fill(5),
      confidence: new Uint16Array(count),
    };
    for (let i = 0; i < data.frames.length; i += 4) {
      made.name.push(data.names[data.frames[i]]);
      made.module.push(data.modules[data.frames[i + 1]]);
      made.kind.push(data.frames[i + 2]);
      made.colour.push("#" + data.frames[i + 3].toString(16).padStart(6, "0"));
    }
    made.frame[0] = -1;
    made.parent[0] = -1;
    made.self[0] = data.self;
    made.before.self[0] = diff ? diff.self : 0;
    for (let row = 1, at = 0; row < count; row++, at += stride) {
      let below = row - 1;
      for (let up = data.rows[at]; up > 0; up--) {
        made.end[below] = row;
        below = made.parent[below];
      }
      made.parent[row] = below;
      made.frame[row] = data.rows[at + 1];
      made.self[row] = data.rows[at + 2];
      if (diff) [made.before.self[row], made.verdict[row], made.confidence[row]] = data.rows.slice(at + 3, at + 6);
    }
    made.total = totals(made.self, made.parent);
    made.before.total = totals(made.before.self, made.parent);
    made.after = { self: made.self, total: made.total };
    return made;
  }

  function totals(self, parent) {
    const total = self.slice();
    for (let row = total.length - 1; row > 0; row--) total[parent[row]] += total[row];
    return total;
  }

  /* ---- Differences ---- */

  const widths = ["the larger side", "after", "before"];

  /* Makes rows as wide as they are on the side that was chosen. */
  function weigh() {
    const diff = model.diff;
    if (!diff || diff.drawn === view.side) return;
    diff.drawn = view.side;
    model.self = model.after.self.map((after, row) => {
      const before = model.before.self[row] * diff.scale;
      return [Math.max(before, after), after, before][view.side];
    });
    model.total = totals(model.self, model.parent);
  }

  function sumOf(node, side, part) {
    return node.origins.reduce((sum, row) => sum + side[part][row], 0);
  }

  /* Weights on both sides, at after's scale, and their difference in percent points of after. */
  function changeOf(node, part) {
    const before = sumOf(node, model.before, part) * model.diff.scale, after = sumOf(node, model.after, part);
    return { before: before, after: after, points: (100 * (after - before)) / model.after.total[0] };
  }

  /* In standard deviations; as profile/diff_test.c has it for many samples. */
  function deviations(change) {
    const [all, allAfter] = model.diff.samples;
    const before = (change.before / model.diff.scale / model.before.total[0]) * all;
    const after = (change.after / model.after.total[0]) * allAfter;
    const share = (before + after) / (all + allAfter);
    if (model.diff.shares)
      return Math.abs(after / allAfter - before / all) / Math.sqrt(share * (1 - share) * (1 / all + 1 / allAfter));
    const rate = (model.diff.scale * allAfter) / model.after.total[0];
    const expected = rate / (rate + all / model.before.total[0]);
    return Math.abs(after - (before + after) * expected) / Math.sqrt((before + after) * expected * (1 - expected));
  }

  /* An index of the colours: that of the row, or judged anew where rows are summed up. */
  function verdictOf(node) {
    if (!node.goesUp && node.rows.length === 1) return model.verdict[node.rows[0]];
    if (!model.diff.z) return 5;
    const change = changeOf(node, model.diff.exclusive && !node.goesUp ? "self" : node.part);
    if (!(deviations(change) >= model.diff.z)) return 5;
    if (!change.before || !change.after) return change.after ? 10 : 0;
    const shade = 1 + model.diff.steps.filter((step) => Math.abs(change.points) >= step).length;
    return change.points > 0 ? 5 + shade : 5 - shade;
  }

  function signed(value, digits) {
    return (value < 0 ? "−" : "+") + Math.abs(value).toFixed(digits);
  }

  function describeChange(node) {
    const change = changeOf(node, node.part), all = model.after.total[0];
    const isRow = !node.goesUp && node.rows.length === 1 && node.frame >= 0;
    const grown = !change.before ? "new" : !change.after ? "gone" : signed((100 * (change.after - change.before)) / change.before, 1) + "%";
    return nameOf(node) + " (before " + percent(change.before, all) + ", after " + percent(change.after, all) +
      ": " + signed(change.points, 2) + " points, " + grown + ")" +
      (node.frame < 0 || !model.diff.z ? "" : verdictOf(node) === 5 ? ", may be noise" : ", significant") +
      (isRow && model.diff.z ? ", confidence " + model.confidence[node.rows[0]] / 10 + "%" : "");
  }

  /* ---- Nodes ---- */

  function treeRoot() {
    return { frame: -1, weight: model.total[0], rows: [0], origins: [0], part: "total", goesUp: false };
  }

  /* All samples, each at the function it ended in. */
  function callersRoot() {
    const rows = [];
    let weight = 0;
    for (let row = 1; row < model.frame.length; row++) {
      if (!model.self[row]) continue;
      rows.push(row);
      weight += model.self[row];
    }
    return { frame: -1, weight: weight, rows: rows, origins: rows, part: "self", goesUp: true, isEnds: true };
  }

  /* The places of a function; of those that stand on each other the outermost. */
  function functionNode(frame, goesUp) {
    const rows = [];
    let weight = 0;
    for (let row = 1; row < model.frame.length; ) {
      if (model.frame[row] !== frame) {
        row++;
        continue;
      }
      rows.push(row);
      weight += model.total[row];
      row = model.end[row];
    }
    return { frame: frame, weight: weight, rows: rows, origins: rows, part: "total", goesUp: goesUp };
  }

  /* Calls take(row, origin) for what is one step further than the node's rows. */
  function eachNext(node, take) {
    node.rows.forEach((row, i) => {
      if (node.isEnds) take(row, row);
      else if (node.goesUp && model.parent[row] > 0) take(model.parent[row], node.origins[i]);
      else if (!node.goesUp)
        for (let k = row + 1; k < model.end[row]; k = model.end[k]) take(k, k);
    });
  }

  function childrenOf(node) {
    const byFrame = new Map();
    eachNext(node, (row, origin) => {
      const key = isOrdered && !node.goesUp && node.rows.length === 1 ? row : model.frame[row];
      let child = byFrame.get(key);
      if (!child) {
        child = { key: key, frame: model.frame[row], weight: 0, rows: [], origins: [], part: node.part, goesUp: node.goesUp };
        byFrame.set(key, child);
      }
      child.weight += model[node.part][origin];
      child.rows.push(row);
      child.origins.push(origin);
    });
    const children = Array.from(byFrame.values());
    if (view.isHeavy) children.sort((a, b) => b.weight - a.weight);
    else if (node.goesUp || node.rows.length > 1) children.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
    return children;
  }

  function nameOf(node) {
    return node.frame < 0 ? "all" : model.name[node.frame].replace(/_\[[kwij]\]$/, "").replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
  }

  /* ---- Layout ---- */

  /* Puts a box, and the boxes of what its node opens to, on rows in steps of 1 or -1. */
  function place(first, step) {
    const open = [first];
    while (open.length) {
      const box = open.pop();
      const scale = box.w / box.node.weight;
      const children = childrenOf(box.node);
      const own = children.reduce((rest, node) => rest - node.weight, box.node.weight);
      let at = box.x + (isOrdered ? own * scale : 0);
      (levels[box.level] || (levels[box.level] = [])).push(box);
      children.forEach((node) => {
        const w = node.weight * scale;
        if (w >= narrowest) open.push({ node: node, x: at, w: w, level: box.level + step, parent: box });
        at += w;
      });
      box.self = own;
    }
  }

  function sortLevels() {
    const lowest = Object.keys(levels).reduce((least, level) => Math.min(least, level), 0);
    const sorted = [];
    Object.keys(levels).forEach((level) => {
      sorted[level - lowest] = levels[level].sort((a, b) => a.x - b.x);
    });
    levels = sorted;
    axis = -lowest;
  }

  /* The node at the end of a path of frames, and those on the way; the path is cut where it ends. */
  function follow(root, path) {
    const way = [root];
    path.every((key, i) => {
      const next = childrenOf(way[i]).find((child) => child.key === key);
      if (next && next.weight) way.push(next);
      return next && next.weight;
    });
    return way;
  }

  function layOut() {
    const box = { x: MARGIN, w: width - 2 * MARGIN, level: 0, parent: null };
    weigh();
    levels = {};
    if (view.kind === "sandwich") {
      const callers = Object.assign({}, box, { node: functionNode(view.frame, true) });
      const callees = Object.assign({}, box, { node: functionNode(view.frame, false) });
      place(callers, -1);
      levels[0] = [];
      place(callees, 1);
      (levels[-1] || []).forEach((caller) => (caller.parent = callees));
    } else {
      placeWay(follow(view.kind === "callers" ? callersRoot() : treeRoot(), view.path), box);
    }
    sortLevels();
  }

  /* What the picture is zoomed to, standing on its ancestors. */
  function placeWay(way, box) {
    let parent = null;
    view.path = way.slice(1).map((node) => node.key);
    way.forEach((node, level) => {
      const next = Object.assign({}, box, { node: node, level: level, parent: parent });
      parent = next;
      if (level === way.length - 1) return place(next, 1);
      next.isAncestor = true;
      levels[level] = [next];
    });
  }

  /* Sandwiches have callers above and callees below, whatever way the picture grows. */
  function yOf(level) {
    const growsDown = view.isInverted || view.kind === "sandwich";
    return top + (growsDown ? level : levels.length - 1 - level) * ROW;
  }

  function levelAt(y) {
    const row = Math.floor((y - top) / ROW);
    return view.isInverted || view.kind === "sandwich" ? row : levels.length - 1 - row;
  }

  function boxAt(x, y) {
    const row = levels[levelAt(y)] || [];
    let low = 0, high = row.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (row[middle].x <= x) low = middle + 1;
      else high = middle;
    }
    const box = row[low - 1];
    return box && x < box.x + box.w ? box : null;
  }

  /* ---- Drawing ---- */

  function element(name, attributes, inside) {
    const made = document.createElementNS(SVG, name);
    Object.keys(attributes).forEach((key) => made.setAttribute(key, attributes[key]));
    if (inside) inside.appendChild(made);
    return made;
  }

  function round(value) {
    return Math.round(value * 100) / 100;
  }

  function isLightOn(colour) {
    const value = parseInt(colour.slice(1), 16);
    const shade = [0.2126, 0.7152, 0.0722].reduce(
      (sum, share, i) => sum + share * Math.pow(((value >> (16 - 8 * i)) & 255) / 255, 2.2), 0.05);
    return shade * shade < 1.05 * 0.05;
  }

  /* The class of what is drawn alike, and the colour if that is all it is. */
  function styleOf(box) {
    if (isHit && box.node.frame >= 0 && isHit[box.node.frame]) return "hit";
    if (box.isAncestor) return "ancestor";
    if (box.node.frame < 0) return still.getAttribute("data-root");
    return (model.diff && model.diff.colours[verdictOf(box.node)]) || model.colour[box.node.frame];
  }

  function cut(name, fit) {
    const characters = name.length > fit ? Array.from(name) : null;
    return characters && characters.length > fit ? characters.slice(0, fit - 1).join("") + "…" : name;
  }

  function drawLabel(box, y, style) {
    const fit = Math.floor((box.w - 2 * PADDING) / glyph);
    if (fit < 3) return;
    const text = element("text", { x: round(box.x + PADDING), y: y + BASELINE }, drawing);
    if (style[0] !== "#") text.setAttribute("class", style);
    else if (isLightOn(style)) text.setAttribute("fill", "#fff");
    text.textContent = cut(nameOf(box.node), fit);
  }

  function drawBoxes() {
    const shapes = new Map();
    const labels = [];
    levels.forEach((row, level) => {
      const y = yOf(level);
      row.forEach((box) => {
        const style = styleOf(box);
        const gap = box.w > 2 ? 0.5 : 0;
        const w = round(box.w - gap);
        const shape = "M" + round(box.x + gap / 2) + " " + y + "h" + w + "v" + BOX + "h-" + w + "z";
        shapes.set(style, (shapes.get(style) || "") + shape);
        if (box.w > 3 * glyph) labels.push([box, y, style]);
      });
    });
    shapes.forEach((shape, style) => {
      const isColour = style[0] === "#";
      element("path", isColour ? { d: shape, fill: (model.diff && model.diff.hatched || {})[style] || style } : { d: shape, class: style }, drawing);
    });
    labels.forEach((label) => drawLabel(...label));
  }

  /* The still picture does not know how wide the window and the letters are. */
  function cutHeadings() {
    headings.forEach((text, line) => {
      const room = width - 2 * MARGIN - (line.getAttribute("class") === "heading" ? 200 : 0);
      line.textContent = text;
      const length = line.getComputedTextLength();
      if (length > room) line.textContent = cut(text, Math.floor((text.length * room) / length) - 1);
    });
  }

  function resize() {
    height = still.parentNode ? stillHeight : top + levels.length * ROW + FOOT;
    svg.setAttribute("width", width);
    svg.setAttribute("height", height);
    svg.setAttribute("viewBox", "0 0 " + width + " " + height);
    bar.firstElementChild.setAttribute("transform", "translate(" + (width - stillWidth) + ",0)");
    matched.setAttribute("x", width - MARGIN);
    part("help").setAttribute("transform",
      "translate(" + MARGIN + "," + top + ") scale(" + Math.min(1, (width - 2 * MARGIN) / HELP_WIDTH) + ")");
    part("reset").classList.toggle("off", view.kind === "tree" && !view.path.length);
    cutHeadings();
    followScroll();
  }

  function draw() {
    layOut();
    if (still.parentNode) svg.replaceChild(drawing, still);
    drawing.replaceChildren();
    drawBoxes();
    moveRing(null);
    pointed = undefined;
    point(null);
    resize();
    countMatches();
  }

  function outlineBox(shape, box) {
    shape.setAttribute("display", box ? "inline" : "none");
    if (!box) return;
    shape.setAttribute("x", round(box.x));
    shape.setAttribute("y", yOf(box.level + axis));
    shape.setAttribute("width", round(Math.max(box.w, 1)));
  }

  /* ---- Words ---- */

  function scaled(value, name) {
    return (value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3)) + " " + name;
  }

  function weightText(value) {
    if (model.unit !== "nanoseconds") {
      value = Math.round(value * model.factor);
      const one = model.of.replace(/^(sample|byte)s$/, "$1");
      return value.toLocaleString("en") + " " + (value === 1 ? one : model.of);
    }
    if (value < 1e3) return value + " ns";
    if (value < 1e6) return scaled(value / 1e3, "µs");
    return value < 1e9 ? scaled(value / 1e6, "ms") : scaled(value / 1e9, "s");
  }

  function percent(part, whole) {
    const share = (100 * part) / whole;
    return share.toFixed(share < 10 ? 2 : 1) + "%";
  }

  /* Of a function in all its places, each sample once. */
  function totalOf(frame) {
    return functionNode(frame, false).weight;
  }

  function describe(box) {
    const all = model.total[0];
    const node = box.node;
    if (model.diff) return describeChange(node);
    let text = nameOf(node) + " (" + weightText(node.weight) + ", " + percent(node.weight, all) + ")";
    if (node.frame < 0) return text;
    if (!box.isAncestor && box.self > 0 && box.self < node.weight)
      text += ", self " + percent(box.self, all);
    if (box.parent && box.parent.node.frame >= 0)
      text += ", " + percent(node.weight, box.parent.node.weight) + " of " + (node.goesUp ? "what it called" : "its caller");
    if (model.kind[node.frame] < MARK && model.kind[node.frame] !== GROUP)
      text += ", " + percent(totalOf(node.frame), all) + " in all places";
    if (model.module[node.frame]) text += ", in " + model.module[node.frame];
    if (model.source[node.frame]) text += ", at " + model.source[node.frame];
    return text;
  }

  function tell(box) {
    const text = box && (nameType ? nameType + " " : "") + describe(box);
    details.textContent = box ? cut(text, Math.floor((width - 220) / glyph)) : idle;
  }

  /* ---- Search ---- */

  function expressionOf(text) {
    try {
      return new RegExp(text, /[A-Z]/.test(text) ? "" : "i");
    } catch (error) {
      return null;
    }
  }

  function search(text) {
    const expression = text ? expressionOf(text) : null;
    if (text && !expression) return false;
    term = text;
    isHit = expression && model.name.map((name) => expression.test(name));
    part("search").lastChild.textContent = text ? "Clear" : "Search";
    return true;
  }

  /* The rows the view is about, none inside another. */
  function rowsInView() {
    if (view.kind === "sandwich") return functionNode(view.frame, false).rows;
    if (view.kind === "callers") return [0];
    return follow(treeRoot(), view.path).pop().rows;
  }

  /* What matches, counted once where a match stands on another. */
  function countMatches() {
    let sum = 0, whole = 0;
    matched.textContent = " ";
    if (!isHit) return;
    rowsInView().forEach((root) => {
      whole += model.total[root];
      for (let row = root; row < model.end[root]; ) {
        const hit = model.frame[row] >= 0 && isHit[model.frame[row]];
        if (hit) sum += model.total[row];
        row = hit ? model.end[row] : row + 1;
      }
    });
    matched.textContent = "Matched: " + percent(sum, whole);
  }

  function nextHit(step) {
    const hits = isHit ? levels.flat().filter((box) => box.node.frame >= 0 && isHit[box.node.frame]) : [];
    if (!hits.length) return;
    const at = hits.indexOf(cursor);
    focusBox(hits[at < 0 ? (step > 0 ? 0 : hits.length - 1) : (at + step + hits.length) % hits.length]);
  }

  function askForTerm() {
    if (part("entry")) return;
    const holder = element("foreignObject", { id: "entry", x: width - MARGIN - 260, y: 14, width: 260, height: 24 }, bar);
    const input = document.createElementNS("http://www.w3.org/1999/xhtml", "input");
    input.setAttribute("aria-label", "Search: a regular expression");
    input.setAttribute("placeholder", "regular expression");
    input.value = term;
    holder.appendChild(input);
    input.focus({ preventScroll: true });
    input.addEventListener("input", () => {
      const isGood = search(input.value);
      input.className = isGood ? "" : "wrong";
      if (isGood) show();
    });
    input.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape" && search("")) show();
      if (event.key === "Escape" || event.key === "Enter") input.blur();
    });
    input.addEventListener("blur", () => holder.remove());
  }

  /* ---- The view, and the address that holds it ---- */

  function show() {
    draw();
    remember();
  }

  function change(what) {
    Object.assign(view, what);
    show();
  }

  function pathOf(box) {
    const path = [];
    for (let at = box; at && at.node.frame >= 0; at = at.parent) path.unshift(at.node.key);
    return path;
  }

  function open(box) {
    const frame = box.node.frame;
    if (view.kind !== "sandwich") change({ path: pathOf(box) });
    else if (frame >= 0 && frame !== view.frame) change({ frame: frame });
  }

  function sandwich(box) {
    const target = box || boxOfPath();
    if (view.kind === "sandwich") change({ kind: "tree", frame: -1, path: [] });
    else if (target && target.node.frame >= 0) change({ kind: "sandwich", frame: target.node.frame, path: [] });
  }

  /* Zoomed in, what is meant is what was zoomed to. */
  function boxOfPath() {
    const row = levels[view.path.length];
    return view.path.length && row ? row[0] : null;
  }

  function remember() {
    const state = [];
    if (view.kind !== "tree") state.push("view=" + view.kind);
    if (view.frame >= 0) state.push("function=" + view.frame);
    if (view.path.length) state.push("zoom=" + view.path.join("."));
    if (view.isHeavy) state.push("order=weight");
    if (view.side !== first.side) state.push("width=" + view.side);
    if (view.isInverted !== wasInverted) state.push("inverted=" + Number(view.isInverted));
    if (term) state.push("search=" + encodeURIComponent(term));
    try {
      history.replaceState(null, "", state.length ? "#" + state.join("&") : location.pathname + location.search);
    } catch (error) {
      /* Some places that show a file do not let it change its address. */
    }
  }

  function decoded(value) {
    try {
      return decodeURIComponent(value);
    } catch (error) {
      return "";
    }
  }

  /* The view a link asks for; what it does not mention is as it was at first. */
  function recall() {
    const wanted = {};
    location.hash.slice(1).split("&").forEach((pair) => {
      const at = pair.indexOf("=");
      if (at > 0) wanted[pair.slice(0, at)] = decoded(pair.slice(at + 1));
    });
    const frame = Number(wanted.function);
    const hasFrame = wanted.view === "sandwich" && model.name[frame] !== undefined;
    view = Object.assign({}, first, {
      kind: hasFrame ? "sandwich" : wanted.view === "callers" ? "callers" : "tree",
      frame: hasFrame ? frame : -1,
      path: wanted.zoom ? wanted.zoom.split(".").map(Number) : [],
      isHeavy: wanted.order === "weight",
      side: model.diff && /^[012]$/.test(wanted.width) ? Number(wanted.width) : first.side,
      isInverted: wanted.inverted ? wanted.inverted === "1" : wasInverted,
    });
    search(wanted.search || "");
  }

  /* ---- Pointer and keys ---- */

  function positionOf(event) {
    const box = svg.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  function boxUnder(event) {
    const at = positionOf(event);
    return boxAt(at.x, at.y);
  }

  function point(box) {
    if (box === pointed) return;
    pointed = box;
    outlineBox(outline, box);
    tell(box || cursor);
  }

  function moveRing(box) {
    cursor = box;
    outlineBox(ring, box);
    if (box) ring.setAttribute("aria-label", describe(box));
  }

  /* All boxes share one element that can have the focus, so that there is no end to them. */
  function focusBox(box) {
    if (!box) return;
    moveRing(box);
    tell(box);
    ring.focus({ preventScroll: true });
    scrollTo(box);
  }

  function scrollTo(box) {
    const y = yOf(box.level + axis) + svg.getBoundingClientRect().top;
    if (y < ROW || y > window.innerHeight - FOOT - ROW) window.scrollBy(0, y - window.innerHeight / 2);
  }

  function beside(box, step) {
    const row = levels[box.level + axis];
    return row[row.indexOf(box) + step] || box;
  }

  function child(box, step) {
    const row = levels[box.level + axis + step] || [];
    return row.reduce((best, at) => (at.parent === box && (!best || at.w > best.w) ? at : best), null) || box;
  }

  function parentOf(box) {
    return box.parent || box;
  }

  /* Away from the root, or towards it, whichever way the picture grows. */
  function vertical(box, step) {
    if (view.kind === "sandwich") {
      const away = box.level === 0 || Math.sign(box.level) === step;
      return away ? child(box, step) : parentOf(box);
    }
    return (step > 0) === view.isInverted ? child(box, 1) : parentOf(box);
  }

  /* By a search, so that its share, n and N, and links go with it; again to end it. */
  function findPlaces(box) {
    const name = box && model.name[box.node.frame];
    const exact = name && "^" + name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") + "$";
    if (search(exact && exact !== term ? exact : "")) show();
  }

  function toggleSearch() {
    if (!term) askForTerm();
    else if (search("")) show();
  }

  function reset() {
    change({ kind: "tree", path: [], frame: -1 });
  }

  /* The key of differences: after, before, and the larger of both again. */
  function nextSide() {
    if (!model.diff) return;
    change({ side: (view.side + 1) % widths.length });
    details.textContent = "widths: " + widths[view.side];
  }

  function toggleHelp() {
    part("help").classList.toggle("off");
  }

  const keys = {
    "/": askForTerm,
    "?": toggleHelp,
    Escape: () => (part("help").classList.contains("off") ? reset() : toggleHelp()),
    n: () => nextHit(1),
    N: () => nextHit(-1),
    s: () => sandwich(cursor || pointed),
    f: () => findPlaces(cursor || pointed),
    r: () => change({ kind: view.kind === "callers" ? "tree" : "callers", path: [], frame: -1 }),
    i: () => change({ isInverted: !view.isInverted }),
    o: () => change({ isHeavy: !view.isHeavy }),
    b: nextSide,
    Enter: () => cursor && open(cursor),
    " ": () => cursor && open(cursor),
    ArrowLeft: () => focusBox(cursor ? beside(cursor, -1) : levels[axis][0]),
    ArrowRight: () => focusBox(cursor ? beside(cursor, 1) : levels[axis][0]),
    ArrowUp: () => focusBox(cursor ? vertical(cursor, -1) : levels[axis][0]),
    ArrowDown: () => focusBox(cursor ? vertical(cursor, 1) : levels[axis][0]),
  };

  function onKey(event) {
    const button = event.target.closest && event.target.closest(".button");
    const isFind = (event.ctrlKey || event.metaKey) && event.key === "f";
    if (event.target.localName === "input" || (!isFind && (event.ctrlKey || event.metaKey || event.altKey))) return;
    if (isFind) askForTerm();
    else if (button && (event.key === "Enter" || event.key === " ")) press(button);
    else if (keys[event.key]) keys[event.key]();
    else return;
    event.preventDefault();
  }

  function press(button) {
    ({ search: toggleSearch, reset: reset, keys: toggleHelp })[button.id]();
  }

  /* The buttons and the line of details stay in sight. */
  function followScroll() {
    const box = svg.getBoundingClientRect();
    const below = Math.max(0, Math.min(box.bottom - window.innerHeight, height - FOOT));
    bar.setAttribute("transform", "translate(0," + Math.max(0, -box.top) + ")");
    foot.setAttribute("transform", "translate(0," + (height - stillHeight - below) + ")");
  }

  /* All reading starts from the root. */
  function scrollToRoot() {
    if (isAlone && !view.isInverted && view.kind === "tree") window.scrollTo(0, document.documentElement.scrollHeight);
    followScroll();
  }

  function fitWidth() {
    const room = isAlone ? window.innerWidth : svg.parentNode.clientWidth;
    if (isFluid && room >= 400) width = room;
    return width !== Number(svg.getAttribute("width"));
  }

  function measureGlyph() {
    const probe = element("text", {}, svg);
    probe.textContent = "abcdefghijklmnopqrst";
    const length = probe.getComputedTextLength();
    probe.remove();
    if (length > 0) glyph = length / 20;
  }

  /* With Ctrl a link is zoomed to. */
  function followLink(box, event) {
    const link = box.node.frame >= 0 && model.links.get(model.name[box.node.frame]);
    if (link && !still.parentNode && !event.ctrlKey) window.open(link[0], link[1] || "_top", "noopener");
    if (event.ctrlKey) event.preventDefault();
    return link && !event.ctrlKey;
  }

  function listen() {
    svg.addEventListener("click", (event) => {
      const button = event.target.closest(".button");
      const box = button ? null : boxUnder(event);
      if (button) press(button);
      else if (box && event.shiftKey) sandwich(box);
      else if (box && !followLink(box, event)) open(box);
    });
    svg.addEventListener("pointermove", (event) => point(boxUnder(event)));
    svg.addEventListener("pointerleave", () => point(null));
    document.addEventListener("keydown", onKey);
    window.addEventListener("scroll", followScroll);
    window.addEventListener("hashchange", () => {
      recall();
      draw();
    });
    window.addEventListener("resize", () => {
      if (fitWidth()) draw();
      followScroll();
    });
  }

  const help = [
    ["click, Enter", "zoom to a box; its ancestors stay below it"],
    ["Esc, Reset", "back to the whole picture"],
    ["/, Ctrl-F", "search by regular expression; n and N go from match to match"],
    ["f", "all places of a function, and what they come to"],
    ["s, shift-click", "sandwich: callers and callees of one function, and back"],
    ["r", "reversed: by the function samples ended in, and who called it"],
    ["i", "upside down"],
    ["o", "order by weight, or by name"],
    ["arrows", "from box to box"],
    ["?", "this help"],
  ];

  function makeHelp() {
    const panel = element("g", { id: "help", class: "off" }, bar);
    element("rect", { width: HELP_WIDTH, height: help.length * ROW + 20, rx: 6 }, panel);
    help.forEach((line, i) =>
      line.forEach((text, k) => {
        element("text", { x: 16 + 120 * k, y: 24 + i * ROW }, panel).textContent = text;
      }));
  }

  function makeLayers() {
    const overlay = element("g", { id: "overlay" });
    drawing = element("g", { id: "frames" });
    outline = element("rect", { id: "pointed", height: BOX, display: "none" }, overlay);
    ring = element("rect", { id: "cursor", height: BOX, display: "none", tabindex: "0", role: "img" }, overlay);
    svg.insertBefore(overlay, foot);
    svg.insertBefore(bar, foot);
    makeHelp();
  }

  async function start() {
    model = makeModel(await unpack());
    if (model.diff) {
      first.side = model.diff.width;
      help.splice(-2, 0, ["b", "widths: after, before, or the larger of both"]);
    }
    makeLayers();
    measureGlyph();
    svg.classList.add("live");
    recall();
    if (fitWidth() || location.hash) draw();
    else layOut();
    while (still.parentNode && levels.length < stillLevels) levels.push([]);
    resize();
    listen();
    scrollToRoot();
  }

  start().catch(() => {
    /* A browser that cannot unpack: the still picture is what there is, with its tooltips. */
  });
})();
