/* SPDX-License-Identifier: MIT */
/*
 * How the picture fits the window, and what stays in sight when it scrolls.
 */

let width = stillWidth, height = stillHeight;
let glyph = 7.2;
let fitted; /* what the picture was last made as large as */

/* The text of a line is behind its tooltip, if it has one. */
const headings = new Map(Array.from(svg.querySelectorAll("svg > .heading, svg > .facts, svg > .incomplete"), (line) => [line, line.lastChild ? line.lastChild.nodeValue : ""]));

/* The still picture does not know how wide the window and the letters are. */
function cutHeadings() {
  headings.forEach((text, line) => {
    const room = width - 2 * MARGIN - (line.getAttribute("class") === "heading" ? 200 : 0);
    if (!text) return;
    line.lastChild.nodeValue = text;
    const length = line.getComputedTextLength();
    if (length > room) line.lastChild.nodeValue = cut(text, Math.floor((text.length * room) / length) - 1);
  });
}

/* In the lines that there are; what does not fit the last is cut. */
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
    /* Letters are not all as wide. */
    for (let most = fit; most > 0; most--) {
      const blank = rest.lastIndexOf(" ", most);
      end = isLast || rest.length <= most ? rest.length : blank > 0 ? blank : most;
      line.textContent = cut(rest.slice(0, end), most);
      if (line.getComputedTextLength() <= room) break;
    }
    rest = rest.slice(end).replace(/^ /, "");
  });
}

/* In two lines, the second from the entry on that begins next to the middle; there is room for one above. */
function splitLegend(shapes, box) {
  const left = (shape) => Number(shape.getAttribute("x"));
  const away = (shape) => Math.abs(left(shape) - box.x - box.width / 2);
  const starts = shapes.filter((shape, i) => i && shapes[i - 1].tagName === "text");
  const split = left(starts.reduce((best, shape) => (away(shape) < away(best) ? shape : best)));
  shapes.forEach((shape) =>
    shape.setAttribute("transform", left(shape) < split ? "translate(0,-14)" : "translate(" + (box.x - split) + ",0)"));
}

/* One behind the other, as wide as they are. */
function lineUp(shapes) {
  let x = MARGIN;
  shapes.forEach((shape) => {
    const isText = shape.tagName === "text";
    shape.setAttribute("x", isText ? x + 6 : x);
    x += isText ? 24 + shape.getComputedTextLength() : 14;
  });
}

/* Without what can be left out where there is no room for it in two lines. */
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
  const box = legend.getBBox();
  const scale = Math.min(1, room / box.width);
  legend.setAttribute("transform",
    "translate(" + (1 - scale) * box.x + "," + (1 - scale) * (box.y + box.height) + ") scale(" + scale + ")");
}

function resize() {
  const size = [width, still.parentNode ? stillHeight : top + levels.length * ROW + FOOT];
  part("reset").classList.toggle("off", view.kind === "tree" && !view.path.length);
  if (size.join(" ") === fitted) return;
  fitted = size.join(" ");
  height = size[1];
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  svg.setAttribute("viewBox", "0 0 " + fitted);
  bar.firstElementChild.setAttribute("transform", "translate(" + (width - stillWidth) + ",0)");
  matched.setAttribute("x", width - MARGIN);
  part("help").setAttribute("transform",
    "translate(" + MARGIN + "," + top + ") scale(" + Math.min(1, (width - 2 * MARGIN) / HELP_WIDTH) + ")");
  cutHeadings();
  breakHeadline();
  fitLegend();
  followScroll();
}

/* The buttons and the line of details stay in sight. */
function followScroll() {
  const box = svg.getBoundingClientRect();
  const below = Math.max(0, Math.min(box.bottom - window.innerHeight, height - FOOT));
  bar.setAttribute("transform", "translate(0," + Math.max(0, -box.top) + ")");
  foot.setAttribute("transform", "translate(0," + (height - stillHeight - below) + ")");
}

/* All reading starts from the root. */
function scrollToRoot() {
  if (isAlone && !view.isInverted && view.kind === "tree") window.scrollTo(0, document.documentElement.scrollHeight);
  followScroll();
}

function fitWidth() {
  const room = isAlone ? window.innerWidth : svg.parentNode.clientWidth;
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
