/* SPDX-License-Identifier: MIT */
/*
 * The transforms in use: each is a chip, and pressing the chip removes the transform. Buttons add
 * common transforms.
 */

const STEP_TEXTS = {
  drop: (step) => "without " + step.name,
  exclude: (step) => "without /" + step.name + "/",
  include: (step) => "only /" + step.name + "/",
  thread: (step) => "only " + step.name,
  cpu: (step) => "only " + cpuLabel(Number(step.name)),
  idle: () => "without idle",
  kernel: () => "without kernel",
  threads: () => innerGroups().toLowerCase(),
  groups: () => "all comms together",
  merge: (step) => "merged: " + step.name,
  focus: (step) => "focus: " + step.name,
  path: (step) => "stack: " + step.path.join(" → "),
  recursion: (step) => (step.name ? "recursion of " + step.name + " collapsed" : "recursion collapsed"),
  module: (step) => "collapsed: " + step.name.replace(/^.*\/(?=[^/])/, ""),
};

/** Transforms without a name, which are on or off. */
const TOGGLES = [["kernel", "Without kernel"], ["idle", "Without idle"], ["recursion", "Collapse recursion"], ["threads", ""], ["groups", "All together"]];

const toggles = html("div", { class: "toggles", role: "group", "aria-label": "Transforms" });

/** Names the groups that distinguish stacks of one comm. */
function innerGroups() {
  return capture.facts.groups.includes("tid") ? "By thread" : "By " + (LANE_TITLES[capture.facts.groups[1]] || "group").replace(/s$/, "");
}

/** @param {Transform} a @param {Transform} b */
function isSameStep(a, b) {
  return encodeStep(a) === encodeStep(b);
}

/** @param {Transform[]} steps */
function addSteps(steps) {
  selection.steps = selection.steps.filter((other) => !steps.some((step) => isSameStep(other, step))).concat(steps);
  changed({ isNewTree: true, view: view.kind === "sandwich" ? {} : { path: [] } });
  announce(steps.map((step) => STEP_TEXTS[step.kind](step)).join(", "));
}

/** @param {Transform} step */
function addStep(step) {
  addSteps([step]);
}

/** @param {Transform} step */
function removeStep(step) {
  selection.steps = selection.steps.filter((other) => !isSameStep(other, step));
  changed({ isNewTree: true });
}

function drawChips() {
  chipList.replaceChildren(...selection.steps.map((step) => {
    const text = STEP_TEXTS[step.kind](step), item = html("li", {});
    const chip = button(item, cut(text, 60), () => removeStep(step), text.slice(0, 1000));
    chip.setAttribute("aria-label", "Remove: " + text.slice(0, 200));
    html("span", { "aria-hidden": "true" }, chip, " ✕");
    return item;
  }));
  chipList.hidden = !selection.steps.length;
  Array.from(toggles.children).forEach((toggle) =>
    toggle.setAttribute("aria-pressed", String(selection.steps.some((step) => isSameStep(step, { kind: toggle.dataset.kind })))));
}

function makeToggles() {
  const { frames } = capture, isKernel = kernelFrames(frames);
  const isUseful = {
    kernel: isKernel.some(Boolean),
    idle: idleRows(capture.tree, frames).some(Boolean),
    threads: Boolean(capture.merged),
    groups: frames.kind.includes(GROUP),
    recursion: true,
  };
  TOGGLES.filter(([kind]) => isUseful[kind]).forEach(([kind, text]) => {
    const toggle = button(toggles, text || innerGroups(), () => {
      const on = selection.steps.find((step) => isSameStep(step, { kind: kind }));
      if (on) removeStep(on);
      else addStep({ kind: kind });
    });
    toggle.dataset.kind = kind;
  });
}
