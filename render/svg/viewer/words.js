/* SPDX-License-Identifier: MIT */
/*
 * What the line of details says, and the numbers in it.
 */

/* Kinds of frames that are no code, the latter and all after it: enum frame_kind. */
const GROUP = 0, MARK = 5;

const idle = details.textContent;

function cut(name, fit) {
  const characters = name.length > fit ? Array.from(name) : null;
  return characters && characters.length > fit ? characters.slice(0, fit - 1).join("") + "…" : name;
}

function scaled(value, name) {
  return (value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3)) + " " + name;
}

function weightText(value) {
  if (model.unit !== "nanoseconds") {
    const isDecimal = model.unit === "millionths";
    value = isDecimal ? (value * model.factor) / 1e6 : Math.round(value * model.factor);
    const one = model.of.replace(/^(sample|byte)s$/, "$1");
    return value.toLocaleString("en", { maximumFractionDigits: isDecimal ? 6 : 0 }) + " " + (value === 1 ? one : model.of);
  }
  if (value < 1e3) return value + " ns";
  if (value < 1e6) return scaled(value / 1e3, "µs");
  return value < 1e9 ? scaled(value / 1e6, "ms") : scaled(value / 1e9, "s");
}

function percent(part, whole) {
  const share = (100 * part) / whole;
  return share.toFixed(share < 10 ? 2 : 1) + "%";
}

function nameOf(frame) {
  return frame < 0 ? "all" : model.label[frame];
}

/* Of a function in all its places, each sample once. */
function totalOf(frame) {
  let sum = 0;
  if (model.sums) return model.sums.total[frame];
  eachPlace(frame, (row) => (sum += model.total[row]));
  return sum;
}

function describe(box) {
  const all = model.total[0], frame = box.frame, parent = boxOf(box.parent);
  if (model.diff && !model.diff.shades) return describeChange(box);
  let text = nameOf(frame) + " (" + weightText(box.weight) + ", " + percent(box.weight, all) + ")";
  if (frame < 0) return text;
  if (!box.isAncestor && box.self > 0 && box.self < box.weight)
    text += ", self " + percent(box.self, all);
  if (parent && parent.frame >= 0)
    text += ", " + percent(box.weight, parent.weight) + " of " + (box.way ? "what it called" : "its caller");
  text += describeLack(box);
  if (model.kind[frame] < MARK && model.kind[frame] !== GROUP)
    text += ", " + percent(totalOf(frame), all) + " in all places";
  if (model.module[frame]) text += ", in " + model.module[frame];
  if (model.source[frame]) text += ", at " + model.source[frame];
  return text;
}

/* How much more it may be than what the rows that are there come to. */
function describeLack(box) {
  if (!(box.lack > 0) || box.frame === model.leftOut) return "";
  return ", or up to " + percent(box.lack, model.total[0]) + " more: left out of this file";
}

function tell(box) {
  const text = box && (nameType ? nameType + " " : "") + describe(box);
  details.textContent = box ? cut(text, Math.floor((width - 220) / glyph)) : idle;
}
