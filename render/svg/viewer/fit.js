/* SPDX-License-Identifier: MIT */
/* Fits the SVG to the window, and keeps buttons and details visible while scrolling. */

let width = staticWidth, height = staticHeight;
let glyph = 7.2;
let fitted; /* the size last set */

/* The text follows the <title> element, if there is one. */
const headings = new Map(Array.from(svg.querySelectorAll("svg > .heading, svg > .facts, svg > .incomplete"), (line) => [line, line.lastChild ? line.lastChild.nodeValue : ""]));

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
  const headline = svg.querySelector("svg > .headline");
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

/* Keeps the buttons and the details line visible. */
function followScroll() {
  const rect = svg.getBoundingClientRect();
  const below = Math.max(0, Math.min(rect.bottom - window.innerHeight, height - FOOT));
  bar.setAttribute("transform", "translate(0," + Math.max(0, -rect.top) + ")");
  foot.setAttribute("transform", "translate(0," + (height - staticHeight - below) + ")");
}

/* Readers start at the root. */
function scrollToRoot() {
  if (isStandalone && !view.isInverted && view.kind === "tree") window.scrollTo(0, document.documentElement.scrollHeight);
  followScroll();
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
