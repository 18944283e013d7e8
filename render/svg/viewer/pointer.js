/* SPDX-License-Identifier: MIT */
/*
 * What the pointer does.
 */

function positionOf(event) {
  const box = svg.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

function boxUnder(event) {
  const at = positionOf(event);
  return boxAt(at.x, at.y);
}

/* With Ctrl a link is zoomed to. */
function followLink(box, event) {
  const link = box.frame >= 0 && model.links.get(model.name[box.frame]);
  if (link && !still.parentNode && !event.ctrlKey) window.open(link[0], link[1] || "_top", "noopener");
  if (event.ctrlKey) event.preventDefault();
  return link && !event.ctrlKey;
}
