/* SPDX-License-Identifier: MIT */
/*
 * Flame charts by thread or CPU. All lanes share the time axis, and a zoom is a range of this axis:
 *
 *     begin[row]   when a row begins, after the axis does; rows and weights are nanoseconds
 *     range        what is in view: the whole axis, or the time of the zoomed row
 *
 * As in render/svg/svg_lanes.h, one rectangle represents all that are too narrow and begin at the same pixel.
 */

const MERGED = 1; /* pixels: narrower rectangles are merged */
const TICK_GAP = 90;
const staticClock = part("clock");
const grid = element("g", { id: "grid" });
const clock = element("g", { id: "clock", "text-anchor": "middle" });

let range = { begin: 0, end: 1 };

/* Call when the profile is loaded. */
function makeLanes() {
  const ends = new Float64Array(model.parent.length);
  model.begin = new Float64Array(model.parent.length);
  for (let row = 1; row < model.parent.length; row++) {
    const parent = model.parent[row];
    if (parent > 0) model.begin[row] = ends[parent] + model.gap[row];
    ends[row] = model.begin[row];
    ends[parent] = model.begin[row] + model.total[row];
  }
  help[0] = ["click, Enter", "zoom to the time of a frame; a lane's name shows only that lane"];
}

function xOf(time) {
  const share = (Math.min(Math.max(time, range.begin), range.end) - range.begin) / (range.end - range.begin);
  return MARGIN + share * (width - 2 * MARGIN);
}

function addLaneRect(row, x, w, level, parent) {
  const from = sets.count;
  addRow(row, row);
  const rect = addRect({ key: row, frame: model.frame[row], mode: CALLEES, from: from, to: sets.count, weight: model.total[row], missing: 0 },
    x, w, level, parent);
  rects.self[rect] = model.self[row];
  return rect;
}

function heaviestChild(row) {
  let best = -1;
  for (let next = row + 1; next < model.end[row]; next = model.end[next])
    if (best < 0 || model.total[next] > model.total[best]) best = next;
  return best;
}

/* Adds the children of a rectangle that are in the range. Narrow children within one pixel are merged. */
function addLaneChildren(rect, merged) {
  const row = sets.rows[rects.from[rect]], level = rects.level[rect] + 1;
  let cell = null;
  const endCell = () => {
    if (cell) merged.add(addLaneRect(cell.row, cell.x, Math.max(cell.end - cell.x, narrowest), level, rect));
    cell = null;
  };
  for (let next = row + 1; next < model.end[row]; next = model.end[next]) {
    const end = model.begin[next] + model.total[next];
    if (end <= range.begin || model.begin[next] >= range.end) continue;
    const x = xOf(model.begin[next]), w = xOf(end) - x;
    if (w >= MERGED || (cell && x + w - cell.x > MERGED)) endCell();
    if (w >= MERGED) addLaneRect(next, x, w, level, rect);
    else if (!cell) cell = { row: next, x: x, end: x + w };
    else {
      cell.end = x + w;
      if (model.total[next] > model.total[cell.row]) cell.row = next;
    }
  }
  endCell();
}

/* Adds a lane, level by level. merged: rectangles that represent others, so only their heaviest child is shown. */
function addLane(lane) {
  const merged = new Set();
  let from = rectCount;
  addLaneRect(lane, MARGIN, width - 2 * MARGIN, levels.length, -1);
  while (from < rectCount) {
    const to = rectCount;
    levels.push([from, to]);
    for (let rect = from; rect < to; rect++) {
      if (!merged.has(rect)) addLaneChildren(rect, merged);
      else {
        const child = heaviestChild(sets.rows[rects.from[rect]]);
        if (child > 0) merged.add(addLaneRect(child, rects.x[rect], rects.w[rect], rects.level[rect] + 1, rect));
      }
    }
    from = to;
  }
}

/* The first rectangle represents the root, and is in no level. */
function layOutLanes() {
  const nodes = follow(treeRoot(), view.path);
  view.path = nodes.slice(1).map((node) => node.key);
  const zoomed = view.path[view.path.length - 1], isTimed = view.path.length > 1;
  range = isTimed
    ? { begin: model.begin[zoomed], end: model.begin[zoomed] + model.total[zoomed] }
    : { begin: 0, end: model.clock[2] };
  sets.count = 0;
  addRect(treeRoot(), MARGIN, 0, 0, -1);
  const lanes = [];
  for (let lane = 1; lane < model.frame.length; lane = model.end[lane])
    if (view.path.length !== 1 || lane === zoomed) lanes.push(lane);
  (growsDown() ? lanes : lanes.reverse()).forEach(addLane);
}

/* A time of the axis on the capture's clock, with this many decimals of seconds. */
function clockText(time, decimals) {
  const ns = BigInt(model.clock[0]) * 1000000000n + BigInt(model.clock[1]) + BigInt(Math.round(time));
  const text = ns.toString().padStart(10, "0");
  return text.slice(0, -9) + (decimals ? "." + text.slice(-9).slice(0, decimals) : "");
}

function describeTimes({ key: row }) {
  const isLane = model.parent[row] === 0;
  const end = isLane ? model.clock[2] : model.begin[row] + model.total[row];
  return ", from " + clockText(model.begin[row], 9) + " s to " + clockText(end, 9) + " s";
}

/* As in render/timeline/time_axis.c: labels are not cut off at the sides. */
const LABEL_BEYOND = 10, LABEL_CHARACTER = 7;

/* The axis replaces the static one, and stays visible when the page scrolls. */
function makeAxis() {
  staticClock.remove();
  svg.insertBefore(grid, drawing);
  foot.appendChild(clock);
}

/* Ticks are at multiples of 1, 2 or 5 times a power of ten nanoseconds. */
function drawAxis() {
  if (!grid.parentNode) makeAxis();
  grid.replaceChildren();
  clock.replaceChildren();
  if (!hasLanes()) return;
  const scale = (width - 2 * MARGIN) / (range.end - range.begin);
  let step = 1;
  for (let i = 0; step * scale < TICK_GAP; i++) step = [1, 2, 5][i % 3] * Math.pow(10, Math.floor(i / 3));
  let decimals = 0;
  while (decimals < 9 && (step * Math.pow(10, decimals)) % 1e9) decimals++;
  const first = (BigInt(model.clock[0]) * 1000000000n + BigInt(model.clock[1])) % BigInt(step);
  const y = staticHeight - FOOT, bottom = top + levels.length * ROW;
  element("rect", { class: "page", x: 0, y: y, width: width, height: 30 }, clock);
  for (let time = Math.ceil((range.begin + Number(first)) / step) * step - Number(first); time < range.end; time += step) {
    const x = round(xOf(time));
    element("line", { x1: x, x2: x, y1: top, y2: bottom }, grid);
    element("line", { x1: x, x2: x, y1: y, y2: y + 6 }, clock);
    const text = clockText(time, decimals), half = text.length * LABEL_CHARACTER / 2 - LABEL_BEYOND;
    const middle = Math.min(Math.max(x, MARGIN + half), width - MARGIN - half);
    element("text", { x: round(middle), y: y + 18 }, clock).textContent = text;
  }
}
