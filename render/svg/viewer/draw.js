/* SPDX-License-Identifier: MIT */
/*
 * Draws the layout: in each band of levels, one path per colour, and the labels that fit. The visible part is drawn at
 * once, the rest as soon as the visible part is on screen.
 */

const drawing = element("g", { id: "frames" });
const BAND = 8; /* levels */
const UNCHANGED = "#c8cbd1"; /* of both palettes of render/svg/diff_colour.c; dark grey in dark mode */
let drawCount = 0; /* number of the current drawing: deferred parts of earlier ones are not drawn */

function isLightOn(colour) {
  const value = parseInt(colour.slice(1), 16);
  const shade = [0.2126, 0.7152, 0.0722].reduce(
    (sum, share, i) => sum + share * Math.pow(((value >> (16 - 8 * i)) & 255) / 255, 2.2), 0.05);
  return shade * shade < 1.05 * 0.05;
}

/* The fill colour of a frame, or the CSS class that defines it. */
function styleOf(rect) {
  const frame = rects.frame[rect];
  const found = isFound(frame);
  if (found) return typeof found === "string" ? found : "hit"; /* pages have a class for each term */
  if (isFolded(rect)) return "folded";
  if (rect < ancestorCount) return "ancestor";
  if (frame < 0) return rootColour;
  return colourOf(rect);
}

function isColour(style) {
  return style[0] === "#";
}

/* Threads have names such as kworker/0:1, which are not paths. */
function labelIn(frame, fit) {
  return (isClassic || model.kind[frame] === GROUP ? cut : labelOf)(nameOf(frame), fit);
}

function drawLabel(rect, y, style, inside) {
  const fit = Math.floor((rects.w[rect] - 2 * PADDING) / glyph);
  if (fit < 3) return;
  const text = element("text", { x: round(rects.x[rect] + PADDING), y: y + BASELINE }, inside);
  if (!isColour(style)) text.setAttribute("class", style);
  else if (style === UNCHANGED) text.setAttribute("class", "same");
  else if (isLightOn(style)) text.setAttribute("fill", "#fff");
  text.textContent = labelIn(rects.frame[rect], fit);
}

/* Writes the number and weight of the levels folded into one, at the widest gap between the frames of that level. */
function drawFold(fold) {
  const [from, to] = levels[fold.level + axis];
  let end = MARGIN, best = MARGIN, widest = 0;
  for (let rect = from; rect <= to; rect++) {
    const x = rect < to ? rects.x[rect] : width - MARGIN;
    if (x - end > widest) [widest, best] = [x - end, end];
    if (rect < to) end = Math.max(end, x + rects.w[rect]);
  }
  const y = yOf(fold.level + axis);
  element("text", { class: "folded", x: round(best + PADDING), y: y + BASELINE }, drawing).textContent =
    "+" + fold.count + " levels, " + percent(fold.weight, rects.weight[0]);
}

/* Rectangles wider than two pixels have a gap between them. */
function addRectToPath(rect) {
  const gap = rects.w[rect] > 2 ? 0.5 : 0;
  const least = isFolded(rect) ? 1 : 0;
  putRect(rects.x[rect] + gap / 2, yOf(rects.level[rect] + axis), Math.max(least, rects.w[rect] - gap), RECT_HEIGHT);
}

/* byStyle: rectangles by fill. */
function drawShapes(byStyle, inside) {
  const hatched = (model.diff && model.diff.hatched) || {};
  byStyle.forEach((row, style) => {
    row.forEach(addRectToPath);
    const shape = element("path", { d: takePath() }, inside);
    if (isColour(style)) shape.setAttribute("fill", hatched[style] || style);
    else shape.setAttribute("class", style);
  });
}

/*
 * Each band of levels has its own paths, since browsers process a whole path to draw any part of
 * it.
 */
function drawLevels(isWanted) {
  const shapes = document.createDocumentFragment(), labels = document.createDocumentFragment();
  for (let band = 0; band < levels.length; band += BAND) {
    const byStyle = new Map();
    for (let level = band; level < band + BAND && level < levels.length; level++)
      if (isWanted(level)) drawLevel(level, byStyle, labels);
    drawShapes(byStyle, shapes);
  }
  drawing.append(shapes, labels);
}

function drawLevel(level, byStyle, labels) {
  const [from, to] = levels[level];
  for (let rect = from; rect < to; rect++) {
    const style = styleOf(rect);
    if (!byStyle.has(style)) byStyle.set(style, []);
    byStyle.get(style).push(rect);
    if (rects.w[rect] > 3 * glyph && style !== "folded") drawLabel(rect, yOf(level), style, labels);
  }
}

/* Resolves when the current content is on screen; at once if the page is hidden. */
function whenShown() {
  return new Promise((done) => {
    if (document.hidden) done();
    else requestAnimationFrame(() => setTimeout(done));
  });
}

function drawRects() {
  const y = svg.getBoundingClientRect().top, count = ++drawCount;
  const isNear = (level) => Math.abs(2 * (yOf(level) + y) - window.innerHeight) < window.innerHeight + 4 * ROW;
  drawLevels(isNear);
  if (!Array.from(levels.keys()).every(isNear))
    whenShown().then(() => {
      if (count === drawCount) drawLevels((level) => !isNear(level));
    });
}

/* Outlines the function of a sandwich, between its callers and callees. */
function markAxis() {
  element("rect", { class: "axis", x: MARGIN, y: yOf(axis), width: width - 2 * MARGIN, height: RECT_HEIGHT }, drawing);
}

function draw() {
  const before = rootInWindow(), focused = cursor && pathOf(cursor);
  layOut();
  if (staticFrames.parentNode) svg.replaceChild(drawing, staticFrames);
  drawing.replaceChildren();
  resize();
  keepRoot(before);
  drawRects();
  folds.forEach(drawFold);
  if (model.clock) drawAxis();
  if (view.kind === "sandwich") markAxis();
  keepFocus(focused);
  hovered = undefined;
  hover(null);
  countMatches();
}
