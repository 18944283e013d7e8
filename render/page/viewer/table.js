/* SPDX-License-Identifier: MIT */
/*
 * The table of functions shows the content of the graph as numbers, for small screens, print and
 * screen readers.
 */

const TABLE_ROWS = 100; /* at first; each "more" doubles it */

/**
 * A column; isLong: its texts are truncated to its width. In CSV, a number is written without rounding it to a unit,
 * and an interval as two numbers. head: what the table has in place of the title.
 * @typedef {{title: string, number?: (frame: number) => number, unit?: () => string, shown?: (frame: number) => string}} CsvColumn
 * @typedef {CsvColumn & {key: string, isText?: boolean, isLong?: boolean, head?: string, value: (frame: number) => any, shown: (frame: number) => string, parts?: CsvColumn[]}} TableColumn
 */

/** Weights of functions, and their shares. @param {string} part @param {string} title @returns {TableColumn[]} */
function weightColumns(part, title) {
  const weight = (frame) => model.functions[part][frame];
  return [
    { key: part, title: title, value: weight, shown: (frame) => weightText(weight(frame)), number: (frame) => weight(frame) / (model.unit === "millionths" ? 1e6 : 1),
      unit: () => (model.unit === "nanoseconds" ? "ns" : model.of) },
    { key: part + "%", title: title + " %", value: weight, shown: (frame) => percent(weight(frame), tableWhole()), number: (frame) => (100 * weight(frame)) / tableWhole() },
  ];
}

/** @type {TableColumn[]} */
const ALL_COLUMNS = [
  ...weightColumns("self", "Self"),
  ...weightColumns("total", "Total"),
  { key: "change", title: "Change", head: "Change, points", value: (frame) => changeOfFunction(frame), shown: (frame) => signed(changeOfFunction(frame), 2), number: (frame) => pointsOf(changeOfFunction(frame)) },
  { key: "p", title: "p", isText: true, value: (frame) => pOf(frame), shown: (frame) => shortNumber(pOf(frame)), number: pOf },
  { key: "function", title: "Function", isText: true, value: (frame) => model.label[frame], shown: (frame) => model.label[frame] },
  { key: "note", title: "Note", isText: true, isLong: true, value: (frame) => notesText(model.name[frame]) || "\uffff", shown: (frame) => notesText(model.name[frame]) },
  { key: "module", title: "Module", isText: true, isLong: true, value: (frame) => moduleName(frame), shown: (frame) => moduleName(frame) },
  { key: "source", title: "Source line", isText: true, isLong: true, value: (frame) => model.source[frame], shown: (frame) => model.source[frame] },
  { key: "thread", title: "Thread", isText: true, isLong: true, value: (frame) => threadOf(frame), shown: (frame) => threadOf(frame) },
];

const sideShare = (frame, part, side) => {
  const { diff } = model, of = side === BEFORE ? model.functionsBefore : model.functions;
  return (100 * of[part][frame] * (side === BEFORE ? diff.scale : 1)) / wholeOfSides();
};

/** Percentage points without the noise of doubles. @param {number} points */
function pointsOf(points) {
  return Number(points.toFixed(6));
}

/** Columns for the change, and for the shares before and after, as in the table of kiln diff. */
function changeColumns(part, title) {
  const points = (frame) => sideShare(frame, part, AFTER) - sideShare(frame, part, BEFORE);
  return [
    { key: part, title: title, head: title + ", points", value: (frame) => Math.abs(points(frame)), shown: (frame) => signed(points(frame), 2), number: (frame) => pointsOf(points(frame)) },
    ...[BEFORE, AFTER].map((side) => {
      const name = side ? " after" : " before", share = (frame) => sideShare(frame, part, side);
      return { key: part + name, title: title + name, value: share, shown: (frame) => share(frame).toFixed(2) + "%", number: share };
    }),
  ];
}

function entryOf(frame) {
  return variantInUse().entry[frame];
}

/** A value of an entry; functions without an entry come last. */
function entryValue(column, frame) {
  const entry = entryOf(frame);
  return entry < 0 || Number.isNaN(capture.compared[column][entry]) ? Infinity : capture.compared[column][entry];
}

/**
 * The p value from kiln diff, or from the test of two windows. Functions without a p value come last.
 */
function pOf(frame) {
  if (!model.judged) return capture.compared ? entryValue("p", frame) : Infinity;
  const p = pOfWindows(frame);
  return Number.isNaN(p) ? Infinity : p;
}

