/* SPDX-License-Identifier: MIT */
/*
 * The box under the pointer, the box with the focus, and the way from one to the next.
 */

const marks = element("g", { id: "overlay" });
const outlineOfPointed = element("rect", { id: "pointed", height: BOX, display: "none" }, marks);
const ring = element("rect", { id: "cursor", height: BOX, display: "none", tabindex: "0", role: "img" }, marks);

let cursor = null; /* the box that has the focus */
let pointed = null; /* the box under the pointer; undefined: what was drawn there is gone */

function outlineBox(shape, box) {
  shape.setAttribute("display", box ? "inline" : "none");
  if (!box) return;
  shape.setAttribute("x", round(box.x));
  shape.setAttribute("y", yOf(box.level + axis));
  shape.setAttribute("width", round(Math.max(box.w, 1)));
}

function point(box) {
  if (pointed !== undefined && (box && box.index) === (pointed && pointed.index)) return;
  pointed = box;
  outlineBox(outlineOfPointed, box);
  tell(box || cursor);
}

function moveRing(box) {
  cursor = box;
  outlineBox(ring, box);
  if (box) ring.setAttribute("aria-label", describe(box));
}

/* All boxes share one element that can have the focus, so that there is no end to them. */
function focusBox(box) {
  if (!box) return;
  moveRing(box);
  tell(box);
  ring.focus({ preventScroll: true });
  scrollTo(box);
}

function scrollTo(box) {
  const y = yOf(box.level + axis) + svg.getBoundingClientRect().top;
  if (y < ROW || y > window.innerHeight - FOOT - ROW) window.scrollBy(0, y - window.innerHeight / 2);
}

function beside(box, step) {
  const [from, to] = levels[box.level + axis], next = box.index + step;
  return next >= from && next < to ? boxOf(next) : box;
}

/* The widest of those that stand on a box. */
function child(box, step) {
  const [from, to] = levels[box.level + axis + step] || [0, 0];
  let best = -1;
  for (let at = from; at < to; at++)
    if (boxes.parent[at] === box.index && (best < 0 || boxes.w[at] > boxes.w[best])) best = at;
  return boxOf(best) || box;
}

function parentOf(box) {
  return boxOf(box.parent) || box;
}

function firstBox() {
  return boxOf(levels[axis][0]);
}

/* Away from the root, or towards it, whichever way the picture grows. */
function vertical(box, step) {
  if (view.kind === "sandwich") {
    const away = box.level === 0 || Math.sign(box.level) === step;
    return away ? child(box, step) : parentOf(box);
  }
  return (step > 0) === view.isInverted ? child(box, 1) : parentOf(box);
}
