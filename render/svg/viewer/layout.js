/* SPDX-License-Identifier: MIT */
/*
 * The view laid out: boxes in columns, level behind level and each from left to right. Nodes are opened
 * only as far as their boxes are wide enough to be seen, so that no view costs more than what it shows.
 *
 *     boxes   0 all | 1 main | 2 parse  3 write | 4 sort ...
 *     levels  [0,1)   [1,2)    [2,4)              ...          from the lowest
 */

const boxes = {
  key: new Int32Array(1024),
  frame: new Int32Array(1024),
  parent: new Int32Array(1024), /* the box it stands on; -1: none */
  level: new Int32Array(1024),
  way: new Int32Array(1024),
  from: new Int32Array(1024), /* its set, in sets */
  to: new Int32Array(1024),
  weight: new Float64Array(1024),
  self: new Float64Array(1024), /* what nothing stands on */
  missing: new Float64Array(1024), /* of its weight, what its set has no rows of */
  lack: new Float64Array(1024), /* what it may weigh more: see nodes.js */
  x: new Float64Array(1024),
  w: new Float64Array(1024),
};
let boxCount = 0;
let ancestorCount = 0; /* boxes of what the view is a part of come first */
let levels = [];
let axis = 0; /* the level that stands still: the root's, or the function's of a sandwich */

function addBox(node, x, w, level, parent) {
  const box = boxCount++;
  if (box === boxes.x.length) Object.keys(boxes).forEach((column) => (boxes[column] = grown(boxes[column], 0)));
  boxes.key[box] = node.key;
  boxes.frame[box] = node.frame;
  boxes.parent[box] = parent;
  boxes.level[box] = level;
  boxes.way[box] = node.way;
  boxes.from[box] = node.from;
  boxes.to[box] = node.to;
  boxes.weight[box] = node.weight;
  boxes.self[box] = boxes.lack[box] = 0;
  boxes.missing[box] = node.missing;
  boxes.x[box] = x;
  boxes.w[box] = w;
  return box;
}

/* A box with all that is known of it, for those who ask about one; null for none. */
function boxOf(index) {
  if (!(index >= 0)) return null;
  const box = { index: index, isAncestor: index < ancestorCount };
  Object.keys(boxes).forEach((column) => (box[column] = boxes[column][index]));
  return box;
}

/* What stands on the boxes of a level, and on that, and so on; levels are counted in steps of 1 or -1. */
function grow(first, step) {
  const node = { way: 0, from: 0, to: 0, missing: 0 };
  for (let from = first, to = boxCount; from < to; from = to, to = boxCount) {
    for (let box = from; box < to; box++) {
      node.way = boxes.way[box];
      node.from = boxes.from[box];
      node.to = boxes.to[box];
      node.missing = boxes.missing[box];
      addOpened(box, openNode(node), boxes.level[box] + step);
    }
    if (to === boxCount) return;
    levels[step > 0 ? "push" : "unshift"]([to, boxCount]);
    if (step < 0) axis++;
  }
}

function addOpened(box, count, level) {
  const scale = boxes.w[box] / boxes.weight[box];
  const isTimed = model.gap && !view.isHeavy;
  const isExact = model.sums && boxes.way[box] === ENDS;
  let own = boxes.weight[box], lack = isExact ? 0 : boxes.lack[box];
  for (let i = 0; i < count; i++) {
    own -= opened[i].weight;
    /* Part of it may be of any of the others. */
    if (opened[i].frame === model.leftOut && !isWhole(box)) lack += opened[i].weight;
  }
  let x = boxes.x[box] + (isOrdered && !isTimed ? own * scale : 0);
  boxes.self[box] = own;
  for (let i = 0; i < count; i++) {
    const w = opened[i].weight * scale;
    if (isTimed) x += opened[i].gap * scale;
    if (w >= narrowest) boxes.lack[addBox(opened[i], x, w, level, box)] = lack;
    x += w;
  }
}

function isWhole(box) {
  return isWholeRow({ way: boxes.way[box], from: boxes.from[box], to: boxes.to[box], missing: boxes.missing[box] });
}

/* A function, on it those it calls, and above it those who call it. */
function growSandwich(frame) {
  const whole = width - 2 * MARGIN;
  const callees = addBox(functionNode(frame, CALLEES), MARGIN, whole, 0, -1);
  levels.push([callees, boxCount]);
  grow(callees, 1);
  grow(addBox(functionNode(frame, CALLERS), MARGIN, whole, 0, -1), -1);
  const [first, end] = levels[axis - 1] || [0, 0];
  boxes.parent.fill(callees, first, end);
}

/* What the picture is zoomed to, standing on its ancestors. */
function growFrom(root) {
  const way = follow(root, view.path);
  view.path = way.slice(1).map((node) => node.key);
  way.forEach((node, level) => {
    addBox(node, MARGIN, width - 2 * MARGIN, level, level - 1);
    levels.push([level, level + 1]);
  });
  ancestorCount = way.length - 1;
  grow(ancestorCount, 1);
}

function layOut() {
  weigh();
  boxCount = sets.count = ancestorCount = axis = 0;
  levels = [];
  if (view.kind === "sandwich") growSandwich(view.frame);
  else growFrom(view.kind === "callers" ? callersRoot() : treeRoot());
}

/* Sandwiches have callers above and callees below, whatever way the picture grows. */
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

function boxAt(x, y) {
  const [first, end] = levels[levelAt(y)] || [0, 0];
  let low = first, high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (boxes.x[middle] <= x) low = middle + 1;
    else high = middle;
  }
  const box = low - 1;
  return box >= first && x < boxes.x[box] + boxes.w[box] ? boxOf(box) : null;
}
