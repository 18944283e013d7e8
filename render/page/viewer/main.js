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

/** Draws everything. @param {boolean} isNew tree, window or search, and not only the view */
function show(isNew) {
  model.clock = view.isChart && capture.cells && rowsPicker.kind ? [0, 0, 0] : undefined;
  markHits();
  draw();
  drawSelected();
  drawViewName();
  drawChips();
  hideTooltip();
  if (!isNew) return;
  if (capture.cells) {
    paintHits();
    drawRows();
    describeWindow();
  }
  drawTable();
}

/** Zooms to a frame; in a sandwich, makes it the function. */
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

function listenGraph() {
  svg.addEventListener("click", (event) => {
    const rect = rectUnder(event);
    if (!rect) return;
    if (event.shiftKey) toggleSandwich(rect);
    else openRect(rect);
  });
  svg.addEventListener("pointermove", (event) => {
    const rect = rectUnder(event);
    hover(rect);
    showTooltip(rect, event);
  });
  svg.addEventListener("pointerleave", () => {
    hover(null);
    hideTooltip();
  });
  svg.addEventListener("contextmenu", (event) => {
    const rect = rectUnder(event);
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
    if (fitWidth()) show(false);
    drawStrip();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawStrip);
}

function makePage() {
  makeViews();
  makeToggles();
  const exports = html("div", { class: "toggles", role: "group", "aria-label": "Export" });
  makeExports(exports);
  bar.append(viewButtons, searchField, matched, toggles, exports);
  button(bar, "?", () => helpPanel.showModal(), "Keys");
  document.body.append(notice, tooltip);
  const old = graphSection.querySelector("h2");
  if (old) old.replaceWith(viewName);
  else graphSection.prepend(viewName);
  setStage();
  marks.prepend(selectedOutline);
  makeStrip();
  makeTable();
}

/** Says why the viewer did not start. @param {Error} error */
function explain(error) {
  html("p", { class: "missing", role: "alert" }, section("head"),
    "This page is static: the embedded profile cannot be read. " + error.message);
}

async function start() {
  const facts = JSON.parse(section("facts").textContent);
  setCapture(readCapture(facts, await inflate(section("columns"))));
  document.documentElement.classList.add("live");
  if (capture.cells) findKinds();
  readAddress();
  makePage();
  show(true);
  listen();
  document.documentElement.dataset.ready = performance.now().toFixed(0); /* tests and benchmarks wait for it */
}

start().catch(explain);
