/* SPDX-License-Identifier: MIT */
/*
 * A comparison of captures: both sides, and the verdicts that kiln diff gives with each
 * normalisation and confidence. A variant is one such pair; its functions are entries in the order
 * of importance:
 *
 *     variant   total, 0.99                       time, 0.99
 *     entries   parse more p 0.0001  read ...     read less p 0.002  parse ...
 */

const BEFORE = 0, AFTER = 1;
const VERDICTS = ["not graded", "uncertain", "unchanged", "shifted", "more", "less"]; /* enum diff_verdict */

/**
 * @typedef {object} Variant
 * @property {string} normalise
 * @property {number} confidence
 * @property {number} scale factor for weights of the BEFORE side
 * @property {boolean} shares
 * @property {string} headline
 * @property {string} terms
 * @property {Int32Array} entry by frame: its entry, or -1
 */

/** @returns {Variant[]} */
function readVariants(facts, frames, frameCount) {
  let at = 0;
  const variants = facts.map((variant) => {
    const entry = new Int32Array(frameCount).fill(-1), end = at + variant.count;
    if (!(end <= frames.length)) throw new Error("the column change.frame is too short");
    for (; at < end; at++) entry[frames[at]] = at;
    return Object.assign({}, variant, { scale: Number(variant.scale), entry: entry });
  });
  if (at !== frames.length || !variants.length) throw new Error("the column change.frame is too long");
  return variants;
}

/** The data of a comparison, in addition to the AFTER side; null for other pages. */
function readCompared(read, facts, frameCount, tree) {
  if (!facts.comparison) return null;
  const { comparison } = facts, numbers = (name) => Float64Array.from(read.texts(name).map((text) => (text === "" ? NaN : Number(text))));
  const before = read.weights("row.before"), selfBefore = new Float64Array(tree.frame.length);
  if (before.length !== selfBefore.length - 1) throw new Error("the columns of rows differ in length");
  selfBefore.set(before, 1);
  selfBefore[0] = Math.max(0, comparison.sides[BEFORE].total - before.reduce((sum, weight) => sum + weight, 0));
  const frames = read.indexes("change.frame", frameCount);
  const isTimed = facts.bins && facts.bins_before && read.has("row.cells") && read.has("row.cells_before");
  const sideCells = (bins, suffix) => ({ bins: bins, cells: readCells(read, tree.frame.length, bins.count, suffix) });
  return {
    graded: comparison.graded,
    sides: comparison.sides,
    impossible: comparison.impossible,
    variants: readVariants(comparison.variants, frames, frameCount),
    first: comparison.first,
    verdicts: read.indexes("change.verdicts", 2 * VERDICTS.length ** 3),
    p: numbers("change.p"),
    low: numbers("change.low"),
    high: numbers("change.high"),
    least: { self: numbers("change.self_least"), total: numbers("change.total_least") },
    selfBefore: selfBefore,
    functionSelf: read.weights("function.self_before"),
    functionTotal: read.weights("function.total_before"),
    times: isTimed ? [sideCells(facts.bins_before, "_before"), sideCells(facts.bins, "")] : null,
  };
}

/** @returns {Variant} */
function variantInUse() {
  return capture.compared.variants[selection.variant] || capture.compared.variants[capture.compared.first];
}

/** The verdict of a function on "self", "total" or both ("whole"), or -1 if it has no entry. */
function verdictOf(frame, part) {
  const entry = variantInUse().entry[frame], step = { whole: 1, self: VERDICTS.length, total: VERDICTS.length ** 2 }[part];
  return entry < 0 ? -1 : Math.floor(capture.compared.verdicts[entry] / step) % VERDICTS.length;
}

/** 1: more, -1: less, 0: no significant change. */
function directionOf(frame, part) {
  const verdict = VERDICTS[verdictOf(frame, part)];
  return verdict === "more" ? 1 : verdict === "less" ? -1 : 0;
}

/** Whether the numbers of kiln diff apply, which are for whole captures. */
function isJudged() {
  return Boolean(capture.compared && !selection.window && !selection.other);
}

/** Both sides' self weights, by row, in their windows. */
function comparedWeights() {
  const { times, selfBefore } = capture.compared;
  const of = (side, window, whole) => (window && times ? selfInWindow(times[side].cells, window, []) : whole);
  return { self: of(AFTER, selection.other, capture.tree.self), selfBefore: of(BEFORE, selection.window, selfBefore) };
}

/** The factor for weights of the BEFORE side, for windows and for whole captures. */
function comparedScale(after, before) {
  const { times } = capture.compared, variant = variantInUse();
  if (isJudged()) return variant.scale;
  if (variant.shares) return before && after ? after / before : 1;
  if (variant.normalise !== "time") return variant.scale;
  const duration = (side, window) => (window ? window.to - window.from : times[side].bins.count) * times[side].bins.width_ns;
  return duration(AFTER, selection.other) / duration(BEFORE, selection.window);
}

/** The data that comparison.js of the SVG's viewer needs. */
function comparedWords(after, before) {
  const { sides, graded } = capture.compared;
  const inWindow = (side, weight) => (sides[side].samples * weight) / (sides[side].total || 1);
  return {
    scale: comparedScale(after, before),
    samples: [inWindow(BEFORE, before), inWindow(AFTER, after)],
    shares: variantInUse().shares,
    steps: CHANGE_STEPS,
    colours: CHANGE_COLOURS,
    graded: graded && isJudged(),
    drawn: -1,
  };
}

/** For each changed function: the direction, and by how much a stack of it must change to count as changed. */
function significantFunctions() {
  const found = new Map(), { least } = capture.compared, { entry } = variantInUse();
  model.name.forEach((name, frame) => {
    const self = directionOf(frame, "self"), total = directionOf(frame, "total");
    if (self || total) found.set(name, { self: [self, least.self[entry[frame]]], total: [total, least.total[entry[frame]]] });
  });
  return found;
}

/** Colours rows as in the SVG of kiln diff: if the function changed, and the row changed in the same direction. */
function gradeCompared() {
  const { total, before, diff } = model, whole = wholeOfSides();
  if (!model.judged && capture.compared) model.significant = significantFunctions();
  const indexes = new Uint16Array(total.length).fill(5), ofFrame = model.name.map((name) => (model.significant.get(name) || { total: [0, 0] }).total);
  for (let row = 1; row < total.length; row++) {
    const was = before.total[row] * diff.scale, points = (100 * (total[row] - was)) / whole, [direction, least] = ofFrame[model.frame[row]];
    const isSame = diff.graded ? !(points * direction > 0) || deviations({ before: was, after: total[row] }) < least : Math.abs(points) < CHANGE_STEPS[0];
    if (isSame) continue;
    if (!was || !total[row]) indexes[row] = was ? 0 : 10;
    else indexes[row] = 5 + Math.sign(points) * (1 + CHANGE_STEPS.filter((step) => Math.abs(points) >= step).length);
  }
  model.colourIndex = indexes;
}
