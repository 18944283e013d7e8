/* SPDX-License-Identifier: MIT */
/* The search field, the share of the matching stacks (query.js), and the actions for these stacks. */

let query = "";
/** @type {Term[]} */
let terms = [];
/** @type {Uint8Array | null} */
let isHit = null; /* by frame: the first matching term that is not negated, counted from 1; 0: none */

const HIT_CLASSES = ["hit", "hit second", "hit third", "hit fourth"];

/** The class of a matching frame: that of the first search term that it matches. */
function isFound(frame) {
  return isHit && frame >= 0 && isHit[frame] > 0 && HIT_CLASSES[(isHit[frame] - 1) % HIT_CLASSES.length];
}

/** Sets the search; false if an expression is wrong. @param {string} text */
function search(text) {
  let parsed;
  try {
    parsed = parseQuery(text);
  } catch (error) {
    return false;
  }
  query = text;
  terms = parsed;
  return true;
}

/** Finds the frames to highlight. Frames may have been added since the last search. */
function markHits() {
  const wanted = terms.map((term, i) => (term.isNegated ? 0 : 1 << i)).reduce((bits, bit) => bits | bit, 0);
  isHit = terms.length ? Uint8Array.from(bitsOfFrames(model.name, terms), (bits) => 32 - Math.clz32(bits & wanted & -(bits & wanted))) : null;
}

/** Makes the search a transform. @param {boolean} keeps */
function narrow(keeps) {
  const steps = stepsOfTerms(terms, keeps);
  searchField.value = "";
  search("");
  addSteps(steps);
  searchField.focus();
}

const narrowing = html("span", { class: "narrow", role: "group", "aria-label": "Matching stacks", hidden: "" });
button(narrowing, "Keep only these", () => narrow(true), "Show only the stacks that match the search");
const leaveOut = button(narrowing, "Leave these out", () => narrow(false), "Remove the stacks that match the search");

/** Called by draw(): the share of the matching stacks, and of each term. */
function countMatches() {
  narrowing.hidden = !terms.length;
  leaveOut.hidden = !stepsOfTerms(terms, false);
  if (!terms.length) {
    matched.textContent = "";
    return;
  }
  const { bits, isMatch } = matchRows(model, bitsOfFrames(model.name, terms), terms), whole = model.total[0] || 1;
  const share = (isIn) => percent(model.self.reduce((sum, self, row) => (isIn(row) ? sum + self : sum), 0), whole);
  matched.textContent = "Matched: " + share((row) => isMatch[row]);
  if (terms.length < 2) return;
  terms.forEach((term, i) => {
    matched.append(i ? ", " : " (");
    const text = (term.isNegated ? "NOT " : "") + term.text + " " + share((row) => bits[row] & (1 << i));
    html("span", { class: term.isNegated ? "term" : "term " + HIT_CLASSES[i % HIT_CLASSES.length] }, matched, text);
  });
  matched.append(")");
}

const searchField = html("input", { type: "search", id: "search", placeholder: "Search: regular expressions, -without",
  "aria-label": "Search frames: regular expressions, a minus excludes", spellcheck: "false", autocomplete: "off" });
const matched = html("output", { id: "matched", for: "search" });

function listenSearch() {
  searchField.addEventListener("input", () => {
    const isGood = search(searchField.value);
    searchField.setAttribute("aria-invalid", String(!isGood));
    if (isGood) changed({ isReplaced: true });
  });
  searchField.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && searchField.value) {
      searchField.value = "";
      searchField.dispatchEvent(new Event("input"));
    } else if (event.key === "Escape") searchField.blur();
    else if (event.key === "Enter") nextHit(event.shiftKey ? -1 : 1);
    else return;
    event.stopPropagation();
  });
}
