/* SPDX-License-Identifier: MIT */
/*
 * The flame chart: a lane for each row of the strip, over the window's time. A column is as wide as
 * a time bin, or a pixel if there are more bins, and shows its dominant stack: at each level the
 * heaviest callee. Equal neighbours are one rectangle. Time without samples stays empty.
 *
 *     nginx 12    | main               |    | main        |      a lane: its name, then levels
 *                 | parse   | read     |    | poll        |
 *     time        0         1          2    3             4 s
 */

const TICK_GAP = 90; /* pixels */

/** @typedef {{frame: number, row: number, from: number, to: number, weight: number, self: number, above: number, rect: number}} ChartPart columns [from, to) */

const chart = {
  /** @type {Map<number, ChartPart>} by rectangle */
  parts: new Map(),
  columns: 1,
  window: { from: 0, to: 1 },
};

/** @returns {TimeWindow} */
function chartWindow() {
  return selection.other || selection.window || { from: 0, to: capture.facts.bins.count };
}

/**
 * The cells of each lane and column on the picked CPUs: from first[lane * columns + column] on, in order.
 */
function cellsByColumn(lanes, slots, window, columns) {
  const { cells, tree } = capture, cpus = pickedCpus(), wanted = cpus.length ? new Set(cpus) : null;
  const keys = new Int32Array(cells.bin.length).fill(-1), first = new Int32Array(slots.count * columns + 1);
  const scale = columns / (window.to - window.from), rows = new Int32Array(cells.bin.length);
  for (let row = 1; row < tree.frame.length; row++) {
    for (let cell = cells.from[row]; cell < cells.from[row + 1]; cell++) {
      const bin = cells.bin[cell], lane = lanes.ofRow ? lanes.ofRow[row] : lanes.ofCell[cell];
      rows[cell] = row;
      if (lane < 0 || slots.of[lane] < 0 || bin < window.from || bin >= window.to || (wanted && !wanted.has(cells.cpu[cell]))) continue;
      keys[cell] = slots.of[lane] * columns + Math.floor((bin - window.from) * scale);
      first[keys[cell] + 1]++;
    }
  }
  for (let key = 0; key + 1 < first.length; key++) first[key + 1] += first[key];
  const next = first.slice(), order = new Int32Array(first[first.length - 1]);
  keys.forEach((key, cell) => {
    if (key >= 0) order[next[key]++] = cell;
  });
  return { first: first, order: order, rows: rows };
}

/**
 * The dominant stack of some cells, from its root, as rows of the tree. The arrays of scratch must contain only zeros,
 * and do so afterwards.
 */
function dominantStack(tree, rows, weights, isSkipped, scratch) {
  const { total, own, best } = scratch, touched = [], stack = [];
  rows.forEach((row, i) => {
    own[row] += weights[i];
    for (let at = row; at >= 0; at = tree.parent[at]) {
      if (!total[at]) touched.push(at);
      total[at] += weights[i];
    }
  });
  touched.forEach((row) => {
    const parent = tree.parent[row], rival = parent >= 0 ? best[parent] : 0;
    if (parent >= 0 && (!rival || total[row] > total[rival] || (total[row] === total[rival] && row < rival))) best[parent] = row;
  });
  for (let at = best[0]; at > 0; at = own[at] > total[best[at]] ? 0 : best[at])
    if (!isSkipped(at)) stack.push({ row: at, weight: total[at], self: own[at] });
  touched.forEach((row) => (total[row] = own[row] = best[row] = 0));
  return stack;
}

/**
 * Samples at most this many columns apart have no gap between them: bins may be shorter than the time between samples.
 */
function samplePitch(first, columns) {
  const distances = [];
  for (let key = 0, last = -1; key + 1 < first.length; key++) {
    if (key % columns === 0) last = -1;
    if (first[key + 1] === first[key]) continue;
    if (last >= 0) distances.push(key - last);
    last = key;
  }
  const median = distances.sort((a, b) => a - b)[distances.length >> 1] || 1;
  return median > 1 ? Math.ceil(1.5 * median) : 1;
}

/** The parts of a lane, by level. stacks[column]: the column's dominant stack, or nothing. @returns {ChartPart[][]} */
function mergeColumns(stacks, pitch) {
  /** @type {ChartPart[][]} */
  const parts = [];
  const filled = Array.from(stacks.keys()).filter((column) => stacks[column]);
  let open = 0, end = 0; /* open: the number of levels whose last part ends at column `end` */
  filled.forEach((column, i) => {
    const stack = stacks[column], until = Math.min(column + pitch, i + 1 < filled.length ? filled[i + 1] : stacks.length);
    if (end < column) open = 0;
    stack.forEach(({ row, weight, self }, level) => {
      if (!parts[level]) parts[level] = [];
      const last = parts[level][parts[level].length - 1];
      if (level < open && last.row === row) Object.assign(last, { to: until, weight: last.weight + weight, self: last.self + self });
      else {
        open = Math.min(open, level);
        parts[level].push({ frame: -1, row: row, from: column, to: until, weight: weight, self: self, above: level ? parts[level - 1].length - 1 : -1, rect: -1 });
      }
    });
    open = stack.length;
    end = until;
  });
  return parts;
}

