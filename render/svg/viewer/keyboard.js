/* SPDX-License-Identifier: MIT */
/*
 * What keys and buttons do, and the panel that tells of them.
 */

const HELP_WIDTH = 560;

function findPlaces(box) {
  const name = box && model.name[box.frame];
  const exact = name && "^" + name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") + "$";
  if (search(exact && exact !== term ? exact : "")) show();
}

function toggleSearch() {
  if (!term) askForTerm();
  else if (search("")) show();
}

function reset() {
  change({ kind: "tree", path: [], frame: -1 });
}

/* The key of differences: after, before, and the larger of both again. */
function nextSide() {
  if (!model.diff || model.diff.shades) return;
  change({ side: (view.side + 1) % widths.length });
  details.textContent = "widths: " + widths[view.side];
}

function toggleHelp() {
  part("help").classList.toggle("off");
}

const keys = {
  "/": askForTerm,
  "?": toggleHelp,
  Escape: () => (part("help").classList.contains("off") ? reset() : toggleHelp()),
  n: () => nextHit(1),
  N: () => nextHit(-1),
  s: () => sandwich(cursor || pointed),
  f: () => findPlaces(cursor || pointed),
  r: () => change({ kind: view.kind === "callers" ? "tree" : "callers", path: [], frame: -1 }),
  i: () => change({ isInverted: !view.isInverted }),
  o: () => change({ isHeavy: !view.isHeavy }),
  b: nextSide,
  Enter: () => cursor && open(cursor),
  " ": () => cursor && open(cursor),
  ArrowLeft: () => focusBox(cursor ? beside(cursor, -1) : firstBox()),
  ArrowRight: () => focusBox(cursor ? beside(cursor, 1) : firstBox()),
  ArrowUp: () => focusBox(cursor ? vertical(cursor, -1) : firstBox()),
  ArrowDown: () => focusBox(cursor ? vertical(cursor, 1) : firstBox()),
};

function onKey(event) {
  const button = event.target.closest && event.target.closest(".button");
  const isFind = (event.ctrlKey || event.metaKey) && event.key === "f";
  if (event.target.localName === "input" || (!isFind && (event.ctrlKey || event.metaKey || event.altKey))) return;
  if (isFind) askForTerm();
  else if (button && (event.key === "Enter" || event.key === " ")) press(button);
  else if (keys[event.key]) keys[event.key]();
  else return;
  event.preventDefault();
}

function press(button) {
  ({ search: toggleSearch, reset: reset, keys: toggleHelp })[button.id]();
}

const help = [
  ["click, Enter", "zoom to a box; its ancestors stay below it"],
  ["Esc, Reset", "back to the whole picture"],
  ["/, Ctrl-F", "search by regular expression; n and N go from match to match"],
  ["f", "all places of a function, and what they come to"],
  ["s, shift-click", "sandwich: callers and callees of one function, and back"],
  ["r", "reversed: by the function samples ended in, and who called it"],
  ["i", "upside down"],
  ["o", "order by weight, or by name"],
  ["arrows", "from box to box"],
  ["?", "this help"],
];

function makeHelp() {
  const panel = element("g", { id: "help", class: "off" }, bar);
  element("rect", { width: HELP_WIDTH, height: help.length * ROW + 20, rx: 6 }, panel);
  help.forEach((line, i) =>
    line.forEach((text, k) => {
      element("text", { x: 16 + 120 * k, y: 24 + i * ROW }, panel).textContent = text;
    }));
}
