/* SPDX-License-Identifier: MIT */
/*
 * The picture as it was written, of which the viewer uses the parts: svg_look.h has its measures.
 *
 *     #bar       buttons, which stay in sight
 *     #frames    boxes and labels: the still picture, until a drawing of the viewer's takes its place
 *     #foot      the line of #details, and what is #matched
 *     #profile   all stacks, packed: embed.h
 */

const SVG = "http://www.w3.org/2000/svg";

const script = document.currentScript;
const svg = script && script.closest ? script.closest("svg") : document.documentElement;
/* Boxes may have ids of their own. */
const part = (id) => svg.querySelector("#" + id + ":not(#frames *)");
const packed = part("profile");

const still = part("frames"), details = part("details"), matched = part("matched");
const bar = part("bar"), foot = part("foot");
const [MARGIN, ROW, BASELINE, PADDING, FOOT] = still.getAttribute("data-look").split(" ").map(Number); /* svg_look.h */
const BOX = ROW - 1;
const nameType = still.getAttribute("data-type");
const top = Number(still.getAttribute("data-top"));
const rootColour = still.getAttribute("data-root");
const stillLevels = Number(still.getAttribute("data-levels"));
const narrowest = Number(still.getAttribute("data-narrowest"));
const stillWidth = Number(svg.getAttribute("width")), stillHeight = Number(svg.getAttribute("height"));
const wasInverted = still.hasAttribute("data-inverted");
/* Rows of one name stay apart, and their own weight is left. */
const isOrdered = still.hasAttribute("data-ordered");
const isFluid = svg.hasAttribute("data-fluid");
const isAlone = svg === document.documentElement || (svg.parentNode === document.body && !svg.nextElementSibling && !svg.previousElementSibling);

function element(name, attributes, inside) {
  const made = document.createElementNS(SVG, name);
  Object.keys(attributes).forEach((key) => made.setAttribute(key, attributes[key]));
  if (inside) inside.appendChild(made);
  return made;
}

function round(value) {
  return Math.round(value * 100) / 100;
}
