/* SPDX-License-Identifier: MIT */
/*
 * Draws the layout: a path for all boxes of a colour, and the labels that fit.
 */

function isLightOn(colour) {
  const value = parseInt(colour.slice(1), 16);
  const shade = [0.2126, 0.7152, 0.0722].reduce(
    (sum, share, i) => sum + share * Math.pow(((value >> (16 - 8 * i)) & 255) / 255, 2.2), 0.05);
  return shade * shade < 1.05 * 0.05;
}

/* The class of what is drawn alike, and the colour if that is all it is. */
function styleOf(box) {
  if (isHit && box.node.frame >= 0 && isHit[box.node.frame]) return "hit";
  if (box.isAncestor) return "ancestor";
  if (box.node.frame < 0) return still.getAttribute("data-root");
  return (model.diff && model.diff.colours[verdictOf(box.node)]) || model.colour[box.node.frame];
}

function drawLabel(box, y, style) {
  const fit = Math.floor((box.w - 2 * PADDING) / glyph);
  if (fit < 3) return;
  const text = element("text", { x: round(box.x + PADDING), y: y + BASELINE }, drawing);
  if (style[0] !== "#") text.setAttribute("class", style);
  else if (isLightOn(style)) text.setAttribute("fill", "#fff");
  text.textContent = cut(nameOf(box.node), fit);
}

function drawBoxes() {
  const shapes = new Map();
  const labels = [];
  levels.forEach((row, level) => {
    const y = yOf(level);
    row.forEach((box) => {
      const style = styleOf(box);
      const gap = box.w > 2 ? 0.5 : 0;
      const w = round(box.w - gap);
      const shape = "M" + round(box.x + gap / 2) + " " + y + "h" + w + "v" + BOX + "h-" + w + "z";
      shapes.set(style, (shapes.get(style) || "") + shape);
      if (box.w > 3 * glyph) labels.push([box, y, style]);
    });
  });
  shapes.forEach((shape, style) => {
    const isColour = style[0] === "#";
    element("path", isColour ? { d: shape, fill: (model.diff && model.diff.hatched || {})[style] || style } : { d: shape, class: style }, drawing);
  });
  labels.forEach((label) => drawLabel(...label));
}

function draw() {
  layOut();
  if (still.parentNode) svg.replaceChild(drawing, still);
  drawing.replaceChildren();
  drawBoxes();
  moveRing(null);
  pointed = undefined;
  point(null);
  resize();
  countMatches();
}
