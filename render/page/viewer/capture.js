/* SPDX-License-Identifier: MIT */
/*
 * The embedded profile as typed arrays. Rows are stacks in preorder: a row's descendants follow it,
 * up to end[row]. Row 0 is the root, "all", and has no frame. Cells have the time bins of a row's self
 * weight:
 *
 *     row    frame  parent  end    cells                    cell   bin  weight
 *      0      -1      -1     4      0 .. 0                   0      3     10
 *      1    main       0     4      0 .. 2                   1      7      5
 *      2    parse      1     3      2 .. 2                   2    ...
 */

/** Frame kinds of enum frame_kind that the viewer treats differently. */
const KERNEL = 2;

/**
 * @typedef {object} Frames
 * @property {string[]} name
 * @property {string[]} label the displayed name
 * @property {string[]} module
 * @property {number[]} kind
 * @property {string[]} colour
 * @property {string[]} source
 * @property {boolean[]} isLane names a lane of a flame chart
 */

/**
 * @typedef {object} Cells the time bins in which rows have weight
 * @property {Int32Array} from by row, with one more entry at the end: the row's first cell
 * @property {Int32Array} bin
 * @property {Float64Array} weight
 * @property {Int32Array | null} cpu
 */

/**
 * @typedef {object} Tree
 * @property {Int32Array} frame by row; -1: the root
 * @property {Int32Array} parent
 * @property {Int32Array} end
 * @property {Float64Array} self
 * @property {Float64Array | null} [selfBefore] of a comparison
 * @property {Int32Array} [places] by row of the tree from which this one was made: the row here, or -1
 */

/** @returns {Frames} */
function readFrames(read) {
  const names = read.texts("names"), modules = read.texts("modules"), sources = read.texts("sources");
  const name = Array.from(read.indexes("frame.name", names.length), (index) => names[index]);
  return {
    name: name,
    label: name.map(shownName),
    module: Array.from(read.indexes("frame.module", modules.length), (index) => modules[index]),
    kind: Array.from(read.indexes("frame.kind", 256)),
    colour: Array.from(read.indexes("frame.colour", 0x1000000), (value) => "#" + value.toString(16).padStart(6, "0")),
    isLane: [],
    source: Array.from(read.indexes("frame.source", sources.length), (index) => sources[index]),
  };
}

/**
 * Makes rows from the number of levels to go up before each row, as in render/svg/embed_columns.h. Columns
 * lack row 0, the root.
 */
function readTree(read, frameCount, total) {
  const up = read.indexes("row.up", 1 << 30), frame = read.indexes("row.frame", frameCount), self = read.weights("row.self");
  const count = up.length + 1;
  if (frame.length !== up.length || self.length !== up.length) throw new Error("the columns of rows differ in length");
  const tree = {
    frame: new Int32Array(count),
    parent: new Int32Array(count),
    end: new Int32Array(count).fill(count),
    self: new Float64Array(count),
  };
  tree.frame.set(frame, 1);
  tree.self.set(self, 1);
  let sum = 0;
  for (let row = 1; row < count; row++) sum += tree.self[row];
  tree.self[0] = Math.max(0, total - sum);
  tree.frame[0] = tree.parent[0] = -1;
  for (let row = 1; row < count; row++) {
    let parent = row - 1;
    for (let levels = up[row - 1]; levels > 0; levels--) {
      tree.end[parent] = row;
      parent = tree.parent[parent];
      if (!(parent >= 0)) throw new Error("the column row.up leads above the root at row " + row);
    }
    tree.parent[row] = parent;
  }
  return tree;
}

/** @returns {Cells} */
function readCells(read, rowCount, binCount, suffix) {
  const counts = read.indexes("row.cells" + suffix, 1 << 30);
  const bin = read.indexes("cell.bin" + suffix, binCount), weight = read.weights("cell.weight" + suffix);
  const from = new Int32Array(rowCount + 1);
  if (counts.length !== rowCount - 1) throw new Error("the columns of rows differ in length");
  for (let row = 1; row < rowCount; row++) {
    const begin = from[row], end = begin + counts[row - 1];
    if (end > bin.length) throw new Error("the column cell.bin is too short");
    for (let cell = begin + 1; cell < end; cell++) bin[cell] += bin[cell - 1];
    if (end > begin && bin[end - 1] >= binCount) throw new Error("the column cell.bin leaves the range of time");
    from[row + 1] = end;
  }
  if (from[rowCount] !== bin.length || bin.length !== weight.length) throw new Error("the columns of cells differ in length");
  const cpu = read.has("cell.cpu" + suffix) ? read.indexes("cell.cpu" + suffix, 1 << 30).map((value) => value - 1) : null;
  if (cpu && cpu.length !== bin.length) throw new Error("the columns of cells differ in length");
  return { from: from, bin: bin, weight: weight, cpu: cpu };
}

/** When records were lost, as ranges of bins. @returns {TimeWindow[]} */
function readLosses({ bins, losses }) {
  const isBin = (bin) => Number.isInteger(bin) && bin >= 0 && bin <= bins.count;
  if (!bins || !Array.isArray(losses)) return [];
  return losses.filter((one) => Array.isArray(one) && one.every(isBin) && one[0] < one[1]).map(([from, to]) => ({ from: from, to: to }));
}

/** Everything that is embedded. @param {any} facts @param {Uint8Array} stream */
function readCapture(facts, stream) {
  const read = columnReader(facts.columns, stream);
  const frames = readFrames(read);
  const tree = readTree(read, frames.name.length, facts.total || 0);
  const levelOf = groupLevels(tree, frames, facts.groups ? facts.groups.length : 0);
  const compared = readCompared(read, facts, frames.name.length, tree);
  const hasCells = facts.bins && read.has("row.cells") && !compared;
  return {
    facts: facts,
    frames: frames,
    tree: tree,
    compared: compared,
    levelOf: levelOf,
    losses: readLosses(facts),
    cells: hasCells ? readCells(read, tree.frame.length, facts.bins.count, "") : null,
    functionSelf: read.weights("function.self"),
    functionTotal: read.weights("function.total"),
  };
}
