/* SPDX-License-Identifier: MIT */
/*
 * Lays out title, buttons, facts and legend for the width of the window, which determines where
 * frames begin. The static SVG only estimates the widths of window and glyphs. A phone has a layout
 * of its own, in which nothing is cut off:
 *
 *     | Title        [Search] [?] |        | Title            |
 *     | facts                     |        | [Search] [?]     |
 *     | ## user ## kernel         |        | facts, in two    |
 *     | frames                    |        | lines            |
 */

const LINE_HEIGHT = 18, ABOVE_FRAMES = 16, LEGEND_HEIGHT = 22; /* as in svg_header.c and svg_legend.h */
const COMPACT_WIDTH = 844, STACKED_WIDTH = 600; /* pixels: a phone's longer side; buttons get a row of their own */
const COMPACT_LINES = 8; /* enough for what a headline or fact says; a recorded command can be longer */
const BAR_TOP = 14, STACKED_BAR_TOP = 40, BAR_HEIGHT = 24, BAR_WIDTH = 264; /* of the buttons */

let staticLegend;

/*
 * The lines of the head with their whole texts. A <title> element has all of a text that the static
 * SVG truncated.
 */
const headings = Array.from(svg.querySelectorAll("#head > .heading, .headline, #head > .facts, #head > .incomplete"), (line) => {
  const first = line.localName === "text" ? line : line.querySelector("text");
  line.querySelectorAll("text ~ text").forEach((rest) => rest.remove());
  return { first: first, text: headingOf(line), y: Number(first.getAttribute("y")), kind: line.getAttribute("class"), more: [] };
});

function headingOf(line) {
  const text = line.lastChild ? line.lastChild.nodeValue || "" : "", title = line.querySelector("title"), own = title ? title.textContent : "";
  const wholes = [own.replace(/\n/g, " · "), own]; /* the first as add_list() of diff_svg.c joins its lines */
  return (title && wholes.find((whole) => line.localName === "g" || (text.endsWith("…") && whole.startsWith(text.slice(0, -1))))) || text;
}

function isCompact() {
  return isFluid && !isClassic && width <= COMPACT_WIDTH;
}

function isStacked() {
  return isCompact() && width < STACKED_WIDTH;
}

/* Sets the content of a line to as much of the text as fits. Returns the rest of the text. */
function fillLine(line, text, room, isLast) {
  line.lastChild.nodeValue = text;
  const length = line.getComputedTextLength();
  if (length <= room) return "";
  /* Glyphs differ in width. */
  for (let most = Math.floor((text.length * room) / length) + 1; most > 0; most--) {
    const blank = text.lastIndexOf(" ", most), end = blank > 0 ? blank : most;
    line.lastChild.nodeValue = isLast ? cut(text, most) : text.slice(0, end);
    if (line.getComputedTextLength() <= room) return text.slice(end).replace(/^ /, "");
  }
  return "";
}

/* Writes a heading into as many lines as it needs, at most `most`. Returns the number of lines. */
function fillLines(heading, y, room, most) {
  heading.more.forEach((line) => line.remove());
  heading.more = [];
  let rest = heading.text, count = 0;
  for (let line = heading.first; rest; line = null) {
    if (!line) {
      line = element("text", { class: heading.first.getAttribute("class") || "", x: MARGIN }, null);
      (heading.more[count - 2] || heading.first).after(line);
      heading.more.push(line);
      line.textContent = " ";
    }
    line.setAttribute("y", y + count * LINE_HEIGHT);
    rest = fillLine(line, rest, room, ++count === most);
    if (count === most) break;
  }
  return count;
}

