/* SPDX-License-Identifier: MIT */
/*
 * Tests whether functions differ between two windows of time, by the methods of kiln diff
 * (docs/noise.md). Samples come in bursts, so each window is divided into blocks with about equally
 * many samples. The noise is how much a function varies between the blocks of one window:
 *
 *     blocks      before           after
 *     parse      12 14 11 13      19 22 20 18     differs
 *     softirq     0  0 40  0       0  0  0  2     a burst: one observation
 */

const BLOCKS_MAX = 10; /* of a window */
const ERROR_RATE = 0.01;
/* Degrees of freedom of the prior, which assumes that samples are independent. */
const INDEPENDENCE_FREEDOM = 15;
const CHANCE_Z = 2.3263; /* 99th percentile of the normal distribution */

/**
 * @typedef {{count: number, counts: Float64Array}} BlockCounts counts: samples of a function by block of a window; count: their sum
 */
/** @typedef {{p: number, deviations: number, factor: number}} Judgement factor: overdispersion */

/**
 * The end of each block: bins are added to a block until it has its part of the samples.
 * @param {Float64Array} samples by bin of the window
 */
function cutBlocks(samples) {
  const all = samples.reduce((sum, count) => sum + count, 0), ends = [];
  let sum = 0;
  samples.forEach((count, bin) => {
    sum += count;
    if (count && sum >= ((ends.length + 1) * all) / BLOCKS_MAX - 1e-9) ends.push(bin + 1);
  });
  if (ends.length) ends[ends.length - 1] = samples.length;
  return ends;
}

/** The logarithm of the gamma function, by Stirling's series. @param {number} x */
function logGamma(x) {
  let shift = 0;
  for (; x < 10; x++) shift -= Math.log(x);
  return shift + (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * x) - 1 / (360 * x ** 3) + 1 / (1260 * x ** 5);
}

/** The continued fraction of the incomplete beta function, by Lentz's method. */
function betaFraction(x, a, b) {
  const tiny = 1e-300, guard = (value) => (Math.abs(value) < tiny ? tiny : value);
  let c = 1, d = 1 / guard(1 - ((a + b) * x) / (a + 1)), fraction = d;
  for (let m = 1, change = 0; m < 10000 && Math.abs(change - 1) > 1e-12; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)), odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / guard(1 + even * d);
    c = guard(1 + even / c);
    fraction *= c * d;
    d = 1 / guard(1 + odd * d);
    c = guard(1 + odd / c);
    change = c * d;
    fraction *= change;
  }
  return fraction;
}

/** The probability that Student's distribution deviates by at least t, in either direction. */
function studentTails(t, freedom) {
  const a = freedom / 2, b = 0.5, x = freedom / (freedom + t * t);
  const front = (first, second, at) => Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + first * Math.log(at) + second * Math.log1p(-at)) / first;
  if (!(t > 0)) return 1;
  return x < (a + 1) / (a + b + 2) ? front(a, b, x) * betaFraction(x, a, b) : 1 - front(b, a, 1 - x) * betaFraction(1 - x, b, a);
}

/** How much a function varies between blocks, relative to independent samples, and the degrees of freedom. */
function dispersionOf(counts, alls, share) {
  const whole = counts[BEFORE].count + counts[AFTER].count;
  let squares = 0, spread = 0, freedom = 0;
  [BEFORE, AFTER].forEach((side) => {
    const { count, counts: own } = counts[side], all = alls[side];
    if (!(count > 0)) return;
    let rest = 0, concentration = 0;
    own.forEach((value, block) => {
      rest += (value - (count * all.counts[block]) / all.count) ** 2;
      concentration += (value / count) ** 2;
    });
    /* Subtracts the concentration that is due to chance. A function in one block counts as if it were in two. */
    const corrected = count > 1 ? (concentration * count - 1) / (count - 1) : 0.5;
    const part = Math.min(0.5, Math.max(corrected, 1 / own.length));
    squares += rest / whole;
    spread += (part * count) / whole;
    freedom += 1 / part - 1;
  });
  return { value: squares / (1 - share) / (1 - spread), freedom: freedom };
}

/** The same as overdispersion_of in diff/significance.c. */
function overdispersionOf({ value, freedom }) {
  const all = freedom + INDEPENDENCE_FREEDOM, variance = 2 / (9 * Math.max(freedom, INDEPENDENCE_FREEDOM));
  if (value > (1 - variance + CHANCE_Z * Math.sqrt(variance)) ** 3) return { factor: value, freedom: freedom };
  return { factor: Math.max(1, (value * freedom + INDEPENDENCE_FREEDOM) / all), freedom: all };
}

/**
 * Compares the shares of a function in both windows; p is not yet corrected for other functions.
 * @param {BlockCounts[]} counts before and after @param {BlockCounts[]} alls of all samples
 * @returns {Judgement}
 */
function judgeShares(counts, alls) {
  const [before, after] = counts.map((one) => one.count), all = alls[BEFORE].count, allAfter = alls[AFTER].count;
  const share = (before + after) / (all + allAfter);
  if (!(share > 0 && share < 1)) return { p: 1, deviations: 0, factor: 1 };
  const { factor, freedom } = overdispersionOf(dispersionOf(counts, alls, share));
  const found = deviationsOfShares(before / factor, all / factor, after / factor, allAfter / factor);
  return { p: studentTails(found, freedom), deviations: found, factor: factor };
}

/**
 * Holm's correction. Functions with too few samples to ever be significant are not tested (Tarone).
 * @param {Judgement[]} judged @param {number[]} counts samples of both windows @param {number} smaller the smaller window's share of all samples
 */
function correct(judged, counts, smaller) {
  const least = (tests) => Math.log(ERROR_RATE / 2 / tests) / Math.log(smaller);
  const effective = judged.map((one, i) => counts[i] / one.factor);
  const order = Array.from(judged.keys()).sort((a, b) => effective[b] - effective[a]);
  let tested = 0, largest = 0;
  while (tested < order.length && effective[order[tested]] >= least(tested + 1)) tested++;
  order.slice(tested).forEach((i) => (judged[i].p = 1));
  order.slice(0, tested).sort((a, b) => judged[a].p - judged[b].p).forEach((i, rank) => {
    largest = Math.max(largest, Math.min(1, judged[i].p * (tested - rank)));
    judged[i].p = largest;
  });
}
