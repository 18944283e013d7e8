/* SPDX-License-Identifier: MIT */
/* Functions that the scripts of heat maps and timelines share: elements, times, and the --time option of a window. */
const SVG = "http://www.w3.org/2000/svg";
const script = document.currentScript;
const svg = script && script.closest ? script.closest("svg") : document.documentElement;
const part = (id) => svg.querySelector("#" + id);

function element(name, attributes, inside) {
  const made = document.createElementNS(SVG, name);
  Object.keys(attributes).forEach((key) => made.setAttribute(key, attributes[key]));
  inside.appendChild(made);
  return made;
}

/* 9297420000000n ns: "9297.42". */
function seconds(ns) {
  const digits = (ns % 1000000000n).toString().padStart(9, "0").replace(/0+$/, "");
  return ns / 1000000000n + (digits ? "." + digits : "");
}

function duration(ns) {
  const units = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];
  const value = Number(ns), unit = units.find((row) => value >= row[0]) || units[3];
  return Number((value / unit[0]).toPrecision(4)) + " " + unit[1];
}

/* The end of --time is inclusive; endNs is not. */
const timeOption = (beginNs, endNs) => "--time " + seconds(beginNs) + "," + seconds(endNs - 1n);

/* Browsers may forbid a page to write to the clipboard; readers can then select the text. */
function copyText(text, done) {
  if (text && navigator.clipboard) navigator.clipboard.writeText(text).then(done, () => {});
}

/*
 * In a window that is narrower than the SVG, the script lays it out anew. Texts keep their size, and are broken into
 * lines:
 *
 *     | title    [Reset] |
 *     | facts            |
 *     | legend           |
 *     | rows and plot    |   the plot is narrower; the axis has as many labels as fit
 *     | details          |   in a timeline, these are above the plot
 */
const MARGIN = 16, LINE_HEIGHT = 18, TITLE_HEIGHT = 24, RESET_WIDTH = 88, LINES_MAX = 8; /* pixels, as in svg_header.c; lines of a fact */
const WIDTH_MIN = 300, PHONE_WIDTH = 600, NAMES_SHARE = 0.28; /* below the least, the SVG is scaled down; names: of the width */
const staticWidth = Number(svg.getAttribute("width")), staticHeight = Number(svg.getAttribute("height"));
const isStandalone = svg === document.documentElement || (svg.parentNode === document.body && !svg.nextElementSibling && !svg.previousElementSibling);
const isTouched = matchMedia("(pointer: coarse)").matches;
let drawnWidth = staticWidth;

const isNarrow = () => drawnWidth < staticWidth;
/* Lines of details, for which there is always room, so that the plot does not move under the pointer. */
const detailLines = () => (drawnWidth < PHONE_WIDTH ? 4 : isNarrow() ? 2 : 1);
const numberOf = (shape, name) => Number(shape.getAttribute(name));

/* The text of an element. If it is truncated, its <title> has all of it. */
function wholeText(line) {
  const title = line.querySelector("title");
  return title ? title.textContent : line.textContent;
}

/* Sets a text to as much of it as fits, up to a space unless it is the last line. Returns the rest. */
function fillLine(line, text, room, isLast) {
  line.textContent = text;
  const length = line.getComputedTextLength();
  if (length <= room) return "";
  const characters = Array.from(text);
  /* Glyphs differ in width. */
  for (let most = Math.min(characters.length - 1, Math.floor((characters.length * room) / length) + 4); most > 0; most--) {
    const some = characters.slice(0, most).join(""), end = isLast ? -1 : text[some.length] === " " ? some.length : some.lastIndexOf(" ");
    line.textContent = isLast ? some + "…" : end > 0 ? some.slice(0, end) : some;
    if (line.getComputedTextLength() <= room) return text.slice(end > 0 ? end + 1 : some.length);
  }
  return "";
}

/* Writes a text in lines of this height, at most `most`. Returns their number. */
function writeLines(target, text, room, most, height) {
  let rest = text, count = 0;
  target.replaceChildren();
  do {
    const line = element("tspan", count ? { x: target.getAttribute("x"), dy: height } : {}, target);
    rest = fillLine(line, rest, room, ++count === most);
  } while (rest && count < most);
  if (count === 1) target.textContent = target.textContent; /* without <tspan> */
  return count;
}

const headLines = Array.from(svg.querySelectorAll(":scope > .heading, :scope > .facts, :scope > .incomplete"), (line) => (
  { line: line, text: wholeText(line), y: numberOf(line, "y") }));

