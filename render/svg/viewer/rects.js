/* SPDX-License-Identifier: MIT */
/*
 * Lays out the view: rectangles as columns of arrays, level by level, each from left to right.
 * Nodes are opened only if they are wide enough to be visible, so the cost depends on what is
 * shown.
 *
 *     rects   0 all | 1 main | 2 parse  3 write | 4 sort ...
 *     levels  [0,1)   [1,2)    [2,4)              ...          from the lowest
 */

const rects = {
  key: new Int32Array(1024),
  frame: new Int32Array(1024),
  parent: new Int32Array(1024), /* rectangle of the caller; -1: none */
  level: new Int32Array(1024),
  mode: new Int32Array(1024),
  from: new Int32Array(1024), /* range in sets */
  to: new Int32Array(1024),
  weight: new Float64Array(1024),
  self: new Float64Array(1024), /* weight without children */
  narrow: new Float64Array(1024), /* weight of children that are too narrow to be visible */
  missing: new Float64Array(1024), /* the part of the weight that is in no row of the set */
  uncertain: new Float64Array(1024), /* by how much the true weight can exceed `weight`: see nodes.js */
  x: new Float64Array(1024),
  w: new Float64Array(1024),
};
let rectCount = 0;
let ancestorCount = 0; /* the first rectangles are ancestors of the zoomed frame */
let levels = [];
let folds = []; /* levels that are folded into one: { level, count, weight } */
let axis = 0; /* the level of the root, or of the function of a sandwich */

function addRect(node, x, w, level, parent) {
  const rect = rectCount++;
  if (rect === rects.x.length) Object.keys(rects).forEach((column) => (rects[column] = grown(rects[column], 0)));
  rects.key[rect] = node.key;
  rects.frame[rect] = node.frame;
  rects.parent[rect] = parent;
  rects.level[rect] = level;
  rects.mode[rect] = node.mode;
  rects.from[rect] = node.from;
  rects.to[rect] = node.to;
  rects.weight[rect] = node.weight;
  rects.self[rect] = rects.narrow[rect] = rects.uncertain[rect] = 0;
  rects.missing[rect] = node.missing;
  rects.x[rect] = x;
  rects.w[rect] = w;
  return rect;
}

/* All columns of a rectangle as an object; null if there is no such rectangle. */
function rectOf(index) {
  if (!(index >= 0)) return null;
  const rect = { index: index, isAncestor: index < ancestorCount };
  Object.keys(rects).forEach((column) => (rect[column] = rects[column][index]));
  return rect;
}

/* As in render/svg/svg_layout.c. */
const FOLD_SHARE = 200, FOLD_SHARE_HIGH = 40, FOLD_LEVEL_HIGH = 34, FOLD_LEVELS_MIN = 8;

/*
 * Keeps only the first of the levels whose frames have too small a share of the root. added: the
 * levels of one direction, the nearest to the root first. below: the number of levels before them.
 */
function foldLevels(added, below, whole) {
  if (isFull || view.isFull) return added;
  const weightOf = ([from, to]) => rects.weight.subarray(from, to).reduce((sum, weight) => sum + weight, 0);
  const weights = added.map(weightOf);
  const at = weights.findIndex((weight, i) =>
    weight < whole / FOLD_SHARE || (below + i >= FOLD_LEVEL_HIGH && weight < whole / FOLD_SHARE_HIGH));
  if (at < 0 || added.length - at < FOLD_LEVELS_MIN) return added;
  rectCount = added[at][1];
  folds.push({ level: rects.level[added[at][0]], count: added.length - at, weight: weights[at] });
  return added.slice(0, at + 1);
}

function isFolded(rect) {
  return folds.some((fold) => fold.level === rects.level[rect]);
}

/* Adds a level with the children of the first rectangle, one with their children, and so on. step is 1 or -1. */
function addLevels(first, step) {
  const added = openLevels(first, step), kept = foldLevels(added, levels.length, rects.weight[first]);
  levels = step > 0 ? levels.concat(kept) : kept.reverse().concat(levels);
  if (step < 0) axis = kept.length;
}

