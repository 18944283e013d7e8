/* SPDX-License-Identifier: MIT */
/*
 * The view: which of the profile is shown, how, and the address that holds it, so that a link shows the same.
 *
 *     #view=callers&zoom=3.1.4&search=read
 */

const first = { kind: "tree", path: [], frame: -1, isHeavy: false, isInverted: wasInverted, side: 0 };
let view = Object.assign({}, first);

function show() {
  draw();
  remember();
}

function change(what) {
  Object.assign(view, what);
  show();
}

function pathOf(box) {
  const path = [];
  for (let at = box; at && at.frame >= 0; at = boxOf(at.parent)) path.unshift(at.key);
  return path;
}

function open(box) {
  const frame = box.frame;
  if (view.kind !== "sandwich") change({ path: pathOf(box) });
  else if (frame >= 0 && frame !== view.frame) change({ frame: frame });
}

function sandwich(box) {
  const target = box || boxOfPath();
  if (view.kind === "sandwich") change({ kind: "tree", frame: -1, path: [] });
  else if (target && target.frame >= 0) change({ kind: "sandwich", frame: target.frame, path: [] });
}

/* Zoomed in, what is meant is what was zoomed to. */
function boxOfPath() {
  return ancestorCount ? boxOf(ancestorCount) : null;
}

function remember() {
  const state = [];
  if (view.kind !== "tree") state.push("view=" + view.kind);
  if (view.frame >= 0) state.push("function=" + view.frame);
  if (view.path.length) state.push("zoom=" + view.path.join("."));
  if (view.isHeavy) state.push("order=weight");
  if (view.side !== first.side) state.push("width=" + view.side);
  if (view.isInverted !== wasInverted) state.push("inverted=" + Number(view.isInverted));
  if (term) state.push("search=" + encodeURIComponent(term));
  try {
    history.replaceState(null, "", state.length ? "#" + state.join("&") : location.pathname + location.search);
  } catch (error) {
    /* Some places that show a file do not let it change its address. */
  }
}

function decoded(value) {
  try {
    return decodeURIComponent(value);
  } catch (error) {
    return "";
  }
}

/* The view a link asks for; what it does not mention is as it was at first. */
function recall() {
  const wanted = {};
  location.hash.slice(1).split("&").forEach((pair) => {
    const at = pair.indexOf("=");
    if (at > 0) wanted[pair.slice(0, at)] = decoded(pair.slice(at + 1));
  });
  const frame = Number(wanted.function);
  const hasFrame = wanted.view === "sandwich" && model.name[frame] !== undefined;
  view = Object.assign({}, first, {
    kind: hasFrame ? "sandwich" : wanted.view === "callers" ? "callers" : "tree",
    frame: hasFrame ? frame : -1,
    path: wanted.zoom ? wanted.zoom.split(".").map(Number) : [],
    isHeavy: wanted.order === "weight",
    side: model.diff && /^[012]$/.test(wanted.width) ? Number(wanted.width) : first.side,
    isInverted: wanted.inverted ? wanted.inverted === "1" : wasInverted,
  });
  search(wanted.search || "");
}
