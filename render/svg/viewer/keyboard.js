/* SPDX-License-Identifier: MIT */
/* Keys, buttons and the help panel. */

const HELP_WIDTH = 560;

function findFunction(rect) {
  const name = rect && model.name[rect.frame];
  const exact = name && "^" + name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") + "$";
  if (search(exact && exact !== term ? exact : "")) show();
}

function toggleSearch() {
  if (!term) openSearch();
  else if (search("")) show();
}

function reset() {
  change({ kind: "tree", path: [], frame: -1 });
}

/* Cycles the widths of a comparison: the larger side, after, before. */
function nextSide() {
  if (!model.diff || model.diff.shades) return;
  change({ side: (view.side + 1) % widths.length });
  details.textContent = "widths: " + widths[view.side];
}

function toggleHelp() {
  const isShown = !part("help").classList.toggle("off");
  part("keys").setAttribute("aria-pressed", isShown);
  if (isShown) layOutHelp(); /* only what is displayed has a size */
}

const keys = {
  "/": openSearch,
  "?": toggleHelp,
  Escape: () => (part("help").classList.contains("off") ? reset() : toggleHelp()),
  n: () => nextHit(1),
  N: () => nextHit(-1),
  s: () => sandwich(cursor || hovered),
  f: () => findFunction(cursor || hovered),
  r: () => change({ kind: view.kind === "callers" ? "tree" : "callers", path: [], frame: -1 }),
  i: () => change({ isInverted: !view.isInverted }),
  h: () => change({ isFull: !view.isFull }),
  o: () => change({ isHeavy: !view.isHeavy }),
  c: nextColouring,
  b: nextSide,
  Enter: () => cursor && open(cursor),
  " ": () => cursor && open(cursor),
  ArrowLeft: () => focusRect(cursor ? beside(cursor, -1) : firstRect()),
  ArrowRight: () => focusRect(cursor ? beside(cursor, 1) : firstRect()),
  ArrowUp: () => focusRect(cursor ? vertical(cursor, -1) : firstRect()),
  ArrowDown: () => focusRect(cursor ? vertical(cursor, 1) : firstRect()),
};

function onKey(event) {
  const button = event.target.closest && event.target.closest(".button");
  const isFind = (event.ctrlKey || event.metaKey) && event.key === "f";
  if (event.target.localName === "input" || (!isFind && (event.ctrlKey || event.metaKey || event.altKey))) return;
  if (isFind) openSearch();
  else if (button && (event.key === "Enter" || event.key === " ")) press(button);
  else if (keys[event.key]) keys[event.key]();
  else return;
  event.preventDefault();
}

function press(button) {
  ({ search: toggleSearch, reset: reset, colours: nextColouring, keys: toggleHelp })[button.id]();
}

const help = [
  ["click, Enter", "zoom to a frame; its callers stay visible"],
  ["Esc, Reset", "reset the zoom"],
  ["/, Ctrl-F", "search by regular expression; n and N: next and previous match"],
  ["f", "highlight all frames of a function, and show their sum"],
  ["s, shift-click", "sandwich view: callers and callees of one function"],
  ["r", "reverse: leaf functions and their callers"],
  ["i", "draw the root at the top (icicle graph)"],
  ["h", "draw all levels, or fold the highest into one row"],
  ["o", "sort by weight or by name"],
  ["c, Colours", "colour by kind of code, module or self time"],
  ["arrows", "move between frames"],
  ["?", "show or hide this help"],
];

const HELP_LINE = 16; /* pixels; height of a line that continues a text */

function makeHelp() {
  element("g", { id: "help", class: "off" }, bar);
}

/* Draws the panel for the width of the graph: if that is narrow, it breaks the texts into lines. */
function layOutHelp() {
  const room = Math.min(HELP_WIDTH, width - 2 * MARGIN), panel = part("help");
  const [margin, x] = room < HELP_WIDTH ? [10, 112] : [16, 136];
  let y = 24;
  panel.setAttribute("transform", "translate(" + MARGIN + "," + top + ")");
  panel.replaceChildren();
  const back = element("rect", { width: room, rx: 6 }, panel);
  help.forEach(([name, meaning]) => {
    element("text", { x: margin, y: y }, panel).textContent = name;
    const text = element("text", { x: x, y: y }, panel);
    for (let rest = meaning; rest; y += rest ? HELP_LINE : ROW) {
      const line = element("tspan", { x: x, y: y }, text);
      line.textContent = " ";
      rest = fillLine(line, rest, room - x - margin);
    }
  });
  back.setAttribute("height", y - 4);
}
