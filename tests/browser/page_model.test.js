/* SPDX-License-Identifier: MIT */
/* The page's columns, trees, windows and transforms, in node: no browser needed. */
"use strict";

const assert = require("assert");
const { encode } = require("./page_encoder.js");
const page = require("./page_modules.js").load(["readCapture", "columnReader", "inflate", "totals", "functionSums", "totalsBelow",
  "selfInWindow", "weightByBin", "laneKinds", "makeLanes", "levelsOfFrames", "statesOfRows", "foldLanes", "dominantStack", "mergeColumns", "samplePitch", "timeOption", "windowOfOption", "transformed", "addModuleFrame", "idleRows", "binsOfColumn", "cutBlocks", "studentTails", "judgeShares", "correct", "ERROR_RATE", "parseQuery", "stepsOfTerms", "stackOfRow", "rowsOfStack", "readNotes", "setNotes", "notesByRow"]);

/* Random numbers from 0 to 1 that are the same in each run (mulberry32). */
function randomNumbers(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/* Counts of functions in the 10 blocks of a window. Each block has 200 samples, in bursts of one function. */
function windowOf(shares, burst, random) {
  const counts = shares.map(() => new Float64Array(10)), all = new Float64Array(10).fill(200);
  for (let block = 0; block < 10; block++) {
    for (let left = 200; left > 0; left -= burst) {
      let at = random() * shares.reduce((a, b) => a + b, 0), i = 0;
      for (; i + 1 < shares.length && at >= shares[i]; i++) at -= shares[i];
      counts[i][block] += Math.min(burst, left);
    }
  }
  return { counts: counts, all: all };
}

/* Which functions differ between two simulated windows. */
function differing(before, after, burst, random) {
  const [one, other] = [before, after].map((shares) => windowOf(shares, burst, random));
  const summed = (counts) => ({ count: counts.reduce((a, b) => a + b, 0), counts: counts });
  const alls = [summed(one.all), summed(other.all)];
  const pairs = one.counts.map((counts, i) => [summed(counts), summed(other.counts[i])]);
  const judged = pairs.map((pair) => page.judgeShares(pair, alls));
  page.correct(judged, pairs.map(([a, b]) => a.count + b.count), 0.5);
  return judged.map((one, i) => (one.p <= page.ERROR_RATE ? i : -1)).filter((i) => i >= 0);
}

/*
 *     app 0 ── main 1 ── parse 2 ── main 1 ── sort 3      self of sort: 5, cells 2:2, 4:3
 *                   └─ read [kernel] 4                    7: 4:7
 *              main's own                                 1: 9:1
 */
const FRAMES = [["app", "", 0], ["main", "app", 1], ["parse", "libx.so", 1], ["sort", "libx.so", 1], ["read", "[kernel.kallsyms]", 2]];
const ROWS = [[0, 0, 0], [0, 1, 1, [[9, 1]]], [0, 2, 0], [0, 1, 0], [0, 3, 5, [[2, 2], [4, 3]]], [3, 4, 7, [[4, 7]]]];

function capture(rows, facts, frames) {
  const { facts: made, stream } = encode(frames || FRAMES, rows || ROWS, facts);
  return page.readCapture(made, stream);
}

/* A tree as text: "app:13(main:13 ...)"; names and totals. */
function drawn(tree, frames) {
  const total = page.totals(tree.self, tree.parent);
  const text = (row) => {
    const children = [];
    for (let next = row + 1; next < tree.end[row]; next = tree.end[next]) if (total[next]) children.push(text(next));
    return (row ? frames.name[tree.frame[row]] : "all") + ":" + total[row] + (children.length ? "(" + children.join(" ") + ")" : "");
  };
  return text(0);
}

function after(...steps) {
  const { tree, frames, levelOf } = capture(null, { groups: ["comm"] });
  steps.filter((step) => step.kind === "module").forEach((step) => page.addModuleFrame(frames, step.name));
  const ranks = Int32Array.from(frames.name.keys());
  const level = page.levelsOfFrames(tree, levelOf, frames.name.length);
  return drawn(page.transformed(tree, { frames: frames, ranks: ranks, level: level }, steps), frames);
}

const tests = {
  "columns become rows and cells"() {
    const { tree, cells, frames } = capture();
    assert.deepStrictEqual(Array.from(tree.parent), [-1, 0, 1, 2, 3, 4, 2]);
    assert.deepStrictEqual(Array.from(tree.end), [7, 7, 7, 6, 6, 6, 7]);
    assert.deepStrictEqual(Array.from(cells.bin), [9, 2, 4, 4]);
    assert.strictEqual(drawn(tree, frames), "all:13(app:13(main:13(parse:5(main:5(sort:5)) read:7)))");
  },
  "large weights and zigzag"() {
    const { pack } = require("./page_encoder.js");
    const { facts, stream } = pack({ a: ["uint", [2n ** 53n - 1n, 0, 128]], b: ["int", [0, 1, 2, 3]] });
    const read = page.columnReader(facts.columns, stream);
    assert.deepStrictEqual(Array.from(read.weights("a")), [2 ** 53 - 1, 0, 128]);
    assert.deepStrictEqual(Array.from(read.weights("b")), [0, -1, 1, -2]);
  },
  "corrupt columns say which, and never read outside"() {
    const { facts, stream } = encode(FRAMES, ROWS);
    const wrong = (name, what) => ({ columns: facts.columns.map((column) => (column.name === name ? Object.assign({}, column, what) : column)), bins: facts.bins });
    assert.throws(() => page.readCapture(wrong("row.self", { offset: 1e9 }), stream), /row.self does not fit/);
    assert.throws(() => page.readCapture(wrong("row.self", { count: 1e9 }), stream), /row.self does not fit/);
    assert.throws(() => page.readCapture(wrong("row.self", { count: 5 }), stream), /row.self has 1 bytes too many/);
    assert.throws(() => page.readCapture(wrong("names", { name: "other" }), stream), /column names is missing/);
    assert.throws(() => page.readCapture(wrong("names", { count: 2 }), stream), /column names has 5 texts in place of 2/);
    assert.throws(() => page.readCapture(facts, stream.slice(0, -10)), /does not fit/);
    const bytes = stream.slice();
    bytes[stream.length - 1] = 0x80;
    assert.throws(() => page.readCapture(facts, bytes), /function.total ends at number 4 of 5/);
    assert.throws(() => capture([[0, 7, 1]]), /row.frame has 7 at 0/);
    assert.throws(() => capture([[1, 0, 1]]), /above the root at row 1/);
    assert.throws(() => capture([[0, 0, 1, [[10, 1]]]]), /cell.bin/);
    assert.throws(() => capture([[0, 0, 1, [[5, 1], [12, 1]]]]), /leaves the range/);
  },
  "random bytes never crash the decoder"() {
    const { facts, stream } = encode(FRAMES, ROWS);
    for (let seed = 1, i = 0; i < 2000; i++) {
      const bytes = stream.slice();
      for (let k = 0; k < 3; k++) {
        seed = (seed * 48271) % 2147483647;
        bytes[seed % bytes.length] = seed >> 8;
      }
      try {
        page.readCapture(facts, bytes);
      } catch (error) {
        assert.match(error.message, /column|columns/);
      }
    }
  },
  "recursion counts once in totals of functions"() {
    const { tree, frames } = capture();
    const sums = page.functionSums(tree, tree.self, page.totals(tree.self, tree.parent), frames.name.length);
    assert.deepStrictEqual(Array.from(sums.total), [13, 13, 5, 5, 7]);
    assert.deepStrictEqual(Array.from(sums.self), [0, 1, 0, 5, 7]);
  },
  "recursion counts once in the totals of each thread"() {
    const frames = [["one", "", 0], ["two", "", 0], ["f", "app", 1], ["g", "app", 1]];
    const { tree } = capture([[0, 0, 0], [0, 2, 5], [2, 1, 0], [0, 2, 0], [0, 2, 0], [0, 2, 2], [3, 3, 0], [0, 2, 1], [2, 2, 1]], null, frames);
    const sums = page.totalsBelow(tree, page.totals(tree.self, tree.parent), [1, 3], frames.length);
    assert.deepStrictEqual(Array.from(sums), [0, 0, 0, 0, 5, 4, 0, 1]);
  },
  "a window has the weights of its bins"() {
    const { tree, cells, facts } = capture();
    assert.deepStrictEqual(Array.from(page.selfInWindow(cells, { from: 2, to: 5 })), [0, 0, 0, 0, 0, 5, 7]);
    assert.deepStrictEqual(Array.from(page.selfInWindow(cells, { from: 3, to: 5 })), [0, 0, 0, 0, 0, 3, 7]);
    assert.deepStrictEqual(page.selfInWindow(cells, { from: 0, to: 10 }), tree.self);
    assert.deepStrictEqual(Array.from(page.weightByBin(cells, 10, 0, 7, null)), [0, 0, 2, 0, 10, 0, 0, 0, 0, 1]);
    assert.strictEqual(page.timeOption(facts.bins, { from: 2, to: 5 }), "--time 5.2,5.499999999");
    assert.deepStrictEqual(page.windowOfOption(facts.bins, "5.2,5.499999999"), { from: 2, to: 5 });
    assert.strictEqual(page.windowOfOption(facts.bins, "9,10"), null);
    assert.strictEqual(page.windowOfOption(facts.bins, "evil"), null);
  },
  "windows of wall-clock times, and of bins of 1 ns, survive the way through an address"() {
    const wall = { first_ns: "1763900000000123456", width_ns: 1e6, count: 22 };
    assert.strictEqual(page.timeOption(wall, { from: 1, to: 2 }), "--time 1763900000.001123456,1763900000.002123455");
    for (const bins of [wall, { first_ns: "18446744073000000000", width_ns: 103001, count: 22 }, { first_ns: "0", width_ns: 1, count: 22 }])
      for (let from = 0; from < bins.count; from++)
        for (let to = from + 1; to <= bins.count; to++) {
          const option = page.timeOption(bins, { from: from, to: to });
          assert.deepStrictEqual(page.windowOfOption(bins, option.slice("--time ".length)), { from: from, to: to }, option);
        }
    assert.deepStrictEqual(page.windowOfOption(wall, "1763900000.0011234569,1763900000.002123456"), { from: 1, to: 2 });
    assert.deepStrictEqual(page.windowOfOption(wall, "0,1763900000.0001234561"), null);
    assert.deepStrictEqual(page.windowOfOption(wall, "0,99999999999999999999"), { from: 0, to: 22 });
  },
  "Student's distribution, as in tables"() {
    const near = (value, wanted) => assert(Math.abs(value / wanted - 1) < 1e-3, value + " " + wanted);
    near(page.studentTails(2.2281, 10), 0.05);
    near(page.studentTails(63.657, 1), 0.01);
    near(page.studentTails(2.8453, 20), 0.01);
    near(page.studentTails(1.96, 1e7), 0.05);
    near(page.studentTails(0.1, 5), 0.92423);
    near(page.studentTails(8, 1000), 3.4267e-15); /* integrated numerically */
    assert.strictEqual(page.studentTails(0, 5), 1);
  },
  "blocks of a window have equal counts of samples, and end at bins"() {
    assert.deepStrictEqual(page.cutBlocks(new Float64Array(40).fill(3)), [4, 8, 12, 16, 20, 24, 28, 32, 36, 40]);
    assert.deepStrictEqual(page.cutBlocks(Float64Array.from([0, 9, 0, 0])), [4]);
    assert.deepStrictEqual(page.cutBlocks(new Float64Array(5)), []);
  },
  "equal windows differ in at most one of a hundred comparisons, in bursts or not; a change is found"() {
    const random = randomNumbers(7), shares = Array.from({ length: 30 }, (zero, i) => 1 / (i + 1));
    for (const burst of [1, 8, 25]) {
      let wrong = 0;
      for (let i = 0; i < 200; i++) wrong += Number(differing(shares, shares, burst, random).length > 0);
      assert(wrong <= 6, "bursts of " + burst + ": " + wrong); /* 2 are expected; 7 or more occur in 0.4 % of cases */
    }
    const slower = shares.slice();
    slower[1] *= 1.8;
    let found = 0;
    for (let i = 0; i < 50; i++) found += Number(differing(shares, slower, 1, random).includes(1));
    assert(found >= 48, "found " + found);
  },
  "columns of a heat map: a round time, neither too many nor too low"() {
    const bins = (width_ns, count) => page.binsOfColumn({ width_ns: width_ns, count: count });
    assert.strictEqual(bins(20e6, 3950), 50); /* 79 s: columns of one second */
    assert.strictEqual(bins(50e6, 200), 10);
    assert.strictEqual(bins(5e6, 1601), 20);
    assert.strictEqual(bins(1e6, 20), 5);
    assert.strictEqual(bins(1, 1), 5);
    assert.strictEqual(bins(2e6, 400), 5);
  },
  "lanes by thread, process and CPU; the rest in one row"() {
    const frames = [["app", "", 0], ["pid 1", "", 0], ["tid 1", "", 0], ["tid 2", "", 0], ["main", "app", 1], ["blocked", "", 6], ["sh", "", 0], ["pid 3", "", 0], ["tid 3", "", 0]];
    const rows = [[0, 0, 0], [0, 1, 0], [0, 2, 0], [0, 4, 3, [[0, 1, 0], [0, 1, 1], [2, 1, 1]]], [2, 3, 0], [0, 5, 4, [[2, 4, 0]]], [4, 6, 0], [0, 7, 0], [0, 8, 1, [[5, 1, 1]]]];
    const read = capture(rows, { groups: ["comm", "pid", "tid"] }, frames);
    const kinds = page.laneKinds(read.facts, read.cells);
    assert.deepStrictEqual(kinds.map((kind) => kind.title), ["comms", "processes", "threads", "CPUs"]);
    const lanes = kinds.map((kind) => page.makeLanes(kind, Object.assign({ states: page.statesOfRows(read.tree, read.frames) }, read), 10));
    const text = ({ list }) => list.map((lane) => lane.label + ":" + lane.weight + ":" + lane.idle[0].reduce((a, b) => a + b));
    assert.deepStrictEqual(text(lanes[0]), ["app:7:4", "sh:1:0"]);
    assert.deepStrictEqual(text(lanes[1]), ["app 1:7:4", "sh 3:1:0"]);
    assert.deepStrictEqual(text(lanes[2]), ["app 1:3:0", "app 2:4:4", "sh 3:1:0"]);
    const states = ["app", "preempted", "run queue", "[running or waiting, state unknown]", "main"];
    const made = capture([[0, 0, 0], [0, 1, 1], [1, 2, 1], [1, 3, 1], [1, 4, 1]], {}, states.map((name, i) => [name, "", [0, 7, 8, 5, 1][i]]));
    assert.deepStrictEqual(Array.from(page.statesOfRows(made.tree, made.frames)), [0, 0, 2, 2, 3, 0]);
    assert.deepStrictEqual(text(lanes[3]), ["CPU 0:5:4", "CPU 1:3:0"]);
    assert.deepStrictEqual(Array.from(page.foldLanes(lanes[2].list.slice(1), "2 others").bins.slice(0, 6)), [0, 0, 4, 0, 0, 1]);
    assert.deepStrictEqual(Array.from(page.selfInWindow(read.cells, { from: 0, to: 3 }, [1])), [0, 0, 0, 0, 2, 0, 0, 0, 0, 0]);
  },
  "a thread that changed its comm is named after the comm that weighs most"() {
    const frames = [["chrt", "", 0], ["pid 1", "", 0], ["tid 1", "", 0], ["server", "", 0], ["tail", "", 0]];
    const rows = [[0, 0, 0], [0, 1, 0], [0, 2, 1, [[0, 1, 0]]], [3, 3, 0], [0, 1, 0], [0, 2, 5, [[1, 5, 0]]], [3, 4, 0], [0, 1, 0], [0, 2, 2, [[2, 2, 0]]]];
    const read = capture(rows, { groups: ["comm", "pid", "tid"] }, frames);
    const [, processes, threads] = page.laneKinds(read.facts, read.cells)
      .map((kind) => page.makeLanes(kind, Object.assign({ states: page.statesOfRows(read.tree, read.frames) }, read), 10));
    const text = ({ list }) => list.map((lane) => lane.label + ":" + lane.weight);
    assert.deepStrictEqual([text(processes), text(threads)], [["server 1:8"], ["server 1:8"]]);
  },
  "a column of a chart has the heaviest callee of each level; equal neighbours are one part"() {
    const { tree } = capture(), count = tree.frame.length;
    const scratch = { total: new Float64Array(count), own: new Float64Array(count), best: new Int32Array(count) };
    const stack = (rows, weights) => page.dominantStack(tree, rows, weights, (row) => row === 1, scratch);
    const rows = (found) => found.map(({ row }) => row);
    assert.deepStrictEqual(rows(stack([5, 6], [2, 7])), [2, 6]); /* row 1, the group, is left out */
    assert.deepStrictEqual(rows(stack([5, 6], [5, 4])), [2, 3, 4, 5]);
    assert.deepStrictEqual(rows(stack([2, 6], [9, 4])), [2]); /* main itself is heavier than its callee */
    assert(Object.values(scratch).every((list) => list.every((value) => value === 0)));
    const parts = page.mergeColumns([stack([5], [5]), stack([5], [3]), null, stack([5], [1]), stack([6], [1])], 1);
    assert.deepStrictEqual(parts[0].map(({ row, from, to, weight }) => [row, from, to, weight]), [[2, 0, 2, 8], [2, 3, 5, 2]]);
    assert.deepStrictEqual(parts[1].map(({ row, from, to, above }) => [row, from, to, above]), [[3, 0, 2, 0], [3, 3, 4, 1], [6, 4, 5, 1]]);
    assert.strictEqual(page.samplePitch(Int32Array.from([0, 1, 1, 1, 1, 2, 2, 2, 2, 3]), 9), 6); /* a sample every fourth column */
    assert.strictEqual(page.samplePitch(Int32Array.from([0, 1, 2, 2, 3, 4]), 5), 1);
  },
  "each transform"() {
    assert.strictEqual(after({ kind: "thread", name: "app" }), after());
    assert.strictEqual(after({ kind: "thread", name: "main" }), "all:0"); /* "main" is a function, not a group */
    assert.strictEqual(after({ kind: "drop", name: "parse" }), "all:8(app:8(main:8(read:7)))");
    assert.strictEqual(after({ kind: "include", name: "^so" }), "all:5(app:5(main:5(parse:5(main:5(sort:5)))))");
    assert.strictEqual(after({ kind: "exclude", name: "READ" }), "all:13(app:13(main:13(parse:5(main:5(sort:5)) read:7)))");
    assert.strictEqual(after({ kind: "merge", name: "parse" }), "all:13(app:13(main:13(main:5(sort:5) read:7)))");
    assert.strictEqual(after({ kind: "kernel" }), "all:13(app:13(main:13(parse:5(main:5(sort:5)))))");
    assert.strictEqual(after({ kind: "groups" }), "all:13(main:13(parse:5(main:5(sort:5)) read:7))");
    assert.strictEqual(after({ kind: "focus", name: "parse" }), "all:5(parse:5(main:5(sort:5)))");
    assert.strictEqual(after({ kind: "path", path: ["app", "main", "read"] }), "all:7(read:7)");
    assert.strictEqual(after({ kind: "path", path: ["app", "gone"] }), "all:0");
    assert.strictEqual(after({ kind: "recursion", name: "main" }), "all:13(app:13(main:13(sort:5 read:7)))");
    assert.strictEqual(after({ kind: "merge", name: "parse" }, { kind: "recursion" }), "all:13(app:13(main:13(sort:5 read:7)))");
    assert.strictEqual(after({ kind: "merge", name: "main" }, { kind: "module", name: "libx.so" }), "all:13(app:13(read:7 [libx.so]:5))");
  },
  "a note's stack is found in other trees: without threads, and after transforms"() {
    const frames = [["app", "", 0], ["pid 1", "", 0], ["tid 1", "", 0], ["tid 2", "", 0], ["main", "", 1], ["parse", "", 1], ["read", "", 1]];
    const { tree, frames: made } = capture([[0, 0, 0], [0, 1, 0], [0, 2, 0], [0, 4, 1], [0, 5, 1], [0, 6, 1], [2, 6, 1], [3, 3, 0], [0, 4, 1], [0, 6, 1]], { groups: ["comm", "pid", "tid"] }, frames);
    const rows = (stack, isTransformed) => page.rowsOfStack(tree, made, stack, Boolean(isTransformed));
    assert.deepStrictEqual(page.stackOfRow(tree, made, 6), ["app", "main", "parse", "read"]);
    assert.deepStrictEqual(rows(["app", "main", "parse", "read"]), [6]);
    assert.deepStrictEqual(rows(["app", "main", "read"]), [7, 10]);
    assert.deepStrictEqual(rows(["app", "main"]), [4, 9]); /* of both threads */
    assert.deepStrictEqual(rows(["app", "main", "gone", "read"]), []);
    assert.deepStrictEqual(rows(["app", "main", "gone", "read"], true), [7, 10]); /* as if "gone" were merged */
    assert.deepStrictEqual(rows(["app", "other", "parse", "read"], true), []);
  },
  "notes are found in one pass over the rows, once for each list of notes"() {
    const levels = 99, times = 200, rows = [[0, 0, 0]];
    for (let i = 0; i < times * levels; i++) rows.push([i && i % levels === 0 ? levels : 0, 1, 1]); /* f calls itself */
    const { tree, frames } = capture(rows, null, [["app", "", 1], ["f", "", 1]]);
    let reads = 0;
    const name = new Proxy(frames.name, { get: (names, index) => (reads++, names[index]) }), shown = Object.assign({}, frames, tree, { name: name });
    const stack = ["app"].concat(Array(levels).fill("f"));
    assert.deepStrictEqual(page.rowsOfStack(shown, shown, stack, false).length, times);
    assert.deepStrictEqual(page.rowsOfStack(shown, shown, stack.concat(["g", "f"]), true).length, times);
    assert(reads <= 2 * rows.length, reads + " reads of names");
    page.setNotes([{ place: { stack: stack }, text: "x" }]);
    const byRow = page.notesByRow(shown, false);
    assert.deepStrictEqual([byRow.size, byRow.get(1 + levels)], [times, [0]]);
    reads = 0;
    assert.strictEqual(page.notesByRow(shown, false), byRow);
    assert.strictEqual(reads, 0);
    page.setNotes([]);
    assert.strictEqual(page.notesByRow(shown, false).size, 0);
  },
  "notes of a file: what is none is left out"() {
    const items = [{ place: '{"function":"parse"}', text: " why? " }, { place: "{", text: "x" }, { place: "[]", text: "x" }, { place: '{"stack":[]}', text: "x" },
      { place: '{"stack":[1]}', text: "x" }, { place: '{"time":5}', text: "x" }, { place: "null", text: "x" }, { place: '{"stack":["a"]}', text: "" }, { place: "{}", text: "all" }];
    assert.deepStrictEqual(page.readNotes(items).map(({ place, text }) => [place.function, text]), [["parse", "why?"], [undefined, "all"]]);
    assert.strictEqual(page.readNotes(Array(600).fill(items[0])).length, 500);
  },
  "a search without capital letters matches both cases; those of \\S and the like are none"() {
    const isMatch = (text, name) => page.parseQuery(text)[0].expression.test(name);
    [["parse", true], ["Parse", true], ["PARSE", false], ["parse\\S*", true], ["\\bparse\\W?", true], ["P\\S*", true], ["pARSE\\S*", false], ["parse|\\\\S", false]]
      .forEach(([text, wanted]) => assert.strictEqual(isMatch(text, "Parser"), wanted, text));
    const { tree, frames } = capture([[0, 0, 1], [0, 1, 2]], null, [["App", "", 1], ["Main", "", 1]]);
    const total = (name) => page.totals(page.transformed(tree, { frames: frames }, [{ kind: "include", name: name }]).self, tree.parent)[0];
    assert.deepStrictEqual(["m\\Sin", "M\\Sin", "mA\\Sn"].map(total), [2, 2, 0]);
  },
  "a search as transforms"() {
    const steps = (text, keeps) => JSON.stringify(page.stepsOfTerms(page.parseQuery(text), keeps));
    assert.strictEqual(steps("a -b", true), '[{"kind":"include","name":"a"},{"kind":"exclude","name":"b"}]');
    assert.strictEqual(steps("a", false), '[{"kind":"exclude","name":"a"}]');
    assert.strictEqual(steps("NOT a", false), '[{"kind":"include","name":"a"}]');
    assert.strictEqual(steps("a b", false), "null");
  },
  "idle: the idle loop, and kernel threads that wait for work"() {
    const frames = ["swapper", "do_idle", "worker_thread", "schedule", "process_one_work"].map((name) => [name, "", 2]);
    const { facts, stream } = encode(frames, [[0, 0, 0], [0, 1, 3], [2, 2, 0], [0, 3, 4], [1, 4, 0], [0, 3, 5]]);
    const { tree, frames: made } = page.readCapture(facts, stream);
    assert.deepStrictEqual(Array.from(page.idleRows(tree, made)), [0, 1, 1, 0, 1, 0, 0]);
  },
};

let failed = 0;
Object.entries(tests).forEach(([name, test]) => {
  try {
    test();
  } catch (error) {
    failed++;
    console.log("FAIL page: " + name + "\n" + error.stack);
  }
});
console.log("page modules: " + (Object.keys(tests).length - failed) + " passed, " + failed + " failed");
process.exitCode = failed ? 1 : 0;
