/* SPDX-License-Identifier: MIT */
/*
 * The rows of the strip: their kind, the heaviest rows, and one row for the rest. Clicking the
 * label of a row picks the row; graph and table then show only the picked rows.
 *
 *     Rows [threads v] [8 v]     ● on-CPU ● off-CPU ● lost
 */

const ROW_COUNTS = [8, 16, 32, 64];
const FILE_LABEL_MAX = 22;
const OFFSET_ROWS = "offset"; /* not a kind of lane: see offsets.js */

const rowsPicker = {
  /** @type {LaneKind[]} */
  kinds: [],
  /** @type {LaneKind | null} */
  kind: null,
  /** @type {LaneKind | null} */
  first: null,
  count: ROW_COUNTS[0],
  /** @type {Map<string, Lanes>} */
  made: new Map(),
  field: html("select", { id: "rows" }),
  counts: html("select", { id: "row-count", "aria-label": "Number of rows" }),
};

/** Adds a frame that names a lane in a flame chart. @param {string} label */
function addLaneFrame(label) {
  const { frames } = capture, known = frames.name.findIndex((name, frame) => name === label && frames.isLane[frame]);
  if (known >= 0) return known;
  frames.name.push(label);
  frames.label.push(label);
  frames.module.push("");
  frames.kind.push(GROUP);
  frames.colour.push(rootColour);
  frames.source.push("");
  frames.isLane[frames.name.length - 1] = true;
  return frames.name.length - 1;
}

/** @param {LaneKind} kind @returns {Lanes} */
function lanesOf(kind) {
  if (!rowsPicker.made.has(kind.name)) {
    const read = Object.assign({ states: statesOfRows(capture.tree, capture.frames) }, capture);
    const made = makeLanes(kind, read, capture.facts.bins.count);
    made.list.forEach((lane) => (lane.frame = addLaneFrame(lane.label)));
    rowsPicker.made.set(kind.name, made);
    const before = model;
    frameNamesChanged();
    if (before.total) model = before;
  }
  return rowsPicker.made.get(kind.name);
}

/** The indexes of lanes that have rows of their own: those that are picked, and the heaviest. */
function heaviestLanes(lanes, most) {
  const picked = new Set(selection.steps.map(encodeStep));
  const order = Array.from(lanes.list.keys()).filter((i) => lanes.list[i].weight)
    .sort((a, b) => lanes.list[b].weight - lanes.list[a].weight || a - b);
  return order.filter((lane, i) => i < most || picked.has(encodeStep(lanes.list[lane].step)));
}

function readRows() {
  const { kind, count } = rowsPicker;
  strip.rows = [];
  if (!kind) return;
  const lanes = lanesOf(kind), shown = heaviestLanes(lanes, count), isShown = new Set(shown);
  const others = lanes.list.filter((lane, i) => lane.weight && !isShown.has(i));
  strip.rows = shown.map((i) => lanes.list[i]);
  if (others.length) strip.rows.push(foldLanes(others, others.length.toLocaleString("en") + (others.length === 1 ? " other" : " others")));
}

/** Files are distinguished by the ends of their paths. @param {string} label */
function rowLabel(label) {
  return rowsPicker.kind && rowsPicker.kind.name === "file" && label.length > FILE_LABEL_MAX ? "…" + label.slice(1 - FILE_LABEL_MAX) : label;
}

/** Labels of the rows, as buttons. The buttons of the selected rows are shown pressed. */
function drawRowLabels() {
  strip.labels.replaceChildren();
  html("li", {}, strip.labels, "all");
  if (offsets.isOn) {
    html("li", {}, strip.labels, "up to + " + duration(offsets.rowCount * capture.facts.bins.width_ns));
    return;
  }
  strip.rows.forEach((row) => {
    const item = html("li", {}, strip.labels);
    if (!row.step) {
      item.textContent = row.label;
      return;
    }
    const { step } = row, isPicked = selection.steps.some((other) => isSameStep(other, step));
    button(item, rowLabel(row.label), () => (isPicked ? removeStep(step) : addStep(step)), "Only " + row.label + ": " +
      weightText(row.weight) + ", " + percent(row.weight, capture.facts.total || 1)).setAttribute("aria-pressed", String(isPicked));
  });
}

/** Called when the kind, the number or the selection of rows changes. */
function drawRows() {
  readRows();
  drawRowLabels();
  drawStrip();
}

/** Why the capture has no rows of a kind. */
function missingKind(name) {
  return (capture.facts.groups_missing && capture.facts.groups_missing[name]) || "not in this page; write it with --by";
}

function fillKinds() {
  const { kinds, field } = rowsPicker;
  const names = LANE_NAMES.concat(kinds.map((kind) => kind.name).filter((name) => !LANE_NAMES.includes(name)));
  names.forEach((name) => {
    const kind = kinds.find((one) => one.name === name), title = kind ? kind.title : LANE_TITLES[name];
    const option = html("option", { value: name }, field, kind ? title : title + " (" + missingKind(name) + ")");
    option.disabled = !kind;
  });
  html("option", { value: OFFSET_ROWS }, field, "offset in each column (heat map)");
}

/**
 * Picks the kind of rows that an address names; if it names none, the first kind with several rows.
 * @param {string | undefined} name
 */
function pickKind(name) {
  if (!capture.cells) return;
  const { kinds } = rowsPicker;
  rowsPicker.kind = kinds.find((kind) => kind.name === name) || rowsPicker.first;
  setOffsets(name === OFFSET_ROWS);
  rowsPicker.field.value = rowsInUse();
}

/** The name of the kind of the strip's rows: OFFSET_ROWS for offsets, "" if there are no rows. */
function rowsInUse() {
  return offsets.isOn ? OFFSET_ROWS : rowsPicker.kind ? rowsPicker.kind.name : "";
}

/** Finds the kinds of rows; call when the capture is read. */
function findKinds() {
  rowsPicker.kinds = laneKinds(capture.facts, capture.cells);
  const ofName = (name) => rowsPicker.kinds.find((kind) => kind.name === name);
  const several = ["file"].concat(LANE_NAMES).map(ofName).find((kind) => kind && lanesOf(kind).list.length > 1);
  rowsPicker.first = several || rowsPicker.kinds[0] || null;
  fillKinds();
}

/** Adds the legend of the strip, if it has more than one colour. */
function addLegend(line) {
  const isUsed = (i) => strip.rows.some((row) => row.idle[i].some(Boolean)), list = html("span", { class: "legend" }, line);
  const used = STATES.filter((name, state) => state !== ON_CPU && isUsed(state - 1));
  if (used.length) [STATES[ON_CPU]].concat(used).forEach((name) => html("span", { class: name }, list, name));
  if (capture.losses.length) html("span", { class: "lost" }, list, "records lost");
}

/** Fills the head of #time. @param {HTMLElement} time */
function makeStripRows(time) {
  const { field, counts } = rowsPicker, line = html("p", { class: "pick" }, time);
  strip.all = weightByBin(capture.cells, capture.facts.bins.count, 0, capture.tree.frame.length, null);
  html("label", { for: "rows" }, line, "Rows");
  line.append(field, counts);
  ROW_COUNTS.forEach((count) => html("option", { value: String(count) }, counts, "top " + count));
  field.addEventListener("change", () => {
    pickKind(field.value);
    show(true);
    writeAddress(false);
  });
  counts.addEventListener("change", () => {
    rowsPicker.count = Number(counts.value);
    show(true);
  });
  readRows();
  addLegend(line);
}
