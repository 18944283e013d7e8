/* SPDX-License-Identifier: MIT */
/*
 * Touch screens: the first tap on a frame shows its numbers, a second tap on it zooms. In a narrow window the details
 * have several lines. As on any page, two fingers zoom and one finger pans; for this, the document has the width of the
 * screen.
 */

const DETAIL_LINES = 3, DETAIL_HEIGHT = 16;

let isTap = false; /* the last press was by a finger */

function footHeight() {
  return FOOT + (isCompact() ? DETAIL_LINES * DETAIL_HEIGHT : 0);
}

/* Makes the document as wide as the screen. A standalone SVG can request this only with a <meta> element. */
function takeScreenWidth() {
  if (!isStandalone || svg !== document.documentElement) return;
  const made = document.createElementNS("http://www.w3.org/1999/xhtml", "meta");
  made.setAttribute("name", "viewport");
  made.setAttribute("content", "width=device-width, initial-scale=1, minimum-scale=1");
  svg.prepend(made);
}

/* Whether a click should only show the numbers of the frame. */
function isFirstTap(rect) {
  const isFirst = isTap && !(hovered && hovered.index === rect.index);
  if (isFirst) hover(rect);
  return isFirst;
}

/* Breaks the details after spaces; the last line is truncated. */
function writeDetailLines(text) {
  const most = Math.floor((width - 2 * MARGIN) / glyph);
  const y = Number(details.getAttribute("y"));
  details.replaceChildren();
  for (let line = 0, rest = text; rest && line < DETAIL_LINES; line++) {
    const isLast = line === DETAIL_LINES - 1;
    const end = rest.length <= most || isLast ? rest.length : rest.lastIndexOf(" ", most) + 1 || most;
    element("tspan", { x: MARGIN, y: y + line * DETAIL_HEIGHT }, details).textContent = isLast ? cut(rest, most) : rest.slice(0, end);
    rest = rest.slice(end);
  }
}

function useDetailLines() {
  const writeDetailLine = writeDetails;
  writeDetails = (text) => (isCompact() ? writeDetailLines : writeDetailLine)(text);
}
