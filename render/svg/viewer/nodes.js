/* SPDX-License-Identifier: MIT */
/*
 * Nodes: what is drawn as one box. A node is a set of rows, and the way it opens: to what stands on
 * them, or to who called them. What it weighs is what its origins do: rows of its own, or those it
 * called.
 *
 *     CALLEES   main ── parse ── sort      in the tree every row is a node of its own
 *     ENDS      all ── sort ── ...         all samples, each at the function it ended in
 *     CALLERS   sort ── parse ── main      sort is all of its rows, parse the parents of some of those
 *
 * A node that lacks some of its rows, because the file has no room for them, weighs what the table of
 * functions says; what its set does not come to is missing, and a node of its own when it opens.
 *
 * Sets lie one behind the other in two long arrays, and nodes that are opened are written where the
 * last ones were: a view has 100,000 of them, and must not leave as many objects behind.
 */

const CALLEES = 0, ENDS = 1, CALLERS = 2;

const sets = { rows: new Int32Array(4096), origins: new Int32Array(4096), count: 0 };
const opened = [];
let slots; /* by frame: where in opened it is, from 1 on; 0: it is not */
let ranks; /* by frame: its place in the order of names */

function grown(array, count) {
  const larger = new array.constructor(Math.max(2 * array.length, count));
  larger.set(array);
  return larger;
}

function reserve(count) {
  if (count <= sets.rows.length) return;
  sets.rows = grown(sets.rows, count);
  sets.origins = grown(sets.origins, count);
}

/* Adds a row to the last set. */
function keep(row, origin) {
  reserve(sets.count + 1);
  sets.rows[sets.count] = row;
  sets.origins[sets.count++] = origin;
}

/* What boxes are as wide as. */
function weightsInView() {
  return view.kind === "callers" ? model.self : model.total;
}

/* Calls take with each place of a function; of those that stand on each other the outermost. */
function eachPlace(frame, take) {
  for (let row = 1; row < model.frame.length; ) {
    const isPlace = model.frame[row] === frame;
    if (isPlace) take(row);
    row = isPlace ? model.end[row] : row + 1;
  }
}

/* A node of all rows that each calls its argument with, which are their own origins. */
function nodeOf(frame, way, each) {
  const node = { key: frame, frame: frame, weight: 0, missing: 0, way: way, from: sets.count, to: 0 };
  each((row) => {
    node.weight += weightsInView()[row];
    keep(row, row);
  });
  node.to = sets.count;
  return node;
}

function treeRoot() {
  return nodeOf(-1, CALLEES, (take) => take(0));
}

/* What was left out is of the functions it ended in, where these are known. */
function callersRoot() {
  const root = nodeOf(-1, ENDS, (take) =>
    model.self.forEach((self, row) => {
      if (self && row && !(model.sums && model.frame[row] === model.leftOut)) take(row);
    }));
  return lacking(root, model.sums && model.sums.self.reduce((sum, self) => sum + self));
}

function functionNode(frame, way) {
  return lacking(nodeOf(frame, way, (take) => eachPlace(frame, take)), model.sums && model.sums.total[frame]);
}

/* A node that weighs so much, if that is more than its rows do. */
function lacking(node, weight) {
  node.missing = Math.max(0, weight - node.weight);
  node.weight += node.missing;
  return node;
}

/* Makes opened[index] a node whose set is empty, and will be the last. */
function put(index, key, frame, weight) {
  const node = opened[index] || (opened[index] = { key: 0, frame: 0, weight: 0, missing: 0, gap: 0, way: 0, from: 0, to: 0 });
  node.key = key;
  node.frame = frame;
  node.weight = weight;
  node.missing = node.gap = 0;
  node.from = node.to = sets.count;
  return node;
}

/* Calls take(row, origin) for what is one step further than the rows of a set. */
function eachNext(node, take) {
  for (let i = node.from; i < node.to; i++) {
    const row = sets.rows[i];
    if (node.way === ENDS) take(row, row);
    else if (node.way === CALLERS && model.parent[row] > 0) take(model.parent[row], sets.origins[i]);
    else if (node.way === CALLEES)
      for (let next = row + 1; next < model.end[row]; next = model.end[next]) take(next, next);
  }
}

