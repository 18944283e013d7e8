/* SPDX-License-Identifier: MIT */
/* The menu of actions for a frame, at the pointer or at the focused frame. */

const menu = html("div", { id: "menu", role: "menu", "aria-label": "Frame", hidden: "" });
/** @type {any} */
let menuOpener = null;

/** @param {number} frame @returns {[string, () => void][]} */
function functionActions(frame) {
  const name = model.name[frame], module = model.module[frame];
  /** @type {[string, () => void][]} */
  const actions = [
    ["Callers and callees", () => changed({ view: { kind: "sandwich", frame: frame, path: [] } })],
    ["Focus", () => addStep({ kind: "focus", name: name })],
    ["Merge into callers", () => addStep({ kind: "merge", name: name })],
    ["Drop its samples", () => addStep({ kind: "drop", name: name })],
    ["Collapse its recursion", () => addStep({ kind: "recursion", name: name })],
  ];
  if (module) actions.push(["Collapse " + cut(moduleName(frame), 40), () => addStep({ kind: "module", name: module })]);
  return actions.concat([["Copy name", () => copyText(name, "the name")]]);
}

/** Names from the root to a frame of the graph. */
function namesTo(rect) {
  return pathOf(rect).map((key) => model.name[key]);
}

/** @returns {[string, () => void][]} */
function rectActions(rect) {
  /** @type {[string, () => void][]} */
  const actions = [["Zoom", () => openRect(rect)]];
  if (view.kind === "tree" && !hasLanes()) actions.push(["Focus on this stack", () => addStep({ kind: "path", path: namesTo(rect) })]);
  return actions.concat(functionActions(rect.frame),
    [["Copy stack", () => copyText(namesTo(rect).join(";"), "the stack")], ["Copy details", () => copyText([describe(rect)].concat(noteLines(rect)).join("\n"), "the details")]],
    model.isLane[rect.frame] ? [] : [["Write a note", () => addNote(placeOfRect(rect))]]);
}

function showMenu(rect, x, y) {
  if (!rect || rect.frame < 0) return;
  menuOpener = document.activeElement;
  menu.replaceChildren();
  html("p", {}, menu, cut(model.label[rect.frame], 80));
  rectActions(rect).forEach(([text, press]) => button(menu, text, () => {
    hideMenu();
    press();
  }).setAttribute("role", "menuitem"));
  menu.hidden = false;
  hideTooltip();
  placeNear(menu, x, y);
  menu.querySelector("button").focus();
}

function hideMenu() {
  if (menu.hidden) return;
  menu.hidden = true;
  if (menuOpener && menuOpener.focus) menuOpener.focus({ preventScroll: true });
}

/** Puts an element at a point of the window, without letting it extend beyond the window. */
function placeNear(shape, x, y) {
  const { width: wide, height: high } = shape.getBoundingClientRect(), room = document.documentElement.clientWidth;
  shape.style.left = Math.max(4, Math.min(x, room - wide - 4)) + "px";
  shape.style.top = Math.max(4, y + high > window.innerHeight - 4 ? y - high - 20 : y) + "px";
}

function onMenuKey(event) {
  const items = Array.from(menu.querySelectorAll("button")), at = items.indexOf(document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
  if (event.key === "Escape" || event.key === "Tab") hideMenu();
  else if (to === undefined) return;
  else items[(to + items.length) % items.length].focus();
  event.preventDefault();
  event.stopPropagation();
}

function listenMenu() {
  document.body.appendChild(menu);
  menu.addEventListener("keydown", onMenuKey);
  document.addEventListener("pointerdown", (event) => {
    if (!menu.contains(/** @type {Node} */ (event.target))) hideMenu();
  });
}
