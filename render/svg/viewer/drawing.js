/* SPDX-License-Identifier: MIT */
/*
 * Draws the layout: a path for all boxes of a colour, and the labels that fit. What is in sight is
 * drawn at once, and the rest when that was shown.
 */

const drawing = element("g", { id: "frames" });
const BAND = 8; /* levels */
const UNCHANGED = "#e0e2e6"; /* of both palettes of render/svg/diff_colour.c: in the dark it is a dark grey */
let drawCount = 0; /* so that what was put off is not drawn into the next view */

function isLightOn(colour) {
  const value = parseInt(colour.slice(1), 16);
  const shade = [0.2126, 0.7152, 0.0722].reduce(
    (sum, share, i) => sum + share * Math.pow(((value >> (16 - 8 * i)) & 255) / 255, 2.2), 0.05);
  return shade * shade < 1.05 * 0.05;
}

/* The class of what is drawn alike, and the colour if that is all it is. */
function styleOf(box) {
  const frame = boxes.frame[box];
  if (isFound(frame)) return "hit";
  if (box < ancestorCount) return "ancestor";
  if (frame < 0) return rootColour;
  return (model.diff && model.diff.colours[verdictOf(box)]) || model.colour[frame];
}

function isColour(style) {
  return style[0] === "#";
}

function drawLabel(box, y, style, inside) {
  const fit = Math.floor((boxes.w[box] - 2 * PADDING) / glyph);
  if (fit < 3) return;
  const text = element("text", { x: round(boxes.x[box] + PADDING), y: y + BASELINE }, inside);
  if (!isColour(style)) text.setAttribute("class", style);
  else if (style === UNCHANGED) text.setAttribute("class", "same");
  else if (isLightOn(style)) text.setAttribute("fill", "#fff");
  text.textContent = cut(nameOf(boxes.frame[box]), fit);
}

/* Boxes that are more than a pixel or two have a gap between them. */
function outlineOf(box) {
  const gap = boxes.w[box] > 2 ? 0.5 : 0;
  putOutline(boxes.x[box] + gap / 2, yOf(boxes.level[box] + axis), boxes.w[box] - gap, BOX);
}

/* byStyle: boxes by what they are filled with. */
function drawShapes(byStyle, inside) {
  const hatched = (model.diff && model.diff.hatched) || {};
  byStyle.forEach((row, style) => {
    row.forEach(outlineOf);
    const shape = element("path", { d: takeOutlines() }, inside);
    if (isColour(style)) shape.setAttribute("fill", hatched[style] || style);
    else shape.setAttribute("class", style);
  });
}

/* Bands of levels have paths of their own: a browser that draws one part of a path looks at all of it. */
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
  for (let box = from; box < to; box++) {
    const style = styleOf(box);
    if (!byStyle.has(style)) byStyle.set(style, []);
    byStyle.get(style).push(box);
    if (boxes.w[box] > 3 * glyph) drawLabel(box, yOf(level), style, labels);
  }
}

/* When the browser has shown what there is now; at once where nobody looks. */
function whenShown() {
  return new Promise((done) => {
    if (document.hidden) done();
    else requestAnimationFrame(() => setTimeout(done));
  });
}

function drawBoxes() {
  const y = svg.getBoundingClientRect().top, count = ++drawCount;
  const isNear = (level) => Math.abs(2 * (yOf(level) + y) - window.innerHeight) < window.innerHeight + 4 * ROW;
  drawLevels(isNear);
  if (!Array.from(levels.keys()).every(isNear))
    whenShown().then(() => {
      if (count === drawCount) drawLevels((level) => !isNear(level));
    });
}

/* What a sandwich is about, between those who call it and those it calls. */
function markAxis() {
  element("rect", { class: "axis", x: MARGIN, y: yOf(axis), width: width - 2 * MARGIN, height: BOX }, drawing);
}

function draw() {
  layOut();
  if (still.parentNode) svg.replaceChild(drawing, still);
  drawing.replaceChildren();
  resize();
  drawBoxes();
  if (view.kind === "sandwich") markAxis();
  moveRing(null);
  pointed = undefined;
  point(null);
  countMatches();
}
