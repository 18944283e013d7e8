/* SPDX-License-Identifier: MIT */
/*
 * Search by several terms. Each is a regular expression for names of frames; a stack matches if it
 * has all terms, and none of those after NOT or a minus:
 *
 *     read lock      both       read -lock      read NOT lock      "a b"      one term with a blank
 */

/** @typedef {{text: string, isNegated: boolean, expression: RegExp}} Term */

let query = "";
/** @type {Term[]} */
let terms = [];
/** @type {Uint8Array | null} */
let isHit = null; /* by frame: the first term that is wanted and matches, from 1; or 0 */

const HIT_CLASSES = ["hit", "hit second", "hit third", "hit fourth"];
const TERMS_MAX = 30; /* bits of a number */

/** Throws for a wrong expression. @param {string} text @returns {Term[]} */
function parseQuery(text) {
  const words = text.match(/-?"[^"]*"|\S+/g) || [], parsed = [];
  let isNegated = false;
  for (const word of words) {
    if (word === "AND") continue;
    if (word === "NOT") {
      isNegated = true;
      continue;
    }
    const isMinus = word.length > 1 && word[0] === "-", bare = (isMinus ? word.slice(1) : word).replace(/^"(.*)"$/, "$1");
    if (bare) parsed.push({ text: bare, isNegated: isNegated || isMinus, expression: new RegExp(bare, /[A-Z]/.test(bare) ? "" : "i") });
    isNegated = false;
  }
  return parsed.slice(0, TERMS_MAX);
}

/** Bits of the terms that each frame matches. @param {string[]} names @param {Term[]} wanted */
function bitsOfFrames(names, wanted) {
  return Int32Array.from(names, (name) => wanted.reduce((bits, term, i) => bits | (Number(term.expression.test(name)) << i), 0));
}

/**
 * Bits of the terms that each stack matches, and which stacks match all that is wanted.
 *
 * @param {Tree} tree @param {Int32Array} frameBits @param {Term[]} wanted
 */
function matchRows(tree, frameBits, wanted) {
  const negated = wanted.reduce((bits, term, i) => bits | (Number(term.isNegated) << i), 0);
  const all = wanted.reduce((bits, term, i) => bits | (Number(!term.isNegated) << i), 0);
  const bits = new Int32Array(tree.frame.length), isMatch = new Uint8Array(bits.length);
  for (let row = 0; row < bits.length; row++) {
    if (row) bits[row] = bits[tree.parent[row]] | frameBits[tree.frame[row]];
    isMatch[row] = Number((bits[row] & negated) === 0 && (bits[row] & all) === all);
  }
  return { bits: bits, isMatch: isMatch };
}

/** The class of a frame that matches, which is that of the first term. */
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

/** Finds the frames to light. Frames may have been added since the last search. */
function markHits() {
  const wanted = terms.map((term, i) => (term.isNegated ? 0 : 1 << i)).reduce((bits, bit) => bits | bit, 0);
  isHit = terms.length ? Uint8Array.from(bitsOfFrames(model.name, terms), (bits) => 32 - Math.clz32(bits & wanted & -(bits & wanted))) : null;
}

/** Called by draw(): the share of the matching stacks, and of each term. */
function countMatches() {
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
