/* SPDX-License-Identifier: MIT */
/*
 * Shows the interval under the pointer and its waker, and selects a window of time as a --time option. Times are
 * BigInt: nanoseconds do not fit a Number. render/timeline/lanes_svg.c writes the elements:
 *
 *     #plot     data-grid: width of the plot, columns that it has room for, pitch and height of a lane
 *     #lanes    the intervals: lanes_data.c
 *     #details  what is under the pointer; #window the selection
 */
const plot = part("plot"), details = part("details"), label = part("window"), data = part("lanes");
const [width, columnMax, pitch, height] = plot.getAttribute("data-grid").split(" ").map(Number);
const HINT = isTouched ? ["Tap for durations", "tap a blocked interval to see who ended it", "drag sideways to select a window"]
  : ["Hover for durations", "click a blocked interval to see who ended it", "drag to select a window"];
const OPEN = 4;
const wakers = ["", " · woken by ", " · woken in a softirq of ", " · woken by an interrupt of "];

let firstNs, lastNs, columnNs, kinds, threads;
let hasWakers = false; /* for some interval it is known who ended it */
let lanes = [];      /* { name, spans, cells }: spans in time order, cells by column */
let cursor = null;   /* { lane, span } or { lane, column } */
let anchor = null, end = null;  /* the selected window, in columns; or null */
let pressed = null;  /* where a drag begins if the pointer moves: { x, column } */
let isDragged = false;
let exact = null;    /* the selected interval, whose times are the window */
let scale = 1;       /* of the plot, horizontally */

/* ---- Reading ---- */

async function read() {
  const text = data.textContent;
  if (data.getAttribute("class") === "plain") return JSON.parse(text);
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

function readSpans(text) {
  const numbers = text ? text.split(",") : [], spans = [];
  let time = firstNs;
  for (let i = 0; i < numbers.length; i += 5) {
    const from = time + BigInt(numbers[i]);
    time = from + BigInt(numbers[i + 1]);
    const [kind, flags, thread] = numbers.slice(i + 2, i + 5).map(Number);
    spans.push({ from: from, to: time, kind: kind, waker: flags & 3, isOpen: (flags & OPEN) !== 0, thread: thread - 1 });
  }
  return spans;
}

function readCells(text) {
  const numbers = text ? text.split(",").map(Number) : [], cells = new Map();
  for (let i = 0, column = 0; i < numbers.length; i += 4) {
    column += numbers[i];
    if (!cells.has(column)) cells.set(column, []);
    cells.get(column).push({ kind: numbers[i + 1], ns: numbers[i + 2], count: numbers[i + 3] });
  }
  return cells;
}

/* ---- Places ---- */

const clamp = (value, limit) => Math.max(0, Math.min(limit - 1, value));
const columns = () => Number((lastNs - firstNs - 1n) / columnNs) + 1;
const beginOf = (column) => firstNs + BigInt(column) * columnNs;
const endOf = (column) => (beginOf(column + 1) < lastNs ? beginOf(column + 1) : lastNs);
const xOf = (ns) => (Number(ns - firstNs) / Number(columnNs) / columnMax) * width;
const threadName = (index) => threads[2 * index];

function placeOf(event) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(plot.getScreenCTM().inverse());
  return { x: at.x, column: clamp(Math.floor((at.x / width) * columnMax), columns()), lane: clamp(Math.floor(at.y / pitch), lanes.length) };
}

/* The long interval at a place or, if there is none, the column. */
function itemAt(place) {
  const time = firstNs + BigInt(Math.round((place.x / width) * columnMax * Number(columnNs)));
  const spans = lanes[place.lane].spans;
  let low = 0, high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle].to <= time) low = middle + 1;
    else high = middle;
  }
  if (low < spans.length && spans[low].from <= time) return { lane: place.lane, span: low };
  return { lane: place.lane, column: place.column };
}

const spanOf = (item) => (item && item.span !== undefined ? lanes[item.lane].spans[item.span] : null);

/* ---- Showing ---- */

const chosen = element("path", { id: "chosen", d: "" }, plot);
const outline = element("path", { id: "item", d: "" }, plot);
const arrow = element("path", { id: "arrow", d: "" }, plot);

function rectangle(from, to, lane) {
  const x = xOf(from), w = Math.max(xOf(to) - x, 1);
  return `M${x} ${lane * pitch}h${w}v${height}h${-w}z`;
}

const range = (from, to) => seconds(from) + " to " + seconds(to) + " s";

function wordsOfSpan(lane, span) {
  const name = span.thread >= 0 ? threadName(span.thread) : "";
  return lane.name + " · " + kinds[span.kind] + (name && !span.waker ? " · " + name : "") + " · " + duration(span.to - span.from) +
    (span.isOpen ? " and longer" : "") + " · " + range(span.from, span.to) + (name && span.waker ? wakers[span.waker] + name : "");
}

function wordsOfColumn(lane, column) {
  const cells = lane.cells.get(column) || [];
  const parts = cells.map((cell) => kinds[cell.kind] + " " + duration(cell.ns) + (cell.count > 1 ? " in " + cell.count : ""));
  return lane.name + " · " + range(beginOf(column), endOf(column)) + " · " + (parts.join(", ") || "nothing recorded");
}

