/* SPDX-License-Identifier: MIT */
/*
 * Weights of a window of time: the cells of the bins in it. A window is a range of bins, [from, to).
 *
 *     bins     0    1    2    3    4
 *              |----|####|####|----|      the window [1, 3)
 */

/** @typedef {{from: number, to: number}} TimeWindow */

/**
 * Self weights of the rows within a window, on all CPUs or only on the given ones.
 * @param {Cells} cells @param {TimeWindow} window @param {number[]} [cpus]
 */
function selfInWindow(cells, window, cpus) {
  const rowCount = cells.from.length - 1, self = new Float64Array(rowCount);
  const { from, bin, weight } = cells, wanted = cpus && cpus.length ? new Set(cpus) : null, first = window.from, stop = window.to;
  for (let row = 0; row < rowCount; row++) {
    const end = from[row + 1];
    let sum = 0;
    for (let cell = from[row]; cell < end && bin[cell] < stop; cell++) /* the bins of a row ascend */
      if (bin[cell] >= first && (!wanted || wanted.has(cells.cpu[cell]))) sum += weight[cell];
    self[row] = sum;
  }
  return self;
}

/** Weights by bin: of all rows in a range, or only of those that isWanted marks. */
function weightByBin(cells, binCount, first, end, isWanted) {
  const sums = new Float64Array(binCount);
  for (let row = first; row < end; row++) {
    if (isWanted && !isWanted[row]) continue;
    for (let cell = cells.from[row]; cell < cells.from[row + 1]; cell++) sums[cells.bin[cell]] += cells.weight[cell];
  }
  return sums;
}

/* Wall-clock times need BigInt: a double resolves only 256 ns of them. */

/** 9297420000000n ns: "9297.42", which --time reads. @param {bigint} ns */
function secondsText(ns) {
  return String(ns).padStart(10, "0").replace(/\d{9}$/, ".$&").replace(/\.?0+$/, "");
}

/** "9297.42": 9297420000000n. @param {string} seconds */
function nanosecondsOf(seconds) {
  const [whole, fraction = ""] = seconds.split(".");
  return BigInt(whole + fraction.slice(0, 9).padEnd(9, "0"));
}

/** The --time option of a window; its end is inclusive. */
function timeOption(bins, window) {
  const timeOf = (bin) => BigInt(bins.first_ns) + BigInt(bin) * BigInt(bins.width_ns);
  return "--time " + secondsText(timeOf(window.from)) + "," + secondsText(timeOf(window.to) - 1n);
}

/**
 * The window of a --time value, or null. A time inside a bin selects the whole bin. An end at which a bin begins, as in
 * 5.2,5.4, does not select this bin, unless bins are 1 ns wide.
 */
function windowOfOption(bins, text) {
  const match = /^(\d+(?:\.\d+)?),(\d+(?:\.\d+)?)$/.exec(text);
  if (!match) return null;
  const width = BigInt(bins.width_ns), binOf = (seconds, up) => Number((nanosecondsOf(seconds) - BigInt(bins.first_ns) + up) / width);
  const from = Math.max(0, binOf(match[1], 0n)), to = Math.min(bins.count, binOf(match[2], width > 1n ? width - 1n : 1n));
  return from < to ? { from: from, to: to } : null;
}

/** Round steps of an axis: 1, 2 or 5 times a power of ten, at least `least` apart. */
function axisStep(least) {
  const power = Math.pow(10, Math.floor(Math.log10(least)));
  return power * [1, 2, 5, 10].find((factor) => factor * power >= least * 0.999999);
}