function addPart(part, level, parent, x, w) {
  const from = sets.count;
  if (part.row > 0) addRow(part.row, part.row);
  const rect = addRect({ key: part.frame, frame: part.frame, mode: CALLEES, from: from, to: sets.count, weight: part.weight, missing: 0 }, x, w, level, parent);
  rects.self[rect] = part.self;
  part.rect = rect;
  chart.parts.set(rect, part);
  return rect;
}

function addChartLane(lane, parts) {
  const whole = width - 2 * MARGIN, column = whole / chart.columns;
  const name = { frame: lane.frame, row: 0, from: 0, to: chart.columns, weight: (parts[0] || []).reduce((sum, part) => sum + part.weight, 0), self: 0, above: -1, rect: -1 };
  const top = addPart(name, levels.length, -1, MARGIN, whole);
  levels.push([top, rectCount]);
  parts.forEach((list, i) => {
    const from = rectCount;
    list.forEach((part) => {
      part.frame = model.frame[part.row];
      addPart(part, levels.length, i ? parts[i - 1][part.above].rect : top, MARGIN + part.from * column, (part.to - part.from) * column);
    });
    levels.push([from, rectCount]);
  });
}

/** Called by layOut(). The first level has the times of the axis. */
function layOutLanes() {
  const { kind, count } = rowsPicker, lanes = lanesOf(kind), shown = heaviestLanes(lanes, count), window = chartWindow();
  const columns = Math.max(1, Math.min(window.to - window.from, Math.floor(width - 2 * MARGIN)));
  const slots = { count: shown.length, of: new Int32Array(lanes.list.length).fill(-1) };
  shown.forEach((lane, slot) => (slots.of[lane] = slot));
  const found = cellsByColumn(lanes, slots, window, columns), places = placesOfRows();
  const scratch = { total: new Float64Array(model.frame.length), own: new Float64Array(model.frame.length), best: new Int32Array(model.frame.length) };
  const isOfThread = kind.name === "tid" || kind.name === "pid", isSkipped = (row) => isOfThread && model.kind[model.frame[row]] === GROUP;
  const pitch = samplePitch(found.first, columns);
  Object.assign(chart, { parts: new Map(), columns: columns, window: window });
  levels.push([0, 0]);
  shown.forEach((lane, slot) => {
    const stacks = Array.from({ length: columns }, (unused, column) => {
      const key = slot * columns + column, cells = found.order.subarray(found.first[key], found.first[key + 1]);
      const kept = Array.from(cells).filter((cell) => places[found.rows[cell]] >= 0);
      const stack = kept.length && dominantStack(model, kept.map((cell) => places[found.rows[cell]]), kept.map((cell) => capture.cells.weight[cell]), isSkipped, scratch);
      return stack && stack.length ? stack : null;
    });
    addChartLane(lanes.list[lane], mergeColumns(stacks, pitch));
  });
}

/** Seconds of a column of the chart. */
function secondsOfColumn(column) {
  const { window, columns } = chart;
  return secondsOfBin(window.from + (column * (window.to - window.from)) / columns);
}

/** The duration of a column. */
function columnNs() {
  const { window, columns } = chart;
  return ((window.to - window.from) * capture.facts.bins.width_ns) / columns;
}

/** ", from 1.25 s to 1.3 s" */
function describeTimes(rect) {
  const part = chart.parts.get(rect.index);
  return part ? ", from " + Number(secondsOfColumn(part.from).toFixed(6)) + " s to " + Number(secondsOfColumn(part.to).toFixed(6)) + " s" : "";
}

/** Lines at round times, and the times above the lanes. */
function drawAxis() {
  if (!hasLanes()) return;
  const from = secondsOfColumn(0), to = secondsOfColumn(chart.columns), scale = (width - 2 * MARGIN) / (to - from);
  const step = axisStep(TICK_GAP / scale), grid = element("g", { id: "grid", "aria-hidden": "true" });
  for (let i = Math.ceil(from / step - 1e-9); i * step <= to * (1 + 1e-9); i++) {
    const x = round(MARGIN + (i * step - from) * scale), text = axisLabel(i * step, step) + " s";
    const isLate = x + 4 + text.length * glyph > width;
    element("path", { d: "M" + x + " " + yOf(0) + "V" + (yOf(0) + levels.length * ROW) }, grid);
    element("text", { x: x + (isLate ? -4 : 4), y: yOf(0) + BASELINE, "text-anchor": isLate ? "end" : "start" }, grid).textContent = text;
  }
  drawing.append(grid);
}

/** A click on a frame selects its time. A click on the name of a lane picks the lane. */
function openPart(rect) {
  const part = chart.parts.get(rect.index), { window, columns } = chart;
  if (!part) return;
  const lane = lanesOf(rowsPicker.kind).list.find((one) => one.frame === part.frame), bin = (column) => window.from + (column * (window.to - window.from)) / columns;
  if (!part.row && lane) addStep(lane.step);
  else selectWindow({ from: Math.floor(bin(part.from)), to: Math.ceil(bin(part.to)) }, false);
}
