/* SPDX-License-Identifier: MIT */
/*
 * Where the graph is drawn. These are the elements and measures that the modules of render/svg/viewer expect; in an SVG
 * file, elements.js and fit.js define them.
 *
 *     #graph    .bar      view, search         keys.js, search.js
 *               #chips    transforms           chips.js
 *               #stage    <svg>                render/svg/viewer/draw.js
 *               #details  the frame under the pointer
 */

const graphSection = section("graph");
const staticGraph = graphSection.querySelector("svg");
const staticLook = staticGraph && staticGraph.querySelector("[data-look]");

/* struct svg_theme of render/svg/svg.h */
const [ROW, BASELINE, PADDING, FOOT] = [18, 12.5, 4, 24];
const MARGIN = 0, RECT_HEIGHT = ROW - 1;
const top = 0;
const narrowest = 0.5; /* pixels */
const nameType = staticLook && staticLook.getAttribute("data-type");
const rootColour = (staticLook && staticLook.getAttribute("data-root")) || "#d0d7de";
const isOrdered = false, isFull = false, isClassic = false;

const bar = html("div", { class: "bar" });
const chipList = html("ul", { id: "chips", "aria-label": "Transforms" });
const stage = html("div", { id: "stage", tabindex: "0", role: "group", "aria-label": "Flame graph: arrow keys move between frames" });
const svg = element("svg", { role: "group", "aria-label": "Flame graph" }, stage);
const details = html("p", { id: "details", role: "status", "aria-live": "polite" }, null,
  matchMedia("(pointer: coarse)").matches ? "Tap a frame for its numbers, and once more to zoom; press it longer for more." : "Click a frame to zoom, shift-click for its callers and callees, right-click for more. Press ? for keys.");
const staticFrames = element("g", {}); /* the static graph is replaced as a whole */
/* Layers that an SVG file has over its frames. */
const head = null, foot = null, part = (id) => null;

let width = 1200, glyph = 7.2;

function measureGlyph() {
  const probe = element("text", {}, svg);
  probe.textContent = "abcdefghijklmnopqrst";
  const length = probe.getComputedTextLength();
  probe.remove();
  if (length > 0) glyph = length / 20;
}

function fitWidth() {
  const before = width;
  width = Math.max(200, Math.floor(stage.clientWidth));
  return width !== before;
}

/* Called by draw() when the number of levels is known. */
function resize() {
  const height = levels.length * ROW + 1;
  svg.setAttribute("width", String(width));
  svg.setAttribute("height", String(height));
  svg.setAttribute("viewBox", "0 0 " + width + " " + height);
}

function isInSight(y) {
  return y >= 0 && y <= window.innerHeight - ROW;
}

/* Where the root is, from the top of the window; not a number before the first drawing. */
function rootInWindow() {
  return levels.length ? yOf(axis) + svg.getBoundingClientRect().top : NaN;
}

/*
 * Called by draw(): if the root was visible, scrolls so that it stays visible. before: its previous
 * position.
 */
function keepRoot(before) {
  const now = rootInWindow();
  if (!isInSight(before) || isInSight(now)) return;
  window.scrollBy(0, now < 0 ? now - ROW : now - window.innerHeight + FOOT + ROW);
}

/** The legend of the static graph, as text that wraps. It does not apply to changes. */
const kindLegend = html("p", { id: "kinds", class: "changes" });

function readLegend() {
  let shown = null;
  const parts = staticGraph ? Array.from(staticGraph.querySelectorAll("#legend > *")) : [];
  parts.forEach((part) => {
    if (!shown) shown = html("span", {}, kindLegend);
    if (part.localName === "rect") {
      const swatch = element("svg", { class: "swatch", viewBox: "0 0 10 10", "aria-hidden": "true" }, shown);
      element("rect", { width: 10, height: 10, fill: part.getAttribute("fill") }, swatch);
      return;
    }
    html("span", {}, shown, part.textContent);
    shown = null;
  });
}

function drawLegend() {
  kindLegend.hidden = Boolean(model.diff) || !kindLegend.firstChild;
}

/** Puts the live graph in the place of the static one. */
function setStage() {
  const heading = graphSection.querySelector("h2");
  if (!capture.compared) readLegend();
  graphSection.replaceChildren(...(heading ? [heading] : []), bar, chipList, kindLegend, stage, details);
  svg.append(drawing, marks);
  fitWidth();
  measureGlyph();
}
