/* SPDX-License-Identifier: MIT */
/*
 * Transforms of the tree, one for each chip. They are pure functions from one tree to another, and are
 * applied one after the other. Some change only weights, and keep the rows:
 *
 *     drop f          without the samples whose stack has f; idle: without those of idle stacks
 *     include r       only samples whose stack has a frame that the regular expression matches
 *     exclude r       only the other samples
 *     thread          only samples of a thread, process or event; several of one kind are alternatives
 *     cpu n           only samples on this CPU; several are alternatives. Cells have the CPU: see time_window.js
 *
 * Others move rows (tree.js):
 *
 *     merge f         all ── main ── f ── read      all ── main ── read        self of f is added to main
 *     focus f         all ── main ── f ── read      all ── f ── read           other samples are left out
 *     path            all ── main ── f ── read      all ── f ── read           only samples of this stack
 *     recursion f     all ── f ── g ── f ── read    all ── f ── read
 *     module m        all ── main ── m1 ── m2       all ── main ── m
 */

/**
 * @typedef {object} Transform
 * @property {string} kind
 * @property {string} [name] of a function, module, thread; or a regular expression
 * @property {string[]} [path] names from the root on
 */

/* The data about frames that transforms use. level: of groups; -1: functions. */
/** @typedef {{frames: Frames, ranks: Int32Array, level: Int32Array}} Context */

/** @param {Float64Array} weights @param {Uint8Array} isKept by row */
function weightsOf(weights, isKept) {
  return weights && weights.map((weight, row) => (isKept[row] ? weight : 0));
}

/** The tree with the weights of some rows only. @param {Tree} tree @param {Uint8Array} isKept @returns {Tree} */
function keepRows(tree, isKept) {
  return Object.assign({}, tree, { self: weightsOf(tree.self, isKept), selfBefore: weightsOf(tree.selfBefore, isKept) });
}

/** By row: 1 if the row or one above it has a frame that is marked. @param {Tree} tree */
function rowsWith(tree, isMarked) {
  const within = new Uint8Array(tree.frame.length);
  for (let row = 1; row < within.length; row++) within[row] = within[tree.parent[row]] | Number(isMarked[tree.frame[row]]);
  return within;
}

/**
 * Keeps rows that are in a picked group, at each level that has picked groups.
 * @param {Tree} tree @param {Context} context
 */
function keepPicked(tree, context, names) {
  const picked = Array.from(context.level.keys()).filter((frame) => context.level[frame] >= 0 && names.includes(context.frames.name[frame]));
  const levels = Array.from(new Set(picked.map((frame) => context.level[frame])));
  if (names.length && !levels.length) return keepRows(tree, new Uint8Array(tree.frame.length));
  return levels.reduce((kept, level) => {
    const isPicked = new Uint8Array(context.frames.name.length);
    picked.filter((frame) => context.level[frame] === level).forEach((frame) => (isPicked[frame] = 1));
    return keepRows(kept, rowsWith(tree, isPicked));
  }, tree);
}

/** @param {Uint8Array} flags */
function inverted(flags) {
  return flags.map((flag) => 1 - flag);
}

/** The frames with this name: a function may be in several modules. @param {Frames} frames */
function framesNamed(frames, name) {
  return frames.name.map((other) => other === name);
}

/** @param {Frames} frames */
function framesMatching(frames, text) {
  const expression = expressionOf(text);
  return frames.name.map((name) => expression.test(name));
}

