/* SPDX-License-Identifier: MIT */
/*
 * Stack trees: sums of functions, and trees whose rows moved. To change a tree, a transform returns for
 * each row the row of the new tree to which it moves:
 *
 *     all ── main ── parse ── main ── sort        place(row)
 *      0       1       2        3       4         keep, keep, drop, same as 1, keep
 *
 *     all ── main ── sort                         0, 1, 1, 1, 2
 *
 * Rows that move to the same row are added up. All arrays are typed: 250,000 rows take milliseconds.
 */

/**
 * Self and total of each function. A recursive function counts once: a row below another row of its function adds
 * nothing to the total.
 *
 * @param {Tree} tree @param {Float64Array} total @param {Float64Array} self @param {number} frameCount
 */
function functionSums(tree, self, total, frameCount) {
  const sums = { self: new Float64Array(frameCount), total: new Float64Array(frameCount) };
  const insideUntil = new Int32Array(frameCount);
  for (let row = 1; row < self.length; row++) {
    const frame = tree.frame[row];
    sums.self[frame] += self[row];
    if (row < insideUntil[frame]) continue;
    sums.total[frame] += total[row];
    insideUntil[frame] = tree.end[row];
  }
  return sums;
}

/**
 * Totals of functions below each of some roots, which ascend: by function, then by root. Recursive functions count once,
 * as in functionSums.
 *
 * @param {Tree} tree @param {Float64Array} total @param {number[]} roots @param {number} frameCount
 */
function totalsBelow(tree, total, roots, frameCount) {
  const sums = new Float64Array(frameCount * roots.length), insideUntil = new Int32Array(frameCount);
  roots.forEach((root, i) => {
    for (let row = root + 1; row < tree.end[root]; row++) {
      const frame = tree.frame[row];
      if (row < insideUntil[frame]) continue;
      sums[frame * roots.length + i] += total[row];
      insideUntil[frame] = tree.end[row];
    }
  });
  return sums;
}

/** Rows of a new tree while it grows: found by parent and frame. */
class GrowingTree {
  /** @param {number} limit the maximum number of its rows */
  constructor(limit) {
    let slots = 1024;
    while (slots < 2 * limit) slots *= 2;
    this.slots = new Int32Array(slots).fill(-1);
    this.frame = new Int32Array(limit);
    this.parent = new Int32Array(limit);
    this.frame[0] = this.parent[0] = -1;
    this.count = 1;
  }

  /** @param {number} parent @param {number} frame */
  child(parent, frame) {
    const mask = this.slots.length - 1;
    let slot = Math.imul(Math.imul(parent, 0x9e3779b1) ^ frame, 0x85ebca6b);
    slot = (slot ^ (slot >>> 15)) & mask;
    for (; this.slots[slot] >= 0; slot = (slot + 1) & mask) {
      const row = this.slots[slot];
      if (this.parent[row] === parent && this.frame[row] === frame) return row;
    }
    this.parent[this.count] = parent;
    this.frame[this.count] = frame;
    this.slots[slot] = this.count;
    return this.count++;
  }
}

/**
 * Numbers rows in preorder, siblings by the rank of their frame. Returns the new number of each row.
 * Rows are added to their parent's list from the highest rank on, so that each list begins with the
 * lowest.
 */
function preorder(growing, ranks) {
  const count = growing.count;
  const starts = new Int32Array(ranks.length + 1), byRank = new Int32Array(count);
  for (let row = 1; row < count; row++) starts[ranks[growing.frame[row]] + 1]++;
  for (let rank = 0; rank < ranks.length; rank++) starts[rank + 1] += starts[rank];
  for (let row = 1; row < count; row++) byRank[starts[ranks[growing.frame[row]]]++] = row;
  const firstChild = new Int32Array(count).fill(-1), nextSibling = new Int32Array(count).fill(-1);
  for (let i = count - 2; i >= 0; i--) {
    const row = byRank[i], parent = growing.parent[row];
    nextSibling[row] = firstChild[parent];
    firstChild[parent] = row;
  }
  const number = new Int32Array(count);
  for (let row = 0, next = 0; next < count; ) {
    number[row] = next++;
    if (firstChild[row] >= 0) row = firstChild[row];
    else {
      while (row > 0 && nextSibling[row] < 0) row = growing.parent[row];
      row = row > 0 ? nextSibling[row] : 0;
    }
  }
  return number;
}

/** The tree without gaps in its numbering. @returns {Tree} */
function finishTree(growing, number) {
  const count = growing.count;
  const tree = {
    frame: new Int32Array(count),
    parent: new Int32Array(count),
    end: new Int32Array(count),
    self: new Float64Array(count),
  };
  for (let row = 0; row < count; row++) {
    tree.frame[number[row]] = growing.frame[row];
    tree.parent[number[row]] = row ? number[growing.parent[row]] : -1;
  }
  for (let row = count - 1; row >= 0; row--) {
    if (tree.end[row] === 0) tree.end[row] = row + 1;
    const parent = tree.parent[row];
    if (parent >= 0 && tree.end[parent] < tree.end[row]) tree.end[parent] = tree.end[row];
  }
  return tree;
}

/** Adds up the values of rows that moved to the same row. Rows that moved to -1 are dropped. */
function moved(values, places, count) {
  const sums = new Float64Array(count);
  for (let row = 0; row < values.length; row++) if (places[row] >= 0) sums[places[row]] += values[row];
  return sums;
}

/**
 * A tree that was made before, but with the weights of another tree.
 * @param {Tree} made @param {Tree} weights @returns {Tree}
 */
function withWeights(made, weights) {
  const count = made.frame.length;
  return Object.assign({}, made, {
    self: moved(weights.self, made.places, count),
    selfBefore: weights.selfBefore ? moved(weights.selfBefore, made.places, count) : null,
  });
}

/**
 * A new tree. place(row, places, growing) returns the row of the growing tree to which a row moves,
 * or -1 to drop the row's own weight. places has the results for previous rows.
 *
 * @param {Tree} tree @param {Int32Array} ranks of frames
 * @param {(row: number, places: Int32Array, growing: GrowingTree) => number} place
 * @returns {Tree}
 */
function rebuildTree(tree, ranks, place) {
  const growing = new GrowingTree(tree.frame.length + 1);
  const places = new Int32Array(tree.frame.length);
  for (let row = 1; row < places.length; row++) places[row] = place(row, places, growing);
  const number = preorder(growing, ranks);
  for (let row = 0; row < places.length; row++) if (places[row] >= 0) places[row] = number[places[row]];
  const made = finishTree(growing, number);
  made.self = moved(tree.self, places, growing.count);
  made.selfBefore = tree.selfBefore ? moved(tree.selfBefore, places, growing.count) : null;
  made.places = places;
  return made;
}
