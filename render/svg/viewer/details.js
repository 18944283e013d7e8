/* SPDX-License-Identifier: MIT */
/* The text of the details line, and number formats. */

/* Kinds of frames that are not code: groups, and MARK and above. See enum frame_kind. */
const GROUP = 0, MARK = 5;

/* Whether a frame stands for stacks that are left out of this file, or of the SVG from which it was made. */
function marksLeftOut(name, kind) {
  return kind === MARK && name.startsWith("[left out of this file");
}

const idleText = details.textContent;

function scaled(value, name) {
  return (value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3)) + " " + name;
}

function weightText(value) {
  if (model.unit === "nanoseconds") return durationText(value);
  const isDecimal = model.unit === "millionths";
  value = isDecimal ? (value * model.factor) / 1e6 : Math.round(value * model.factor);
  const one = model.of.replace(/^(sample|byte)s$/, "$1");
  return value.toLocaleString("en", { maximumFractionDigits: isDecimal ? 6 : 0 }) + " " + (value === 1 ? one : model.of);
}

/* As number_duration in render/number.c. */
function durationText(value) {
  if (value < 1e3) return value + " ns";
  if (value < 999.5e3) return scaled(value / 1e3, "µs");
  return value < 999.5e6 ? scaled(value / 1e6, "ms") : scaled(value / 1e9, "s");
}

function percent(part, whole) {
  const share = part ? (100 * part) / whole : 0; /* the whole may be 0, too */
  return share.toFixed(share < 10 ? 2 : 1) + "%";
}

function nameOf(frame) {
  return frame < 0 ? "all" : model.label[frame];
}

/* The total of a function over all its occurrences; each sample counts once. */
function totalOf(frame) {
  let sum = 0;
  if (model.sums) return model.sums.total[frame];
  eachOccurrence(frame, (row) => (sum += model.total[row]));
  return sum;
}

function describe(rect) {
  return nameOf(rect.frame) + numbersOf(rect) + moreOf(rect);
}

/* Of callers, the weight without children is that of the stacks that begin there. */
function hasSelfWeight(rect) {
  return rect.mode === CALLEES;
}

/* The numbers of a rectangle that are shown however long its name is. */
function numbersOf(rect) {
  const all = model.total[0];
  if (model.diff && !model.diff.shades) return changeNumbers(rect);
  const text = " (" + weightText(rect.weight) + ", " + percent(rect.weight, all) + ")";
  const hasSelf = rect.frame >= 0 && !rect.isAncestor && hasSelfWeight(rect) && rect.self > 0 && rect.self < rect.weight;
  return text + (hasSelf ? ", self " + percent(rect.self, all) : "");
}

/* What follows these numbers. */
function moreOf(rect) {
  const all = model.total[0], frame = rect.frame, parent = rectOf(rect.parent);
  if (model.diff && !model.diff.shades) return moreOfChange(rect);
  let text = "";
  if (frame < 0) return text;
  if (rect.narrow > rect.weight / 2)
    text += ", " + percent(rect.narrow, all) + " in " + (rect.mode ? "callers" : "callees") + " too narrow to draw";
  if (parent && parent.frame >= 0)
    text += ", " + percent(rect.weight, parent.weight) + " of " + (rect.mode ? "its callee" : "its caller");
  if (hasLanes()) text += describeTimes(rect);
  text += describeUncertain(rect);
  if (model.kind[frame] < MARK && model.kind[frame] !== GROUP)
    text += ", " + percent(totalOf(frame), all) + " in all occurrences";
  if (model.module[frame]) text += ", in " + model.module[frame];
  if (model.source[frame]) text += ", at " + model.source[frame];
  return text;
}

/* Describes by how much the total of a rectangle may exceed that of its embedded rows. */
function describeUncertain(rect) {
  if (!(rect.uncertain > 0) || rect.frame === model.leftOut) return "";
  return ", or up to " + percent(rect.uncertain, model.total[0]) + " more in stacks left out of this file";
}

/* With fewer cells, a name does not say which function it is. */
const NAME_CELLS_MIN = 8;

/* A function that returns the details of a rectangle with its name shortened to a number of cells. */
function detailsOf(rect) {
  const type = nameType ? nameType + " " : "", name = nameOf(rect.frame), rest = numbersOf(rect) + moreOf(rect);
  return (cells) => type + labelOf(name, Math.max(NAME_CELLS_MIN, cells - type.length)) + rest;
}

/* Writes one line, in which a long name leaves room for the numbers. On a phone, phone.js replaces this function. */
let writeDetails = (rect) => {
  const cells = Math.floor((width - 220) / glyph), text = detailsOf(rect), whole = text(Infinity);
  const room = cells - numbersOf(rect).length - 1; /* an ellipsis may follow the numbers */
  details.textContent = cellsOf(whole) <= cells ? whole : cut(text(room), cells);
};

function showDetails(rect) {
  if (rect) writeDetails(rect);
  else details.textContent = idleText;
}