/* Returns by how much the lines below move down. */
function layOutHead() {
  let down = 0;
  svg.querySelector("#bar > g").setAttribute("transform", "translate(" + (drawnWidth - staticWidth) + ",0)");
  headLines.forEach(({ line, text, y }) => {
    const isTitle = line.classList.contains("heading"), height = isTitle ? TITLE_HEIGHT : LINE_HEIGHT;
    line.setAttribute("y", y + down);
    down += height * (writeLines(line, text, drawnWidth - 2 * MARGIN - (isTitle ? RESET_WIDTH : 0), LINES_MAX, height) - 1);
  });
  return down;
}

const axisShapes = Array.from(svg.querySelectorAll(".axis > *"), (shape) => (
  { shape: shape, text: wholeText(shape), x: numberOf(shape, shape.localName === "line" ? "x1" : "x") }));

/* Fits the name of a row. */
function fitName(shape, text, room) {
  if (!fillLine(shape, text, room, true)) return;
  const title = document.createElementNS(SVG, "title");
  title.textContent = text;
  shape.prepend(title);
}

/*
 * Moves the axis, whose plot begins at left and is scaled. plot: as the file has it. Labels that would be over others
 * are hidden. Returns by how much the lines below move down.
 */
function layOutAxis(plot, left, scale) {
  const xOf = (x) => left + (x - plot.left) * scale;
  let end = -Infinity, down = 0;
  axisShapes.forEach(({ shape, text, x }, i) => {
    const anchor = shape.getAttribute("text-anchor");
    if (shape.localName === "line") {
      ["x1", "x2"].forEach((name) => shape.setAttribute(name, xOf(x)));
    } else if (anchor === "middle") {
      const half = shape.getComputedTextLength() / 2, tick = axisShapes[i - 1].x;
      const middle = Math.min(xOf(tick) + (x - tick), drawnWidth - half - 4);
      shape.setAttribute("x", middle);
      shape.setAttribute("visibility", middle - half < end + 8 ? "hidden" : "visible");
      if (middle - half >= end + 8) end = middle + half;
    } else if (anchor === "end") {
      shape.setAttribute("x", shape.classList.contains("sum") ? drawnWidth - MARGIN : left - 8);
      if (shape.classList.contains("row") && isNarrow()) fitName(shape, text, left - 8 - 4);
    } else {
      shape.setAttribute("x", isNarrow() ? MARGIN : x);
      down = LINE_HEIGHT * (writeLines(shape, text, drawnWidth - numberOf(shape, "x") - MARGIN, LINES_MAX, LINE_HEIGHT) - 1);
    }
  });
  return down;
}

/* The labels of marks are not narrower, as the plot is around them. Those that would be over others are hidden. */
function layOutMarks(xOf, scale) {
  const shown = [];
  svg.querySelectorAll(".marks text").forEach((text) => {
    const x = numberOf(text, "x"), y = numberOf(text, "y"), from = xOf(x), to = from + text.getComputedTextLength();
    const isFree = to <= drawnWidth && !shown.some((other) => Math.abs(other.y - y) < 13 && from < other.to && other.from < to);
    text.setAttribute("transform", "translate(" + x + ",0) scale(" + 1 / scale + ",1) translate(" + -x + ",0)");
    text.setAttribute("visibility", isFree ? "visible" : "hidden");
    if (isFree) shown.push({ from: from, to: to, y: y });
  });
}

function setSize(down) {
  svg.setAttribute("width", drawnWidth);
  svg.setAttribute("height", staticHeight + down);
  svg.setAttribute("viewBox", "0 0 " + drawnWidth + " " + (staticHeight + down));
}

/* Writes the details. In a wide window, something else can follow them. */
let said = "";
function say(text) {
  said = text;
  writeLines(part("details"), text, drawnWidth - 2 * MARGIN - (isNarrow() ? 0 : RESET_WIDTH), detailLines(), LINE_HEIGHT);
}

/* Lays out the SVG now and when the window changes. On a phone, the document gets the width of the screen. */
function fitWindow(layOut) {
  const fit = () => {
    const room = isStandalone ? window.innerWidth : svg.parentNode.clientWidth;
    const wanted = Math.min(staticWidth, Math.max(room, WIDTH_MIN));
    if (wanted === drawnWidth) return;
    drawnWidth = wanted;
    layOut();
    say(said);
  };
  if (svg === document.documentElement) {
    const made = document.createElementNS("http://www.w3.org/1999/xhtml", "meta");
    made.setAttribute("name", "viewport");
    made.setAttribute("content", "width=device-width, initial-scale=1, minimum-scale=1");
    svg.prepend(made);
  }
  window.addEventListener("resize", fit);
  fit();
}
