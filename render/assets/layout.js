/* SPDX-License-Identifier: MIT */
/*
 * The view laid out as boxes by level. Nodes are opened only as far as their boxes are wide enough to
 * be seen, so that no view costs more than what it shows.
 */

let levels = [];   /* of the layout: boxes of each row of the picture, from left to right */
let axis = 0;      /* the level that stands still: the root's, or the function's of a sandwich */

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
