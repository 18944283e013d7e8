/* SPDX-License-Identifier: MIT */
/* Keys, the buttons of views, and the help. */

const HELP = [
  ["click, Enter", "zoom to a frame; its callers stay"],
  ["Shift-click, s", "callers and callees of a function"],
  ["right-click, m", "what else can be done with a frame"],
  ["1, 2, 3, 4", "icicle, flame, reversed, flame chart"],
  ["o", "order by weight or by name"],
  ["h", "draw all levels, or fold the highest into one row"],
  ["/, n, N", "search; next and previous match"],
  ["drag, arrows in the strip", "select a window of time"],
  ["Ctrl-drag", "compare with a second window"],
  ["b", "next view of a comparison"],
  ["a", "write a note on a frame, on the window, or on the page"],
  ["Esc", "close, unzoom, leave the sandwich, then clear the window"],
  ["Back", "undo"],
];

const VIEWS = [
  { text: "Icicle", key: "1", title: "Callers above callees", view: { kind: "tree", isInverted: true, isChart: false } },
  { text: "Flame", key: "2", title: "Callees above callers", view: { kind: "tree", isInverted: false, isChart: false } },
  { text: "Reversed", key: "3", title: "Leaf functions, and their callers", view: { kind: "callers", isInverted: true, isChart: false } },
  { text: "Chart", key: "4", title: "Stacks over time, a lane for each row of the strip", view: { kind: "tree", isInverted: true, isChart: true } },
];

const viewButtons = html("div", { class: "views", role: "group", "aria-label": "View" });
const viewName = html("h2", { id: "view" });
const helpPanel = html("dialog", { id: "help", "aria-label": "Keys" });

function isShown(one) {
  return view.kind === one.view.kind && view.isInverted === one.view.isInverted && view.isChart === one.view.isChart;
}

/** The weight of a function, or its shares on both sides. @param {number} frame @param {string} part */
function weightInView(frame, part) {
  if (model.diff) return "before " + sideShare(frame, part, BEFORE).toFixed(2) + "%, after " + sideShare(frame, part, AFTER).toFixed(2) + "%";
  const weight = model.functions[part][frame];
  return weightText(weight) + ", " + percent(weight, tableWhole());
}

/** Shows the name of the current view. */
function drawViewName() {
  const on = VIEWS.find(isShown);
  Array.from(viewButtons.children).forEach((made) => {
    if (made.dataset.key === "o") made.setAttribute("aria-pressed", String(view.isHeavy));
    else made.setAttribute("aria-pressed", String(Boolean(on) && made.dataset.key === on.key));
  });
  viewName.textContent = view.kind === "sandwich" ? "Callers and callees of " + cut(model.label[view.frame], 80) : on.text + " graph";
  if (hasLanes()) viewName.textContent = "Flame chart by " + rowsPicker.kind.title.replace(/s$/, "").replace(/sse$/, "ss");
  if (view.isHeavy) viewName.textContent += ", heaviest first";
  if (capture.compared) viewName.textContent += ", " + { change: "change: widths of the larger side", before: "before", after: "after", both: "before and after" }[compareView().name];
  else if (model.diff) viewName.textContent += ", change between two windows; width: " + widths[view.side];
  if (view.kind === "sandwich") {
    html("small", {}, viewName, ["total", "self"].map((part) => part + " " + weightInView(view.frame, part)).join("; "));
  }
  if (hasLanes()) html("small", {}, viewName, "Each column is " + duration(columnNs()) + " and shows its heaviest stack. A click on a frame selects its time.");
  svg.setAttribute("aria-label", viewName.textContent);
}

function escape() {
  if (view.kind === "sandwich") changed({ view: { kind: "tree", frame: -1, path: [] } });
  else if (view.path.length) changed({ view: { path: [] } });
  else if (selection.other) selectWindow(null, true);
  else if (selection.window) selectWindow(null, false);
}

