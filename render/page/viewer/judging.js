/* SPDX-License-Identifier: MIT */
/*
 * Schedules the tests of changes between two windows. In a large page, tests take longer than drawing.
 * So the graph is drawn first, without colours of change, and tests run in slices between events:
 *
 *     drag ── model ── drawn ── slice ── slice ── slice ── colours, p values and sentence
 *                                  └── a newer selection ends this
 */

const judging = {
  rowsAtOnce: 50000, /* with more rows, the graph is drawn before the tests run */
  slice_ms: 10,
  /** @type {Generator | null} */
  steps: null,
};

/** Sets the colours of rows, from the test results so far. */
function gradeModel() {
  if (model.isBeingJudged) model.colourIndex = new Uint16Array(model.frame.length).fill(5);
  else if (capture.compared || model.judged) gradeCompared();
  else if (model.diff) gradeRows();
}

/** Judges the model's changes: at once, or after the model is drawn. */
function startJudging() {
  const steps = model.diff && areWindowsCompared() ? judgeWindows() : null;
  model.isBeingJudged = Boolean(steps) && model.frame.length > judging.rowsAtOnce;
  judging.steps = model.isBeingJudged ? steps : null;
  if (model.isBeingJudged) requestAnimationFrame(() => setTimeout(() => judgeSlice(steps)));
  else while (steps && !steps.next().done);
  gradeModel();
}

/** Runs steps for a slice of time, unless a newer selection has replaced them. */
function judgeSlice(steps) {
  if (judging.steps !== steps) return;
  const end = performance.now() + judging.slice_ms;
  let isDone = false;
  do isDone = Boolean(steps.next().done);
  while (!isDone && performance.now() < end);
  if (!isDone) {
    setTimeout(() => judgeSlice(steps));
    return;
  }
  judging.steps = null;
  model.isBeingJudged = false;
  gradeModel();
  show(true);
}