function showItem() {
  const span = spanOf(cursor);
  if (!cursor) {
    outline.setAttribute("d", "");
    /* Wake-ups may not be recorded, and intervals of CPUs have none. */
    say(HINT.filter((part, i) => i !== 1 || hasWakers).join("; "));
    return;
  }
  const lane = lanes[cursor.lane];
  outline.setAttribute("d", span ? rectangle(span.from, span.to, cursor.lane) : rectangle(beginOf(cursor.column), endOf(cursor.column), cursor.lane));
  say(span ? wordsOfSpan(lane, span) : wordsOfColumn(lane, cursor.column));
}

/* The path of an arrow from the waker's lane to the end of the interval. */
function arrowTo(lane, span) {
  const from = span.waker && span.thread >= 0 ? threads[2 * span.thread + 1] : -1;
  if (from < 0 || from === lane) return "";
  const x = xOf(span.to), isDown = from < lane;
  const tip = lane * pitch + (isDown ? 0 : height), start = from * pitch + height / 2, back = isDown ? -6 : 6;
  const r = 3 / scale, side = 4 / scale; /* the plot is narrower, but not the arrow */
  return `M${x - r} ${start}a${r} 3 0 1 0 ${2 * r} 0a${r} 3 0 1 0 ${-2 * r} 0zM${x} ${start}V${tip}M${x - side} ${tip + back}L${x} ${tip}L${x + side} ${tip + back}`;
}

function windowOf() {
  if (exact) return [exact.from, exact.to];
  return end === null ? null : [beginOf(Math.min(anchor, end)), endOf(Math.max(anchor, end))];
}

function showWindow() {
  const times = windowOf();
  label.textContent = times ? timeOption(times[0], times[1]) : "";
  chosen.setAttribute("d", times && !exact ? `M${xOf(times[0])} 0H${xOf(times[1])}V${lanes.length * pitch - (pitch - height)}H${xOf(times[0])}z` : "");
  if (times && !exact) say(duration(times[1] - times[0]) + " selected · " + range(times[0], times[1]));
}

function select(item) {
  const span = spanOf(item);
  anchor = end = null;
  exact = span;
  arrow.setAttribute("d", span ? arrowTo(item.lane, span) : "");
  arrow.setAttribute("class", span && span.waker > 1 ? "perhaps" : "");
  if (!span) anchor = end = item ? item.column : null;
  cursor = item;
  showWindow();
  showItem();
  if (item) copy();
}

function copy() {
  copyText(label.textContent, () => { if (!said.endsWith("copied")) say(said + " · copied"); });
}

function clear() {
  select(null);
}

/* ---- Layout ---- */

const [left, top] = plot.getAttribute("transform").match(/[\d.]+/g).map(Number);
const detailsY = numberOf(details, "y"), windowX = numberOf(label, "x"), windowY = numberOf(label, "y");
const legendShapes = Array.from(svg.querySelectorAll(".legend > *"));
const legendY = legendShapes.length ? numberOf(legendShapes[0], "y") : 0, legendLeft = legendShapes.length > 1 ? numberOf(legendShapes[1], "x") : 0;
const legendRows = new Set(legendShapes.map((shape) => shape.localName === "rect" && shape.getAttribute("y"))).size - 1;
const LEGEND_ROW = 20, SWATCH = 12, SUMS_WIDTH = 84; /* as in lanes_svg.c and lanes_output.h */

/* Groups begin lines. On a phone, their entries follow the name. Returns by how much the lines below move down. */
function layOutLegend(y) {
  let x = MARGIN, line = -1;
  legendShapes.forEach((shape, i) => {
    if (shape.localName === "rect") {
      const text = legendShapes[i + 1], length = SWATCH + 5 + text.getComputedTextLength();
      if (x + length > drawnWidth - MARGIN) {
        x = drawnWidth < PHONE_WIDTH ? MARGIN : legendLeft;
        line++;
      }
      shape.setAttribute("x", x);
      shape.setAttribute("y", legendY - 10.5 + y + line * LEGEND_ROW);
      text.setAttribute("x", x + SWATCH + 5);
      text.setAttribute("y", legendY + y + line * LEGEND_ROW);
      x += length + 13;
    } else if (shape.classList.contains("group")) {
      line++;
      shape.setAttribute("y", legendY + y + line * LEGEND_ROW);
      x = drawnWidth < PHONE_WIDTH ? MARGIN + shape.getComputedTextLength() + 13 : legendLeft;
    }
  });
  return LEGEND_ROW * (line + 1 - legendRows);
}

/* Keeps the details in sight while the lanes are scrolled. */
const shade = element("rect", { id: "shade", class: "page", x: 0, height: 0, visibility: "hidden" }, svg);

