/* SPDX-License-Identifier: MIT */
/*
 * Differential flame graphs: rows have weights before and after, and changed functions have
 * colours.
 */

const widths = ["the larger side", "after", "before"];

/* Sets the widths of rows for the selected side. */
function computeWidths() {
  const diff = model.diff;
  if (!diff || diff.drawn === view.side) return;
  diff.drawn = view.side;
  const side = [(after, before) => Math.max(before * diff.scale, after), (after) => after, (after, before) => before * diff.scale][view.side];
  const drawn = (after, before) => {
    const made = after.slice(); /* slice() and a loop are several times as fast as map() */
    for (let i = 0; i < made.length; i++) made[i] = side(after[i], before[i]);
    return made;
  };
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

/* The whole at the scale of the AFTER side. A window of a page may have no samples. */
function wholeOfSides() {
  return model.after.total[0] || model.before.total[0] * model.diff.scale || 1;
}

function partInView() {
  return view.kind === "callers" ? "self" : "total";
}

/* Weights of both sides at the scale of the AFTER side, and their difference in percentage points. */
function changeOf(rect, part) {
  let before = 0, after = 0;
  const frame = rects.frame[rect], isExact = isFunction(rect);
  if (isExact) {
    before = model.before.sums[part][frame] * model.diff.scale;
    after = model.after.sums[part][frame];
  }
  for (let i = rects.from[rect]; !isExact && i < rects.to[rect]; i++) {
    before += model.before[part][sets.origins[i]] * model.diff.scale;
    after += model.after[part][sets.origins[i]];
  }
  return { before: before, after: after, points: (100 * (after - before)) / wholeOfSides() };
}

/*
 * Whether a rectangle represents all occurrences of a function, so that the function table has
 * exact sums.
 */
function isFunction(rect) {
  const parent = rects.parent[rect];
  return model.sums && rects.frame[rect] >= 0 && rects.frame[rect] !== model.leftOut &&
    (rects.level[rect] ? parent >= 0 && rects.mode[parent] === ENDS : view.kind === "sandwich");
}

/* With fewer expected samples on a side, the normal approximation does not hold for the tails. */
const EXPECTED_MIN = 50;

/*
 * A bound for both tails of a binomial distribution (Chernoff 1952), expressed as deviations of a
 * normal distribution whose tails are as large. share: the part of all samples expected in after if
 * nothing changed.
 */
function deviationsOfFew(before, after, share) {
  const together = before + after;
  const term = (count, expected) => (count > 0 ? count * Math.log(count / expected) : 0);
  const exponent = term(after, together * share) + term(before, together * (1 - share));
  let z = 0;
  for (let i = 0; i < 30; i++) z = Math.sqrt(2 * Math.max(0, exponent - Math.log(Math.max(1, z * Math.sqrt(2 * Math.PI)))));
  return z;
}

/* Shares of two sets of samples, in standard deviations. */
function deviationsOfShares(before, all, after, allAfter) {
  const share = (before + after) / (all + allAfter);
  if (Math.min(all, allAfter) * Math.min(share, 1 - share) < EXPECTED_MIN)
    return share < 0.5 ? deviationsOfFew(before, after, allAfter / (all + allAfter))
      : deviationsOfFew(all - before, allAfter - after, allAfter / (all + allAfter));
  return Math.abs(after / allAfter - before / all) / Math.sqrt(share * (1 - share) * (1 / all + 1 / allAfter));
}

/*
 * The difference in standard deviations: for many samples as in diff/significance.c; for few
 * samples, a lower bound.
 */
function deviations(change) {
  const [all, allAfter] = model.diff.samples;
  const before = (change.before / model.diff.scale / (model.before.total[0] || 1)) * all;
  const after = (change.after / (model.after.total[0] || 1)) * allAfter;
  if (model.diff.shares) return deviationsOfShares(before, all, after, allAfter);
  const rate = (model.diff.scale * allAfter) / (model.after.total[0] || 1);
  const expected = rate / (rate + all / (model.before.total[0] || 1));
  if ((before + after) * Math.min(expected, 1 - expected) < EXPECTED_MIN) return deviationsOfFew(before, after, expected);
  return Math.abs(after - (before + after) * expected) / Math.sqrt((before + after) * expected * (1 - expected));
}

/* The row of a rectangle that consists of exactly one row; else -1. */
function onlyRow(rect) {
  return rects.mode[rect] === CALLEES && rects.to[rect] - rects.from[rect] === 1 ? sets.rows[rects.from[rect]] : -1;
}

/*
 * Whether summed rows changed: their function changed in the same direction, and their own change
 * is large enough. If nothing was tested (`graded` is not set), any large difference counts.
 */
function isChanged(rect, part, change) {
  if (!model.diff.graded) return Math.abs(change.points) >= model.diff.steps[0];
  const significant = model.significant.get(model.name[rects.frame[rect]]);
  const [direction, least] = significant ? significant[part] : [0, 0];
  return change.points * direction > 0 && (isFunction(rect) || deviations(change) >= least);
}

/*
 * The index of the colour. Shades depend on the width alone, as in render/diff/delta_rows.c. Without shades, the index
 * is stored for a single row, and computed again for summed rows.
 */
function colourIndexOf(rect) {
  if (model.diff.shades) return 6 + Math.floor(100 + 150 * (1 - Math.sqrt(rects.weight[rect] / model.total[0])));
  if (onlyRow(rect) >= 0) return model.colourIndex[onlyRow(rect)];
  if (rects.frame[rect] < 0) return 5;
  const part = model.diff.exclusive && rects.mode[rect] === CALLEES ? "self" : partInView();
  const change = changeOf(rect, part);
  if (!isChanged(rect, part, change)) return 5;
  if (!change.before || !change.after) return change.after ? 10 : 0;
  const shade = 1 + model.diff.steps.filter((step) => Math.abs(change.points) >= step).length;
  return change.points > 0 ? 5 + shade : 5 - shade;
}

function signed(value, digits) {
  return (value < 0 ? "−" : "+") + Math.abs(value).toFixed(digits);
}

/* As numbersOf. */
function changeNumbers(rect) {
  const all = wholeOfSides(), change = changeOf(rect.index, partInView());
  const growth = change.before === change.after ? "+0.0%" : !change.before ? "new" : !change.after ? "gone" : signed((100 * (change.after - change.before)) / change.before, 1) + "%";
  return " (before " + percent(change.before, all) + ", after " + percent(change.after, all) +
    ": " + signed(change.points, 2) + " points, " + growth + ")";
}

/* As moreOf. */
function moreOfChange(rect) {
  const index = rect.index, isGraded = rect.frame >= 0 && model.diff.graded;
  const colourIndex = isGraded ? colourIndexOf(index) : 5;
  return describeUncertain(rect) +
    (!isGraded ? "" : colourIndex === 5 ? ", no significant change" : colourIndex > 5 ? ", more" : ", less") +
    (isGraded && model.confidence && onlyRow(index) >= 0 ? ", confidence " + model.confidence[onlyRow(index)] / 10 + "%" : "");
}