/* Of a row alone no two that stand on it are of one function, or they are to stay apart. */
function openRow(row) {
  const weights = weightsInView();
  let count = 0;
  for (let next = row + 1; next < model.end[row]; next = model.end[next]) {
    const frame = model.frame[next];
    const node = put(count++, isOrdered ? next : frame, frame, weights[next]);
    if (model.gap) node.gap = model.gap[next];
    keep(next, next);
    node.to = sets.count;
  }
  return count;
}

/* Rows of one function become one node: they are counted first, and then written side by side. */
function openSet(from) {
  const weights = weightsInView();
  let count = 0, end = sets.count;
  eachNext(from, (row, origin) => {
    const frame = model.frame[row];
    if (!slots[frame]) {
      put(count++, frame, frame, 0);
      slots[frame] = count;
    }
    const node = opened[slots[frame] - 1];
    node.weight += weights[origin];
    node.to++;
  });
  for (let i = 0; i < count; i++) {
    const size = opened[i].to - opened[i].from;
    opened[i].from = opened[i].to = end;
    end += size;
  }
  reserve(end);
  eachNext(from, (row, origin) => {
    const node = opened[slots[model.frame[row]] - 1];
    sets.rows[node.to] = row;
    sets.origins[node.to++] = origin;
  });
  sets.count = end;
  for (let i = 0; i < count; i++) slots[opened[i].frame] = 0;
  return count;
}

/* Functions by all their samples, also those none of whose places are there. */
function openEnds(count) {
  for (let i = 0; i < count; i++) slots[opened[i].frame] = 1;
  model.sums.self.forEach((self, frame) => {
    if (self && !slots[frame]) put(count++, frame, frame, 0);
  });
  for (let i = 0; i < count; i++) {
    slots[opened[i].frame] = 0;
    lacking(opened[i], model.sums.self[opened[i].frame]);
  }
  return count;
}

/* A node for what is missing, or more of the one there is. */
function openMissing(count, missing) {
  const known = opened.slice(0, count).find((node) => node.frame === model.leftOut);
  if (known) known.weight += missing;
  else put(count++, model.leftOut, model.leftOut, missing);
  return count;
}

function sortOpened(count, compare) {
  if (count < 2) return;
  const sorted = opened.slice(0, count).sort(compare);
  sorted.forEach((node, i) => (opened[i] = node));
}

/* One row, which is all there is of it. */
function isWholeRow(node) {
  return node.way === CALLEES && node.to - node.from === 1 && !(node.missing > 0);
}

/* Writes what a node opens to into opened, in the order it is drawn in; returns how many that are. */
function openNode(node) {
  const isRow = isWholeRow(node);
  let count = isRow ? openRow(sets.rows[node.from]) : openSet(node);
  if (node.way === ENDS && model.sums) count = openEnds(count);
  else if (node.missing > 0 && model.leftOut >= 0) count = openMissing(count, node.missing);
  for (let i = 0; i < count; i++) opened[i].way = node.way && CALLERS;
  if (view.isHeavy) sortOpened(count, (a, b) => b.weight - a.weight);
  else if (!isRow) sortOpened(count, (a, b) => ranks[a.frame] - ranks[b.frame]);
  return count;
}

/* The node at the end of a path of keys, and those on the way; the path is cut where it ends. */
function follow(root, path) {
  const way = [root];
  path.every((key, i) => {
    const count = openNode(way[i]);
    const next = opened.slice(0, count).find((node) => node.key === key && node.weight);
    if (next) way.push(Object.assign({}, next));
    return next;
  });
  return way;
}

/* When the profile is known. */
function makeNodes() {
  const order = model.label.map((label, frame) => frame);
  slots = new Int32Array(order.length);
  ranks = new Int32Array(order.length);
  order.sort((a, b) => (model.label[a] < model.label[b] ? -1 : model.label[a] > model.label[b] ? 1 : a - b));
  order.forEach((frame, rank) => (ranks[frame] = rank));
}
