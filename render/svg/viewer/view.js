/* SPDX-License-Identifier: MIT */
/*
 * The state of the view, and its encoding in the address, so that it can be shared as a link.
 *
 *     #view=callers&zoom=3.1.4&colours=module&search=read
 */

const first = { kind: "tree", colours: "", path: [], frame: -1, isHeavy: false, isFull: false, isInverted: wasInverted, side: 0 };
let view = Object.assign({}, first);

/* Sets the text that a screen reader speaks when the view changes. */
function announce() {
  const rect = zoomedRect() || firstRect();
  part("said").textContent = (view.kind === "callers" ? "reversed: " : "") + (rect ? describe(rect) : "");
  part("search").setAttribute("aria-pressed", Boolean(term));
  part("colours").setAttribute("aria-label", "Colours: " + colouring());
}

function show() {
  draw();
  announce();
  writeAddress();
}

function change(what) {
  Object.assign(view, what);
  show();
}

function nextColouring() {
  const all = colourings(), next = (all.indexOf(colouring()) + 1) % all.length;
  change({ colours: next ? all[next] : "" });
  part("said").textContent = "Colours: " + colouring();
}

function pathOf(rect) {
  const path = [];
  for (let at = rect; at && at.frame >= 0; at = rectOf(at.parent)) path.unshift(at.key);
  return path;
}

function open(rect) {
  const frame = rect.frame;
  if (view.kind !== "sandwich") change({ path: pathOf(rect) });
  else if (frame >= 0 && frame !== view.frame) change({ frame: frame });
}

function sandwich(rect) {
  const target = rect || zoomedRect();
  if (view.kind === "sandwich") change({ kind: "tree", frame: -1, path: [] });
  else if (target && target.frame >= 0) change({ kind: "sandwich", frame: target.frame, path: [] });
}

/* A graph inside another page must not change that page's address. */
function writeAddress() {
  const state = [];
  if (!isStandalone) return;
  if (view.kind !== "tree") state.push("view=" + view.kind);
  if (view.frame >= 0) state.push("function=" + view.frame);
  if (view.path.length) state.push("zoom=" + view.path.join("."));
  if (view.isHeavy) state.push("order=weight");
  if (view.isFull) state.push("levels=all");
  if (view.colours) state.push("colours=" + view.colours);
  if (view.side !== first.side) state.push("width=" + view.side);
  if (view.isInverted !== wasInverted) state.push("inverted=" + Number(view.isInverted));
  if (term) state.push("search=" + encodeURIComponent(term));
  try {
    history.replaceState(null, "", state.length ? "#" + state.join("&") : location.pathname + location.search);
  } catch (error) {
    /* Some hosts do not allow a document to change its address. */
  }
}

function decoded(value) {
  try {
    return decodeURIComponent(value);
  } catch (error) {
    return "";
  }
}

/* The view of a link; everything it does not mention has its initial value. */
function readAddress() {
  const requested = {};
  (isStandalone ? location.hash : "").slice(1).split("&").forEach((pair) => {
    const at = pair.indexOf("=");
    if (at > 0) requested[pair.slice(0, at)] = decoded(pair.slice(at + 1));
  });
  const frame = Number(requested.function);
  const hasFrame = requested.view === "sandwich" && model.name[frame] !== undefined;
  view = Object.assign({}, first, {
    kind: hasFrame ? "sandwich" : requested.view === "callers" ? "callers" : "tree",
    frame: hasFrame ? frame : -1,
    path: requested.zoom ? requested.zoom.split(".").map(Number) : [],
    isHeavy: requested.order === "weight",
    isFull: requested.levels === "all",
    colours: colourings().slice(1).includes(requested.colours) ? requested.colours : "",
    side: model.diff && /^[012]$/.test(requested.width) ? Number(requested.width) : first.side,
    isInverted: requested.inverted ? requested.inverted === "1" : wasInverted,
  });
  search(requested.search || "");
}