/** A number as printf writes it with %.2g. @param {number} value */
function shortNumber(value) {
  if (!Number.isFinite(value)) return "–";
  if (value === 0 || value >= 0.0001) return String(Number(value.toPrecision(2)));
  return value.toExponential(1).replace(/\.0(?=e)/, "").replace(/e-(\d)$/, "e-0$1");
}

function intervalText(frame) {
  const entry = entryOf(frame), { low, high } = capture.compared;
  if (entry < 0 || Number.isNaN(low[entry])) return "–";
  const text = (value) => (Number.isFinite(value) ? (value < 0 ? "−" : "+") + Math.abs(value).toFixed(2) : "∞");
  return "[" + text(low[entry]) + ", " + text(high[entry]) + "]";
}

/** @type {TableColumn[]} the table of kiln diff; rank is its order */
const COMPARED_COLUMNS = [
  { key: "rank", title: "#", isText: true, value: (frame) => (entryOf(frame) < 0 ? Infinity : entryOf(frame)), shown: rankText, number: (frame) => Number(rankText(frame)) },
  { key: "p", title: "p", isText: true, value: (frame) => pOf(frame), shown: (frame) => shortNumber(pOf(frame)), number: pOf },
  { key: "verdict", title: "Verdict", isText: true, value: (frame) => VERDICTS[verdictOf(frame, "whole")] || "–", shown: (frame) => VERDICTS[verdictOf(frame, "whole")] || "–" },
  { key: "function", title: "Function", isText: true, value: (frame) => model.label[frame], shown: (frame) => model.label[frame] },
  ALL_COLUMNS.find((column) => column.key === "note"),
  ...changeColumns("self", "Self"),
  ...changeColumns("total", "Total"),
  { key: "interval", title: "Interval", head: "Interval, points", value: (frame) => -entryValue("low", frame), shown: intervalText,
    parts: ["low", "high"].map((end) => ({ title: "Interval " + end, number: (frame) => entryValue(end, frame) })) },
  { key: "module", title: "Module", isText: true, isLong: true, value: (frame) => moduleName(frame), shown: (frame) => moduleName(frame) },
];
const JUDGED_COLUMNS = ["rank", "verdict", "interval"];

function rankText(frame) {
  const { variants } = capture.compared, entry = entryOf(frame);
  const before = variants.slice(0, variants.indexOf(variantInUse())).reduce((sum, variant) => sum + variant.count, 0);
  return entry < 0 ? "–" : String(entry - before + 1);
}

/** Whether the change of a function is within noise. */
function isNoise(frame) {
  if (model.judged) return !(pOf(frame) <= ERROR_RATE);
  return isJudged() && capture.compared.graded && !/more|less/.test(VERDICTS[verdictOf(frame, "whole")] || "");
}

function allColumns() {
  return capture.compared ? COMPARED_COLUMNS : ALL_COLUMNS;
}

const table = {
  sort: "self",
  isSortedAnew: true, /* the reader did not choose the order */
  isAscending: false,
  filter: "",
  limit: TABLE_ROWS,
  selected: -1, /* a frame */
  /** @type {number[]} */
  shown: [],
  filterField: html("input", { type: "search", id: "filter", placeholder: "Filter functions", "aria-label": "Filter functions by name or module",
    spellcheck: "false", autocomplete: "off" }),
  count: html("output", { id: "count", for: "filter" }),
  body: html("tbody", {}),
  head: html("thead", {}),
  actions: html("div", { class: "actions", role: "toolbar", "aria-label": "Selected function" }),
};

/* The weights of functions by the group at the root of their stacks: a thread's name, unless --by has another key. */
const threads = {
  /** @type {any} */
  model: null, /* for which the weights were added up */
  /** @type {number[]} */
  frames: [],  /* of groups */
  weights: new Float64Array(0), /* by function, then by group */
};

/** With more groups, adding up would delay the table. */
const THREAD_WEIGHTS_MAX = 1 << 20;

/** Adds up the weights if the shown part has changed. */
function addUpThreads() {
  if (threads.model === model) return;
  const { frame, end, total, kind } = model, roots = [];
  for (let row = 1; row < frame.length; row = end[row]) if (kind[frame[row]] === GROUP) roots.push(row);
  const used = roots.length > 1 && roots.length * kind.length <= THREAD_WEIGHTS_MAX ? roots : [];
  Object.assign(threads, { model: model, frames: used.map((row) => frame[row]), weights: totalsBelow(model, total, used, kind.length) });
}

