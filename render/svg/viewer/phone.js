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

/* Breaks a text after spaces; the last line is truncated. */
function linesOf(text, most) {
  const lines = [];
  for (let rest = text; rest && lines.length < DETAIL_LINES;) {
    const isLast = lines.length === DETAIL_LINES - 1;
    const end = rest.length <= most || isLast ? rest.length : rest.lastIndexOf(" ", most) + 1 || most;
    lines.push(isLast ? cut(rest, most) : rest.slice(0, end));
    rest = rest.slice(end);
  }
  return lines;
}

/* Writes several lines. A name that leaves no room for the numbers is shortened to one line, or less. */
function writeDetailLines(rect) {
  const most = Math.floor((width - 2 * MARGIN) / glyph), text = detailsOf(rect), numbers = numbersOf(rect);
  const y = Number(details.getAttribute("y"));
  let lines = linesOf(text(Infinity), most);
  for (let cells = most; cells > NAME_CELLS_MIN && !lines.join("").includes(numbers); cells -= NAME_CELLS_MIN)
    lines = linesOf(text(cells), most);
  details.replaceChildren();
  lines.forEach((line, i) => (element("tspan", { x: MARGIN, y: y + i * DETAIL_HEIGHT }, details).textContent = line));
}

function useDetailLines() {
  const writeDetailLine = writeDetails;
  writeDetails = (rect) => (isCompact() ? writeDetailLines : writeDetailLine)(rect);
}
