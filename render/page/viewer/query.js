/* SPDX-License-Identifier: MIT */
/*
 * The terms of a search. Each term is a regular expression for names of frames. A stack matches if
 * it has all terms, except that it must not have terms after NOT or a minus:
 *
 *     read lock      both       read -lock      read NOT lock      "a b"      one term with a blank
 */

/** @typedef {{text: string, isNegated: boolean, expression: RegExp}} Term */

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
    if (bare) parsed.push({ text: bare, isNegated: isNegated || isMinus, expression: expressionOf(bare) });
    isNegated = false;
  }
  return parsed.slice(0, TERMS_MAX);
}

/** Bits of the terms that each frame matches. @param {string[]} names @param {Term[]} wanted */
function bitsOfFrames(names, wanted) {
  return Int32Array.from(names, (name) => wanted.reduce((bits, term, i) => bits | (Number(term.expression.test(name)) << i), 0));
}

/**
 * By stack: bits of the terms that it matches, whether it matches the whole search, and whether a stack that begins with it can.
 *
 * @param {Tree} tree @param {Int32Array} frameBits @param {Term[]} wanted
 */
function matchRows(tree, frameBits, wanted) {
  const negated = wanted.reduce((bits, term, i) => bits | (Number(term.isNegated) << i), 0);
  const all = wanted.reduce((bits, term, i) => bits | (Number(!term.isNegated) << i), 0);
  const bits = new Int32Array(tree.frame.length), isMatch = new Uint8Array(bits.length), isPossible = new Uint8Array(bits.length);
  for (let row = 0; row < bits.length; row++) {
    if (row) bits[row] = bits[tree.parent[row]] | frameBits[tree.frame[row]];
    isPossible[row] = Number((bits[row] & negated) === 0);
    isMatch[row] = Number(isPossible[row] && (bits[row] & all) === all);
  }
  return { bits: bits, isMatch: isMatch, isPossible: isPossible };
}

/**
 * The transforms that keep or drop the stacks that match the terms. null: with several terms, no
 * transform can drop the matching stacks.
 *
 * @param {Term[]} wanted @param {boolean} keeps @returns {Transform[] | null}
 */
function stepsOfTerms(wanted, keeps) {
  if (!keeps && wanted.length !== 1) return null;
  return wanted.map((term) => ({ kind: term.isNegated === keeps ? "exclude" : "include", name: term.text }));
}
