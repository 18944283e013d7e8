/* SPDX-License-Identifier: MIT */
/*
 * Lanes: the threads, processes, CPUs or events of the capture, and the weights of each. The groups
 * at the root of a stack determine the stack's lane. The CPU is stored as a number with each cell.
 *
 *     groups    comm, pid, tid           level 0, 1, 2
 *     row       nginx ── pid 7 ── tid 9 ── main ── ...
 *     lanes by pid:  "nginx 7"           the rows below "pid 7"
 */

/** @typedef {{name: string, title: string, level: number}} LaneKind level: of its group frame; -1: by the CPU of cells */
/** @typedef {{step: Transform | null, label: string, weight: number, bins: Float64Array, idle: Float64Array[], frame?: number}} Lane step: picks the lane; idle: weight by bin, for each state except ON_CPU; frame: represents the lane in charts */
/**
 * @typedef {object} Lanes
 * @property {Lane[]} list
 * @property {Int32Array | null} ofRow by row: an index into list, or -1
 * @property {Int32Array | null} ofCell
 */

const LANE_TITLES = { comm: "comms", pid: "processes", tid: "threads", cpu: "CPUs", event: "events", file: "files", cgroup: "cgroups" };
/* Choices that are always listed. If the capture lacks one of them, the reason is shown. */
const LANE_NAMES = ["tid", "pid", "cpu", "event", "comm"];
/* enum frame_kind: why a thread was off-CPU. */
const BLOCKED = 6, PREEMPTED = 7, RUN_QUEUE = 8;
/* The states of a thread. */
const ON_CPU = 0, STATES = ["on-CPU", "off-CPU", "runnable", "unknown"];
const STATE_UNKNOWN = "[running or waiting, state unknown]"; /* profile/interval.c */

/**
 * By row: for a group, the number of groups above it; for a function, -1.
 * @param {Tree} tree @param {Frames} frames
 */
function groupLevels(tree, frames, levelCount) {
  const levelOf = new Int32Array(tree.frame.length).fill(-1);
  for (let row = 1; row < levelOf.length; row++) {
    const parent = tree.parent[row], level = parent ? levelOf[parent] + 1 : 0;
    if (frames.kind[tree.frame[row]] === GROUP && (parent === 0 || level > 0) && level < levelCount) levelOf[row] = level;
  }
  return levelOf;
}

/** The level of each group frame, or -1. @returns {Int32Array} */
function levelsOfFrames(tree, levelOf, frameCount) {
  const levels = new Int32Array(frameCount).fill(-1);
  for (let row = 1; row < levelOf.length; row++) if (levelOf[row] >= 0) levels[tree.frame[row]] = levelOf[row];
  return levels;
}

/** The kinds of lanes that this capture has. @returns {LaneKind[]} */
function laneKinds(facts, cells) {
  const isKnown = (kind) => !(facts.groups_missing && facts.groups_missing[kind.name]);
  const kinds = facts.groups.map((name, level) => ({ name: name, title: LANE_TITLES[name] || name, level: level })).filter(isKnown);
  if (cells && cells.cpu && !facts.groups.includes("cpu")) kinds.push({ name: "cpu", title: LANE_TITLES.cpu, level: -1 });
  return kinds;
}

/** By row: an index into STATES. @param {Tree} tree @param {Frames} frames */
function statesOfRows(tree, frames) {
  const ofFrame = frames.kind.map((kind, frame) => ({ [BLOCKED]: 1, [PREEMPTED]: 2, [RUN_QUEUE]: 2, [MARK]: frames.name[frame] === STATE_UNKNOWN ? 3 : 0 })[kind] || ON_CPU);
  const states = new Uint8Array(tree.frame.length);
  for (let row = 1; row < states.length; row++) states[row] = ofFrame[tree.frame[row]] || states[tree.parent[row]];
  return states;
}

/** "cpu 3" is CPU 3; threads and processes have the comm of their heaviest row. */
function laneLabel(kind, name, comm) {
  if (kind.name === "cpu") return name.replace(/^cpu /, "CPU ");
  return kind.name === "tid" || kind.name === "pid" ? comm + " " + name.replace(/^[pt]id /, "") : name;
}

/** The lanes of a kind, and for each row the index of its lane. */
function findLanes(kind, read) {
  const { tree, frames, levelOf } = read, ofRow = new Int32Array(tree.frame.length).fill(-1);
  const byFrame = new Map(), list = [], total = totals(tree.self, tree.parent), heaviest = [];
  for (let row = 1; row < ofRow.length; row++) {
    if (levelOf[row] !== kind.level) {
      ofRow[row] = ofRow[tree.parent[row]];
      continue;
    }
    const frame = tree.frame[row], top = levelOf[row] ? tree.parent[row] : row;
    let comm = top;
    while (levelOf[comm] > 0) comm = tree.parent[comm];
    if (!byFrame.has(frame)) {
      byFrame.set(frame, list.length);
      list.push({ step: { kind: "thread", name: frames.name[frame] }, label: "" });
      heaviest.push(-1);
    }
    const lane = byFrame.get(frame);
    if (total[row] > heaviest[lane]) {
      heaviest[lane] = total[row];
      list[lane].label = laneLabel(kind, frames.label[frame], frames.label[tree.frame[comm]]);
    }
    ofRow[row] = lane;
  }
  return { list: list, ofRow: ofRow, ofCell: null };
}

/** @param {number} number -1: not known */
function cpuLabel(number) {
  return number < 0 ? "no CPU" : "CPU " + number;
}

function findCpuLanes({ cells }) {
  const numbers = Array.from(new Set(cells.cpu)).sort((a, b) => a - b), index = new Map(numbers.map((number, i) => [number, i]));
  const list = numbers.map((number) => ({ step: { kind: "cpu", name: String(number) }, label: cpuLabel(number) }));
  return { list: list, ofRow: null, ofCell: cells.cpu.map((number) => index.get(number)) };
}

/** Lanes with their weight by time bin. @param {LaneKind} kind @returns {Lanes} */
function makeLanes(kind, read, binCount) {
  const made = kind.level < 0 ? findCpuLanes(read) : findLanes(kind, read);
  const { cells, states } = read, sums = made.list.map(() => new Float64Array(binCount));
  const idle = made.list.map(() => STATES.slice(1).map(() => new Float64Array(binCount)));
  for (let row = 1; row < states.length; row++) {
    for (let cell = cells.from[row]; cell < cells.from[row + 1]; cell++) {
      const lane = made.ofRow ? made.ofRow[row] : made.ofCell[cell];
      if (lane < 0) continue;
      sums[lane][cells.bin[cell]] += cells.weight[cell];
      if (states[row] !== ON_CPU) idle[lane][states[row] - 1][cells.bin[cell]] += cells.weight[cell];
    }
  }
  const total = (bins) => bins.reduce((sum, weight) => sum + weight, 0);
  return {
    ofRow: made.ofRow,
    ofCell: made.ofCell,
    list: made.list.map((lane, i) => Object.assign(lane, { bins: sums[i], idle: idle[i], weight: total(sums[i]) })),
  };
}

/** Combines several lanes to one. @param {Lane[]} lanes @returns {Lane} */
function foldLanes(lanes, label) {
  const add = (binsOf) => lanes.slice(1).reduce((sum, lane) => sum.map((weight, bin) => weight + binsOf(lane)[bin]), binsOf(lanes[0]));
  const idle = STATES.slice(1).map((name, i) => add((lane) => lane.idle[i]));
  return { step: null, label: label, bins: add((lane) => lane.bins), idle: idle, weight: lanes.reduce((sum, lane) => sum + lane.weight, 0) };
}
