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
  const side = (after, before) => [Math.max(before * diff.scale, after), after, before * diff.scale][view.side];
  const drawn = (after, before) => after.map((weight, i) => side(weight, before[i]));
  const was = model.before.sums, is = model.after.sums;
  model.self = drawn(model.after.self, model.before.self);
  model.total = totals(model.self, model.parent);
  if (is)
    model.sums = {
      self: drawn(is.self, was.self),
      total: drawn(is.total, was.total),
      together: new Map(Array.from(is.together, ([name, after]) => [name, side(after, was.together.get(name))])),
    };
}

function partInView() {
  return view.kind === "callers" ? "self" : "total";
}

/* Weights on both sides, at after's scale, and their difference in percent points of after. */
function changeOf(box, part) {
  let before = 0, after = 0;
  const frame = boxes.frame[box], isExact = isFunction(box);
  if (isExact) {
    before = model.before.sums[part][frame] * model.diff.scale;
    after = model.after.sums[part][frame];
  }
  for (let i = boxes.from[box]; !isExact && i < boxes.to[box]; i++) {
    before += model.before[part][sets.origins[i]] * model.diff.scale;
    after += model.after[part][sets.origins[i]];
  }
  return { before: before, after: after, points: (100 * (after - before)) / model.after.total[0] };
}

/* Whether a box is a function in all its places, which the table of functions knows. */
function isFunction(box) {
  const parent = boxes.parent[box];
  return model.sums && boxes.frame[box] >= 0 && boxes.frame[box] !== model.leftOut &&
    (boxes.level[box] ? parent >= 0 && boxes.way[parent] === ENDS : view.kind === "sandwich");
}

/* Of fewer that are expected on a side the tails are not those of the normal distribution. */
const EXPECTED_MIN = 50;

/* What bounds both tails of a binomial distribution (Chernoff 1952), as the deviations of the normal one that has no
 * larger ones. share: of after's where nothing changed. */
function deviationsOfFew(before, after, share) {
  const together = before + after;
  const term = (count, expected) => (count > 0 ? count * Math.log(count / expected) : 0);
  const exponent = term(after, together * share) + term(before, together * (1 - share));
  let z = 0;
  for (let i = 0; i < 30; i++) z = Math.sqrt(2 * Math.max(0, exponent - Math.log(Math.max(1, z * Math.sqrt(2 * Math.PI)))));
  return z;
}

/* In standard deviations; as diff/significance.c has it for many samples, and no more than it has for few. */
function deviations(change) {
  const [all, allAfter] = model.diff.samples;
  const before = (change.before / model.diff.scale / model.before.total[0]) * all;
  const after = (change.after / model.after.total[0]) * allAfter;
  const share = (before + after) / (all + allAfter);
  if (model.diff.shares && Math.min(all, allAfter) * Math.min(share, 1 - share) < EXPECTED_MIN)
    return share < 0.5 ? deviationsOfFew(before, after, allAfter / (all + allAfter))
      : deviationsOfFew(all - before, allAfter - after, allAfter / (all + allAfter));
  if (model.diff.shares)
    return Math.abs(after / allAfter - before / all) / Math.sqrt(share * (1 - share) * (1 / all + 1 / allAfter));
  const rate = (model.diff.scale * allAfter) / model.after.total[0];
  const expected = rate / (rate + all / model.before.total[0]);
  if ((before + after) * Math.min(expected, 1 - expected) < EXPECTED_MIN) return deviationsOfFew(before, after, expected);
  return Math.abs(after - (before + after) * expected) / Math.sqrt((before + after) * expected * (1 - expected));
}

/* The row a box is, if it is only one; or -1. */
function onlyRow(box) {
  return boxes.way[box] === CALLEES && boxes.to[box] - boxes.from[box] === 1 ? sets.rows[boxes.from[box]] : -1;
}

/* Whether rows that are summed up changed: their function did, in this direction, and by themselves they would have.
 * Where nothing is graded, what is large is shown. */
function isChanged(box, part, change) {
  if (!model.diff.graded) return Math.abs(change.points) >= model.diff.steps[0];
  const judged = model.judged.get(model.name[boxes.frame[box]]);
  const [direction, least] = judged ? judged[part] : [0, 0];
  return change.points * direction > 0 && (isFunction(box) || deviations(change) >= least);
}

/*
 * An index of the colours: that of the row, or judged anew where rows are summed up. Shades are those of
 * render/diff/delta_rows.c, by nothing but the width.
 */
function verdictOf(box) {
  if (model.diff.shades) return 6 + Math.floor(100 + 150 * (1 - Math.sqrt(boxes.weight[box] / model.total[0])));
  if (onlyRow(box) >= 0) return model.verdict[onlyRow(box)];
  if (boxes.frame[box] < 0) return 5;
  const part = model.diff.exclusive && boxes.way[box] === CALLEES ? "self" : partInView();
  const change = changeOf(box, part);
  if (!isChanged(box, part, change)) return 5;
  if (!change.before || !change.after) return change.after ? 10 : 0;
  const shade = 1 + model.diff.steps.filter((step) => Math.abs(change.points) >= step).length;
  return change.points > 0 ? 5 + shade : 5 - shade;
}

function signed(value, digits) {
  return (value < 0 ? "−" : "+") + Math.abs(value).toFixed(digits);
}

function describeChange(box) {
  const index = box.index, all = model.after.total[0];
  const change = changeOf(index, partInView());
  const isJudged = box.frame >= 0 && model.diff.graded;
  const verdict = isJudged ? verdictOf(index) : 5;
  const growth = !change.before ? "new" : !change.after ? "gone" : signed((100 * (change.after - change.before)) / change.before, 1) + "%";
  return nameOf(box.frame) + " (before " + percent(change.before, all) + ", after " + percent(change.after, all) +
    ": " + signed(change.points, 2) + " points, " + growth + ")" + describeLack(box) +
    (!isJudged ? "" : verdict === 5 ? ", no sure change" : verdict > 5 ? ", more" : ", less") +
    (isJudged && onlyRow(index) >= 0 ? ", confidence " + model.confidence[onlyRow(index)] / 10 + "%" : "");
}
