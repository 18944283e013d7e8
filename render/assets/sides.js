/* SPDX-License-Identifier: MIT */
/*
 * Pictures of two profiles: rows weigh before and after, and what changed has a colour and words.
 */

const widths = ["the larger side", "after", "before"];

/* Makes rows as wide as they are on the side that was chosen. */
function weigh() {
  const diff = model.diff;
  if (!diff || diff.drawn === view.side) return;
  diff.drawn = view.side;
  model.self = model.after.self.map((after, row) => {
    const before = model.before.self[row] * diff.scale;
    return [Math.max(before, after), after, before][view.side];
  });
  model.total = totals(model.self, model.parent);
}

function sumOf(node, side, part) {
  return node.origins.reduce((sum, row) => sum + side[part][row], 0);
}

/* Weights on both sides, at after's scale, and their difference in percent points of after. */
function changeOf(node, part) {
  const before = sumOf(node, model.before, part) * model.diff.scale, after = sumOf(node, model.after, part);
  return { before: before, after: after, points: (100 * (after - before)) / model.after.total[0] };
}

/* In standard deviations; as profile/diff_test.c has it for many samples. */
function deviations(change) {
  const [all, allAfter] = model.diff.samples;
  const before = (change.before / model.diff.scale / model.before.total[0]) * all;
  const after = (change.after / model.after.total[0]) * allAfter;
  const share = (before + after) / (all + allAfter);
  if (model.diff.shares)
    return Math.abs(after / allAfter - before / all) / Math.sqrt(share * (1 - share) * (1 / all + 1 / allAfter));
  const rate = (model.diff.scale * allAfter) / model.after.total[0];
  const expected = rate / (rate + all / model.before.total[0]);
  return Math.abs(after - (before + after) * expected) / Math.sqrt((before + after) * expected * (1 - expected));
}

/* An index of the colours: that of the row, or judged anew where rows are summed up. */
function verdictOf(node) {
  if (!node.goesUp && node.rows.length === 1) return model.verdict[node.rows[0]];
  if (!model.diff.z) return 5;
  const change = changeOf(node, model.diff.exclusive && !node.goesUp ? "self" : node.part);
  if (!(deviations(change) >= model.diff.z)) return 5;
  if (!change.before || !change.after) return change.after ? 10 : 0;
  const shade = 1 + model.diff.steps.filter((step) => Math.abs(change.points) >= step).length;
  return change.points > 0 ? 5 + shade : 5 - shade;
}

function signed(value, digits) {
  return (value < 0 ? "−" : "+") + Math.abs(value).toFixed(digits);
}

function describeChange(node) {
  const change = changeOf(node, node.part), all = model.after.total[0];
  const isRow = !node.goesUp && node.rows.length === 1 && node.frame >= 0;
  const grown = !change.before ? "new" : !change.after ? "gone" : signed((100 * (change.after - change.before)) / change.before, 1) + "%";
  return nameOf(node) + " (before " + percent(change.before, all) + ", after " + percent(change.after, all) +
    ": " + signed(change.points, 2) + " points, " + grown + ")" +
    (node.frame < 0 || !model.diff.z ? "" : verdictOf(node) === 5 ? ", may be noise" : ", significant") +
    (isRow && model.diff.z ? ", confidence " + model.confidence[node.rows[0]] / 10 + "%" : "");
}
