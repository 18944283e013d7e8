/* SPDX-License-Identifier: MIT */
/*
 * The strip of time: all samples as columns, then a row for each of the heaviest threads, or of
 * another kind that the reader chose. A drag selects a window; with Ctrl, a second one to compare.
 *
 *     all       ▂▃▅▂▁▁▂▇▂▁
 *     nginx     ░▒▓░░  ░▓░
 *     redis        ░▒░░
 *     3 others   ░  ░
 *               0    1    2 s
 */

const STRIP_ALL = 44, STRIP_ROW = 13, STRIP_AXIS = 18; /* pixels */
const STATE_COLOURS = ["--bars", "--off", "--runnable", "--unknown"]; /* as STATES */

const strip = {
  canvas: html("canvas", { tabindex: "0", role: "img" }),
  labels: html("ul", { class: "rows", "aria-label": "Rows" }),
  option: html("code", { id: "option" }),
  summary: html("span", { id: "window" }),
  field: html("input", { id: "range", "aria-label": "Window: begin and end in seconds", placeholder: "1.5, 2", spellcheck: "false", autocomplete: "off" }),
  /** @type {Lane[]} */
  rows: [],
  /** @type {Float64Array} */
  all: new Float64Array(0),
  /** @type {Float64Array | null} */
  hits: null,
  /** @type {{from: number, to: number, isOther: boolean} | null} */
  drag: null,
  width: 0,
};

/** Bins in which the search matches. */
function paintHits() {
  strip.hits = null;
  if (!capture.cells || !terms.length) return;
  const { tree, cells, frames, facts } = capture;
  const { isMatch } = matchRows(tree, bitsOfFrames(frames.name, terms), terms);
  strip.hits = weightByBin(cells, facts.bins.count, 0, tree.frame.length, isMatch);
}

function secondsOfBin(bin) {
  return (bin * capture.facts.bins.width_ns) / 1e9;
}

/** @param {number} value @param {number} step */
function axisLabel(value, step) {
  return value.toFixed(Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)));
}

function stripHeight() {
  return STRIP_ALL + (offsets.isOn ? offsetsHeight() : strip.rows.length * STRIP_ROW) + STRIP_AXIS;
}