/** The thread in which a function weighs most, and how many others have it. @param {number} frame */
function threadOf(frame) {
  addUpThreads();
  const count = threads.frames.length, weights = threads.weights.subarray(frame * count, (frame + 1) * count);
  let most = 0, others = -1;
  weights.forEach((weight, group) => {
    if (weight > weights[most]) most = group;
    others += Number(weight > 0);
  });
  return others < 0 ? "" : model.label[threads.frames[most]] + (others ? " +" + others : "");
}

function tableWhole() {
  return (model.diff ? model.after.total[0] : model.total[0]) || 1;
}

function moduleName(frame) {
  return model.module[frame].replace(/^.*\/(?=[^/])/, "");
}

/** The change of a function in percentage points: of self if the table is sorted by self, else of total. */
function changeOfFunction(frame) {
  if (!model.diff) return 0;
  const part = table.sort.startsWith("total") ? "total" : "self";
  const was = (model.functionsBefore[part][frame] / (model.before.total[0] || 1)), is = model.functions[part][frame] / tableWhole();
  return 100 * (is - was);
}

function hasThreads() {
  addUpThreads();
  return threads.frames.length > 1;
}

/** Columns that have something to show. */
function tableColumns() {
  const hasSource = model.source.some(Boolean);
  const isOn = { change: Boolean(model.diff), p: capture.compared ? isUnfiltered || model.judged : model.judged, source: hasSource, thread: hasThreads(), note: model.name.some((name) => notes.list.some((note) => isNoteOf(note, name))) };
  if (capture.compared) return COMPARED_COLUMNS.filter((column) => (column.key in isOn ? isOn[column.key] : isUnfiltered || !JUDGED_COLUMNS.includes(column.key)));
  return ALL_COLUMNS.filter((column) => !(column.key in isOn) || isOn[column.key]);
}

/** Frames of functions in the order of the table; groups and marks are not functions. @returns {number[]} */
function tableFrames() {
  const column = allColumns().find((one) => one.key === table.sort), direction = table.isAscending ? 1 : -1;
  const keys = model.name.map((name, frame) => (column.key === "change" ? Math.abs(column.value(frame)) : column.value(frame)));
  const wanted = table.filter.toLowerCase(), { total } = model.functions;
  const isWanted = (frame) => !wanted || model.name[frame].toLowerCase().includes(wanted) || model.module[frame].toLowerCase().includes(wanted);
  const hasWeight = (frame) => total[frame] > 0 || (model.diff && model.functionsBefore.total[frame] > 0);
  return Array.from(model.name.keys())
    .filter((frame) => model.kind[frame] !== GROUP && hasWeight(frame) && isWanted(frame))
    .sort((a, b) => direction * (keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : 0) || total[b] - total[a] || a - b);
}

function sortBy(key) {
  const isText = allColumns().find((column) => column.key === key).isText;
  table.isSortedAnew = false;
  if (table.sort === key) table.isAscending = !table.isAscending;
  else Object.assign(table, { sort: key, isAscending: Boolean(isText) });
  drawTable();
  const pressed = Array.from(table.head.querySelectorAll("button")).find((one) => one.dataset.key === key);
  if (pressed) pressed.focus({ preventScroll: true });
}

function drawTableHead(columns) {
  const row = html("tr", {});
  columns.forEach((column) => {
    const isSorted = column.key === table.sort;
    const cell = html("th", Object.assign({ scope: "col", class: column.isText ? "text" : "number" },
      isSorted ? { "aria-sort": table.isAscending ? "ascending" : "descending" } : {}), row);
    const sort = button(cell, (column.head || column.title) + (isSorted ? (table.isAscending ? " ▲" : " ▼") : ""), () => sortBy(column.key));
    sort.dataset.key = column.key;
  });
  table.head.replaceChildren(row);
}

function drawTableRow(frame, columns) {
  const isSelected = frame === table.selected;
  const row = html("tr", isSelected ? { class: "selected", "aria-selected": "true" } : {});
  if ((capture.compared || model.judged) && isNoise(frame)) row.classList.add("noise");
  row.dataset.frame = String(frame);
  columns.forEach((column) => {
    const cell = html(column.key === "function" ? "th" : "td",
      column.key === "function" ? { scope: "row", class: "text" } : { class: column.isLong ? "text long" : column.isText ? "text" : "number" }, row);
    if (column.key === "function") {
      const name = button(cell, cut(column.shown(frame), 200), () => selectFunction(frame === table.selected ? -1 : frame), column.shown(frame).slice(0, 1000));
      name.classList.add("name");
      name.setAttribute("aria-pressed", String(isSelected));
    } else cell.textContent = column.shown(frame);
    if (column.key === "module") cell.title = model.module[frame];
    else if (column.isText && column.key !== "function" && cell.textContent) cell.title = cell.textContent;
  });
  return row;
}

