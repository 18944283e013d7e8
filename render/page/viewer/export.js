/* SPDX-License-Identifier: MIT */
/*
 * The graph as it is shown, as an SVG or PNG file. Both are made from one list of shapes, with the
 * colours that the style sheet gives them:
 *
 *     #frames ─▶ { d, fill } { text, x, y, fill } ─▶ <svg>...</svg>
 *                                                 └▶ canvas ─▶ PNG
 */

const EXPORT_HEAD = 26, EXPORT_FONT = '12px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace';
const PNG_PIXELS_MAX = 16000; /* every browser allows a canvas side of this length */

/** @typedef {{d: string, fill: string, stroke: string, text: string, x: number, y: number, anchor: string, dx: number, dy: number}} Shape dx, dy: where its pane is */

/** @returns {Shape[]} */
function shapesOfGraph() {
  if (!panes.layouts) return shapesIn(drawing, { dx: 0, dy: 0 });
  return [panes.other, drawing].flatMap((pane, side) => shapesIn(pane, panes.layouts[side]));
}

/** @returns {Shape[]} */
function shapesIn(pane, { dx, dy }) {
  return Array.from(pane.querySelectorAll("path, text, rect")).map((one) => {
    const style = getComputedStyle(one), at = (name) => Number(one.getAttribute(name)), isText = one.localName === "text";
    const box = "M" + at("x") + " " + at("y") + "h" + at("width") + "v" + at("height") + "h" + -at("width") + "z";
    return {
      d: isText ? "" : one.localName === "rect" ? box : one.getAttribute("d"),
      fill: style.fill,
      stroke: style.stroke,
      text: isText ? one.textContent : "",
      x: at("x"),
      y: at("y"),
      anchor: one.getAttribute("text-anchor") || "start",
      dx: dx,
      dy: dy,
    };
  });
}

/** The windows that are selected. @returns {string[]} */
function windowTexts() {
  const times = capture.compared && capture.compared.times;
  if (!times) return selection.window ? [strip.option.textContent] : [];
  return [BEFORE, AFTER].filter(windowOfSide).map((side) => (side ? "after: " : "before: ") + timeOption(times[side].bins, windowOfSide(side)));
}

/** What the graph shows, in one line. */
function exportTitle() {
  const name = viewName.firstChild ? viewName.firstChild.textContent : "";
  const steps = selection.steps.map((step) => STEP_TEXTS[step.kind](step));
  return [capture.facts.title, name].concat(windowTexts(), steps, query ? ["search: " + query] : [])
    .filter(Boolean).map((part) => cut(part, 120)).join(" · ");
}

/** XML allows few control characters, and no halves of surrogate pairs. @param {string} text */
function escapeXml(text) {
  const legal = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
  return legal.replace(/[&<>"]/g, (one) => "&#" + one.charCodeAt(0) + ";");
}

/** The size and the colours of the export. */
function exportLook() {
  const style = getComputedStyle(document.body);
  return { wide: Number(svg.getAttribute("width")), high: Number(svg.getAttribute("height")) + EXPORT_HEAD, page: style.backgroundColor, ink: style.color };
}

/** @param {Shape[]} shapes */
function svgOfShapes(shapes) {
  const { wide, high, page, ink } = exportLook(), title = escapeXml(exportTitle());
  const lines = shapes.map((one) => one.text
    ? '<text x="' + (one.x + one.dx) + '" y="' + (one.y + one.dy) + '" fill="' + one.fill + '" text-anchor="' + one.anchor + '">' + escapeXml(one.text) + "</text>"
    : '<path d="' + escapeXml(one.d) + '" fill="' + one.fill + '"' + (one.stroke === "none" ? "" : ' stroke="' + one.stroke + '"') +
      (one.dx || one.dy ? ' transform="translate(' + one.dx + " " + one.dy + ')"' : "") + "/>");
  return '<svg xmlns="http://www.w3.org/2000/svg" width="' + wide + '" height="' + high + '" viewBox="0 ' + -EXPORT_HEAD + " " + wide + " " + high +
    '" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="12"><title>' + title + "</title>\n" +
    '<rect y="' + -EXPORT_HEAD + '" width="' + wide + '" height="' + high + '" fill="' + page + '"/>\n' +
    '<text x="4" y="-9" fill="' + ink + '">' + title + "</text>\n" + lines.join("\n") + "\n</svg>\n";
}

/** @param {Shape[]} shapes @returns {HTMLCanvasElement} */
function canvasOfShapes(shapes) {
  const { wide, high, page, ink } = exportLook(), canvas = document.createElement("canvas");
  const scale = Math.min(2, PNG_PIXELS_MAX / Math.max(wide, high)), paint = canvas.getContext("2d");
  canvas.width = Math.round(wide * scale);
  canvas.height = Math.round(high * scale);
  paint.scale(scale, scale);
  paint.fillStyle = page;
  paint.fillRect(0, 0, wide, high);
  paint.font = EXPORT_FONT;
  paint.translate(0, EXPORT_HEAD);
  paint.fillStyle = ink;
  paint.fillText(exportTitle(), 4, -9);
  shapes.forEach((one) => {
    paint.fillStyle = one.fill;
    paint.strokeStyle = one.stroke;
    paint.textAlign = one.anchor === "end" ? "right" : "left";
    paint.translate(one.dx, one.dy);
    if (one.text) paint.fillText(one.text, one.x, one.y);
    else if (one.fill !== "none") paint.fill(new Path2D(one.d));
    if (one.d && one.stroke !== "none") paint.stroke(new Path2D(one.d));
    paint.translate(-one.dx, -one.dy);
  });
  return canvas;
}

/** @param {Blob} blob @param {string} name */
function saveFile(blob, name) {
  const link = html("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  announce("Saved " + name + ".");
}

/** "Profile of nginx": "profile-of-nginx" */
function fileName() {
  return capture.facts.title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 60) || "profile";
}

/** Levels that are not in sight are drawn later, so an export waits until they are drawn. */
function whenDrawn() {
  return whenShown().then(whenShown);
}

function copySvg() {
  whenDrawn().then(() => copyText(svgOfShapes(shapesOfGraph()), "the graph as SVG"));
}

function savePng() {
  whenDrawn().then(() => canvasOfShapes(shapesOfGraph()).toBlob((blob) => {
    if (blob) saveFile(blob, fileName() + ".png");
    else announce("The graph is too large for a PNG.");
  }, "image/png"));
}

/** @param {HTMLElement} inside */
function makeExports(inside) {
  button(inside, "Copy SVG", copySvg, "Copy the graph as it is shown, as SVG");
  if (capture.facts.command) button(inside, "Copy command", () => copyText(commandOfView(), "the command"), "Copy the command line that writes this page, opened at this view");
  button(inside, "Save PNG", savePng, "Save the graph as it is shown, as an image");
}
