/* SPDX-License-Identifier: MIT */
/* The frame under the pointer, the focused frame, and keyboard navigation between frames. */

const marks = element("g", { id: "overlay" });
const hoverOutline = element("rect", { id: "pointed", height: RECT_HEIGHT, display: "none" }, marks);
const focusRing = element("rect", { id: "cursor", height: RECT_HEIGHT, display: "none", tabindex: "0", role: "img" }, marks);

let cursor = null; /* the focused frame */
let hovered = null; /* the frame under the pointer; undefined: the view was redrawn */

function outlineRect(shape, rect) {
  shape.setAttribute("display", rect ? "inline" : "none");
  if (!rect) return;
  shape.setAttribute("x", round(rect.x));
  shape.setAttribute("y", yOf(rect.level + axis));
  shape.setAttribute("width", round(Math.max(rect.w, 1)));
}

function hover(rect) {
  if (hovered !== undefined && (rect && rect.index) === (hovered && hovered.index)) return;
  hovered = rect;
  outlineRect(hoverOutline, rect);
  showDetails(rect || cursor);
}

function moveFocus(rect) {
  cursor = rect;
  outlineRect(focusRing, rect);
  if (rect) focusRing.setAttribute("aria-label", describe(rect));
}

/* All frames share one focusable element, since there may be very many. */
function focusRect(rect) {
  if (!rect) return;
  moveFocus(rect);
  showDetails(rect);
  focusRing.focus({ preventScroll: true });
  scrollTo(rect);
}

function scrollTo(rect) {
  const y = yOf(rect.level + axis) + svg.getBoundingClientRect().top;
  if (!isInSight(y)) window.scrollBy(0, y - window.innerHeight / 2);
}

function beside(rect, step) {
  const [from, to] = levels[rect.level + axis], next = rect.index + step;
  return next >= from && next < to ? rectOf(next) : rect;
}

/* The widest child of a frame. */
function child(rect, step) {
  const [from, to] = levels[rect.level + axis + step] || [0, 0];
  let best = -1;
  for (let at = from; at < to; at++)
    if (rects.parent[at] === rect.index && (best < 0 || rects.w[at] > rects.w[best])) best = at;
  return rectOf(best) || rect;
}

function parentOf(rect) {
  return rectOf(rect.parent) || rect;
}

function firstRect() {
  return levels[axis] ? rectOf(levels[axis][0]) : null;
}

/* Away from the root or towards it, depending on the orientation. */
function vertical(rect, step) {
  if (view.kind === "sandwich") {
    const away = rect.level === 0 || Math.sign(rect.level) === step;
    return away ? child(rect, step) : parentOf(rect);
  }
  return (step > 0) === view.isInverted ? child(rect, 1) : parentOf(rect);
}

function positionOf(event) {
  return new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
}

function rectUnder(event) {
  if ([head, foot, part("help")].some((layer) => layer && layer.contains(event.target))) return null;
  const at = positionOf(event);
  return rectAt(at.x, at.y);
}

/* Ctrl-click zooms in place of following the link. */
function followLink(rect, event) {
  const link = rect.frame >= 0 && model.links.get(model.name[rect.frame]);
  if (link && !staticFrames.parentNode && !event.ctrlKey) window.open(link[0], link[1] || "_top", "noopener");
  if (event.ctrlKey) event.preventDefault();
  return link && !event.ctrlKey;
}

/** Moves the focus to the next frame that matches the search. @param {number} step 1 or -1 */
function nextHit(step) {
  const hits = [];
  levels.forEach(([from, to]) => {
    for (let rect = from; rect < to; rect++) if (isFound(rects.frame[rect])) hits.push(rect);
  });
  if (!hits.length) return;
  const at = cursor ? hits.indexOf(cursor.index) : -1;
  focusRect(rectOf(hits[at < 0 ? (step > 0 ? 0 : hits.length - 1) : (at + step + hits.length) % hits.length]));
}