/** If there are changes, sorts by change. @param {TableColumn[]} columns */
function sortAnew(columns) {
  const sort = ["rank", "p", "self"].find((key) => columns.some((column) => column.key === key));
  Object.assign(table, { isSortedAnew: true, sort: sort, isAscending: sort !== "self" });
}

function drawTable() {
  const columns = tableColumns();
  if (table.isSortedAnew || !columns.some((column) => column.key === table.sort))
    sortAnew(columns);
  table.shown = tableFrames();
  drawTableHead(columns);
  table.body.replaceChildren(...table.shown.slice(0, table.limit).map((frame) => drawTableRow(frame, columns)));
  const left = table.shown.length - table.limit;
  if (left > 0) {
    const cell = html("td", { colspan: String(columns.length) }, html("tr", { class: "more" }, table.body));
    button(cell, "Show more (" + left + " left)", () => {
      table.limit *= 2;
      drawTable();
    });
  }
  table.count.textContent = table.shown.length.toLocaleString("en") + (table.shown.length === 1 ? " function" : " functions");
  drawActions();
}

/** Draws the actions for the selected function. */
function drawActions() {
  const frame = table.selected;
  table.actions.replaceChildren();
  if (frame < 0) return;
  html("strong", {}, table.actions, cut(model.label[frame], 60));
  functionActions(frame).forEach(([text, press]) => button(table.actions, text, press));
  button(table.actions, "Write a note", () => addNote({ function: model.name[frame] }));
}

/** Selects a function: its row, and its frames in the graph. */
function selectFunction(frame) {
  const before = table.body.querySelector(".selected");
  table.selected = frame;
  const row = table.body.querySelector('[data-frame="' + frame + '"]'), columns = tableColumns();
  const hadFocus = row && row.contains(document.activeElement);
  if (before) before.replaceWith(drawTableRow(Number(before.dataset.frame), columns));
  if (row && row.parentNode) row.replaceWith(drawTableRow(frame, columns));
  else if (row && before) table.body.querySelector('[data-frame="' + frame + '"]').classList.add("selected");
  if (hadFocus) table.body.querySelector('[data-frame="' + frame + '"] button').focus({ preventScroll: true });
  drawActions();
  drawSelected();
}

/**
 * All rows that match the filter, also those that are not shown, as lines of cells.
 * @param {boolean} isExact numbers stay numbers
 */
function tableLines(isExact) {
  /** @type {CsvColumn[]} */
  const columns = tableColumns().flatMap((column) => (isExact && column.parts) || [column]);
  return [columns.map((column) => column.title + (isExact && column.unit ? " (" + column.unit() + ")" : "")), ...table.shown.map((frame) =>
    columns.map((column) => (isExact && column.number ? column.number(frame) : column.shown(frame))))];
}

const TABLE_FORMATS = {
  text: (lines) => lines.map((line) => line.join("\t")).join("\n") + "\n",
  Markdown: (lines) => lines.map((line, i) => {
    const text = "| " + line.map((cell) => cell.replace(/[|\\`*_<>[\]]/g, "\\$&")).join(" | ") + " |";
    return i ? text : text + "\n|" + line.map(() => "---|").join("");
  }).join("\n") + "\n",
  /* An apostrophe is put before text that begins like a formula, since spreadsheets would run it. */
  CSV: (lines) => lines.map((line) => line.map((cell) => {
    if (typeof cell === "number") return Number.isFinite(cell) ? String(cell) : "";
    const safe = /^[=+\-@\t\r]/.test(cell) ? "'" + cell : cell;
    return /[",\n\r]/.test(safe) ? '"' + safe.replace(/"/g, '""') + '"' : safe;
  }).join(",")).join("\r\n") + "\r\n",
};

function makeTable() {
  const holder = section("table"), heading = holder.querySelector("h2") || html("h2", {}, null, "Functions");
  const tools = html("div", { class: "bar" });
  tools.append(table.filterField, table.count);
  Object.keys(TABLE_FORMATS).forEach((format) => button(tools, "Copy " + format,
    () => copyText(TABLE_FORMATS[format](tableLines(format === "CSV")), "the table as " + format)));
  const scroller = html("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Rows of the table" });
  const made = html("table", {}, scroller);
  html("caption", {}, made, "Functions of the selected window and transforms");
  made.append(table.head, table.body);
  holder.replaceChildren(heading, tools, table.actions, scroller);
  table.filterField.addEventListener("input", () => {
    table.filter = table.filterField.value;
    table.limit = TABLE_ROWS;
    drawTable();
  });
}
