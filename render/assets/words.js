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
