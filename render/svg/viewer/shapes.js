/* SPDX-License-Identifier: MIT */
/* SVG elements, as the viewers of SVGs and pages make them. */

const SVG = "http://www.w3.org/2000/svg";

function element(name, attributes, inside) {
  const made = document.createElementNS(SVG, name);
  Object.keys(attributes).forEach((key) => made.setAttribute(key, attributes[key]));
  if (inside) inside.appendChild(made);
  return made;
}

function round(value) {
  return Math.round(value * 100) / 100;
}
