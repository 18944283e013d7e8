/* SPDX-License-Identifier: MIT */
/*
 * The time of a comparison: a strip for each side, on its own clock. A drag selects a window of one
 * side.
 *
 *     before   ▂▃▅▂▁▁▂▇▂▁
 *              0    1    2 s
 *     after    ▂▂▅▇▇▇▂▁▁
 *              0    1    2 s
 */

/** @typedef {{side: number, canvas: any, field: any, summary: any, all: Float64Array, drag: TimeWindow | null}} SideStrip */

/** @type {SideStrip[]} */
const sideStrips = [];

function windowOfSide(side) {
  return side === BEFORE ? selection.window : selection.other;
}

/** @param {number} side @param {TimeWindow | null} window */
function selectSide(side, window) {
  if (side === BEFORE) selection.window = window;
  else selection.other = window;
  changed({ isNewTree: true });
}

/** @param {SideStrip} one */
function drawSideStrip(one) {
  const { canvas, all, side, drag } = one, { bins } = capture.compared.times[side];
  const ratio = window.devicePixelRatio || 1, height = STRIP_ALL + STRIP_AXIS, wide = Math.max(100, canvas.parentElement.clientWidth);
  canvas.width = Math.round(wide * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.height = height + "px";
  const draw = canvas.getContext("2d"), style = getComputedStyle(canvas), colour = (name) => style.getPropertyValue(name).trim();
  const most = all.reduce((a, b) => Math.max(a, b), 0) || 1, scale = wide / all.length;
  draw.scale(ratio, ratio);
  draw.fillStyle = colour("--bars");
  all.forEach((weight, bin) => {
    const high = Math.max(1, (weight / most) * (STRIP_ALL - 4)), x = Math.floor(bin * scale);
    if (weight) draw.fillRect(x, STRIP_ALL - 2 - high, Math.max(1, Math.floor((bin + 1) * scale) - x), high);
  });
  drawSideAxis(draw, (bins.count * bins.width_ns) / 1e9, wide, colour("--quiet"));
  drawNoteFlags({ draw: draw, colour: colour, scale: scale }, bins, side === BEFORE ? "time" : "against", STRIP_ALL);
  const shown = drag || windowOfSide(side);
  if (!shown) return;
  draw.fillStyle = draw.strokeStyle = colour("--second");
  draw.globalAlpha = 0.22;
  draw.fillRect(shown.from * scale, 0, (shown.to - shown.from) * scale, STRIP_ALL);
  draw.globalAlpha = 1;
  draw.lineWidth = 1.5;
  draw.strokeRect(shown.from * scale + 0.75, 0.75, Math.max(1, (shown.to - shown.from) * scale - 1.5), STRIP_ALL - 1.5);
}

function drawSideAxis(draw, whole, wide, colour) {
  const step = axisStep((whole * 80) / wide);
  draw.fillStyle = colour;
  draw.font = "11px system-ui, sans-serif";
  for (let i = 0; i * step <= whole * 1.000001; i++) {
    const x = Math.min(wide - 1, ((i * step) / whole) * wide), text = axisLabel(i * step, step) + (i ? "" : " s");
    const room = draw.measureText(text).width;
    draw.fillRect(Math.floor(x), STRIP_ALL, 1, 4);
    draw.fillText(text, Math.min(wide - room, Math.max(0, i ? x - room / 2 : x)), STRIP_ALL + 14);
  }
}

/** @param {SideStrip} one */
function describeSide(one) {
  const { bins } = capture.compared.times[one.side], shown = windowOfSide(one.side), second = bins.width_ns / 1e9;
  const weight = shown ? one.all.subarray(shown.from, shown.to).reduce((sum, value) => sum + value, 0) : 0;
  const whole = one.all.reduce((sum, value) => sum + value, 0) || 1;
  one.summary.textContent = shown ? Number((shown.from * second).toFixed(6)) + " to " + Number((shown.to * second).toFixed(6)) + " s, " + percent(weight, whole)
    : duration(bins.count * bins.width_ns);
  one.field.value = shown ? Number((shown.from * second).toFixed(6)) + ", " + Number((shown.to * second).toFixed(6)) : "";
  one.canvas.setAttribute("aria-label", "Samples of the side " + (one.side ? "after" : "before") + " over time: " + one.summary.textContent +
    ". Arrow keys move the window, with Shift they widen it.");
}

function drawSideStrips() {
  sideStrips.forEach((one) => {
    drawSideStrip(one);
    describeSide(one);
  });
}

/** @param {SideStrip} one */
function listenSide(one) {
  const { canvas } = one;
  let begin = 0;
  const binUnder = (event) => {
    const box = canvas.getBoundingClientRect();
    return Math.max(0, Math.min(one.all.length, ((event.clientX - box.left) / box.width) * one.all.length));
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    canvas.setPointerCapture(event.pointerId);
    begin = binUnder(event);
    one.drag = { from: Math.floor(begin), to: Math.floor(begin) };
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!one.drag) return;
    const end = binUnder(event);
    one.drag = { from: Math.floor(Math.min(begin, end)), to: Math.ceil(Math.max(begin, end)) };
    drawSideStrip(one);
  });
  canvas.addEventListener("pointerup", (event) => {
    const { drag } = one, isClick = Math.abs(binUnder(event) - begin) * (canvas.clientWidth / one.all.length) < 3;
    one.drag = null;
    if (drag && !isClick && drag.to > drag.from) selectSide(one.side, drag);
    else if (drag && windowOfSide(one.side)) selectSide(one.side, null);
    else drawSideStrip(one);
  });
  canvas.addEventListener("pointercancel", () => {
    one.drag = null;
    drawSideStrip(one);
  });
  canvas.addEventListener("keydown", (event) => moveSide(one, event));
  one.field.addEventListener("change", () => readSide(one));
}

