/* SPDX-License-Identifier: MIT */
/*
 * The meaning of frame colours. The reader chooses; the legend and the address follow:
 *
 *     kind      as in the static SVG, by kind of code; in a comparison this is "change"
 *     module    the heaviest modules have a colour each, all others share one
 *     self      by the self time of a function over all its occurrences
 */

const MODULE_COLOURS = ["#6aa5d8", "#eda04f", "#7fbb72", "#c792d6", "#54b5ad", "#e18a83", "#b8a84b", "#9a96e0"];
const OTHER_COLOUR = "#b4bac3";
/* Ascending steps, in percent of all samples; functions below the first step have the colour UNCHANGED. */
const SELF_STEPS = [0.1, 1, 3, 10];
const SELF_COLOURS = ["#efc550", "#ee9a41", "#dc5f33", "#a32a1f"];

const chosen = { self: null, frames: [], legend: [] }; /* computed from the function weights in self */

/* The first choice is the colouring of the static SVG. */
function colourings() {
  return [model.diff ? "change" : "kind"].concat(model.diff && !model.diff.shades ? "kind" : [], model.module.some(Boolean) ? "module" : [], "self");
}

function colouring() {
  return view.colours || colourings()[0];
}

/* By frame. */
function selfSums() {
  if (model.sums) return model.sums.self;
  const sums = new Float64Array(model.name.length);
  for (let row = 1; row < model.frame.length; row++) sums[model.frame[row]] += model.self[row];
  return sums;
}

function isCode(frame) {
  return model.kind[frame] !== GROUP && model.kind[frame] < MARK;
}

function colourByModule(sums) {
  const weights = new Map();
  sums.forEach((sum, frame) => {
    const module = isCode(frame) && model.module[frame];
    if (module) weights.set(module, (weights.get(module) || 0) + sum);
  });
  const heaviest = Array.from(weights.keys()).sort((a, b) => weights.get(b) - weights.get(a) || (a < b ? -1 : 1)).slice(0, MODULE_COLOURS.length);
  const byModule = new Map(heaviest.map((module, i) => [module, MODULE_COLOURS[i]]));
  chosen.frames = model.module.map((module, frame) => (isCode(frame) ? byModule.get(module) || OTHER_COLOUR : model.colour[frame]));
  chosen.legend = heaviest.map((module, i) => [MODULE_COLOURS[i], module.replace(/.*\//, "")]);
  if (chosen.frames.includes(OTHER_COLOUR)) chosen.legend.push([OTHER_COLOUR, "others"]);
}

function colourBySelf(sums) {
  const shadeOf = (sum) => SELF_COLOURS[SELF_STEPS.filter((step) => (100 * sum) / model.total[0] >= step).length - 1] || UNCHANGED;
  chosen.frames = Array.from(sums, (sum, frame) => (isCode(frame) ? shadeOf(sum) : model.colour[frame]));
  chosen.legend = SELF_COLOURS.map((colour, i) => [colour, SELF_STEPS[i] + (i ? "%" : "% self or more")]);
  chosen.legend.unshift([UNCHANGED, "less"]);
}

/* Does nothing if function weights and choice did not change since the last drawing. */
function chooseColours() {
  const self = view.colours && view.colours !== "kind" ? model.self : null;
  if (chosen.self === self && chosen.by === view.colours) return;
  chosen.self = self;
  chosen.by = view.colours;
  chosen.legend = [];
  if (self) (view.colours === "module" ? colourByModule : colourBySelf)(selfSums());
}

function colourOf(rect) {
  const frame = rects.frame[rect];
  if (chosen.self) return chosen.frames[frame];
  return (model.diff && !view.colours && model.diff.colours[colourIndexOf(rect)]) || model.colour[frame];
}