/** Draws the columns or the heat of a row. Colours come from the style sheet. */
function drawStrip() {
  if (!capture.cells) return;
  const { canvas } = strip, ratio = window.devicePixelRatio || 1, height = stripHeight();
  strip.width = Math.max(100, canvas.parentElement.clientWidth);
  canvas.width = Math.round(strip.width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.height = height + "px";
  const draw = canvas.getContext("2d"), style = getComputedStyle(canvas);
  draw.scale(ratio, ratio);
  const look = { draw: draw, colour: (name) => style.getPropertyValue(name).trim(), scale: strip.width / strip.all.length };
  drawColumns(look, strip.all, look.colour("--bars"));
  if (strip.hits) drawColumns(look, strip.hits, look.colour("--hit"));
  const most = strip.rows.reduce((sum, row) => row.bins.reduce((a, b) => Math.max(a, b), sum), 0) || 1;
  if (offsets.isOn) drawOffsets(look);
  else strip.rows.forEach((row, i) => drawHeat(look, row, STRIP_ALL + i * STRIP_ROW, row.step ? most : 0));
  drawLosses(look);
  drawStripAxis(look, height);
  drawWindows(look, height);
  drawNoteFlags(look, capture.facts.bins, "time", STRIP_ALL);
  drawNoteFlags(look, capture.facts.bins, "against", STRIP_ALL);
}

function drawColumns(look, bins, colour) {
  const most = strip.all.reduce((a, b) => Math.max(a, b), 0) || 1;
  look.draw.fillStyle = colour;
  bins.forEach((weight, bin) => {
    const height = (weight / most) * (STRIP_ALL - 4), x = Math.floor(bin * look.scale);
    if (weight) look.draw.fillRect(x, STRIP_ALL - 2 - Math.max(1, height), Math.max(1, Math.floor((bin + 1) * look.scale) - x), Math.max(1, height));
  });
}

/**
 * Draws a row. most: the largest weight of all rows. A row that combines several lanes is heavier,
 * and has its own scale.
 */
function drawHeat(look, row, y, most) {
  const whole = most || row.bins.reduce((a, b) => Math.max(a, b), 0) || 1, high = STRIP_ROW - 2;
  const colours = STATE_COLOURS.map(look.colour);
  look.draw.fillStyle = look.colour("--empty");
  look.draw.fillRect(0, y, strip.width, high);
  row.bins.forEach((weight, bin) => {
    if (!weight) return;
    const x = Math.floor(bin * look.scale), wide = Math.max(1, Math.floor((bin + 1) * look.scale) - x);
    const idle = row.idle.reduce((sum, bins) => sum + bins[bin], 0);
    look.draw.globalAlpha = 0.2 + 0.8 * Math.sqrt(Math.min(1, weight / whole));
    for (let state = 0, done = 0, until = 0; state < colours.length; state++) {
      done += state ? row.idle[state - 1][bin] : weight - idle;
      const from = until;
      until = Math.round((high * done) / weight);
      look.draw.fillStyle = colours[state];
      if (until > from) look.draw.fillRect(x, y + from, wide, until - from);
    }
  });
  look.draw.globalAlpha = 1;
}

/** Hatches the time in which records were lost, and marks it above. */
function drawLosses(look) {
  const { draw } = look;
  draw.fillStyle = draw.strokeStyle = look.colour("--lost");
  draw.lineWidth = 1;
  capture.losses.forEach((window) => {
    const x = Math.floor(window.from * look.scale), wide = Math.max(2, (window.to - window.from) * look.scale);
    draw.fillRect(x, 0, wide, 3);
    draw.beginPath();
    for (let at = x; at < x + wide; at += 6) {
      draw.moveTo(at + 0.5, 3);
      draw.lineTo(at + 0.5, STRIP_ALL - 2);
    }
    draw.stroke();
  });
}

function drawStripAxis(look, height) {
  const { draw } = look, whole = secondsOfBin(strip.all.length);
  const step = axisStep((whole * 80) / strip.width), y = height - STRIP_AXIS;
  draw.fillStyle = look.colour("--quiet");
  draw.font = "11px system-ui, sans-serif";
  for (let i = 0; i * step <= whole * 1.000001; i++) {
    const x = Math.min(strip.width - 1, ((i * step) / whole) * strip.width);
    const text = axisLabel(i * step, step) + (i ? "" : " s"), room = draw.measureText(text).width;
    draw.fillRect(Math.floor(x), y, 1, 4);
    draw.fillText(text, Math.min(strip.width - room, Math.max(0, i ? x - room / 2 : x)), y + 14);
  }
}

function drawWindows(look, height) {
  const { drag } = strip, plot = offsets.isOn ? STRIP_ALL : height - STRIP_AXIS;
  const shown = [
    { window: drag && !drag.isOther ? drag : selection.window, name: "--first" },
    { window: drag && drag.isOther ? drag : selection.other, name: "--second" },
  ];
  shown.forEach(({ window, name }) => {
    if (!window) return;
    const x = window.from * look.scale, w = Math.max(2, (window.to - window.from) * look.scale);
    look.draw.fillStyle = look.draw.strokeStyle = look.colour(name);
    look.draw.globalAlpha = 0.22;
    look.draw.fillRect(x, 0, w, plot);
    look.draw.globalAlpha = 1;
    look.draw.lineWidth = 1.5;
    look.draw.strokeRect(x + 0.75, 0.75, Math.max(1, w - 1.5), plot - 1.5);
    if (offsets.isOn) drawOffsetWindow(look, window);
  });
}

/** How many functions differ between two windows. */
function changesText() {
  if (model.isBeingJudged) return "Judging changes…";
  if (!model.judged) return "Too few samples to judge changes.";
  const count = model.name.filter((name, frame) => pOfWindows(frame) <= ERROR_RATE).length;
  return count ? count + (count === 1 ? " function differs" : " functions differ") + " significantly (p ≤ " + ERROR_RATE + ")." : "No function differs significantly.";
}

/** Writes what is selected, and the option that selects it on the command line. */
function describeWindow() {
  const { window: one, other } = selection, { bins } = capture.facts;
  const text = (window) => {
    const places = Math.max(0, Math.min(6, Math.ceil(-Math.log10(bins.width_ns / 1e9))));
    return secondsOfBin(window.from).toFixed(places) + " to " + secondsOfBin(window.to).toFixed(places) + " s";
  };
  const weight = (window) => strip.all.subarray(window.from, window.to).reduce((sum, weight) => sum + weight, 0);
  const of = model.unit === "nanoseconds" ? " of " + model.of : "";
  const share = (window) => duration((window.to - window.from) * bins.width_ns) + "; " + weightText(weight(window)) + of + ", " +
    percent(weight(window), capture.facts.total || 1);
  const recorded = capture.facts.recorded_ns ? ": " + durationText(capture.facts.recorded_ns) : "";
  strip.summary.textContent = !one ? "Whole capture" + recorded + ". Drag to select a window."
    : other ? "Before: " + text(one) + " (" + share(one) + "). After: " + text(other) + " (" + share(other) + "). " + changesText()
      : text(one) + " (" + share(one) + "). Drag with Ctrl to compare with another window.";
  strip.option.textContent = !one || bins.is_relative ? "" : timeOption(bins, one) + (other ? " against " + timeOption(bins, other) : "");
  strip.canvas.setAttribute("aria-label", "Samples over time. " + strip.summary.textContent +
    " Arrow keys move the window, with Shift they widen it.");
  strip.field.value = one ? secondsOfBin(one.from) + ", " + secondsOfBin(one.to) : "";
  section("time").classList.toggle("has-window", Boolean(one));
}

/** @param {number} ns */
function duration(ns) {
  return ns < 1e9 ? Number((ns / 1e6).toPrecision(3)) + " ms" : Number((ns / 1e9).toPrecision(4)) + " s";
}

/** The bin under the pointer. */
function binAt(event) {
  const rect = strip.canvas.getBoundingClientRect(), count = strip.all.length;
  const cell = offsetBinAt((event.clientX - rect.left) / rect.width, event.clientY - rect.top);
  if (cell >= 0) return cell;
  return Math.max(0, Math.min(count, ((event.clientX - rect.left) / rect.width) * count));
}

/** @param {TimeWindow | null} window @param {boolean} isOther */
function selectWindow(window, isOther) {
  if (isOther && selection.window) selection.other = window;
  else {
    selection.window = window;
    selection.other = null;
  }
  changed({ isNewTree: true });
}

function listenDrag() {
  const { canvas } = strip;
  let begin = 0;
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    canvas.setPointerCapture(event.pointerId);
    begin = binAt(event);
    strip.drag = { from: Math.floor(begin), to: Math.floor(begin), isOther: Boolean((event.ctrlKey || event.metaKey) && selection.window) };
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!strip.drag) return;
    const end = binAt(event);
    Object.assign(strip.drag, { from: Math.floor(Math.min(begin, end)), to: Math.ceil(Math.max(begin, end)) });
    drawStrip();
  });
  canvas.addEventListener("pointerup", (event) => {
    const { drag } = strip, isClick = Math.abs(binAt(event) - begin) * (strip.width / strip.all.length) < 3;
    strip.drag = null;
    if (!drag) return;
    if (!isClick && drag.to > drag.from) selectWindow({ from: drag.from, to: drag.to }, drag.isOther);
    else drawStrip();
  });
  canvas.addEventListener("pointercancel", () => {
    strip.drag = null;
    drawStrip();
  });
}