/** @param {SideStrip} one */
function moveSide(one, event) {
  const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key], count = one.all.length, old = windowOfSide(one.side);
  if (!direction) return;
  const now = old || { from: 0, to: Math.ceil(count / 10) }, step = direction * Math.max(1, Math.round(count / 100));
  const room = Math.max(-now.from, Math.min(count - now.to, step));
  if (event.shiftKey) selectSide(one.side, { from: now.from, to: Math.max(now.from + 1, Math.min(count, now.to + step)) });
  else selectSide(one.side, old ? { from: now.from + room, to: now.to + room } : now);
  event.preventDefault();
  event.stopPropagation();
}

/** Reads the field of a side: two numbers of seconds. @param {SideStrip} one */
function readSide(one) {
  const numbers = one.field.value.split(/[\s,;]+/).filter(Boolean).map(Number), { bins } = capture.compared.times[one.side];
  const bin = (seconds) => (seconds * 1e9) / bins.width_ns;
  const from = Math.max(0, Math.floor(bin(numbers[0]) + 1e-6)), to = Math.min(bins.count, Math.ceil(bin(numbers[1]) - 1e-6));
  const isGood = !numbers.length || (numbers.length === 2 && from < to);
  one.field.setAttribute("aria-invalid", String(!isGood));
  if (isGood) selectSide(one.side, numbers.length ? { from: from, to: to } : null);
}

/** Fills #time of a comparison. */
function makeSideStrips() {
  const time = section("time"), { times, sides } = capture.compared;
  if (!times) {
    html("p", { class: "missing" }, time, capture.facts.bins_missing || "A side has no times.");
    return;
  }
  [BEFORE, AFTER].forEach((side) => {
    const name = side ? "after" : "before", plot = html("div", { class: "plot side" }, time), head = html("div", { class: "side-name" }, plot);
    html("strong", { title: sides[side].label.slice(0, 1000) }, head, name + ": " + cut(sides[side].label, 60));
    const one = {
      side: side,
      canvas: html("canvas", { tabindex: "0", role: "img" }, html("div", { class: "canvas" }, plot)),
      field: html("input", { "aria-label": "Window of the side " + name + ": begin and end in seconds", placeholder: "window: 1.5, 2", spellcheck: "false", autocomplete: "off" }, head),
      summary: html("span", { class: "missing" }, head),
      all: weightByBin(times[side].cells, times[side].bins.count, 0, capture.tree.frame.length, null),
      drag: null,
    };
    sideStrips.push(one);
    listenSide(one);
  });
}
