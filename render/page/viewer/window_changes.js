/* SPDX-License-Identifier: MIT */
/*
 * Tests the change of each function between two windows: both of one capture, or one on each side
 * of a comparison. Weights are counted as samples, by block of each window (statistics.js).
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

/* This array is reused: fresh memory for each comparison would take longer than the sums. */
let blockWeights = new Float64Array(0);

/* Rows between two pauses of the generators below. */
const ROWS_BETWEEN_PAUSES = 16384;

/**
 * Weights of the rows of the model, by row and block; and which rows have any weight. places: see placesOfRows. Pauses
 * by yielding.
 */
function* rowsByBlock({ cells, window, ends }, places, rowCount) {
  const count = ends.length, hasAny = new Uint8Array(rowCount);
  if (blockWeights.length < rowCount * count) blockWeights = new Float64Array(rowCount * count);
  const weights = blockWeights.fill(0);
  const cpus = pickedCpus(), wanted = cpus.length ? new Set(cpus) : null, { from, bin, weight } = cells;
  const ofBin = new Int32Array(window.to - window.from).map((zero, i) => ends.findIndex((end) => i < end));
  for (let row = 1; row < places.length; row++) {
    if (row % ROWS_BETWEEN_PAUSES === 0) yield;
    const at = places[row] * count, end = at < 0 ? 0 : from[row + 1];
    for (let cell = from[row]; cell < end; cell++) {
      const place = bin[cell] - window.from;
      if (place < 0 || place >= ofBin.length || (wanted && !wanted.has(cells.cpu[cell]))) continue;
      weights[at + ofBin[place]] += weight[cell];
      hasAny[places[row]] = 1;
    }
  }
  return { weights: weights, hasAny: hasAny };
}

/**
 * Samples by block: of all rows together, and by part and frame. All blocks of a row are added at
 * once, and rows without samples are skipped. Otherwise, large pages would take a second. Pauses by
 * yielding.
 */
function* functionsByBlock(judged, places, tree, frameCount) {
  const count = judged.ends.length, { weights, hasAny } = yield* rowsByBlock(judged, places, tree.frame.length), { frame, parent, end } = tree;
  const sums = { self: new Float64Array(frameCount * count), total: new Float64Array(frameCount * count) };
  const insideUntil = new Int32Array(frameCount), rowCount = hasAny.length;
  for (let row = 1; row < rowCount; row++) {
    if (row % ROWS_BETWEEN_PAUSES === 0) yield;
    const to = frame[row] * count, at = row * count;
    for (let block = 0; hasAny[row] && block < count; block++) sums.self[to + block] += weights[at + block];
  }
  for (let row = rowCount - 1; row > 0; row--) {
    if (row % ROWS_BETWEEN_PAUSES === 0) yield;
    const to = parent[row] * count, at = row * count;
    for (let block = 0; hasAny[row] && block < count; block++) weights[to + block] += weights[at + block];
    hasAny[parent[row]] |= hasAny[row];
  }
  /* A row below another row of its function adds nothing to the total. */
  for (let row = 1; row < rowCount; row++) {
    if (row % ROWS_BETWEEN_PAUSES === 0) yield;
    const to = frame[row] * count, at = row * count;
    if (!hasAny[row] || row < insideUntil[frame[row]]) continue;
    for (let block = 0; block < count; block++) sums.total[to + block] += weights[at + block];
    insideUntil[frame[row]] = end[row];
  }
  const samples = (of, row) => blockCounts(of.slice(row * count, (row + 1) * count).map((weight) => weight / judged.perSample));
  return { all: samples(weights, 0), self: (frame) => samples(sums.self, frame), total: (frame) => samples(sums.total, frame) };
}

/** Whether two windows are compared. */
function areWindowsCompared() {
  const { window, other } = selection, times = capture.compared && capture.compared.times;
  return Boolean(times ? (window || other) && variantInUse().shares : other);
}

/** The two windows that are compared, or null if there are too few samples to judge. */
function comparedWindows() {
  const { window, other } = selection, { facts, compared } = capture, times = compared && compared.times;
  const perSample = (facts.total || 1) / (facts.samples || 1);
  const whole = (bins) => ({ from: 0, to: bins.count });
  const windows = times
    ? [window, other].map((one, side) => judgedWindow(times[side].cells, times[side].bins.count, one || whole(times[side].bins), compared.sides[side].total / (compared.sides[side].samples || 1)))
    : [window, other].map((one) => judgedWindow(capture.cells, facts.bins.count, one, perSample));
  return windows.every((one) => one.ends.length > 1) ? windows : null;
}

/**
 * Sets model.judged, by part and frame, and the data for the colours of rows. If there are too few
 * samples, model.judged stays null. Pauses by yielding.
 */
function* judgeWindows() {
  const windows = comparedWindows(), { frame: frames } = model, frameCount = model.name.length;
  if (!windows) return;
  yield;
  const tree = stages[stages.length - 1], places = placesOfRows(), sides = [];
  for (const one of windows) sides.push(yield* functionsByBlock(one, places, tree, frameCount));
  const alls = sides.map((side) => side.all);
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
    judged.self[frame] = isSame ? judged.total[frame] : judge(self); /* a leaf function is tested once */
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

/** Like significantFunctions of a comparison: directions of functions, and by how much their stacks must change. */
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
