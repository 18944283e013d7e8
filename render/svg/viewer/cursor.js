/* SPDX-License-Identifier: MIT */
/* The frame under the pointer, the focused frame, and keyboard navigation between frames. */

const marks = element("g", { id: "overlay", role: "tree", "aria-label": "Frames" });
const hoverOutline = element("rect", { id: "pointed", height: RECT_HEIGHT, display: "none" }, marks);
/*
 * There can be very many frames, so only two elements can have the focus. They represent the focused frame in turn: a
 * screen reader announces the frame because the focus moves to the other element.
 */
const focusRings = [0, 1].map(() => element("rect", { height: RECT_HEIGHT, display: "none", tabindex: "0", role: "treeitem" }, marks));

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

/* The place of a frame in the tree, for screen readers. */
function describePlace(ring, rect) {
  const [from, to] = levels[rect.level + axis], isParent = rect.isAncestor || rect.self < rect.weight;
  let count = 0, place = 0;
  for (let at = from; at < to; at++) {
    if (rects.parent[at] === rect.parent) count++;
    if (at === rect.index) place = count;
  }
  ring.setAttribute("aria-label", describe(rect));
  ring.setAttribute("aria-level", Math.abs(rect.level) + 1);
  ring.setAttribute("aria-posinset", place);
  ring.setAttribute("aria-setsize", count);
  if (isParent) ring.setAttribute("aria-expanded", child(rect, 1) !== rect);
  else ring.removeAttribute("aria-expanded");
}

/*
 * null: no frame has the focus. The Tab key then moves the focus to the root, which is outlined
 * from then on.
 */
function moveFocus(rect) {
  const place = rect || zoomedRect() || firstRect(), had = focusRings.includes(document.activeElement);
  cursor = rect;
  focusRings.reverse().forEach((ring, i) => {
    ring.id = i ? "" : "cursor";
    ring.setAttribute("stroke-opacity", rect ? "1" : "0");
  });
  if (place) {
    outlineRect(focusRings[0], place);
    describePlace(focusRings[0], place);
  }
  if (rect && had) focusRings[0].focus({ preventScroll: true });
  outlineRect(focusRings[1], null);
}

function focusRect(rect) {
  if (!rect) return;
  moveFocus(rect);
  showDetails(rect);
  focusRings[0].focus({ preventScroll: true });
  scrollTo(rect);
}

/* The frame at the end of a path of keys, in the current layout. */
function rectOfPath(path) {
  let rect = levels[axis] ? levels[axis][0] : -1;
  for (let i = 0; i < path.length && rect >= 0; i++) {
    const [from, to] = levels[axis + i + 1] || [0, 0], parent = rect;
    for (rect = from; rect < to && (rects.parent[rect] !== parent || rects.key[rect] !== path[i]); rect++);
    if (rect >= to) rect = -1;
  }
  return rectOf(rect);
}

/* After a change of the view: the focus stays on its frame or, if that is gone, moves to the zoomed frame. */
function keepFocus(path) {
  moveFocus(path && (rectOfPath(path) || zoomedRect() || firstRect()));
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

/* The frame that the view is zoomed to. */
function zoomedRect() {
  return ancestorCount ? rectOf(ancestorCount) : null;
}

function firstRect() {
  return levels[axis] ? rectOf(levels[axis][0]) : null;
}

/* The next frame up or down: away from the root or towards it, depending on the orientation. */
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
