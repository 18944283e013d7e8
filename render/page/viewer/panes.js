/* SPDX-License-Identifier: MIT */
/*
 * Both sides of a comparison side by side, in one SVG. The layout of one side at a time is in
 * rects. The layout of the other side is kept, and put into rects when the pointer is over that
 * side. A zoom's path is the same list of names on both sides, so a zoom applies to both.
 *
 *     before              after
 *     | main         |    | main       |
 *     | parse | read |    | parse      |         narrow screens: one below the other
 */

const PANE_GAP = 16, PANE_MIN = 240; /* pixels */

const panes = {
  other: element("g", { id: "frames-before" }), /* the drawing of before */
  titles: html("p", { class: "panes" }),
  /** @type {any[] | null} by side: the layout and its position */
  layouts: null,
  side: AFTER, /* the side whose layout is in rects */
};

function hasPanes() {
  return Boolean(capture.compared) && compareView().name === "both" && view.kind !== "sandwich";
}

function takeLayout() {
  const columns = {};
  Object.keys(rects).forEach((column) => (columns[column] = rects[column].slice(0, rectCount)));
  return {
    columns: columns,
    counts: [rectCount, ancestorCount, axis],
    levels: levels,
    folds: folds,
    sets: { rows: sets.rows.slice(0, sets.count), origins: sets.origins.slice(0, sets.count), count: sets.count },
    path: view.path,
    dx: 0,
    dy: 0,
  };
}

/** Makes pointer and keyboard act on the layout of this side. */
function usePane(side) {
  if (!panes.layouts || panes.side === side) return;
  const layout = panes.layouts[side];
  Object.keys(rects).forEach((column) => (rects[column] = layout.columns[column]));
  Object.assign(sets, layout.sets);
  [rectCount, ancestorCount, axis] = layout.counts;
  levels = layout.levels;
  folds = layout.folds;
  panes.side = side;
  view.side = COMPARE_VIEWS[side === BEFORE ? 1 : 2].side;
  computeWidths();
  marks.setAttribute("transform", "translate(" + layout.dx + " " + layout.dy + ")");
  drawSelected();
  drawNoted();
}

/** Lays out and draws one side. whole: the path to zoom to. */
function drawPane(side, whole) {
  view.side = COMPARE_VIEWS[side === BEFORE ? 1 : 2].side;
  view.path = whole;
  layOut();
  drawing.replaceChildren();
  drawLevels(() => true);
  folds.forEach(drawFold);
  return takeLayout();
}

/** Sets the positions of the panes, and the size of the SVG. */
function placePanes(whole) {
  const [before, after] = panes.layouts, height = (layout) => layout.levels.length * ROW + 1;
  const isBeside = whole >= 2 * PANE_MIN + PANE_GAP, high = Math.max(height(before), height(after));
  after.dx = isBeside ? width + PANE_GAP : 0;
  after.dy = isBeside ? 0 : height(before) + PANE_GAP;
  if (isBeside && !view.isInverted) [before, after].forEach((layout) => (layout.dy = high - height(layout)));
  panes.other.setAttribute("transform", "translate(" + before.dx + " " + before.dy + ")");
  drawing.setAttribute("transform", "translate(" + after.dx + " " + after.dy + ")");
  const size = [isBeside ? 2 * width + PANE_GAP : width, isBeside ? high : after.dy + height(after)];
  svg.setAttribute("width", String(size[0]));
  svg.setAttribute("height", String(size[1]));
  svg.setAttribute("viewBox", "0 0 " + size[0] + " " + size[1]);
  panes.titles.classList.toggle("beside", isBeside);
}

function drawPanes() {
  const whole = stage.clientWidth, path = view.path;
  width = Math.floor(whole >= 2 * PANE_MIN + PANE_GAP ? (whole - PANE_GAP) / 2 : whole);
  panes.layouts = [drawPane(BEFORE, path), null];
  panes.other.replaceChildren(...drawing.childNodes);
  panes.layouts[AFTER] = drawPane(AFTER, path);
  panes.side = AFTER;
  const [before, after] = panes.layouts;
  view.path = before.path.length > after.path.length ? before.path : after.path;
  placePanes(whole);
  marks.setAttribute("transform", drawing.getAttribute("transform"));
  moveFocus(null);
  hovered = undefined;
  hover(null);
  countMatches();
}

/** Draws the graph, or the graphs of both sides. */
function drawGraph() {
  const isBoth = hasPanes();
  panes.titles.hidden = panes.other.style.display = "";
  panes.titles.hidden = !isBoth;
  if (isBoth) {
    if (!panes.other.parentNode) svg.insertBefore(panes.other, svg.firstChild);
    drawPanes();
    return;
  }
  if (panes.layouts) {
    panes.layouts = null;
    panes.other.remove();
    [drawing, marks].forEach((layer) => layer.removeAttribute("transform"));
    fitWidth();
  }
  if (capture.compared && view.kind !== "sandwich") view.side = compareView().side;
  draw();
}

/** The frame under the pointer, in either pane. */
function rectAtPointer(event) {
  if (!panes.layouts) return rectUnder(event);
  const at = positionOf(event), [, after] = panes.layouts;
  const side = after.dx ? Number(at.x >= after.dx) : Number(at.y >= after.dy);
  if (side !== panes.side) hover(null);
  usePane(side);
  return rectAt(at.x - panes.layouts[side].dx, at.y - panes.layouts[side].dy);
}

function makePanes() {
  [BEFORE, AFTER].forEach((side) => html("span", {}, panes.titles, (side ? "after: " : "before: ") + cut(capture.compared.sides[side].label, 120)));
  stage.before(panes.titles);
}
