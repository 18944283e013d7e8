/* SPDX-License-Identifier: MIT */
/*
 * Judges the change of each function between two windows: of one capture, or one of each side of a
 * comparison. Weights are counted as samples, by block of each window (statistics.js).
 */

/** @typedef {{cells: Cells, window: TimeWindow, perSample: number, ends: number[]}} JudgedWindow */

/** @returns {JudgedWindow} */
function judgedWindow(cells, binCount, window, perSample) {
  const weights = weightByBin(cells, binCount, 0, cells.from.length - 1, null).subarray(window.from, window.to);
  return { cells: cells, window: window, perSample: perSample, ends: cutBlocks(weights) };
}

/** @param {Float64Array} counts @returns {BlockCounts} */
function blockCounts(counts) {
  return { count: counts.reduce((sum, count) => sum + count, 0), counts: counts };
}

/** Samples of the rows of the model in each block. places: see placesOfRows. */
function rowsByBlock({ cells, window, perSample, ends }, places, rowCount) {
  const blocks = ends.map(() => new Float64Array(rowCount)), ofBin = new Int32Array(window.to - window.from);
  const cpus = pickedCpus(), wanted = cpus.length ? new Set(cpus) : null;
  ofBin.forEach((zero, bin) => (ofBin[bin] = ends.findIndex((end) => bin < end)));
  for (let row = 1; row < places.length; row++) {
    if (places[row] < 0) continue;
    for (let cell = cells.from[row]; cell < cells.from[row + 1]; cell++) {
      const bin = cells.bin[cell];
      if (bin >= window.from && bin < window.to && (!wanted || wanted.has(cells.cpu[cell]))) blocks[ofBin[bin - window.from]][places[row]] += cells.weight[cell] / perSample;
    }
  }
  return blocks;
}

/** Samples in the blocks, of all rows and by part and frame. */
function functionsByBlock(judged, places, tree, frameCount) {
  const blocks = rowsByBlock(judged, places, tree.frame.length).map((self) => ({ self: self, total: totals(self, tree.parent) }));
  const sums = blocks.map(({ self, total }) => functionSums(tree, self, total, frameCount));
  const of = (part, frame) => blockCounts(Float64Array.from(sums.map((sum) => sum[part][frame])));
  return {
    all: blockCounts(Float64Array.from(blocks.map(({ total }) => total[0]))),
    self: (frame) => of("self", frame),
    total: (frame) => of("total", frame),
  };
}

/** The two windows that are compared, or null if there are none, or too few samples to judge. */
function comparedWindows() {
  const { window, other } = selection, { facts, compared } = capture, times = compared && compared.times;
  if (times ? !(window || other) || !variantInUse().shares : !other) return null;
  const perSample = (facts.total || 1) / (facts.samples || 1);
  const whole = (bins) => ({ from: 0, to: bins.count });
  const windows = times
    ? [window, other].map((one, side) => judgedWindow(times[side].cells, times[side].bins.count, one || whole(times[side].bins), compared.sides[side].total / (compared.sides[side].samples || 1)))
    : [window, other].map((one) => judgedWindow(capture.cells, facts.bins.count, one, perSample));
  return windows.every((one) => one.ends.length > 1) ? windows : null;
}

/** Sets model.judged, by part and frame, and what the colours of rows need. Without two windows, it is null. */
function judgeWindows() {
  const windows = comparedWindows(), { frame: frames } = model, frameCount = model.name.length;
  model.judged = null;
  if (!windows) return;
  const tree = stages[stages.length - 1], places = placesOfRows();
  const sides = windows.map((one) => functionsByBlock(one, places, tree, frameCount)), alls = sides.map((side) => side.all);
  /** @type {Judgement[]} */
  const list = [], counts = [];
  const judge = (counted) => {
    const made = judgeShares(counted, alls);
    list.push(made);
    counts.push(counted[BEFORE].count + counted[AFTER].count);
    return made;
  };
  const judged = { self: new Array(frameCount), total: new Array(frameCount) };
  new Set(frames.subarray(1)).forEach((frame) => {
    const self = sides.map((side) => side.self(frame)), total = sides.map((side) => side.total(frame));
    const isSame = self.every((one, side) => one.count === total[side].count);
    if (total.every((one) => !one.count) || model.kind[frame] === GROUP) return;
    judged.total[frame] = judge(total);
    judged.self[frame] = isSame ? judged.total[frame] : judge(self); /* what calls nothing is tested once */
  });
  correct(list, counts, Math.min(alls[BEFORE].count, alls[AFTER].count) / (alls[BEFORE].count + alls[AFTER].count));
  model.judged = judged;
  model.diff.graded = true;
  model.significant = significantInWindows();
}

/** The smaller p of self and total, or NaN. */
function pOfWindows(frame) {
  const { self, total } = model.judged;
  return total[frame] ? Math.min(self[frame].p, total[frame].p) : NaN;
}

/** As significantFunctions of a comparison: directions, and by how much a stack of one must change. */
function significantInWindows() {
  const found = new Map(), { judged, functions, functionsBefore, diff } = model;
  const whole = model.after.total[0] || 1, was = (model.before.total[0] || 1) * diff.scale;
  judged.total.forEach((total, frame) => {
    if (!total) return;
    const graded = (part, one) => (one.p > ERROR_RATE ? [0, 0]
      : [Math.sign(functions[part][frame] / whole - (functionsBefore[part][frame] * diff.scale) / was), DEVIATIONS_MIN * Math.sqrt(one.factor)]);
    found.set(model.name[frame], { self: graded("self", judged.self[frame]), total: graded("total", total) });
  });
  return found;
}
