/* SPDX-License-Identifier: MIT */
/*
 * What is searched for, what it comes to, and where one asks.
 */

let term = "";
let isHit = null;  /* by frame; null: nothing is searched for */

function expressionOf(text) {
  try {
    return new RegExp(text, /[A-Z]/.test(text) ? "" : "i");
  } catch (error) {
    return null;
  }
}

function isFound(frame) {
  return isHit && frame >= 0 && isHit[frame];
}

function search(text) {
  const expression = text ? expressionOf(text) : null;
  if (text && !expression) return false;
  term = text;
  isHit = expression && model.name.map((name) => expression.test(name));
  part("search").lastChild.textContent = text ? "Clear" : "Search";
  return true;
}

/* The rows the view is about, none inside another. */
function rowsInView() {
  return view.kind === "callers" ? [0] : sets.rows.subarray(boxes.from[ancestorCount], boxes.to[ancestorCount]);
}

/* What matches, counted once where a match stands on another. */
function countMatches() {
  let sum = 0, whole = 0;
  matched.textContent = " ";
  if (!isHit) return;
  rowsInView().forEach((root) => {
    whole += model.total[root];
    for (let row = root; row < model.end[root]; ) {
      const hit = isFound(model.frame[row]);
      if (hit) sum += model.total[row];
      row = hit ? model.end[row] : row + 1;
    }
  });
  matched.textContent = "Matched: " + percent(sum, whole);
}

function nextHit(step) {
  const hits = [];
  levels.forEach(([from, to]) => {
    for (let box = from; box < to; box++) if (isFound(boxes.frame[box])) hits.push(box);
  });
  if (!hits.length) return;
  const at = cursor ? hits.indexOf(cursor.index) : -1;
  focusBox(boxOf(hits[at < 0 ? (step > 0 ? 0 : hits.length - 1) : (at + step + hits.length) % hits.length]));
}

function askForTerm() {
  if (part("entry")) return;
  const holder = element("foreignObject", { id: "entry", x: width - MARGIN - 260, y: 14, width: 260, height: 24 }, bar);
  const input = document.createElementNS("http://www.w3.org/1999/xhtml", "input");
  input.setAttribute("aria-label", "Search: a regular expression");
  input.setAttribute("placeholder", "regular expression");
  input.value = term;
  holder.appendChild(input);
  input.focus({ preventScroll: true });
  input.addEventListener("input", () => {
    const isGood = search(input.value);
    input.className = isGood ? "" : "wrong";
    if (isGood) show();
  });
  input.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Escape" && search("")) show();
    if (event.key === "Escape" || event.key === "Enter") input.blur();
  });
  input.addEventListener("blur", () => holder.remove());
}
