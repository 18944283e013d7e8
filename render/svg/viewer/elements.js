/* SPDX-License-Identifier: MIT */
/*
 * The elements of the SVG that the viewer uses; struct svg_theme in svg.h has the measures.
 *
 *     #bar       buttons, which stay visible
 *     #head      title, facts, losses and legend, which stay visible if there is room
 *     #frames    static rectangles and labels, replaced by the viewer's drawing
 *     #foot      #details and #matched
 *     #profile   the embedded profile: embed.h
 */

const script = document.currentScript;
const svg = script && script.closest ? script.closest("svg") : document.documentElement;
/* Frames are excluded, because they can have any ids. */
const part = (id) => svg.querySelector("#" + id + ":not(#frames *)");
const embedded = part("profile");

const staticFrames = part("frames"), details = part("details"), matched = part("matched");
const head = part("head"), bar = part("bar"), foot = part("foot");
const [MARGIN, staticRow, staticBaseline, PADDING, FOOT] = staticFrames.getAttribute("data-look").split(" ").map(Number); /* struct svg_theme */
/* On touch screens, rows are taller. */
const isTouched = matchMedia("(pointer: coarse)").matches;
const ROW = staticRow + 6 * isTouched, BASELINE = staticBaseline + 3 * isTouched;
const RECT_HEIGHT = ROW - 1;
const nameType = staticFrames.getAttribute("data-type");
const staticTop = Number(staticFrames.getAttribute("data-top"));
let top = staticTop; /* of the frames */
const rootColour = staticFrames.getAttribute("data-root");
const staticLevels = Number(staticFrames.getAttribute("data-levels"));
const narrowest = Number(staticFrames.getAttribute("data-narrowest"));
const staticWidth = Number(svg.getAttribute("width")), staticHeight = Number(svg.getAttribute("height"));
const wasInverted = staticFrames.hasAttribute("data-inverted");
/* Flame charts: rows of one name are separate, and self time is on the left. */
const isOrdered = staticFrames.hasAttribute("data-ordered");
/* flamegraph.pl's layout, or --full-height: no levels are folded. */
const isFull = staticFrames.hasAttribute("data-full");
const isClassic = staticFrames.hasAttribute("data-classic");
const isFluid = svg.hasAttribute("data-fluid");
const isStandalone = svg === document.documentElement || (svg.parentNode === document.body && !svg.nextElementSibling && !svg.previousElementSibling);
