/* SPDX-License-Identifier: MIT */
/* Reads the page's data and starts the viewer. If that fails, the static graph and table stay. */

/**
 * Shows a change: what={ view, isNewTree, isReplaced }.
 * @param {{view?: any, isNewTree?: boolean, isReplaced?: boolean}} what
 */
function changed(what) {
  if (what.isNewTree) {
    const names = view.path.map((key) => model.name[key]);
    computeModel();
    view.path = keysOfPath(names, view.kind);
  }
  Object.assign(view, what.view);
  show(Boolean(what.isNewTree || what.isReplaced));
  writeAddress(Boolean(what.isReplaced));
}

/** Draws everything. @param {boolean} isNew tree, window or search have changed, not only the view */
function show(isNew) {
  model.clock = view.isChart && capture.cells && rowsPicker.kind ? [0, 0, 0] : undefined;
  markHits();
  drawGraph();
  drawSelected();
  drawNoted();
  drawViewName();
  if (capture.compared) drawCompareBar();
  drawLegend();
  drawChips();
  hideTooltip();
  if (!isNew) return;
  drawSideStrips();
  if (capture.cells) {
    paintHits();
    drawRows();
    describeWindow();
  }
  drawTable();
}

/** Zooms to a frame; in a sandwich, shows the callers and callees of its function instead. */
function openRect(rect) {
  if (hasLanes()) openPart(rect);
  else if (view.kind !== "sandwich") changed({ view: { path: pathOf(rect) } });
  else if (rect.frame >= 0 && rect.frame !== view.frame) changed({ view: { frame: rect.frame } });
}

/** Keys from the root to a rectangle. */
function pathOf(rect) {
  const path = [];
  for (let at = rect; at && at.frame >= 0; at = rectOf(at.parent)) path.unshift(at.key);
  return path;
}

/* Outlines the frames of the function that is selected in the table. */
const selectedOutline = element("path", { id: "selected" });

function drawSelected() {
  for (let rect = 0; table.selected >= 0 && rect < rectCount; rect++)
    if (rects.frame[rect] === table.selected) addRectToPath(rect);
  selectedOutline.setAttribute("d", takePath());
}

/* On a phone, page.css gives the details three lines. A name that leaves no room for the numbers is shortened. */
const writeDetailLine = writeDetails;
writeDetails = (rect) => {
  if (window.innerWidth > 640) {
    writeDetailLine(rect);
    return;
  }
  const cells = Math.floor((3 * width) / 8) - 12, text = detailsOf(rect), whole = text(Infinity);
  details.textContent = cellsOf(whole) <= cells ? whole : text(cells - numbersOf(rect).length - 1);
};

/* A finger does not hover: its first tap on a frame shows the numbers, and a second one zooms, as in an SVG. */
function listenGraph() {
  let isTap = false;
  svg.addEventListener("click", (event) => {
    const rect = rectAtPointer(event);
    if (!rect) return;
    if (event.shiftKey) toggleSandwich(rect);
    else if (isTap && !(hovered && hovered.index === rect.index)) hover(rect);
    else openRect(rect);
  });
  svg.addEventListener("pointerdown", (event) => {
    isTap = event.pointerType === "touch";
    if (isTap) hideTooltip();
  });
  svg.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch") return;
    const rect = rectAtPointer(event);
    hover(rect);
    showTooltip(rect, event);
  });
  svg.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "touch") return;
    hover(null);
    hideTooltip();
  });
  svg.addEventListener("contextmenu", (event) => {
    const rect = rectAtPointer(event);
    if (!rect || rect.frame < 0) return;
    showMenu(rect, event.clientX, event.clientY);
    event.preventDefault();
  });
}

function listen() {
  listenGraph();
  listenSearch();
  listenMenu();
  document.addEventListener("keydown", onKey);
  window.addEventListener("popstate", () => {
    readAddress();
    show(true);
  });
  window.addEventListener("resize", () => {
    if (panes.layouts || fitWidth()) show(false);
    drawStrip();
    drawSideStrips();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    drawStrip();
    drawSideStrips();
  });
}

const compareHolder = html("div", { id: "compare" });
const LEFT_OUT_LABEL = "[left out of this file: too narrow]";

function makePage() {
  makeViews();
  makeToggles();
  const exports = html("div", { class: "toggles", role: "group", "aria-label": "Export" });
  makeExports(exports);
  bar.append(viewButtons, searchField, matched, narrowing, toggles, exports);
  button(exports, "Save a copy", saveCopy, "Save this page as a new file, with its notes");
  button(bar, "Note", () => addNote(placeOfSelection()), "Write a note on the selected window or function, or on the page");
  button(bar, "?", showHelp, "Keys");
  document.body.append(notice, tooltip);
  const old = graphSection.querySelector("h2");
  if (old) old.replaceWith(viewName);
  else graphSection.prepend(viewName);
  makeNotes();
  setStage();
  graphSection.append(notesHolder);
  marks.prepend(selectedOutline, notedMarks);
  if (capture.compared) {
    makePanes();
    makeCompareBar(compareHolder);
    bar.before(compareHolder);
    makeSideStrips();
  } else makeStrip();
  describeLeftOut();
  makeTable();
}

/** Shows how much of the weight the page omits, and from which stacks. */
function describeLeftOut() {
  const { left_out: left, total, embedded_bytes: size } = capture.facts;
  if (size)
    html("p", { id: "over-limit", class: "incomplete" }, section("head"), "This file embeds " + size.toLocaleString("en") +
      " bytes, which is more than --embed-limit; kiln could not make it smaller.");
  if (!left) return;
  const below = left.below.map((one) => cut(one.name, 60) + " (" + percent(one.weight, total || 1) + ")").join(", ");
  html("p", { id: "left-out", class: "incomplete" }, section("head"), percent(left.weight, total || 1) + " of the weight is in " +
    left.rows.toLocaleString("en") + " small stacks that are left out of this file (--embed-limit), each at most " +
    percent(left.heaviest, total || 1) + ". They are shown as " + LEFT_OUT_LABEL + ", most of them below " + below +
    ". The table counts them, unless a window or a transform is on.");
}

/** Shows why the viewer did not start. @param {Error} error */
function explain(error) {
  html("p", { class: "missing", role: "alert" }, section("head"),
    "This page is static: the embedded profile cannot be read. " + error.message);
}

async function start() {
  const facts = JSON.parse(section("facts").textContent);
  setCapture(readCapture(facts, await inflate(section("columns"))));
  document.documentElement.classList.add("live");
  document.documentElement.classList.toggle("compared", Boolean(capture.compared));
  if (capture.cells) findKinds();
  readAddress();
  makePage();
  show(true);
  listen();
  document.documentElement.dataset.ready = performance.now().toFixed(0); /* tests and benchmarks wait for it */
}

start().catch(explain);
