/* SPDX-License-Identifier: MIT */
/* Functions that the scripts of heat maps and timelines share: elements, times, and the --time option of a window. */
const SVG = "http://www.w3.org/2000/svg";
const script = document.currentScript;
const svg = script && script.closest ? script.closest("svg") : document.documentElement;
const part = (id) => svg.querySelector("#" + id);

function element(name, attributes, inside) {
  const made = document.createElementNS(SVG, name);
  Object.keys(attributes).forEach((key) => made.setAttribute(key, attributes[key]));
  inside.appendChild(made);
  return made;
}

/* 9297420000000n ns: "9297.42". */
function seconds(ns) {
  const digits = (ns % 1000000000n).toString().padStart(9, "0").replace(/0+$/, "");
  return ns / 1000000000n + (digits ? "." + digits : "");
}

function duration(ns) {
  const units = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];
  const value = Number(ns), unit = units.find((row) => value >= row[0]) || units[3];
  return Number((value / unit[0]).toPrecision(4)) + " " + unit[1];
}

/* The end of --time is inclusive; endNs is not. */
const timeOption = (beginNs, endNs) => "--time " + seconds(beginNs) + "," + seconds(endNs - 1n);

/* Browsers may forbid a page to write to the clipboard; readers can then select the text. */
function copyText(text, done) {
  if (text && navigator.clipboard) navigator.clipboard.writeText(text).then(done, () => {});
}