function openLevels(first, step) {
  const added = [];
  const node = { mode: 0, from: 0, to: 0, missing: 0 };
  for (let from = first, to = rectCount; from < to; from = to, to = rectCount) {
    for (let rect = from; rect < to; rect++) {
      node.mode = rects.mode[rect];
      node.from = rects.from[rect];
      node.to = rects.to[rect];
      node.missing = rects.missing[rect];
      addOpened(rect, openNode(node), rects.level[rect] + step);
    }
    if (to === rectCount) break;
    added.push([to, rectCount]);
  }
  return added;
}

function addOpened(rect, count, level) {
  const scale = rects.w[rect] / rects.weight[rect];
  const isTimed = model.gap && !view.isHeavy;
  const isExact = model.sums && rects.mode[rect] === ENDS;
  let own = rects.weight[rect], uncertain = isExact ? 0 : rects.uncertain[rect];
  for (let i = 0; i < count; i++) {
    own -= opened[i].weight;
    /* A part of the left-out weight can belong to any sibling. */
    if (opened[i].frame === model.leftOut && !isWhole(rect)) uncertain += opened[i].weight;
  }
  let x = rects.x[rect] + (isOrdered && !isTimed ? own * scale : 0);
  rects.self[rect] = own;
  for (let i = 0; i < count; i++) {
    const w = opened[i].weight * scale;
    if (isTimed) x += opened[i].gap * scale;
    if (w >= narrowest) rects.uncertain[addRect(opened[i], x, w, level, rect)] = uncertain;
    else rects.narrow[rect] += opened[i].weight;
    x += w;
  }
}

function isWhole(rect) {
  return isWholeRow({ mode: rects.mode[rect], from: rects.from[rect], to: rects.to[rect], missing: rects.missing[rect] });
}

/* A function with its callees on one side and its callers on the other. */
function layOutSandwich(frame) {
  const whole = width - 2 * MARGIN;
  const callees = addRect(functionNode(frame, CALLEES), MARGIN, whole, 0, -1);
  levels.push([callees, rectCount]);
  addLevels(callees, 1);
  addLevels(addRect(functionNode(frame, CALLERS), MARGIN, whole, 0, -1), -1);
  const [first, end] = levels[axis - 1] || [0, 0];
  rects.parent.fill(callees, first, end);
}

/* The zoomed frame with its ancestors and descendants. */
function layOutTree(root) {
  const nodes = follow(root, view.path);
  view.path = nodes.slice(1).map((node) => node.key);
  nodes.forEach((node, level) => {
    addRect(node, MARGIN, width - 2 * MARGIN, level, level - 1);
    levels.push([level, level + 1]);
  });
  ancestorCount = nodes.length - 1;
  addLevels(ancestorCount, 1);
}

/* Whether the view is a flame chart by thread: only such charts have lanes.js. */
function hasLanes() {
  return model.clock && view.kind === "tree";
}

function layOut() {
  computeWidths();
  rectCount = sets.count = ancestorCount = axis = 0;
  levels = [];
  folds = [];
  if (hasLanes()) layOutLanes();
  else if (view.kind === "sandwich") layOutSandwich(view.frame);
  else layOutTree(view.kind === "callers" ? callersRoot() : treeRoot());
}

/* A sandwich always has callers above and callees below. */
function growsDown() {
  return view.isInverted || view.kind === "sandwich";
}

function yOf(level) {
  return top + (growsDown() ? level : levels.length - 1 - level) * ROW;
}

function levelAt(y) {
  const row = Math.floor((y - top) / ROW);
  return growsDown() ? row : levels.length - 1 - row;
}

function rectAt(x, y) {
  const [first, end] = levels[levelAt(y)] || [0, 0];
  let low = first, high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rects.x[middle] <= x) low = middle + 1;
    else high = middle;
  }
  const rect = low - 1;
  return rect >= first && x < rects.x[rect] + rects.w[rect] ? rectOf(rect) : null;
}