function toggleSandwich(rect) {
  if (view.kind === "sandwich" && (!rect || rect.frame === view.frame)) changed({ view: { kind: "tree", frame: -1, path: [] } });
  else if (rect && rect.frame >= 0) changed({ view: { kind: "sandwich", frame: rect.frame, path: [] } });
}

function menuOfFocus() {
  const rect = cursor || hovered;
  if (!rect) return;
  const box = svg.getBoundingClientRect(), pane = panes.layouts ? panes.layouts[panes.side] : { dx: 0, dy: 0 };
  showMenu(rect, box.left + pane.dx + rect.x + 8, box.top + pane.dy + yOf(rect.level + axis) + ROW);
}

/** Switches to the next widths of two windows, or to the next view of a comparison. */
function nextSide() {
  const next = COMPARE_VIEWS[(COMPARE_VIEWS.indexOf(compareView()) + 1) % COMPARE_VIEWS.length];
  if (capture.compared) changed({ view: { compare: next.name, side: next.side } });
  else if (model.diff) changed({ view: { side: (view.side + 1) % 3 } });
}

/* The focus, on the button at the end, would scroll a panel that is higher than the window. */
function showHelp() {
  helpPanel.showModal();
  helpPanel.scrollTop = 0;
}

const graphKeys = {
  "/": () => searchField.focus(),
  "?": showHelp,
  Escape: escape,
  n: () => nextHit(1),
  N: () => nextHit(-1),
  s: () => toggleSandwich(cursor || hovered),
  m: menuOfFocus,
  a: () => addNote(cursor || hovered ? placeOfRect(cursor || hovered) : placeOfSelection()),
  o: () => changed({ view: { isHeavy: !view.isHeavy, path: view.path } }),
  h: () => changed({ view: { isFull: !view.isFull } }),
  b: nextSide,
  Enter: () => cursor && openRect(cursor),
  " ": () => cursor && openRect(cursor),
  ArrowLeft: () => focusRect(cursor ? beside(cursor, -1) : firstRect()),
  ArrowRight: () => focusRect(cursor ? beside(cursor, 1) : firstRect()),
  ArrowUp: () => focusRect(cursor ? vertical(cursor, -1) : firstRect()),
  ArrowDown: () => focusRect(cursor ? vertical(cursor, 1) : firstRect()),
};

/**
 * Keys that act on frames only while the graph has the focus; otherwise, the browser handles them, for example by
 * scrolling.
 */
const FRAME_KEYS = /^(Enter| |Arrow.*)$/;

function onKey(event) {
  const isField = /^(input|textarea|select)$/.test(event.target.localName), isButton = Boolean(event.target.closest("button, a, summary"));
  if (isField || event.ctrlKey || event.metaKey || event.altKey || helpPanel.open || noteEditor.dialog.open) return;
  const one = VIEWS.find((made) => made.key === event.key);
  if (FRAME_KEYS.test(event.key) && (isButton || !stage.contains(event.target))) return;
  if (one && (capture.cells || !one.view.isChart)) changed({ view: Object.assign({ path: [], frame: -1 }, one.view) });
  else if (graphKeys[event.key]) graphKeys[event.key]();
  else return;
  event.preventDefault();
}

function makeViews() {
  VIEWS.forEach((one) => {
    const made = button(viewButtons, one.text, () => changed({ view: Object.assign({ path: [], frame: -1 }, one.view) }), one.title);
    made.dataset.key = one.key;
    if (one.view.isChart && !capture.cells) Object.assign(made, { disabled: true, title: capture.facts.bins_missing });
  });
  button(viewButtons, "Heaviest first", graphKeys.o, "Order siblings by weight, not by name").dataset.key = "o";
  html("h2", {}, helpPanel, "Keys");
  const list = html("dl", {}, helpPanel);
  HELP.forEach(([key, text]) => {
    html("dt", {}, list, key);
    html("dd", {}, list, text);
  });
  button(helpPanel, "Close", () => helpPanel.close());
  document.body.appendChild(helpPanel);
}
