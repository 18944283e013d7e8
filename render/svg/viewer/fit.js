/* SPDX-License-Identifier: MIT */
/* Fits the SVG to the window, and keeps buttons and details visible while scrolling. */

let width = staticWidth, height = staticHeight;
let glyph = 7.2;
const WIDTH_MIN = 300;
const LEVELS_IN_SIGHT = 12; /* the head stays visible if there is room for this many levels */
let fitted; /* the size last set */

function resize() {
  chooseColours();
  layOutHead();
  const size = [width, staticFrames.parentNode ? staticHeight : top + levels.length * ROW + footHeight()];
  part("reset").classList.toggle("off", view.kind === "tree" && !view.path.length);
  if (size.join(" ") === fitted) return;
  fitted = size.join(" ");
  height = size[1];
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  svg.setAttribute("viewBox", "0 0 " + fitted);
  foot.firstElementChild.setAttribute("height", footHeight());
  matched.setAttribute("x", width - MARGIN);
  matched.setAttribute("y", Number(details.getAttribute("y")) + footHeight() - FOOT);
  if (!part("help").classList.contains("off")) layOutHelp();
  followScroll();
}

/* Pixels that the head covers while the graph is scrolled; 0 in a window that has no room for it. */
function headHeight() {
  return head && isStandalone && window.innerHeight > top + footHeight() + LEVELS_IN_SIGHT * ROW ? top : 0;
}

/* Keeps the head, the buttons and the details line visible. */
function followScroll() {
  const rect = svg.getBoundingClientRect();
  const above = Math.max(0, -rect.top);
  const below = Math.max(0, Math.min(rect.bottom - window.innerHeight, height - footHeight()));
  bar.setAttribute("transform", "translate(0," + above + ")");
  if (head) head.setAttribute("transform", "translate(0," + (headHeight() && above) + ")");
  foot.setAttribute("transform", "translate(0," + (height - footHeight() - (staticHeight - FOOT) - below) + ")");
}

/* Where the level of the root is, from the top of the window. */
function rootInWindow() {
  return yOf(axis) + svg.getBoundingClientRect().top;
}

function isInSight(y) {
  return y >= headHeight() && y <= window.innerHeight - footHeight() - ROW;
}

/* Initially, the root is visible. */
function scrollToRoot() {
  if (isStandalone && !model.clock && !isInSight(rootInWindow())) window.scrollBy(0, rootInWindow() + ROW + footHeight() - window.innerHeight);
  followScroll();
}

/* Scrolls so that the root is where it was in the window, or at least in sight. */
function keepRoot(before) {
  if (isInSight(before)) window.scrollBy(0, rootInWindow() - before);
  scrollToRoot();
}

function fitWidth() {
  const room = isStandalone ? window.innerWidth : svg.parentNode.clientWidth;
  if (isFluid && room >= WIDTH_MIN) width = room;
  return width !== Number(svg.getAttribute("width"));
}

function measureGlyph() {
  const probe = element("text", {}, svg);
  probe.textContent = "abcdefghijklmnopqrst";
  const length = probe.getComputedTextLength();
  probe.remove();
  if (length > 0) glyph = length / 20;
}
