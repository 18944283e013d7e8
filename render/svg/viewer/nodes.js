/* SPDX-License-Identifier: MIT */
/*
 * A node is what one rectangle shows: a set of rows, and a mode that determines its children. Each
 * row has an origin: the row itself, or the row that it called. The weight of a node is the weight
 * of its rows' origins.
 *
 *     CALLEES   main ── parse ── sort      in the tree each row is a node
 *     ENDS      all ── sort ── ...         all samples by leaf function
 *     CALLERS   sort ── parse ── main      sort has all rows of sort; parse has the parents of some of those
 *
 * If rows were left out of the file, the weight comes from the function table. The part that no row
 * accounts for is "missing", and becomes a child of its own.
 *
 * All sets share two arrays, and children are written to reused objects: a view can have 100,000 nodes, and must not
 * allocate as many objects.
 */

const CALLEES = 0, ENDS = 1, CALLERS = 2;

const sets = { rows: new Int32Array(4096), origins: new Int32Array(4096), count: 0 };
const opened = [];
let slots; /* by frame: index into opened plus 1; 0: none */
let ranks; /* by frame: rank in name order */

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
function addRow(row, origin) {
  reserve(sets.count + 1);
  sets.rows[sets.count] = row;
  sets.origins[sets.count++] = origin;
}

/* The weights to which widths are proportional. */
function weightsInView() {
  return view.kind === "callers" ? model.self : model.total;
}

/* Calls visit for each row of a function, except rows nested inside another one of its rows. */
function eachOccurrence(frame, visit) {
  for (let row = 1; row < model.frame.length; ) {
    const isOccurrence = model.frame[row] === frame;
    if (isOccurrence) visit(row);
    row = isOccurrence ? model.end[row] : row + 1;
  }
}

/* Creates a node of the rows that each() visits. Each row is its own origin. */
function nodeOf(frame, mode, each) {
  const node = { key: frame, frame: frame, weight: 0, missing: 0, mode: mode, from: sets.count, to: 0 };
  each((row) => {
    node.weight += weightsInView()[row];
    addRow(row, row);
  });
  node.to = sets.count;
  return node;
}

function treeRoot() {
  return nodeOf(-1, CALLEES, (visit) => visit(0));
}

/* The left-out marker is excluded if the function table accounts for its samples. */
function callersRoot() {
  const root = nodeOf(-1, ENDS, (visit) =>
    model.self.forEach((self, row) => {
      if (self && row && !(model.sums && model.frame[row] === model.leftOut)) visit(row);
    }));
  return withMissing(root, model.sums && model.sums.self.reduce((sum, self) => sum + self));
}

function functionNode(frame, mode) {
  return withMissing(nodeOf(frame, mode, (visit) => eachOccurrence(frame, visit)), model.sums && model.sums.total[frame]);
}

/* Raises the weight of a node to the weight in the function table, if that is larger. */
function withMissing(node, weight) {
  node.missing = Math.max(0, weight - node.weight);
  node.weight += node.missing;
  return node;
}

/* Makes opened[index] an empty node, to which the rows added next belong. */
function startNode(index, key, frame, weight) {
  const node = opened[index] || (opened[index] = { key: 0, frame: 0, weight: 0, missing: 0, gap: 0, mode: 0, from: 0, to: 0 });
  node.key = key;
  node.frame = frame;
  node.weight = weight;
  node.missing = node.gap = 0;
  node.from = node.to = sets.count;
  return node;
}

/* Calls visit(row, origin) for the children, or callers, of all rows of a node. */
function eachStep(node, visit) {
  for (let i = node.from; i < node.to; i++) {
    const row = sets.rows[i];
    if (node.mode === ENDS) visit(row, row);
    else if (node.mode === CALLERS && model.parent[row] > 0) visit(model.parent[row], sets.origins[i]);
    else if (node.mode === CALLEES)
      for (let next = row + 1; next < model.end[row]; next = model.end[next]) visit(next, next);
  }
}

/* Opens a single row. Its children are not merged: they are different functions, or must stay separate. */
function openRow(row) {
  const weights = weightsInView();
  let count = 0;
  for (let next = row + 1; next < model.end[row]; next = model.end[next]) {
    const frame = model.frame[next];
    const node = startNode(count++, isOrdered ? next : frame, frame, weights[next]);
    if (model.gap) node.gap = model.gap[next];
    addRow(next, next);
    node.to = sets.count;
  }
  return count;
}

/*
 * Merges rows of one function into a node: counts them first, then writes them to adjacent
 * positions.
 */
function openSet(from) {
  const weights = weightsInView();
  let count = 0, end = sets.count;
  eachStep(from, (row, origin) => {
    const frame = model.frame[row];
    if (!slots[frame]) {
      startNode(count++, frame, frame, 0);
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
  eachStep(from, (row, origin) => {
    const node = opened[slots[model.frame[row]] - 1];
    sets.rows[node.to] = row;
    sets.origins[node.to++] = origin;
  });
  sets.count = end;
  for (let i = 0; i < count; i++) slots[opened[i].frame] = 0;
  return count;
}

/* Adds the functions that have no embedded row, and corrects the weights of all functions with the function table. */
function openEnds(count) {
  for (let i = 0; i < count; i++) slots[opened[i].frame] = 1;
  model.sums.self.forEach((self, frame) => {
    if (self && !slots[frame]) startNode(count++, frame, frame, 0);
  });
  for (let i = 0; i < count; i++) {
    slots[opened[i].frame] = 0;
    withMissing(opened[i], model.sums.self[opened[i].frame]);
  }
  return count;
}

/* Adds the missing weight to the left-out marker, or creates the marker. */
function openMissing(count, missing) {
  const known = opened.slice(0, count).find((node) => node.frame === model.leftOut);
  if (known) known.weight += missing;
  else startNode(count++, model.leftOut, model.leftOut, missing);
  return count;
}

function sortOpened(count, compare) {
  if (count < 2) return;
  const sorted = opened.slice(0, count).sort(compare);
  sorted.forEach((node, i) => (opened[i] = node));
}

/* Whether a node consists of exactly one row. */
function isWholeRow(node) {
  return node.mode === CALLEES && node.to - node.from === 1 && !(node.missing > 0);
}

/* Writes the children of a node to opened, in display order. Returns their number. */
function openNode(node) {
  const isRow = isWholeRow(node);
  let count = isRow ? openRow(sets.rows[node.from]) : openSet(node);
  if (node.mode === ENDS && model.sums) count = openEnds(count);
  else if (node.missing > 0 && model.leftOut >= 0) count = openMissing(count, node.missing);
  for (let i = 0; i < count; i++) opened[i].mode = node.mode && CALLERS;
  if (view.isHeavy) sortOpened(count, (a, b) => b.weight - a.weight);
  else if (!isRow) sortOpened(count, (a, b) => ranks[a.frame] - ranks[b.frame]);
  return count;
}

/* The nodes along a path of keys, from the root on, as far as the path exists. */
function follow(root, path) {
  const nodes = [root];
  path.every((key, i) => {
    const count = openNode(nodes[i]);
    const next = opened.slice(0, count).find((node) => node.key === key && node.weight);
    if (next) nodes.push(Object.assign({}, next));
    return next;
  });
  return nodes;
}

/* Call when the profile is loaded. */
function makeNodes() {
  const order = model.label.map((label, frame) => frame);
  slots = new Int32Array(order.length);
  ranks = new Int32Array(order.length);
  order.sort((a, b) => (model.label[a] < model.label[b] ? -1 : model.label[a] > model.label[b] ? 1 : a - b));
  order.forEach((frame, rank) => (ranks[frame] = rank));
}
