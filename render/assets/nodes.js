/* SPDX-License-Identifier: MIT */
/*
 * Nodes: what is drawn as one box. A node is a set of rows and a direction: one row and what stands on
 * it, or all places of a function and who called them. What it weighs is what its origins do: rows of
 * its own, or those it called.
 *
 *     main ── parse ── sort      the tree: every row a node of its own
 *     sort ── parse ── main      goesUp: sort is all rows of sort, parse those rows' parents ...
 */

function treeRoot() {
  return { frame: -1, weight: model.total[0], rows: [0], origins: [0], part: "total", goesUp: false };
}

/* All samples, each at the function it ended in. */
function callersRoot() {
  const rows = [];
  let weight = 0;
  for (let row = 1; row < model.frame.length; row++) {
    if (!model.self[row]) continue;
    rows.push(row);
    weight += model.self[row];
  }
  return { frame: -1, weight: weight, rows: rows, origins: rows, part: "self", goesUp: true, isEnds: true };
}

/* The places of a function; of those that stand on each other the outermost. */
function functionNode(frame, goesUp) {
  const rows = [];
  let weight = 0;
  for (let row = 1; row < model.frame.length; ) {
    if (model.frame[row] !== frame) {
      row++;
      continue;
    }
    rows.push(row);
    weight += model.total[row];
    row = model.end[row];
  }
  return { frame: frame, weight: weight, rows: rows, origins: rows, part: "total", goesUp: goesUp };
}

/* Calls take(row, origin) for what is one step further than the node's rows. */
function eachNext(node, take) {
  node.rows.forEach((row, i) => {
    if (node.isEnds) take(row, row);
    else if (node.goesUp && model.parent[row] > 0) take(model.parent[row], node.origins[i]);
    else if (!node.goesUp)
      for (let k = row + 1; k < model.end[row]; k = model.end[k]) take(k, k);
  });
}

function childrenOf(node) {
  const byFrame = new Map();
  eachNext(node, (row, origin) => {
    const key = isOrdered && !node.goesUp && node.rows.length === 1 ? row : model.frame[row];
    let child = byFrame.get(key);
    if (!child) {
      child = { key: key, frame: model.frame[row], weight: 0, rows: [], origins: [], part: node.part, goesUp: node.goesUp };
      byFrame.set(key, child);
    }
    child.weight += model[node.part][origin];
    child.rows.push(row);
    child.origins.push(origin);
  });
  const children = Array.from(byFrame.values());
  if (view.isHeavy) children.sort((a, b) => b.weight - a.weight);
  else if (node.goesUp || node.rows.length > 1) children.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  return children;
}

function nameOf(node) {
  return node.frame < 0 ? "all" : model.name[node.frame].replace(/_\[[kwij]\]$/, "").replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
}
