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
  isHit = terms.length ? Uint8Array.from(bitsWithoutMarks(leftOutFrames()), (bits) => 32 - Math.clz32(bits & wanted & -(bits & wanted))) : null;
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

/** By frame: see marksLeftOut. @returns {boolean[]} */
function leftOutFrames() {
  return model.name.map((name, frame) => marksLeftOut(name, model.kind[frame]));
}

/** By frame: bits of the terms that its name matches. The name of a mark is not that of a function. @param {boolean[]} isMark */
function bitsWithoutMarks(isMark) {
  return bitsOfFrames(model.name, terms).map((bits, frame) => (isMark[frame] ? 0 : bits));
}

/**
 * The share of stacks. It is a range if stacks that are left out may be among them.
 * @param {boolean[]} isMark as leftOutFrames() @param {(row: number) => any} isIn @param {(row: number) => any} isPossible @param {boolean} isSure whether every stack that begins with a match matches
 */
function shareOf(isMark, isIn, isPossible, isSure) {
  const whole = model.total[0] || 1, isLeftOut = (row) => row > 0 && isMark[model.frame[row]];
  const text = (isCounted) => percent(model.self.reduce((sum, self, row) => (isCounted(row) ? sum + self : sum), 0), whole);
  const least = text((row) => isIn(row) && (isSure || !isLeftOut(row))), most = text((row) => (isLeftOut(row) ? isPossible : isIn)(row));
  return least === most ? least : least + " to " + most;
}

/** Called by draw(): the share of the matching stacks, and of each term. */
function countMatches() {
  narrowing.hidden = !terms.length;
  leaveOut.hidden = !stepsOfTerms(terms, false);
  if (!terms.length) {
    matched.textContent = "";
    return;
  }
  const isMark = leftOutFrames(), { bits, isMatch, isPossible } = matchRows(model, bitsWithoutMarks(isMark), terms);
  matched.textContent = "Matched: " + shareOf(isMark, (row) => isMatch[row], (row) => isPossible[row], !terms.some((term) => term.isNegated));
  if (terms.length < 2) return;
  terms.forEach((term, i) => {
    matched.append(i ? ", " : " (");
    const text = (term.isNegated ? "NOT " : "") + term.text + " " + shareOf(isMark, (row) => bits[row] & (1 << i), () => true, true);
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
