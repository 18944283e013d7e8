/* SPDX-License-Identifier: MIT */
/* Fits the SVG to the window, and keeps buttons and details visible while scrolling. */

let width = staticWidth, height = staticHeight;
let glyph = 7.2;
const LEVELS_IN_SIGHT = 12; /* the head stays in sight if it leaves room for so many */
let fitted; /* the size last set */

/* The lines of the head, with their whole texts. */
const headings = new Map(Array.from(svg.querySelectorAll("#head > .heading, #head > .facts, #head > .incomplete"), (line) => [line, headingOf(line)]));

/* The text node of a line. It follows the <title> element, if there is one, with the full text. */
function headingOf(line) {
  const text = line.lastChild ? line.lastChild.nodeValue || "" : "", title = line.firstElementChild;
  return title && text.endsWith("…") && title.textContent.startsWith(text.slice(0, -1)) ? title.textContent : text;
}

/* The static SVG only estimates the widths of window and glyphs. */
function truncateHeadings() {
  headings.forEach((text, line) => {
    const room = width - 2 * MARGIN - (line.getAttribute("class") === "heading" ? 200 : 0);
    if (!text) return;
    line.lastChild.nodeValue = text;
    const length = line.getComputedTextLength();
    if (length > room) line.lastChild.nodeValue = cut(text, Math.floor((text.length * room) / length) - 1);
  });
}

/* Breaks the headline into the existing lines, and truncates the last. */
function breakHeadline() {
  const headline = head && head.querySelector(".headline");
  if (!headline) return;
  const text = headline.querySelector("title").textContent;
  const lines = Array.from(headline.querySelectorAll("text"));
  const room = width - 2 * MARGIN;
  lines[0].textContent = text;
  const fit = Math.floor((text.length * room) / lines[0].getComputedTextLength());
  let rest = text;
  lines.forEach((line, i) => {
    const isLast = i === lines.length - 1;
    let end;
    /* Glyphs differ in width. */
    for (let most = fit; most > 0; most--) {
      const blank = rest.lastIndexOf(" ", most);
      end = isLast || rest.length <= most ? rest.length : blank > 0 ? blank : most;
      line.textContent = cut(rest.slice(0, end), most);
      if (line.getComputedTextLength() <= room) break;
    }
    rest = rest.slice(end).replace(/^ /, "");
  });
}

/*
 * Splits the legend into two lines, at the entry nearest to the middle. There is space for one more
 * line above.
 */
function splitLegend(shapes, rect) {
  const left = (shape) => Number(shape.getAttribute("x"));
  const away = (shape) => Math.abs(left(shape) - rect.x - rect.width / 2);
  const starts = shapes.filter((shape, i) => i && shapes[i - 1].tagName === "text");
  const split = left(starts.reduce((best, shape) => (away(shape) < away(best) ? shape : best)));
  shapes.forEach((shape) =>
    shape.setAttribute("transform", left(shape) < split ? "translate(0,-14)" : "translate(" + (rect.x - split) + ",0)"));
}

/* Puts the entries side by side at their measured widths. */
function lineUp(shapes) {
  let x = MARGIN;
  shapes.forEach((shape) => {
    const isText = shape.tagName === "text";
    shape.setAttribute("x", isText ? x + 6 : x);
    x += isText ? 24 + shape.getComputedTextLength() : 14;
  });
}

/* Hides optional text if the legend does not fit into two lines. */
function shortenLegend(legend, shapes, room) {
  legend.classList.remove("short");
  if (!legend.querySelector(".more")) return;
  lineUp(shapes);
  legend.classList.toggle("short", room < 0.55 * legend.getBBox().width);
  lineUp(shapes);
}

function fitLegend() {
  const legend = part("legend");
  if (!legend) return;
  const shapes = Array.from(legend.querySelectorAll("rect, text"));
  const room = width - 2 * MARGIN;
  shapes.forEach((shape) => shape.removeAttribute("transform"));
  shortenLegend(legend, shapes, room);
  if (room < 0.8 * legend.getBBox().width) splitLegend(shapes, legend.getBBox());
  const rect = legend.getBBox();
  const scale = Math.min(1, room / rect.width);
  legend.setAttribute("transform",
    "translate(" + (1 - scale) * rect.x + "," + (1 - scale) * (rect.y + rect.height) + ") scale(" + scale + ")");
}

function resize() {
  const size = [width, staticFrames.parentNode ? staticHeight : top + levels.length * ROW + FOOT];
  part("reset").classList.toggle("off", view.kind === "tree" && !view.path.length);
  if (size.join(" ") === fitted) return;
  fitted = size.join(" ");
  height = size[1];
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  svg.setAttribute("viewBox", "0 0 " + fitted);
  bar.firstElementChild.setAttribute("transform", "translate(" + (width - staticWidth) + ",0)");
  matched.setAttribute("x", width - MARGIN);
  part("help").setAttribute("transform",
    "translate(" + MARGIN + "," + top + ") scale(" + Math.min(1, (width - 2 * MARGIN) / HELP_WIDTH) + ")");
  truncateHeadings();
  breakHeadline();
  fitLegend();
  followScroll();
}

/* Pixels that the head covers while the graph is scrolled; 0 in a window that has no room for it. */
function headHeight() {
  return head && isStandalone && window.innerHeight > top + FOOT + LEVELS_IN_SIGHT * ROW ? top : 0;
}

/* Keeps the head, the buttons and the details line visible. */
function followScroll() {
  const rect = svg.getBoundingClientRect();
  const above = Math.max(0, -rect.top);
  const below = Math.max(0, Math.min(rect.bottom - window.innerHeight, height - FOOT));
  bar.setAttribute("transform", "translate(0," + above + ")");
  if (head) head.setAttribute("transform", "translate(0," + (headHeight() && above) + ")");
  foot.setAttribute("transform", "translate(0," + (height - staticHeight - below) + ")");
}

/* Where the level of the root is, from the top of the window. */
function rootInWindow() {
  return yOf(axis) + svg.getBoundingClientRect().top;
}

function isInSight(y) {
  return y >= headHeight() && y <= window.innerHeight - FOOT - ROW;
}

/* Readers start at the root. */
function scrollToRoot() {
  if (isStandalone && !model.clock && !isInSight(rootInWindow())) window.scrollBy(0, rootInWindow() + ROW + FOOT - window.innerHeight);
  followScroll();
}

/* Scrolls so that the root is where it was in the window, or at least in sight. */
function keepRoot(before) {
  if (isInSight(before)) window.scrollBy(0, rootInWindow() - before);
  scrollToRoot();
}

function fitWidth() {
  const room = isStandalone ? window.innerWidth : svg.parentNode.clientWidth;
  if (isFluid && room >= 400) width = room;
  return width !== Number(svg.getAttribute("width"));
}

function measureGlyph() {
  const probe = element("text", {}, svg);
  probe.textContent = "abcdefghijklmnopqrst";
  const length = probe.getComputedTextLength();
  probe.remove();
  if (length > 0) glyph = length / 20;
}
