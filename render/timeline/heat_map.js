/* SPDX-License-Identifier: MIT */
/*
 * Shows the bin under the pointer, and selects a window of time as a --time option. Times are BigInt: nanoseconds do
 * not fit a Number. render/timeline/heat_map_svg.c writes the elements:
 *
 *     #map      data-first, data-column, data-bin in ns; data-columns, data-rows, data-interval; data-grid: x y, width and height of a bin
 *     #map      data-waits: "", or what waits are called; data-counted: "sample", "wait" or "event"; data-clock: "capture",
 *               "log" (no --time option selects its windows) or "day" (the same, and times are times of day)
 *     #counts   samples of each bin, or its waits in thousandths of its duration: columns separated by ";", rows by
 *               ",", an empty one is 0
 *     #weights  the weights of bins, if these are not the numbers of samples, in the same way: multiples of data-step in
 *               data-unit; times are of data-of
 *     #details  what is under the pointer; #window the selection
 */
const map = part("map"), plot = part("plot"), details = part("details"), label = part("window");
const number = (name) => Number(map.getAttribute("data-" + name));
const columnNs = BigInt(map.getAttribute("data-column")), binNs = BigInt(map.getAttribute("data-bin"));
const firstNs = BigInt(map.getAttribute("data-first"));
const interval = number("interval"); /* ns between two samples of a busy CPU; 0: utilisation is not shown */
const columns = number("columns"), rows = number("rows");
const [left, top, width, height] = map.getAttribute("data-grid").split(" ").map(Number);
const names = Array.from(svg.querySelectorAll(".row"), (row) => (row.querySelector("title") || row).textContent);
const read = (values) => values && values.textContent.split(";").map((column) => column.split(",").map(Number));
const counts = read(part("counts")), weights = read(part("weights"));

/*
 * With row names, a bin is a whole column. Without row names, the bins of a column are its offsets,
 * from bottom to top.
 */
const hasNames = names.length > 0;
const binCount = hasNames ? columns : columns * rows;

let cursor = null;   /* the bin under the pointer, or reached with the keyboard: { column, row } */
let anchor = null;   /* where the selection began: a bin number */
let end = null;      /* where it ends; null: no selection */
let isDragged = false;

const chosen = element("path", { id: "chosen", d: "" }, plot);
const outline = element("path", { id: "cell", d: "" }, plot);

const clamp = (value, limit) => Math.max(0, Math.min(limit - 1, value));
const valueAt = (values, column, row) => (values[column] || [])[row] || 0;
const binOf = (cell) => (hasNames ? cell.column : cell.column * rows + cell.row);
const beginOf = (bin) => (hasNames ? firstNs + BigInt(bin) * columnNs : firstNs + BigInt(bin) * binNs);
const endOf = (bin) => beginOf(bin + 1);

const waits = map.getAttribute("data-waits"), counted = map.getAttribute("data-counted");
const clock = map.getAttribute("data-clock");
const samples = (count) => waits ? duration(binNs * BigInt(count) / 1000n) + " of " + waits : count.toLocaleString("en") + " " + counted + (count === 1 ? "" : "s");

/* 43201000000000n ns: "12:00:01". */
function timeOfDay(ns) {
  const two = (number) => String(number % 60n).padStart(2, "0");
  const whole = ns / 1000000000n, hours = whole / 3600n, days = hours / 24n;
  const fraction = seconds(ns).split(".")[1];
  return (days ? "+" + days + "d " : "") + String(hours % 24n).padStart(2, "0") + ":" + two(whole / 60n) + ":" + two(whole) +
    (fraction ? "." + fraction : "");
}

const windowText = (beginNs, endNs) => clock === "day" ? timeOfDay(beginNs) + " to " + timeOfDay(endNs)
  : seconds(beginNs) + " to " + seconds(endNs) + " s";

function rectangle(column, row, columnCount, rowCount) {
  const y = hasNames ? row : rows - row - rowCount;
  return `M${left + column * width} ${top + y * height}h${columnCount * width}v${rowCount * height}h${-columnCount * width}z`;
}