/** Inlined kernel functions count as kernel frames. @param {Frames} frames */
function kernelFrames(frames) {
  return frames.kind.map((kind, frame) => kind === KERNEL || /^\[(kernel|guest\.kernel)|vmlinux/.test(frames.module[frame]));
}

/** @param {Tree} tree @param {Context} context */
function mergeFrames(tree, context, isMerged) {
  return rebuildTree(tree, context.ranks, (row, places, growing) => {
    const frame = tree.frame[row], parent = places[tree.parent[row]];
    return isMerged(frame, row) ? parent : growing.child(parent, frame);
  });
}

/** Outermost occurrences of a function become children of the root. @param {Tree} tree @param {Context} context */
function focusFunction(tree, context, name) {
  const isFocus = framesNamed(context.frames, name);
  const outside = -1;
  const focused = Object.assign({}, tree, { self: tree.self.slice() });
  focused.self[0] = 0;
  return rebuildTree(focused, context.ranks, (row, places, growing) => {
    const parent = tree.parent[row] ? places[tree.parent[row]] : outside;
    if (parent !== outside) return growing.child(parent, tree.frame[row]);
    return isFocus[tree.frame[row]] ? growing.child(0, tree.frame[row]) : outside;
  });
}

/** The row at the end of a path of names, or -1. @param {Tree} tree @param {Frames} frames @param {string[]} path */
function rowOfPath(tree, frames, path) {
  let row = 0;
  for (const name of path) {
    let child = row + 1;
    while (child < tree.end[row] && frames.name[tree.frame[child]] !== name) child = tree.end[child];
    if (child >= tree.end[row]) return -1;
    row = child;
  }
  return row;
}

/** One subtree, whose root becomes a child of the root. @param {Tree} tree @param {Context} context */
function focusPath(tree, context, path) {
  const top = rowOfPath(tree, context.frames, path), parent = tree.parent[top];
  if (top <= 0) return keepRows(tree, new Uint8Array(tree.frame.length));
  const within = new Uint8Array(tree.frame.length).fill(1, top, tree.end[top]);
  return rebuildTree(keepRows(tree, within), context.ranks, (row, places, growing) => {
    if (!within[row]) return -1;
    return growing.child(tree.parent[row] === parent ? 0 : places[tree.parent[row]], tree.frame[row]);
  });
}

/** Inner calls of a function count as its outermost call. @param {Tree} tree @param {Context} context */
function collapseFunction(tree, context, name) {
  const isIt = framesNamed(context.frames, name);
  const outermost = new Int32Array(tree.frame.length).fill(-1);
  return rebuildTree(tree, context.ranks, (row, places, growing) => {
    const above = outermost[tree.parent[row]];
    const isInner = above >= 0 && isIt[tree.frame[row]];
    outermost[row] = above >= 0 || !isIt[tree.frame[row]] ? above : row;
    return isInner ? places[above] : growing.child(places[tree.parent[row]], tree.frame[row]);
  });
}

/** Direct recursion of any function: f calls f. @param {Tree} tree @param {Context} context */
function collapseRecursion(tree, context) {
  return rebuildTree(tree, context.ranks, (row, places, growing) => {
    const parent = places[tree.parent[row]];
    return growing.frame[parent] === tree.frame[row] ? parent : growing.child(parent, tree.frame[row]);
  });
}

/** A module's functions that call each other become one frame. @param {Tree} tree @param {Context} context */
function collapseModule(tree, context, module) {
  const { frames } = context;
  const stand = frames.module.findIndex((other, frame) => other === module && frames.name[frame] === "[" + module + "]");
  return rebuildTree(tree, context.ranks, (row, places, growing) => {
    const parent = places[tree.parent[row]], isIt = frames.module[tree.frame[row]] === module;
    if (isIt && growing.frame[parent] === stand) return parent;
    return growing.child(parent, isIt ? stand : tree.frame[row]);
  });
}

/** Adds a frame that represents a whole module, once. @param {Frames} frames */
function addModuleFrame(frames, module) {
  const name = "[" + module + "]", like = frames.module.indexOf(module);
  if (like < 0 || frames.name.some((other, frame) => other === name && frames.module[frame] === module)) return false;
  frames.name.push(name);
  frames.label.push(shownName(name));
  frames.module.push(module);
  frames.kind.push(frames.kind[like]);
  frames.colour.push(frames.colour[like]);
  frames.source.push("");
  return true;
}

/** @type {Record<string, (tree: Tree, context: Context, step: Transform) => Tree>} */
const transforms = {
  drop: (tree, context, step) => keepRows(tree, inverted(rowsWith(tree, framesNamed(context.frames, step.name)))),
  exclude: (tree, context, step) => keepRows(tree, inverted(rowsWith(tree, framesMatching(context.frames, step.name)))),
  include: (tree, context, step) => keepRows(tree, rowsWith(tree, framesMatching(context.frames, step.name))),
  thread: (tree, context, step) => keepPicked(tree, context, [step.name]),
  cpu: (tree) => tree,
  idle: (tree, context) => keepRows(tree, inverted(idleRows(tree, context.frames))),
  kernel: (tree, context) => {
    const isKernel = kernelFrames(context.frames);
    return mergeFrames(tree, context, (frame) => isKernel[frame]);
  },
  threads: (tree) => tree,
  groups: (tree, context) => mergeFrames(tree, context, (frame) => context.frames.kind[frame] === GROUP),
  merge: (tree, context, step) => {
    const isMerged = framesNamed(context.frames, step.name);
    return mergeFrames(tree, context, (frame) => isMerged[frame]);
  },
  focus: (tree, context, step) => focusFunction(tree, context, step.name),
  path: (tree, context, step) => focusPath(tree, context, step.path),
  recursion: (tree, context, step) => (step.name ? collapseFunction(tree, context, step.name) : collapseRecursion(tree, context)),
  module: (tree, context, step) => collapseModule(tree, context, step.name),
};

/** Applies the chips in their order. @param {Tree} tree @param {Context} context @param {Transform[]} steps */
function transformed(tree, context, steps) {
  return steps.reduce((made, step) => transforms[step.kind](made, context, step), tree);
}