/** Arrow keys move the window; with Shift, only its end. */
function moveWindow(event) {
  const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key], count = strip.all.length;
  if (!direction) return;
  const step = direction * Math.max(1, Math.round(count / 100)), one = selection.window || { from: 0, to: Math.ceil(count / 10) };
  const to = Math.max(one.from + 1, Math.min(count, one.to + step)), from = Math.max(0, Math.min(count - 1, one.from + step));
  if (event.shiftKey) selectWindow({ from: one.from, to: to }, false);
  else if (from + one.to - one.from <= count) selectWindow(selection.window ? { from: from, to: from + one.to - one.from } : one, false);
  event.preventDefault();
  event.stopPropagation();
}

/** Reads the field: two numbers of seconds, for users of a keyboard or a screen reader. */
function readField() {
  const numbers = strip.field.value.split(/[\s,;]+/).filter(Boolean).map(Number);
  const bin = (seconds) => (seconds * 1e9) / capture.facts.bins.width_ns;
  const from = Math.max(0, Math.floor(bin(numbers[0]) + 1e-6)), to = Math.min(strip.all.length, Math.ceil(bin(numbers[1]) - 1e-6));
  const isEmpty = !numbers.length, isGood = numbers.length === 2 && from < to;
  strip.field.setAttribute("aria-invalid", String(!isEmpty && !isGood));
  if (isEmpty || isGood) selectWindow(isEmpty ? null : { from: from, to: to }, false);
}

/** Fills #time; without times, shows why it is empty. */
function makeStrip() {
  const time = section("time");
  if (!capture.cells) {
    html("p", { class: "missing" }, time, capture.facts.bins_missing || "The capture has no times.");
    return;
  }
  makeStripRows(time);
  const plot = html("div", { class: "plot" }, time), line = html("p", { class: "window" }, time);
  plot.append(strip.labels, html("div", { class: "canvas" }));
  plot.lastElementChild.appendChild(strip.canvas);
  line.append(strip.summary, strip.option);
  if (capture.facts.bins.is_relative)
    html("p", { class: "missing" }, time, "Each file has its own clock: times count from the beginning of each.");
  else button(line, "Copy option", () => copyText(strip.option.textContent, "the option")).classList.add("with-window");
  button(line, "Note on it", () => addNote(placeOfSelection()), "Write a note on the window").classList.add("with-window");
  button(line, "Clear", () => selectWindow(null, false)).classList.add("with-window");
  html("label", { for: "range" }, line, "Window").append(strip.field);
  listenDrag();
  strip.canvas.addEventListener("keydown", moveWindow);
  strip.field.addEventListener("change", readField);
}