/* The bins from a to b: whole columns, and parts of the first and the last. */
function pathOf(a, b) {
  if (hasNames) return rectangle(a, 0, b - a + 1, rows);
  const from = Math.floor(a / rows), to = Math.floor(b / rows);
  if (from === to) return rectangle(from, a % rows, 1, b - a + 1);
  return rectangle(from, a % rows, 1, rows - (a % rows)) +
    (to > from + 1 ? rectangle(from + 1, 0, to - from - 1, rows) : "") + rectangle(to, 0, 1, (b % rows) + 1);
}

function sumOf(values, a, b) {
  let sum = 0;
  for (let bin = a; bin <= b; bin++) {
    if (!hasNames) sum += valueAt(values, Math.floor(bin / rows), bin % rows);
    else for (let row = 0; row < rows; row++) sum += valueAt(values, bin, row);
  }
  return sum;
}

/* The weight of bins, with the unit of the legend. */
function weightText(steps) {
  const weight = steps * number("step"), unit = map.getAttribute("data-unit");
  return unit === "nanoseconds" ? duration(weight) + " of " + map.getAttribute("data-of")
    : Number(weight.toPrecision(4)).toLocaleString("en") + " " + unit;
}

/* What bins have: their samples, and the weight of these. valueOf: returns the sum of the bins' values. */
function contentText(valueOf) {
  return samples(valueOf(counts)) + (weights ? " · " + weightText(valueOf(weights)) : "");
}

/* The share of the bin in which the CPUs were busy, from its number of samples. */
function busyOf(count) {
  return interval ? " · " + Math.round((100 * count * interval) / Number(binNs)) + " % busy" : "";
}

function showCell() {
  outline.setAttribute("d", cursor ? rectangle(cursor.column, cursor.row, 1, 1) : "");
  if (!cursor) {
    say(isTouched ? "Tap for numbers; drag sideways to select a window" : "Drag to select a window; arrows and Shift-arrows, then c to copy it");
    return;
  }
  const bin = binOf(cursor), name = hasNames ? names[cursor.row] + " · " : "";
  say(name + windowText(beginOf(bin), endOf(bin)) + " · " +
    contentText((values) => valueAt(values, cursor.column, cursor.row)) +
    busyOf(valueAt(counts, cursor.column, cursor.row)));
}

/* For waits, which are clipped to the window, the end of --time is exclusive. A window of a log has no option. */
function option() {
  if (end !== null && clock !== "capture")
    return windowText(beginOf(Math.min(anchor, end)), endOf(Math.max(anchor, end)));
  return end === null ? "" : timeOption(beginOf(Math.min(anchor, end)), endOf(Math.max(anchor, end)) + (waits ? 1n : 0n));
}

function showWindow() {
  const a = Math.min(anchor, end), b = Math.max(anchor, end);
  chosen.setAttribute("d", end === null ? "" : pathOf(a, b));
  label.textContent = option();
  if (end !== null)
    say(duration(endOf(b) - beginOf(a)) + " selected · " + contentText((values) => sumOf(values, a, b)));
}

function copy() {
  copyText(option(), () => say(said + " · copied"));
}

function clear() {
  cursor = anchor = end = null;
  showWindow();
  showCell();
}

function cellUnder(event) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(plot.getScreenCTM().inverse());
  const row = clamp(Math.floor((at.y - top) / height), rows);
  return { column: clamp(Math.floor((at.x - left) / width), columns), row: hasNames ? row : rows - 1 - row };
}

function move(columnStep, rowStep, extends_) {
  const from = cursor || { column: 0, row: 0 };
  cursor = { column: clamp(from.column + columnStep, columns), row: clamp(from.row + rowStep, rows) };
  if (extends_ && anchor === null) anchor = binOf(from);
  if (extends_) end = binOf(cursor);
  else anchor = end = null;
  showCell();
  showWindow();
}

