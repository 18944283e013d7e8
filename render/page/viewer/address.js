/* SPDX-License-Identifier: MIT */
/*
 * The view in the address of the page. It consists of names and seconds instead of indexes in this
 * file, so that a link also works with the page of the next capture.
 *
 *     #view=reversed&time=5.2,5.4&against=7,7.2&do=focus:parse&do=kernel&zoom=main;parse&rows=cpu&search=read
 */

const VIEW_NAMES = { tree: "flame", callers: "reversed", sandwich: "sandwich" };

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    return "";
  }
}

/** @param {string[]} path */
function encodePath(path) {
  return path.map(encodeURIComponent).join(";");
}

/** @param {Transform} step */
function encodeStep(step) {
  return step.kind + (step.path ? ":" + encodePath(step.path) : step.name ? ":" + encodeURIComponent(step.name) : "");
}

/** A transform of a link, or null if it is not valid here. @param {string} text @returns {Transform | null} */
function decodeStep(text) {
  const at = text.indexOf(":"), kind = at < 0 ? text : text.slice(0, at), rest = at < 0 ? "" : text.slice(at + 1);
  const isNamed = ["drop", "merge", "focus", "module", "thread", "cpu", "include", "exclude"].includes(kind);
  if (!Object.prototype.hasOwnProperty.call(transforms, kind) || (isNamed && !rest)) return null;
  if (kind === "path") return rest ? { kind: kind, path: rest.split(";").map(decoded) } : null;
  if (kind === "cpu" && !(/^-?\d+$/.test(rest) && capture.cells && capture.cells.cpu)) return null;
  const step = rest ? { kind: kind, name: decoded(rest) } : { kind: kind };
  if (kind === "include" || kind === "exclude") {
    try {
      new RegExp(step.name);
    } catch (error) {
      return null;
    }
  }
  return step;
}

/** The parts of the address for a comparison: those in which the view differs from the initial one. */
function addressOfComparison() {
  const { variants, first } = capture.compared, variant = variantInUse(), state = [];
  if (compareView() !== COMPARE_VIEWS[0]) state.push("compare=" + compareView().name);
  if (variant.normalise !== variants[first].normalise) state.push("normalise=" + variant.normalise);
  if (variant.confidence !== variants[first].confidence) state.push("confidence=" + variant.confidence);
  return state;
}

/** The initial view of the page as parts of an address; only where it differs from the default. */
function viewAtFirst() {
  return capture.facts.start || {};
}

/** The command that writes this page, opened at the view that is shown. */
function commandOfView() {
  const address = addressOfView();
  const quoted = "'" + address.slice(1).replace(/'/g, "'\\''") + "'";
  /* Directly after the command's name, the option is recognised even if the rest contains "--". */
  return capture.facts.command.replace(/^kiln \S+/, (name) => name + (address[0] === "#" ? " --view " + quoted : ""));
}

function addressOfView() {
  const state = [], { bins } = capture.facts, first = viewAtFirst();
  const name = view.kind === "tree" && view.isChart ? "chart" : view.kind === "tree" && !view.isInverted ? "flame" : view.kind === "tree" ? "" : VIEW_NAMES[view.kind];
  const time = (window, side) => timeOption(capture.compared ? capture.compared.times[side].bins : bins, window).slice("--time ".length);
  if (name || first.view) state.push("view=" + (name || "icicle"));
  if (view.isHeavy) state.push("order=weight");
  if (view.kind === "sandwich") state.push("function=" + encodeURIComponent(model.name[view.frame]));
  if (view.path.length) state.push("zoom=" + encodePath(view.path.map((key) => model.name[key])));
  if (selection.window) state.push("time=" + time(selection.window, BEFORE));
  if (selection.other) state.push("against=" + time(selection.other, AFTER));
  if (capture.compared) state.push(...addressOfComparison());
  selection.steps.forEach((step) => state.push("do=" + encodeStep(step)));
  if (rowsInUse() !== (rowsPicker.first ? rowsPicker.first.name : "") || first.rows) state.push("rows=" + rowsInUse());
  if (query) state.push("search=" + encodeURIComponent(query));
  if (!state.length && first.address) state.push("view=icicle");
  return state.length ? "#" + state.join("&") : location.pathname + location.search;
}

/** @param {boolean} isReplaced replace the previous address: typing in a field is one step for the Back button */
function writeAddress(isReplaced) {
  const address = addressOfView();
  if (address === location.hash || (address[0] !== "#" && !location.hash)) return;
  try {
    history[isReplaced ? "replaceState" : "pushState"](null, "", address);
  } catch (error) {
    /* Some hosts do not allow a document to change its address. */
  }
}

/** The heaviest function with this name, or -1. @param {string} name */
function frameNamed(name) {
  let best = -1;
  model.name.forEach((other, frame) => {
    if (other === name && (best < 0 || model.functions.total[frame] > model.functions.total[best])) best = frame;
  });
  return best;
}

/** The keys of the frames along a path of names, as far as the path exists in the view of this kind. */
function keysOfPath(names, kind) {
  if (kind === "sandwich") return [];
  const keys = [], wanted = { kind: kind };
  const before = view;
  view = Object.assign({}, before, wanted);
  sets.count = 0;
  let node = kind === "callers" ? callersRoot() : treeRoot();
  for (const name of names) {
    const next = opened.slice(0, openNode(node)).find((child) => model.name[child.frame] === name && child.weight);
    if (!next) break;
    keys.push(next.key);
    node = Object.assign({}, next);
  }
  view = before;
  return keys;
}

/** Sets selection, search and view to those of the address; missing parts get their initial values. */
function readAddress() {
  const first = viewAtFirst(), address = location.hash.slice(1) || (first.address || "").replace(/^#/, "");
  const requested = new Map(address ? [] : Object.entries(first)), steps = [];
  address.split("&").forEach((pair) => {
    const at = pair.indexOf("="), name = pair.slice(0, at), value = pair.slice(at + 1);
    if (at > 0 && name === "do") steps.push(decodeStep(value));
    else if (at > 0) requested.set(name, value);
  });
  const times = capture.compared && capture.compared.times;
  const windowOf = (name, bins) => ((capture.cells || times) && requested.has(name) ? windowOfOption(bins, decoded(requested.get(name))) : null);
  selection.window = windowOf("time", times ? times[BEFORE].bins : capture.facts.bins);
  selection.other = selection.window || times ? windowOf("against", capture.facts.bins) : null;
  if (capture.compared) selection.variant = findVariant(requested.get("normalise"), Number(requested.get("confidence")));
  selection.steps = steps.filter(Boolean);
  pickKind(requested.get("rows"));
  search(decoded(requested.get("search") || ""));
  searchField.value = query;
  computeModel();
  const name = requested.get("view"), frame = name === "sandwich" ? frameNamed(decoded(requested.get("function") || "")) : -1;
  const kind = frame >= 0 ? "sandwich" : name === "reversed" ? "callers" : "tree";
  const path = (requested.get("zoom") || "").split(";").filter(Boolean).map(decoded);
  view = Object.assign({}, firstView, {
    kind: kind,
    frame: frame,
    isHeavy: requested.get("order") === "weight",
    isChart: name === "chart" && Boolean(capture.cells),
    isInverted: kind === "tree" ? name !== "flame" : firstView.isInverted,
    compare: (COMPARE_VIEWS.find((one) => one.name === requested.get("compare")) || COMPARE_VIEWS[0]).name,
    path: keysOfPath(path, kind),
  });
}