function followScroll() {
  const y = numberOf(details, "y") - LINE_HEIGHT, down = Math.max(0, -svg.getBoundingClientRect().top - y);
  const lines = isNarrow() ? detailLines() + 1 : 1;
  shade.setAttribute("y", y);
  shade.setAttribute("width", drawnWidth);
  shade.setAttribute("height", lines * LINE_HEIGHT + 8);
  shade.setAttribute("visibility", down > 0 ? "visible" : "hidden");
  (isNarrow() ? [shade, details, label] : [shade, details]).forEach((shape) => shape.setAttribute("transform", "translate(0," + down + ")"));
  if (!isNarrow()) label.removeAttribute("transform");
}

function layOut() {
  let down = layOutHead();
  down += layOutLegend(down);
  details.setAttribute("y", detailsY + down);
  down += LINE_HEIGHT * (isNarrow() ? detailLines() : 0);
  label.setAttribute("x", isNarrow() ? MARGIN : windowX);
  label.setAttribute("y", isNarrow() ? detailsY + down : windowY);
  label.setAttribute("text-anchor", isNarrow() ? "start" : "end");
  down += isNarrow() ? LINE_HEIGHT : 0; /* the title of the sums */
  const begin = Math.min(left, Math.floor(drawnWidth * NAMES_SHARE));
  scale = (drawnWidth - MARGIN - SUMS_WIDTH - begin) / width;
  plot.setAttribute("transform", `translate(${begin} ${top + down}) scale(${scale} 1)`);
  layOutMarks((x) => begin + x * scale, scale);
  svg.querySelector(".axis").setAttribute("transform", "translate(0," + down + ")");
  down += layOutAxis({ left: left }, begin, scale);
  setSize(down);
  const span = spanOf(cursor);
  arrow.setAttribute("d", exact && span ? arrowTo(cursor.lane, span) : "");
  followScroll();
}

/* ---- Keys and pointer ---- */

/* Selects the next or the previous interval of the lane. */
function step(direction) {
  const from = cursor || { lane: 0, span: -direction };
  const spans = lanes[from.lane].spans;
  let next = from.span;
  if (next === undefined) {
    const after = spans.findIndex((span) => span.from >= beginOf(from.column));
    next = (after < 0 ? spans.length : after) - (direction > 0 ? 1 : 0);
  }
  if (spans.length) select({ lane: from.lane, span: clamp(next + direction, spans.length) });
}

function changeLane(direction) {
  const span = spanOf(cursor), lane = cursor ? clamp(cursor.lane + direction, lanes.length) : 0;
  const time = span ? (span.from + span.to) / 2n : cursor ? beginOf(cursor.column) : firstNs;
  const x = xOf(time);
  select(itemAt({ x: x, column: clamp(Math.floor((x / width) * columnMax), columns()), lane: lane }));
}

/* Moves to the interval of the waker at the time of the wake-up. */
function follow() {
  const span = spanOf(cursor);
  const lane = span && span.waker && span.thread >= 0 ? threads[2 * span.thread + 1] : -1;
  if (lane < 0) return;
  const x = xOf(span.to);
  select(itemAt({ x: x, column: clamp(Math.floor((x / width) * columnMax), columns()), lane: lane }));
}

const keys = {
  ArrowLeft: () => step(-1),
  ArrowRight: () => step(1),
  ArrowUp: () => changeLane(-1),
  ArrowDown: () => changeLane(1),
  w: follow,
  c: copy,
  Enter: copy,
  Escape: clear,
};

plot.addEventListener("pointerdown", (event) => {
  pressed = placeOf(event);
  isDragged = false;
  plot.setPointerCapture(event.pointerId);
});
plot.addEventListener("pointermove", (event) => {
  const place = placeOf(event);
  isDragged = isDragged || (pressed !== null && Math.abs(place.x - pressed.x) > 2);
  cursor = itemAt(place);
  showItem();
  if (!pressed || !isDragged) return;
  arrow.setAttribute("d", "");
  exact = null;
  anchor = pressed.column;
  end = place.column;
  showWindow();
});
plot.addEventListener("pointerup", (event) => {
  if (!isDragged) select(itemAt(placeOf(event)));
  else copy();
  pressed = null;
});
/* The finger scrolls the page. */
plot.addEventListener("pointercancel", () => {
  pressed = null;
  clear();
});
plot.addEventListener("pointerleave", (event) => {
  if (pressed || event.pointerType === "touch") return;
  cursor = null;
  showItem();
  if (windowOf()) showWindow();
});
label.addEventListener("click", copy);
part("reset").addEventListener("click", clear);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
  if (event.target.id === "reset" && event.key === "Enter") clear();
  else keys[event.key]();
  event.preventDefault();
});

/* Without DecompressionStream the static SVG remains. */
read().then((read) => {
  firstNs = BigInt(read.first);
  lastNs = BigInt(read.last);
  columnNs = BigInt(read.column);
  kinds = read.kinds;
  threads = read.threads;
  lanes = read.lanes.map((lane) => ({ name: lane[0], spans: readSpans(lane[1]), cells: readCells(lane[2]) }));
  hasWakers = lanes.some((lane) => lane.spans.some((span) => span.waker && span.thread >= 0));
  svg.classList.add("live");
  showItem();
  svg.append(shade, details, label); /* over the lanes */
  window.addEventListener("scroll", followScroll);
  fitWindow(layOut);
}, () => {});