const legend = svg.querySelector(".legend"), legendText = legend.lastElementChild;
const legendX = numberOf(legendText, "x"), legendY = numberOf(legendText, "y"), legendWords = legendText.textContent;
const detailsY = numberOf(details, "y"), windowX = numberOf(label, "x");

/* Its text is below the colours if there is no room beside them. Returns by how much the lines below move down. */
function layOutLegend(y) {
  const length = () => legendText.getComputedTextLength();
  legendText.setAttribute("x", legendX);
  legendText.setAttribute("y", legendY);
  legendText.textContent = legendWords;
  const isBeside = legendX + length() <= drawnWidth - MARGIN;
  legend.setAttribute("transform", "translate(" + (isBeside ? 0 : MARGIN - left) + "," + y + ")");
  if (isBeside || legendX - left + MARGIN + length() <= drawnWidth - MARGIN) return 0;
  legendText.setAttribute("x", left);
  legendText.setAttribute("y", legendY + LINE_HEIGHT + 2);
  return LINE_HEIGHT * writeLines(legendText, legendWords, drawnWidth - 2 * MARGIN, LINES_MAX, LINE_HEIGHT) + 2;
}

function layOut() {
  let down = layOutHead();
  down += layOutLegend(down);
  const begin = hasNames ? Math.min(left, Math.floor(drawnWidth * NAMES_SHARE)) : left;
  const scale = Math.min(1, (drawnWidth - MARGIN - begin) / (width * columns));
  plot.setAttribute("transform", `translate(${begin - left * scale} ${down}) scale(${scale} 1)`);
  layOutMarks((x) => begin + (x - left) * scale, scale);
  svg.querySelector(".axis").setAttribute("transform", "translate(0," + down + ")");
  down += layOutAxis({ left: left }, begin, scale);
  details.setAttribute("x", isNarrow() ? MARGIN : left);
  details.setAttribute("y", detailsY + down);
  down += LINE_HEIGHT * (isNarrow() ? detailLines() : 0);
  label.setAttribute("x", isNarrow() ? MARGIN : windowX);
  label.setAttribute("y", detailsY + down);
  label.setAttribute("text-anchor", isNarrow() ? "start" : "end");
  setSize(down);
}

const up = hasNames ? -1 : 1;
const keys = {
  ArrowLeft: (shift) => move(-1, 0, shift),
  ArrowRight: (shift) => move(1, 0, shift),
  ArrowUp: (shift) => move(0, up, shift),
  ArrowDown: (shift) => move(0, -up, shift),
  c: copy,
  Enter: copy,
  Escape: clear,
};

/* A finger has no place before it taps: a tap shows a bin, which a mouse did before it clicked. */
function showTapped(event) {
  if (event.pointerType === "touch" && anchor === end) showCell();
}

plot.addEventListener("pointerdown", (event) => {
  cursor = cellUnder(event);
  anchor = end = binOf(cursor);
  isDragged = true;
  plot.setPointerCapture(event.pointerId);
  showWindow();
  showTapped(event);
});
plot.addEventListener("pointermove", (event) => {
  cursor = cellUnder(event);
  showCell();
  if (!isDragged) return;
  end = binOf(cursor);
  showWindow();
  showTapped(event);
});
/* The finger scrolls the page. */
plot.addEventListener("pointercancel", () => {
  isDragged = false;
  clear();
});
plot.addEventListener("pointerup", () => {
  isDragged = false;
  copy();
});
plot.addEventListener("pointerleave", (event) => {
  if (isDragged || event.pointerType === "touch") return;
  cursor = null;
  showCell();
  if (end !== null) showWindow();
});
label.addEventListener("click", copy);
part("reset").addEventListener("click", clear);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
  if (event.target.id === "reset" && event.key === "Enter") clear();
  else keys[event.key](event.shiftKey);
  event.preventDefault();
});
svg.classList.add("live");
showCell();
fitWindow(layOut);