function placeButtons() {
  const scale = isStacked() ? Math.min(1.4, (width - 2 * MARGIN) / BAR_WIDTH) : isCompact() ? 1.25 : 1;
  const y = isStacked() ? STACKED_BAR_TOP : isCompact() ? 8 : BAR_TOP;
  bar.firstElementChild.setAttribute("transform", isClassic ? "translate(" + (width - staticWidth) + ",0)"
    : "translate(" + (width - MARGIN) + "," + y + ") scale(" + scale + ") translate(" + (MARGIN - staticWidth) + "," + -BAR_TOP + ")");
  return {
    left: width - MARGIN - (isStacked() ? 0 : scale * BAR_WIDTH + 16),
    /* In a wide window, the next line is low enough. */
    bottom: isCompact() ? y + scale * BAR_HEIGHT : 0,
  };
}

/* Replaces the legend by that of the chosen colours, or, if these have none, by that of the static SVG. Returns its shapes. */
function makeLegend() {
  const legend = part("legend") || element("g", { id: "legend" }, head);
  const shown = Array.from(legend.querySelectorAll("rect, text"));
  if (!staticLegend) staticLegend = shown;
  shown.forEach((shape) => shape.remove());
  /* Patterns of the static legend stay: frames are filled with them. */
  legend.append(...(chosen.legend.length ? chosen.legend.flatMap(([colour, text]) => {
    const name = element("text", { class: "facts" });
    name.textContent = text;
    return [element("rect", { width: 13, height: 12, fill: colour }), name];
  }) : staticLegend));
  return Array.from(legend.querySelectorAll("rect, text"));
}

/* Groups the shapes by entry: some rectangles and a text. */
function entriesOf(shapes) {
  const entries = [];
  shapes.forEach((shape, i) => {
    if (!i || shapes[i - 1].localName === "text") entries.push([]);
    entries[entries.length - 1].push(shape);
  });
  return entries;
}

/* Puts the entries side by side, in as many lines as they need. Returns the number of lines. */
function lineUp(entries, y) {
  let x = MARGIN, lines = 0;
  entries.forEach((entry) => {
    const text = entry[entry.length - 1], length = 14 * (entry.length - 1) + 6 + text.getComputedTextLength();
    if (!lines || x + length > width - MARGIN) {
      x = MARGIN;
      lines++;
    }
    const baseline = y + (lines - 1) * LINE_HEIGHT;
    entry.forEach((shape, i) => {
      shape.setAttribute("x", x + 14 * i + (shape === text ? 6 : 0));
      shape.setAttribute("y", shape === text ? baseline : baseline - 10);
    });
    x += length + 18;
  });
  return lines;
}

/* Returns the number of lines. Optional text is hidden if the legend needs more than two lines. */
function placeLegend(y) {
  if (!part("legend") && !chosen.legend.length) return 0;
  const entries = entriesOf(makeLegend());
  part("legend").classList.remove("short");
  if (lineUp(entries, y) <= 2) return lineUp(entries, y);
  part("legend").classList.add("short");
  return lineUp(entries, y);
}

let headLayout = ""; /* the width and colours for which the head was laid out */

function layOutHead() {
  const wanted = width + " " + colouring();
  if (wanted === headLayout) return;
  headLayout = wanted;
  const buttons = placeButtons();
  if (!head) return;
  head.classList.toggle("compact", isCompact());
  let y = headings.length > 1 ? headings[1].y : 0;
  headings.forEach((heading) => {
    if (heading.kind === "heading") {
      const baseline = isCompact() ? 28 : heading.y;
      fillLines(heading, baseline, buttons.left - MARGIN, 1);
      y = Math.max(baseline + 20, buttons.bottom + 20);
    } else {
      y += LINE_HEIGHT * fillLines(heading, y, width - 2 * MARGIN, isCompact() ? COMPACT_LINES : heading.kind === "headline" ? 4 : 2);
    }
  });
  y += ABOVE_FRAMES - LINE_HEIGHT;
  const lines = placeLegend(y + LEGEND_HEIGHT - 10);
  if (lines) y += LEGEND_HEIGHT + (lines - 1) * LINE_HEIGHT;
  top = isCompact() ? y : Math.max(staticTop, y);
  head.firstElementChild.setAttribute("height", top);
}
