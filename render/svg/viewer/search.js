/* SPDX-License-Identifier: MIT */
/* Search: the input, the matching functions, and their share of the profile. */

let term = "";
let isHit = null;  /* by frame; null: no search */

function isFound(frame) {
  return isHit && frame >= 0 && isHit[frame];
}

function search(text) {
  let expression = null;
  try {
    if (text) expression = expressionOf(text);
  } catch (error) {
    return false;
  }
  term = text;
  isHit = expression && model.name.map((name) => expression.test(name));
  part("search").lastChild.textContent = text ? "Clear" : "Search";
  return true;
}

/* The rows in view; none is inside another. */
function rowsInView() {
  return view.kind === "callers" ? [0] : sets.rows.subarray(rects.from[ancestorCount], rects.to[ancestorCount]);
}

/* Whether a caller of the zoomed frame matches, and so every stack in view. */
function isInsideMatch() {
  return view.kind === "tree" && rects.frame.subarray(0, ancestorCount).some(isFound);
}

/*
 * The share of matching stacks; nested matches count once. The share is a range, because omitted
 * rows may match too.
 */
function countMatches() {
  const missing = rects.missing[ancestorCount] * (view.kind === "sandwich");
  let least = 0, whole = missing, left = missing;
  matched.textContent = " ";
  if (!isHit) return;
  const isInside = isInsideMatch();
  rowsInView().forEach((root) => {
    whole += model.total[root];
    if (isInside) {
      least += model.total[root];
      return;
    }
    for (let row = root; row < model.end[root]; ) {
      const hit = isFound(model.frame[row]);
      if (hit) least += model.total[row];
      else if (model.frame[row] === model.leftOut) left += model.self[row];
      row = hit ? model.end[row] : row + 1;
    }
  });
  let most = least + left;
  if (model.sums && whole === model.total[0]) [least, most] = withinBounds(least, most);
  const shown = [percent(least, whole), percent(most, whole)];
  matched.textContent = "Matched: " + (shown[0] === shown[1] ? shown[0] : shown.join(" to "));
  if (shown[0] !== shown[1])
    element("title", {}, matched).textContent = percent(left, whole) + " is in stacks left out of this file, which may match too";
}

/*
 * Limits the share of the whole profile: at least that of the largest matching function, at most the sum over all
 * matching functions.
 */
function withinBounds(least, most) {
  const totals = new Map();
  let own = 0, all = 0, largest = 0;
  isHit.forEach((hit, frame) => {
    const name = model.name[frame];
    if (!hit || frame === model.leftOut) return;
    own += model.sums.self[frame];
    totals.set(name, model.sums.together.has(name) ? model.sums.together.get(name) : model.sums.total[frame]);
  });
  totals.forEach((total) => {
    all += total;
    largest = Math.max(largest, total);
  });
  most = Math.min(most, all);
  return [Math.min(most, Math.max(least, own, largest)), most];
}

function openSearch() {
  if (part("entry")) return;
  const holder = element("foreignObject", { id: "entry", x: width - MARGIN - 260, y: isStacked() ? STACKED_BAR_TOP : BAR_TOP, width: 260, height: 24 }, bar);
  const input = document.createElementNS("http://www.w3.org/1999/xhtml", "input");
  input.setAttribute("aria-label", "Search: a regular expression");
  input.setAttribute("placeholder", "regular expression");
  input.value = term;
  holder.appendChild(input);
  input.focus({ preventScroll: true });
  input.select();
  input.addEventListener("input", () => {
    const isGood = search(input.value);
    input.className = isGood ? "" : "wrong";
    input.setAttribute("aria-invalid", !isGood);
    if (isGood) show();
    else countMatches();
  });
  input.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Escape" && search("")) show();
    /* Not while the expression is typed: most are invalid until their last bracket. */
    if (event.key === "Enter" && input.className) matched.textContent = "not a regular expression";
    else if (event.key === "Escape" || event.key === "Enter") input.blur();
  });
  input.addEventListener("blur", () => {
    if (input.className) countMatches();
    holder.remove();
  });
}
