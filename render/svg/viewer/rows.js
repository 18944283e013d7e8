/* SPDX-License-Identifier: MIT */
/* Functions for rows and names that the viewers of SVGs and pages share. */

/*
 * Without the annotation of its kind, and with characters that change the writing direction
 * replaced.
 */
function shownName(name) {
  return name.replace(/_\[[kwij]\]$/, "").replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
}

function totals(self, parent) {
  const total = self.slice();
  for (let row = total.length - 1; row > 0; row--) total[parent[row]] += total[row];
  return total;
}
