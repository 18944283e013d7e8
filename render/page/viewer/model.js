/* SPDX-License-Identifier: MIT */
/*
 * The part of the capture that is shown: a window selects it, and the chips transform it.
 *
 *     capture ── window ──▶ self weights ── chips ──▶ tree ──▶ model ──▶ graph, table
 *
 * The model is the one of render/svg/viewer/model.js, which its modules draw.
 */

/** @type {any} */
let model;
/** @type {any} */
let capture;
/** @type {Context} */
let context;
/** @type {any} */
let view;

/** What the reader selected. If there are two windows, the first is the BEFORE side, the second the AFTER side. */
const selection = {
  /** @type {TimeWindow | null} */
  window: null,
  /** @type {TimeWindow | null} */
  other: null,
  /** @type {Transform[]} */
  steps: [],
  variant: -1, /* of a comparison of captures: see compared.js */
};

const firstView = { kind: "tree", path: [], frame: -1, isHeavy: false, isInverted: true, side: 0, isFull: false, isChart: false, compare: "change" };

/* render/svg/diff_colour.c: gone, less by over 5, 2, 0.5, 0 points, same, more ..., new. */
const CHANGE_COLOURS = ["#0f766e", "#2b6cb0", "#5a9bd0", "#93c3e6", "#aed0ec", "#c8cbd1", "#f5c0a8", "#f4a988", "#e5735c",
  "#c5303c", "#a84ac2"];
const CHANGE_STEPS = [0.5, 2, 5];
const DEVIATIONS_MIN = 3;

/** @param {any} read the capture */
function setCapture(read) {
  capture = read;
  view = Object.assign({}, firstView);
  frameNamesChanged();
  mergeThreads();
}

/* Frames that represent modules are added when they are needed. */
function frameNamesChanged() {
  model = { label: capture.frames.label };
  makeNodes();
  const level = levelsOfFrames(capture.tree, capture.levelOf, capture.frames.name.length);
  context = { frames: capture.frames, ranks: ranks, level: level };
}

/** The CPUs that are picked, if cells have them. */
function pickedCpus() {
  if (!capture.cells || !capture.cells.cpu) return [];
  return selection.steps.filter((step) => step.kind === "cpu").map((step) => Number(step.name));
}

function selectedSelf(window) {
  const cpus = pickedCpus();
  if (!capture.cells || !(window || cpus.length)) return capture.tree.self;
  return selfInWindow(capture.cells, window || { from: 0, to: capture.facts.bins.count }, cpus);
}

/**
 * The tree with the threads of each comm merged: thousands of threads would leave no frame wide enough to see.
 */
function mergeThreads() {
  const { tree, frames } = capture;
  const isGroup = (row) => row > 0 && frames.kind[tree.frame[row]] === GROUP;
  const isInner = (frame, row) => isGroup(row) && isGroup(tree.parent[row]);
  capture.merged = capture.facts.groups.length > 1 ? mergeFrames(tree, context, isInner) : null;
}

/** All trees from the capture's tree to the model's, each made from the previous one. @type {Tree[]} */
let stages = [];

/** By row of the capture: the row of the model that has its weight, or -1. @returns {Int32Array} */
function placesOfRows() {
  const hasWeight = ({ self, selfBefore }, row) => self[row] > 0 || Boolean(selfBefore && selfBefore[row] > 0);
  let places = new Int32Array(stages[0].self.length).map((zero, row) => row);
  stages.slice(1).forEach((tree, i) => {
    const before = stages[i], isMoved = tree.places !== before.places;
    const isDropped = (row) => !isMoved && hasWeight(before, row) && !hasWeight(tree, row);
    places = places.map((row) => (row < 0 || isDropped(row) ? -1 : isMoved ? tree.places[row] : row));
  });
  return places;
}

/** Computes the model of the selection. */
function computeModel() {
  const { window, other, steps } = selection;
  isUnfiltered = !window && !other && !steps.some((step) => step.kind !== "threads");
  const added = steps.filter((step) => step.kind === "module" && addModuleFrame(capture.frames, step.name));
  if (added.length) frameNamesChanged();
  const whole = Object.assign({}, capture.tree, capture.compared ? comparedWeights() : {
    self: selectedSelf(other || window),
    selfBefore: other ? selectedSelf(window) : null,
  });
  const isOfThread = (step) => step.kind === "thread";
  const picked = steps.filter(isOfThread).map((step) => step.name);
  const tree = keepPicked(whole, context, picked);
  const isByThread = !capture.merged || steps.some((step) => step.kind === "threads");
  stages = [whole, tree];
  if (!isByThread) stages.push(withWeights(capture.merged, tree));
  steps.filter((step) => !isOfThread(step)).forEach((step) => stages.push(transformed(stages[stages.length - 1], context, [step])));
  model = modelOf(stages[stages.length - 1]);
  startJudging();
}

/** @param {Tree} tree */
function modelOf(tree) {
  const { frames, facts } = capture;
  const total = totals(tree.self, tree.parent);
  const before = tree.selfBefore && { self: tree.selfBefore, total: totals(tree.selfBefore, tree.parent) };
  return Object.assign({}, frames, tree, {
    unit: facts.unit,
    of: facts.of || facts.unit, /* "of" says what times are of; other units describe the weights */
    factor: 1,
    links: new Map(),
    total: total,
    after: { self: tree.self, total: total },
    before: before,
    diff: before && (capture.compared ? comparedWords : changeWords)(total[0], before.total[0]),
    significant: new Map(),
    judged: null,
    isBeingJudged: false,
    gap: null,
    sums: null,
    leftOut: facts.left_out ? frames.name.findIndex((name, frame) => marksLeftOut(name, frames.kind[frame])) : -1,
    functions: functionsOf(tree, tree.self, total, capture),
    functionsBefore: before && functionsOf(tree, before.self, before.total, capture.compared || capture),
  });
}

/* Whether all weights are shown, so that the exact function sums in the file are valid. */
let isUnfiltered = true;

/** Weights of functions; frames that the viewer added have no weights. @param {Tree} tree */
function functionsOf(tree, self, total, file) {
  if (!isUnfiltered || !file.functionSelf.length) return functionSums(tree, self, total, capture.frames.name.length);
  return { self: file.functionSelf, total: file.functionTotal };
}

/** The data that comparison.js needs about both windows. Shares are compared, because windows differ in length. */
function changeWords(after, before) {
  const samplesPerWeight = capture.facts.samples / (capture.facts.total || 1);
  return {
    scale: before && after ? after / before : 1,
    samples: [before * samplesPerWeight, after * samplesPerWeight],
    shares: true,
    steps: CHANGE_STEPS,
    colours: CHANGE_COLOURS,
    graded: false,
    drawn: -1,
  };
}

/**
 * Colours of rows if windows have too few samples for the tests: a change must be large, and
 * unlikely to be due to chance.
 */
function gradeRows() {
  const { total, before, diff } = model, whole = wholeOfSides();
  const indexes = new Uint16Array(total.length).fill(5);
  for (let row = 0; row < total.length; row++) {
    const was = before.total[row] * diff.scale, points = (100 * (total[row] - was)) / whole;
    if (!(Math.abs(points) >= CHANGE_STEPS[0]) || deviations({ before: was, after: total[row] }) < DEVIATIONS_MIN) continue;
    if (!was || !total[row]) indexes[row] = was ? 0 : 10;
    else indexes[row] = 5 + Math.sign(points) * (1 + CHANGE_STEPS.filter((step) => Math.abs(points) >= step).length);
  }
  model.colourIndex = indexes;
  model.confidence = null;
}
