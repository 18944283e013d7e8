/* SPDX-License-Identifier: MIT */
/* Functions for rows and names that the viewers of SVGs and pages share. */

/*
 * The name as it is shown: without the annotation for the frame's kind. Characters that change the writing direction
 * are replaced.
 */
function shownName(name) {
  return name.replace(/_\[[kwij]\]$/, "").replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
}

function totals(self, parent) {
  const total = self.slice();
  for (let row = total.length - 1; row > 0; row--) total[parent[row]] += total[row];
  return total;
}

/*
 * The expression of a search. It matches both cases unless it has a capital letter; those of \S, \W, \D and \B are none.
 * Throws for a wrong expression.
 */
function expressionOf(text) {
  return new RegExp(text, /[A-Z]/.test(text.replace(/\\[SWDB\\]/g, "")) ? "" : "i");
}
