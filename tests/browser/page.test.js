/* SPDX-License-Identifier: MIT */
/*
 * What a reader does with a page in a browser. Called by run: node page.test.js DIRECTORY, where
 * the pages are. If AXE names the axe.min.js of axe-core, that searches for obstacles to screen
 * readers.
 */
"use strict";

const assert = require("assert");
const { execFileSync } = require("child_process");
const fs = require("fs");
const path = require("path");
const { run, directory, labelAt, labels, drag } = require("./harness.js");
const { binsOfColumn } = require("./page_modules.js").load(["binsOfColumn"]);

const IS_READY = { isReady: "document.documentElement.dataset.ready" };
const IS_STATIC = { isReady: 'document.querySelector("#head .missing")' };

function texts(page, selector) {
  return page.evaluate(`Array.from(document.querySelectorAll(${JSON.stringify(selector)}), (one) => one.textContent)`);
}

async function click(page, name, modifiers) {
  const at = await labelAt(page, name);
  await page.click(at.x, at.y, modifiers);
}

/* Presses a button by its text. */
function press(page, text, within) {
  return page.evaluate(`Array.from(document.querySelectorAll(${JSON.stringify((within || "body") + " button")}))
    .find((one) => one.textContent === ${JSON.stringify(text)}).click()`);
}

/* Drags over the strip; from and to are shares of its width. */
async function dragShares(page, from, to, modifiers) {
  const box = await page.evaluate('(({ x, y, width }) => ({ x, y, width }))(document.querySelector("#time canvas").getBoundingClientRect())');
  const at = (share) => ({ x: box.x + share * box.width, y: box.y + 20 });
  await drag(page, at(from), at(to), modifiers);
}

/* Goes back in the history, and waits until the page has followed. */
function back(page) {
  return page.evaluate('new Promise((done) => { addEventListener("popstate", () => setTimeout(done), { once: true }); history.back(); })');
}

const HOSTILE_NOTE = '</p></li></section><script>window.hostile = 1</script><!--<script> & "x" ]]> \u202e<img src=x onerror=hostile=1>';

/* Presses "Save a copy", and returns the file that the browser would have written. */
async function saved(page) {
  await page.evaluate(`URL.createObjectURL = (blob) => (blob.text().then((text) => (window.savedText = text)), "blob:"); URL.revokeObjectURL = () => {};
    window.savedText = ""; HTMLAnchorElement.prototype.click = function () { window.savedName = this.download; }`);
  await press(page, "Save a copy");
  await page.until("window.savedText", "the copy");
  const name = await page.evaluate("window.savedName");
  assert.match(name, /^\w+-notes\.html$/);
  fs.writeFileSync(path.join(directory, name), await page.evaluate("window.savedText"));
  return name.replace(/^/, directory + "/");
}

/* The first rows of the table: p, verdict, function and the shares of self. */
function changes(page) {
  return page.evaluate(`Array.from(document.querySelectorAll("#table tbody tr")).slice(0, 30)
    .map((row) => Array.from(row.children, (cell) => cell.textContent).slice(1, 7))`);
}

/* The same from the table of kiln diff. */
function changesOf(file) {
  const table = fs.readFileSync(path.join(directory, file), "utf8");
  /* With --normalise time, the name follows three columns of costs. */
  const costs = / cost +after +change function/.test(table) ? "\\S+ +\\S+ +\\S+ " : "";
  const row = new RegExp(`^ *(\\S+) +(\\S+) +(\\S+) +\\S+ +\\S+ +\\S+ +([^\\s*]+)\\*? *\\[[^\\]]*\\] (\\S+) +${costs}(.*)$`);
  return table.split("\n").filter((line) => line && line[0] !== "#").map((line) => {
    const [, self, before, after, p, verdict, name] = row.exec(line);
    return [p, verdict, name, self.replace("-", "−"), before, after];
  });
}

const tests = {
  async "a drag selects a window; graph, table and option follow; Escape and Back undo"(page) {
    const before = await texts(page, "#table tbody tr:first-child td");
    await dragShares(page, 0.2, 0.4);
    assert.match(await page.text("option"), /^--time \d+(\.\d+)?,\d+\.\d+$/);
    assert.match(await page.hash(), /^#time=\d/);
    assert.notDeepStrictEqual(await texts(page, "#table tbody tr:first-child td"), before);
    await page.key("Escape");
    assert.strictEqual(await page.hash(), "");
    assert.deepStrictEqual(await texts(page, "#table tbody tr:first-child td"), before);
    await back(page);
    assert.match(await page.hash(), /^#time=/);
    assert.notDeepStrictEqual(await texts(page, "#table tbody tr:first-child td"), before);
  },

  async "a window has a duration, and its weight says what it is of"(page) {
    const [, recorded] = /recorded over ([\d.]+ m?s)/.exec(await page.evaluate('document.querySelector("#head").textContent'));
    assert(/^Whole capture: (.*)\. Drag/.exec(await page.text("window"))[1] === recorded, recorded + " " + await page.text("window"));
    await page.evaluate(`Object.assign(document.getElementById("range"), { value: "0.2, 0.5" }).dispatchEvent(new Event("change"))`);
    assert.match(await page.text("window"), /^0\.200? to 0\.500? s \(300 ms; \d+ ms of CPU time, [\d.]+%\)/);
    const samples = await this.open("wall_page.html");
    assert.match(await samples.text("window"), /^Whole capture: 21\.5 ms\. /);
    await dragShares(samples, 0.3, 0.34);
    assert.match(await samples.text("window"), /s \([\d.]+ .?s; \d+ samples, [\d.]+%\)/);
    const several = await this.open("several_page.html");
    assert.match(await several.text("window"), /^Whole capture\. Drag/);
  },

  async "verdicts and numbers of a comparison are shown whole"() {
    for (const width of [1920, 1280, 700, 390]) {
      const page = await this.open("change_page.html", { width });
      const short = await page.evaluate(`Array.from(document.querySelectorAll("#table tbody td:not(.long)"))
        .filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)`);
      assert.deepStrictEqual(short, [], String(width));
    }
  },

  async "beside the graph or below it, the table of a comparison has all its columns in sight"() {
    for (const width of [1024, 1179, 1180, 1379, 1380, 1400]) {
      const page = await this.open("change_page.html", { width });
      const [shown, whole] = await page.evaluate('(({ clientWidth, scrollWidth }) => [clientWidth, scrollWidth])(document.querySelector("#table .scroll"))');
      assert(whole <= shown, `${width}: ${whole} of ${shown}`);
    }
  },

  async "a table below the graph has room for modules and threads"() {
    for (const name of ["demo_page.html", "change_page.html"]) {
      const page = await this.open(name, { width: 1024 });
      const cut = await page.evaluate(`Array.from(document.querySelectorAll("#table tbody td.long"))
        .filter((cell) => cell.scrollWidth > cell.clientWidth && cell.clientWidth < 150).map((cell) => cell.textContent)`);
      assert.deepStrictEqual(cut, [], name);
    }
  },

  async "on a phone, the first tap on a frame shows its numbers, and the second zooms"() {
    const page = await this.open("demo_page.html", { width: 375, height: 900 });
    await page.send("Emulation.setTouchEmulationEnabled", { enabled: true });
    await page.evaluate('document.getElementById("stage").scrollIntoView()');
    const at = await labelAt(page, "http-worker"), tap = async () => {
      await page.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [at] });
      await page.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    };
    await tap();
    await page.until('document.getElementById("details").textContent.startsWith("http-worker (")');
    assert.strictEqual(await page.hash(), "");
    const isWhole = await page.evaluate('(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.getElementById("details"))');
    assert(isWhole);
    await tap();
    await page.until('location.hash.includes("zoom=")');
  },

  async "help that is higher than the window begins at its beginning"() {
    const page = await this.open("demo_page.html", { width: 375, height: 500 });
    await page.key("?");
    assert.deepStrictEqual(await page.evaluate('(({ open, scrollTop, scrollHeight, clientHeight }) => [open, scrollTop, scrollHeight > clientHeight])(document.getElementById("help"))'), [true, 0, true]);
  },

  async "a window of wall-clock times survives a link"() {
    const page = await this.open("wall_page.html"), shown = async (of) => [await of.text("window"), await of.text("option")];
    await dragShares(page, 0.3, 0.34);
    const [words, option] = await shown(page);
    assert.match(option, /^--time 1763900000\.\d{4},1763900000\.\d{4}99999$/);
    const again = await this.open("wall_page.html", { hash: await page.hash() });
    assert.deepStrictEqual(await shown(again), [words, option]);
  },

  async "a second drag with Ctrl compares"(page) {
    await dragShares(page, 0.1, 0.3);
    await dragShares(page, 0.5, 0.9, 2);
    assert.match(await page.text("window"), /^Before: .* After: /);
    assert.match(await page.text("view"), /change between two windows/);
    const heads = await texts(page, "#table thead th");
    assert(heads.includes("Change, points") && heads.includes("p ▲"), String(heads));
    assert.match(await page.text("window"), /differs? significantly|Too few/);
    const values = (await texts(page, "#table tbody tr td:nth-child(6)")).map(Number);
    assert(values.length > 3 && values.every((p, i) => p >= 0 && p <= 1 && (!i || p >= values[i - 1])), String(values));
    await page.key("Escape");
    assert((await page.text("view")).startsWith("Icicle graph"));
    assert(!(await texts(page, "#table thead th")).includes("Change, points"));
  },

  async "the table names the thread in which a function weighs most"(page) {
    const threadOf = (name) => page.evaluate(`Array.from(document.querySelectorAll("#table tbody tr")).find((row) =>
      row.querySelector("th").textContent === ${JSON.stringify(name)}).lastChild.textContent`);
    const wall = await this.open("wall_page.html");
    assert.match(await wall.evaluate('document.querySelector("#table tbody tr").textContent'), /^60.*fapp.*one \+1$/); /* though f calls itself in the other */
    assert.strictEqual((await texts(page, "#table thead th")).pop(), "Thread");
    assert.strictEqual(await threadOf("append_number"), "http-worker");
    assert.strictEqual(await threadOf("update_crc"), "load-client +1");
  },

  async "rows by thread or process: a label picks one, and graph and table follow"(page) {
    const kinds = await page.evaluate('Array.from(document.getElementById("rows").options, (one) => [one.value, one.disabled])');
    assert.deepStrictEqual(kinds.slice(0, 2), [["tid", false], ["pid", false]]);
    const [label] = await texts(page, "#time .rows button");
    await press(page, label, "#time .rows");
    assert.match(await page.hash(), /^#do=thread:tid \d+$/);
    assert.strictEqual((await texts(page, '#time .rows button[aria-pressed="true"]')).length, 1);
    const groups = (await labels(page)).slice(1, 2);
    assert.deepStrictEqual(groups, [label.replace(/ \d+$/, "")]);
    const [, second] = await texts(page, "#time .rows button");
    await press(page, second, "#time .rows"); /* either of both */
    assert.strictEqual((await texts(page, "#chips li")).length, 2);
    assert((await texts(page, "#table tbody th")).length > 3);
    await press(page, label, "#time .rows");
    assert.strictEqual((await texts(page, "#chips li")).length, 1);
  },

  async "a comm that is named like a CPU, and this CPU"() {
    const page = await this.open("wall_page.html", { hash: "#rows=comm" });
    await press(page, "cpu 1", "#time .rows");
    assert.strictEqual(await page.hash(), "#do=thread:cpu 1&rows=comm");
    assert.deepStrictEqual(await texts(page, "#table tbody th"), ["f"]);
    assert.deepStrictEqual(await texts(page, '#time .rows button[aria-pressed="true"]'), ["cpu 1"]);
    const other = await this.open("wall_page.html", { hash: "#rows=cpu" });
    await press(other, "CPU 1", "#time .rows");
    assert.strictEqual(await other.hash(), "#do=cpu:1&rows=cpu");
    assert.deepStrictEqual((await texts(other, "#chips li")).map((text) => text.replace(/ ✕$/, "")), ["only CPU 1"]);
    assert((await texts(other, "#table tbody th")).includes("leaf_1"));
    assert.deepStrictEqual(await texts(other, '#time .rows button[aria-pressed="true"]'), ["CPU 1"]);
    const again = await this.open("wall_page.html", { hash: await other.hash() });
    assert.deepStrictEqual(await texts(again, "#table tbody tr"), await texts(other, "#table tbody tr"));
    const timeless = await this.open("names_page.html", { hash: "#do=cpu:1" }), wrong = await this.open("wall_page.html", { hash: "#do=cpu:x" });
    for (const one of [timeless, wrong]) assert.deepStrictEqual(await texts(one, "#chips li"), []);
  },

  async "a heat map: a drag over its cells selects the time from one cell to the other"(page) {
    await page.evaluate('(() => { const rows = document.getElementById("rows"); rows.value = "offset"; rows.dispatchEvent(new Event("change")); })()');
    assert.strictEqual(await page.hash(), "#rows=offset");
    const { bins, box } = await page.evaluate(`({ bins: JSON.parse(document.getElementById("facts").textContent).bins,
      box: (({ x, y, width, height }) => ({ x, y, width, height }))(document.querySelector("#time canvas").getBoundingClientRect()) })`);
    const count = binsOfColumn(bins), high = (box.height - 44 - 18 - 2) / count, wide = (box.width * count) / bins.count;
    const cell = (column, row) => ({ x: box.x + (column + 0.5) * wide, y: box.y + 44 + (count - row - 0.5) * high });
    await drag(page, cell(2, 1), cell(1, count - 1));
    const [from, to] = (await page.text("option")).slice("--time ".length).split(",").map((text) => (Number(text) * 1e9 - Number(bins.first_ns)) / bins.width_ns);
    assert.deepStrictEqual([Math.round(from), Math.round(to)], [2 * count - 1, 2 * count + 2]);
    await page.key("Escape");
    await dragShares(page, 0.2, 0.4); /* above the cells it is as without cells */
    const [begin] = (await page.text("option")).slice("--time ".length).split(",").map((text) => (Number(text) * 1e9 - Number(bins.first_ns)) / bins.width_ns / bins.count);
    assert(Math.abs(begin - 0.2) < 0.02, begin);
  },

  async "a page of kiln timeline opens as a chart; other views have addresses"() {
    const page = await this.open("timeline_page.html");
    assert.match(await page.text("view"), /^Flame chart by thread/);
    assert.match((await texts(page, ".legend")).join(), /on-CPU.*off-CPU/);
    await press(page, "Icicle");
    assert.match(await page.hash(), /^#view=icicle&rows=tid$/);
    await press(page, "Chart");
    await back(page);
    assert.match(await page.text("view"), /^Icicle/);
  },

  async "a flame chart has a lane for each row, and an axis; a click on a frame selects its time"(page) {
    await press(page, "Chart");
    assert.match(await page.text("view"), /^Flame chart by thread/);
    assert.match(await page.hash(), /^#view=chart$/);
    const [first] = await texts(page, "#time .rows button"), before = await texts(page, "#grid text");
    assert((await labels(page)).includes(first));
    assert(before.length > 1 && before.every((text) => /^[\d.]+ s$/.test(text)), before);
    await click(page, "serve_connection");
    assert.match(await page.hash(), /^#view=chart&time=/);
    assert.match(await page.text("window"), /^\d.* to /);
    await page.key("Escape");
    await click(page, first);
    assert.match(await page.hash(), /^#view=chart&do=thread:tid/);
    await page.key("1");
    assert.match(await page.text("view"), /^Icicle/);
  },

  async "in a flame chart, a time is to the right of its line if there is room"() {
    for (const width of [400, 600, 800, 1000]) {
      const page = await this.open("demo_page.html", { width: width, hash: "#view=chart" });
      const spares = await page.evaluate(`Array.from(document.querySelectorAll("#grid text[text-anchor=end]"), (text) => {
        const label = text.getBoundingClientRect(), right = document.querySelector("#stage svg").getBoundingClientRect().right;
        return right - label.right - label.width - 8;
      })`);
      assert(spares.every((spare) => spare < 2), width + ": " + spares.join());
    }
  },

  async "the command that is copied writes a page with the same view"(page) {
    const copied = () => page.evaluate('new Promise((done) => { const poll = () => (window.copied ? done(window.copied) : requestAnimationFrame(poll)); poll(); })');
    const shown = async (of) => [await texts(of, "#table tbody tr"), await of.text("window"), await of.text("matched"), await texts(of, "#chips li")];
    await page.evaluate('document.execCommand = (name) => (window.copied = document.activeElement.value, true); Object.defineProperty(navigator, "clipboard", { value: undefined })');
    await press(page, "Copy command");
    assert(!(await copied()).includes("--view"), await copied());
    await dragShares(page, 0.2, 0.4);
    await press(page, "Collapse recursion");
    await page.key("/");
    await page.type("it's|serve");
    const before = await shown(page);
    await page.evaluate("window.copied = ''");
    await press(page, "Copy command");
    const command = await copied(), file = path.join(directory, "again_page.html");
    assert.match(command, /^kiln page --view 'time=[^']+'\\''s/);
    execFileSync("/bin/sh", ["-c", command.replace("kiln", '"$KILN"').replace(/ (\S+)$/, ' -o "$FILE" -- $1')], {
      cwd: path.join(__dirname, "../fixtures/demo"), /* absolute paths are shortened to names */
      env: Object.assign({}, process.env, { FILE: file }),
    });
    const again = await this.open(file);
    assert.deepStrictEqual(await shown(again), before);
    await again.evaluate('document.execCommand = (name) => (window.copied = document.activeElement.value, true); Object.defineProperty(navigator, "clipboard", { value: undefined })');
    await press(again, "Copy command");
    const next = await again.evaluate('new Promise((done) => { const poll = () => (window.copied ? done(window.copied) : requestAnimationFrame(poll)); poll(); })');
    assert.match(next, /^kiln page --view 'time=[^']+'\\''s.* -- perf\.data$/);
    assert.strictEqual(next.split(" --view ").length, 2, next);
    await press(again, "Clear");
    assert.match(await again.text("window"), /^Whole capture/);
    assert.match(await again.hash(), /^#do=recursion&search=/);
  },

  async "the table as CSV has all rows that match, and numbers that spreadsheets read"() {
    const open = async (file) => {
      const page = await this.open(file);
      await page.evaluate('document.execCommand = () => (window.copied = document.activeElement.value, true); Object.defineProperty(navigator, "clipboard", { value: undefined })');
      return page;
    };
    const csv = async (page) => {
      await press(page, "Copy CSV");
      return (await page.evaluate("window.copied")).trim().split("\n").map((line) => line.split(",")); /* a field has no \r */
    };
    const isNumber = (cell) => /^-?\d+(\.\d+)?(e-\d+)?$/.test(cell), page = await open("wall_page.html");
    const [head, ...whole] = await csv(page);
    assert.deepStrictEqual(head, ["Self (samples)", "Self %", "Total (samples)", "Total %", "Function", "Module", "Thread"]);
    assert.strictEqual(whole.length, 151);
    assert.deepStrictEqual([whole[0][0], whole[0][2], whole[0][3], whole[0][4]], ["60", "210", "100", "f"]);
    assert(whole.every((line) => line.slice(0, 4).every(isNumber) && /^(f|leaf_\d+|'-1\+leaf_\d+)$/.test(line[4])), String(whole));
    await dragShares(page, 0.2, 0.4);
    await dragShares(page, 0.6, 0.75, 2);
    const [titles, ...lines] = await csv(page), changes = lines.map((line) => line[titles.indexOf("Change")]);
    assert(changes.every(isNumber) && changes.some((cell) => cell < 0) && changes.some((cell) => cell > 0), String(changes));

    const compared = await open("change_page.html"), [names, ...rows] = await csv(compared);
    assert.deepStrictEqual(names, ["#", "p", "Verdict", "Function", "Self", "Self before", "Self after", "Total", "Total before", "Total after", "Interval low", "Interval high", "Module"]);
    const isPlain = (line) => line.every((cell, i) => ["Verdict", "Function", "Module"].includes(names[i]) || cell === "" || isNumber(cell));
    assert(rows.length > 3 && rows.every(isPlain), String(rows.find((line) => !isPlain(line))));
    assert(Math.abs(rows[0][6] - rows[0][5] - rows[0][4]) < 1e-5, rows[0]);
  },

  async "the graph as SVG and PNG"(page) {
    await page.evaluate('document.execCommand = (name) => (window.copied = document.activeElement.value, true); Object.defineProperty(navigator, "clipboard", { value: undefined })');
    await press(page, "Copy SVG");
    const text = await page.evaluate('new Promise((done) => { const poll = () => (window.copied ? done(window.copied) : requestAnimationFrame(poll)); poll(); })');
    const names = await page.evaluate(`(() => {
      const made = new DOMParser().parseFromString(${JSON.stringify(text)}, "image/svg+xml");
      return made.querySelector("parsererror") ? ["not XML"] : Array.from(made.querySelectorAll("text"), (one) => one.textContent);
    })()`);
    (await labels(page)).forEach((label) => assert(names.includes(label), label));
    assert(!/class=|var\(/.test(text));
    await page.evaluate('HTMLAnchorElement.prototype.click = function () { window.saved = this; }');
    await press(page, "Save PNG");
    const saved = await page.evaluate('new Promise((done) => { const poll = () => (window.saved ? done(window.saved.download) : requestAnimationFrame(poll)); poll(); })');
    assert.strictEqual(saved, "profile.png");
  },

  async "notes on a frame, a function and a window, with the keyboard; a saved copy has them, and is the same page"(page) {
    await page.key("1");
    await page.evaluate('document.getElementById("stage").focus()');
    for (let i = 0; i < 3; i++) await page.key("ArrowDown");
    await page.key("a");
    assert.match(await page.text("note-heading"), /^Note on .*, called by /);
    await page.type(HOSTILE_NOTE);
    await page.key("Enter", 2);
    assert.deepStrictEqual(await texts(page, "#notes li p"), [HOSTILE_NOTE]);
    const marked = await page.evaluate('document.getElementById("noted").getAttribute("d")');
    assert.match(marked, /^M/);
    await press(page, "hash_bytes", "#table tbody");
    await press(page, "Write a note", "#table .actions");
    await page.type("of all calls");
    await press(page, "Keep the note");
    assert((await texts(page, "#table thead th")).some((title) => /^Note/.test(title)));
    assert.match(await page.evaluate('document.querySelector("#table tr.selected").textContent'), /of all calls/);
    await page.evaluate("scrollTo(0, 0)");
    await dragShares(page, 0.2, 0.4);
    const time = await page.hash();
    await press(page, "Note on it");
    assert.match(await page.text("note-heading"), /^Note on [\d.]+ to [\d.]+ s$/);
    await page.type("burst");
    await press(page, "Keep the note");
    assert.match(await page.evaluate('document.querySelector("#notes .missing").textContent'), /^Not in the file yet/);

    const file = await saved(page);
    assert.strictEqual(await page.evaluate('document.querySelector("#notes .missing").textContent'), "");
    const source = fs.readFileSync(path.join(directory, "demo_page.html"), "utf8"), text = fs.readFileSync(file, "utf8");
    const scripts = (html) => html.match(/<script[^]*?<\/script>/g);
    assert.deepStrictEqual(scripts(text), scripts(source)); /* no hostile note became a script */
    const copy = await this.open(file);
    assert.strictEqual(await copy.evaluate("window.hostile"), undefined);
    assert.deepStrictEqual(await texts(copy, "#notes li p"), [HOSTILE_NOTE, "of all calls", "burst"]);
    assert((await copy.evaluate('document.getElementById("noted").getAttribute("d")')).startsWith(marked.slice(0, 2)));
    await copy.evaluate('document.querySelectorAll("#notes .place")[2].click()');
    assert.strictEqual(await copy.hash(), time);
    await copy.evaluate('document.querySelectorAll("#notes .place")[0].click()');
    assert.match(await copy.hash(), /zoom=/);
    assert.strictEqual(fs.readFileSync(await saved(copy), "utf8"), text);
    const still = await this.open(file, { hasNoScript: true }); /* DevTools still evaluates */
    assert.deepStrictEqual(await texts(still, "#graph #notes li p"), [HOSTILE_NOTE, "of all calls", "burst"]);
    assert((await texts(still, "#graph svg text")).length > 5);
  },

  async "notes are edited, deleted, and changes taken back; Esc cancels"(page) {
    const shown = () => texts(page, "#notes li p");
    await press(page, "Note");
    assert.strictEqual(await page.text("note-heading"), "Note on the whole page");
    await page.type("one");
    await page.key("Enter", 2);
    await press(page, "Note");
    await page.type("two");
    await page.key("Escape");
    assert.deepStrictEqual(await shown(), ["one"]);
    await press(page, "Edit", "#notes");
    await page.key("ArrowRight");
    await page.type("!");
    await press(page, "Keep the note");
    assert.strictEqual((await shown())[0].length, 4);
    await press(page, "Delete", "#notes");
    assert.deepStrictEqual(await shown(), []);
    assert.strictEqual(await page.evaluate("document.activeElement.textContent"), "Undo");
    await press(page, "Undo", "#notes");
    await press(page, "Undo", "#notes");
    assert.deepStrictEqual(await shown(), ["one"]);
    await press(page, "Undo", "#notes");
    assert(await page.evaluate('document.getElementById("notes").hidden'));
  },

  async "of a comparison, a window of a side has a note of its own"() {
    const page = await this.open("change_page.html");
    const box = await page.evaluate('(({ x, y, width }) => ({ x, y, width }))(document.querySelectorAll("#time canvas")[1].getBoundingClientRect())');
    await drag(page, { x: box.x + 0.2 * box.width, y: box.y + 20 }, { x: box.x + 0.5 * box.width, y: box.y + 20 });
    await press(page, "Note");
    assert.match(await page.text("note-heading"), /^Note on after: [\d.]+ to [\d.]+ s$/);
    await page.type("after only");
    await page.key("Enter", 2);
    const copy = await this.open(await saved(page));
    assert.match((await texts(copy, "#notes .place"))[0], /^after: /);
    await copy.evaluate('document.querySelector("#notes .place").click()');
    assert.match(await copy.hash(), /^#against=/);
  },

  async "several terms have a colour each"(page) {
    await page.key("/");
    await page.type("handle_request serve_connection");
    const fill = (selector) => page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).fill`);
    assert.notStrictEqual(await fill("#frames path.hit"), await fill("#frames path.second"));
    assert.strictEqual((await texts(page, "#matched .term.second")).length, 1);
  },

  async "the kind of rows is in the address"() {
    const page = await this.open("demo_page.html", { hash: "#rows=comm" });
    assert((await texts(page, "#time .rows button")).includes("http-worker"));
    await page.evaluate('(() => { const field = document.getElementById("rows"); field.value = "pid"; field.dispatchEvent(new Event("change")); })()');
    assert.match(await page.hash(), /rows=pid/);
  },

  async "a click zooms, and shift-click shows callers and callees with the function's totals"(page) {
    await click(page, "http-worker");
    assert.match(await page.hash(), /^#zoom=http-worker$/);
    assert(!(await labels(page)).includes("logger"));
    await page.key("Escape");
    await click(page, "http-worker");
    await page.evaluate("document.activeElement.blur()");
    await page.key("3");
    assert.strictEqual(await page.text("view"), "Reversed graph");
    assert.strictEqual(await page.hash(), "#view=reversed");
    await page.key("1");
    await click(page, "handle_request", 8);
    assert.match(await page.text("view"), /^Callers and callees of handle_request.*total .*%; self /);
    assert.match(await page.hash(), /view=sandwich&function=handle_request/);
  },

  async "several terms, and what they share"(page) {
    await page.key("/");
    await page.type("handle_request -search_documents");
    assert.match(await page.text("matched"), /^Matched: [\d.]+% \(handle_request [\d.]+%, NOT search_documents [\d.]+%\)$/);
    assert.match(await page.hash(), /search=handle_request -search_documents/);
    await page.key("Escape");
    assert.strictEqual(await page.text("matched"), "");
  },

  async "a search becomes a transform"(page) {
    const isShown = (title) => page.evaluate("Array.from(document.querySelectorAll('.narrow button')).some((one) => one.textContent === " +
      JSON.stringify(title) + " && one.offsetWidth > 0)");
    const whole = await labels(page);
    assert(whole.some((label) => /^lo/.test(label)) && !(await isShown("Keep only these")));
    await page.key("/");
    await page.type("handle_request -search_documents");
    assert(!(await isShown("Leave these out"))); /* the button is not shown for several search terms */
    await press(page, "Keep only these", ".narrow");
    assert.strictEqual(await page.hash(), "#do=include:handle_request&do=exclude:search_documents");
    assert.deepStrictEqual((await texts(page, "#chips li")).map((text) => text.replace(/ ✕$/, "")),
      ["only /handle_request/", "without /search_documents/"]);
    assert(!(await labels(page)).some((label) => /^lo/.test(label)));
    assert.strictEqual(await page.text("matched"), "");
    await page.type("parse");
    await press(page, "Leave these out", ".narrow");
    assert.strictEqual(await page.hash(), "#do=include:handle_request&do=exclude:search_documents&do=exclude:parse");
    await back(page);
    await back(page);
    assert.deepStrictEqual(await texts(page, "#chips li"), []);
    assert.deepStrictEqual(await labels(page), whole);
  },

  async "transforms are chips, in the address, and removable"(page) {
    await press(page, "Without kernel");
    assert.strictEqual(await page.hash(), "#do=kernel");
    assert(!(await texts(page, "#table tbody th")).includes("finish_task_switch"));
    await click(page, "serve_connection");
    await page.key("Escape");
    await press(page, "serve_connection", "#table tbody");
    await press(page, "Merge into callers", "#table .actions");
    assert.strictEqual(await page.hash(), "#do=kernel&do=merge:serve_connection");
    assert(!(await labels(page)).includes("serve_connection"));
    await page.evaluate('document.querySelector("#chips button").click()');
    assert.strictEqual(await page.hash(), "#do=merge:serve_connection");
    await back(page);
    assert.strictEqual(await page.hash(), "#do=kernel&do=merge:serve_connection");
    assert.strictEqual((await texts(page, "#chips li")).length, 2);
  },

  async "a chip removes its stack only, not one whose names look the same when joined"() {
    const page = await this.open("demo_page.html", { hash: "#do=path:m;f%3Ca;b%3E&do=path:m;f%3Ca%2Cb%3E" });
    await page.evaluate('document.querySelector("#chips button").click()');
    assert.strictEqual(await page.hash(), "#do=path:m;f<a,b>");
  },

  async "a link shows what it names, and ignores what is not there"() {
    const page = await this.open("demo_page.html", { hash: "#zoom=http-worker;nowhere&do=kernel&do=evil&do=drop&time=0,1&search=(&view=__proto__" });
    assert((await texts(page, "#chips li")).length === 1);
    assert(!(await labels(page)).includes("logger"));
  },

  async "the table sorts, filters, and marks a row"(page) {
    await press(page, "Function", "#table thead");
    const names = await texts(page, "#table tbody th");
    assert.deepStrictEqual(names, names.slice().sort());
    assert.strictEqual(await page.evaluate('document.querySelector("[aria-sort]").getAttribute("aria-sort")'), "ascending");
    await page.evaluate('(() => { const field = document.getElementById("filter"); field.value = "hash"; field.dispatchEvent(new Event("input")); })()');
    assert((await texts(page, "#table tbody th")).every((name) => /hash/.test(name)));
    await press(page, "hash_bytes", "#table tbody");
    assert.strictEqual((await texts(page, "#table tr.selected")).length, 1);
    assert(await page.evaluate('document.getElementById("selected").getAttribute("d").length > 10'));
  },

  async "frames have a menu, for the keyboard as well"(page) {
    await page.evaluate('document.querySelector("#cursor").focus()');
    const at = await labelAt(page, "serve_connection");
    await page.move(at.x, at.y);
    assert.match(await page.text("tooltip"), /^[\d.]+%/);
    await page.key("m");
    assert.strictEqual(await page.evaluate("document.activeElement.textContent"), "Zoom");
    await page.key("ArrowDown");
    assert.strictEqual(await page.evaluate("document.activeElement.textContent"), "Focus on this stack");
    await page.key("Escape");
    assert(await page.evaluate('document.getElementById("menu").hidden'));
  },

  async "corrupt data: the static page stays, and says why"() {
    const file = path.join(directory, "corrupt.html"), source = fs.readFileSync(path.join(directory, "demo_page.html"), "utf8");
    fs.writeFileSync(file, source.replace(/("name":\s*"row.self"[^}]*"size":\s*)\d+/, "$1999999999"));
    const page = await this.open("corrupt.html", IS_STATIC);
    assert.match(await page.text("head"), /static: .* the column row.self does not fit into the data/);
    assert((await texts(page, "#graph svg text")).length > 5);
  },

  async "an input without times says so, and has the rest"() {
    const page = await this.open("names_page.html");
    assert.match(await page.text("time"), /no times/);
    assert((await texts(page, "#table tbody th")).length > 5);
    assert.strictEqual(await page.evaluate("window.hostile"), undefined);
  },

  async "the colours of kinds of code are explained, unless colours show a change"() {
    const page = await this.open("demo_page.html"), shown = () => texts(page, "#kinds:not([hidden]) > span");
    assert.deepStrictEqual(await shown(), ["user code", "kernel"]);
    assert.strictEqual(await page.evaluate('document.querySelectorAll("#kinds rect").length'), 2);
    const change = await this.open("change_page.html");
    assert.deepStrictEqual(await texts(change, "#kinds:not([hidden]) > span"), []);
  },

  async "on paper, a heading is not on another page than what it is of"() {
    const page = await this.open("demo_page.html");
    await page.send("Emulation.setEmulatedMedia", { media: "print" });
    assert.strictEqual(await page.evaluate('getComputedStyle(document.querySelector("#graph h2")).breakAfter'), "avoid");
  },

  async "in a table, titles and cells have the colours of the page, in the light and in the dark"() {
    for (const [theme, ink] of [["light", "rgb(0, 0, 0)"], ["dark", "rgb(255, 255, 255)"]]) {
      const page = await this.open("table.html", { theme: theme, isReady: "document.readyState === 'complete'" });
      const colours = await page.evaluate('["th", "td"].map((name) => getComputedStyle(document.querySelector(name)).color)');
      assert.deepStrictEqual(colours, [ink, ink]);
    }
  },

  async "nothing is wider than a phone"() {
    for (const name of ["demo_page.html", "change_page.html"]) {
      const page = await this.open(name, { width: 390, height: 844, hash: "#compare=both" });
      assert(await page.evaluate("document.documentElement.scrollWidth <= 390"), name);
    }
  },

  async "a comparison has the table of kiln diff, for every confidence and normalisation"() {
    const page = await this.open("change_page.html");
    assert.deepStrictEqual(await changes(page), changesOf("change.txt"));
    await page.evaluate('(() => { const slider = document.getElementById("confidence"); slider.value = slider.max; slider.dispatchEvent(new Event("input")); })()');
    assert.match(await page.hash(), /confidence=0.999/);
    assert.deepStrictEqual(await changes(page), changesOf("changeconfidence0.999.txt"));
    await back(page);
    assert.deepStrictEqual(await changes(page), changesOf("change.txt"));
    const timed = await this.open("change_page.html", { hash: "#normalise=time" });
    assert.deepStrictEqual(await changes(timed), changesOf("changenormalisetime.txt"));
    assert.notDeepStrictEqual(changesOf("change.txt"), changesOf("changenormalisetime.txt"));
    assert.strictEqual(await timed.text("terms"), fs.readFileSync(path.join(directory, "changenormalisetime.txt"), "utf8").match(/# (normalised .*?confidence)/)[1]);
  },

  async "both sides zoom together, and each has its own frames"() {
    const page = await this.open("change_page.html", { hash: "#compare=both" });
    const shown = (id) => page.evaluate(`Array.from(document.querySelectorAll("#${id} text"), (text) => text.textContent)`);
    assert((await shown("frames-before")).includes("http-worker") && !(await shown("frames")).includes("http-worker"));
    assert((await shown("frames")).includes("load-client"));
    const before = await page.evaluate(`(() => {
      const label = Array.from(document.querySelectorAll("#frames-before text")).find((text) => text.textContent === "handle_search");
      label.scrollIntoView({ block: "center" });
      return (({ x, y }) => ({ x, y }))(label.getBoundingClientRect());
    })()`);
    await page.move(before.x + 4, before.y + 4);
    assert.match(await page.text("tooltip"), /before [\d.]+%, after 0.00%/);
    await page.click(before.x + 4, before.y + 4);
    assert.match(await page.hash(), /^#zoom=http-worker;thread_start;http_worker;.*handle_search&compare=both$/);
    assert(!(await shown("frames-before")).includes("load_request"));
    await page.key("Escape");
    await click(page, "verify_reply");
    assert.match(await page.hash(), /^#zoom=load-client;.*verify_reply&compare=both$/);
    await page.key("b");
    assert.match(await page.text("view"), /change: widths of the larger side/);
    assert.strictEqual(await page.evaluate('document.querySelectorAll("#frames-before text").length'), 0);
  },

  async "a window of one side is judged by blocks, and can be taken back"() {
    const page = await this.open("change_page.html"), rows = await changes(page);
    const box = await page.evaluate('(({ x, y, width }) => ({ x, y, width }))(document.querySelectorAll("#time canvas")[1].getBoundingClientRect())');
    await drag(page, { x: box.x + 0.2 * box.width, y: box.y + 20 }, { x: box.x + 0.5 * box.width, y: box.y + 20 });
    assert.match(await page.hash(), /^#against=\d/);
    const heads = await texts(page, "#table thead th");
    assert(heads.includes("p ▲") && !heads.some((title) => /Verdict|Interval/.test(title)), String(heads));
    assert.match(await page.text("terms"), /^Windows of the captures.* bursts/);
    await page.key("Escape");
    assert.deepStrictEqual(await changes(page), rows);
  },

  async "of a large page, a change is drawn first and judged later; a newer window ends the judging"() {
    const page = await this.open("large_page.html");
    const isJudged = '!/Judging changes…/.test(document.getElementById("window").textContent)';
    await dragShares(page, 0.05, 0.45);
    await page.evaluate(`window.texts = []; new MutationObserver(() => texts.push(document.getElementById("window").textContent))
      .observe(document.getElementById("window"), { childList: true, characterData: true, subtree: true })`);
    await dragShares(page, 0.55, 0.7, 2);
    await dragShares(page, 0.55, 0.95, 2);
    await page.until(isJudged, "the judgement");
    const said = await page.evaluate("texts");
    assert.match(said[0], /Judging changes…$/);
    assert.match(said[said.length - 1], / differs? significantly/);
    const names = await texts(page, "#table tbody tr th");
    assert.deepStrictEqual(names.slice(0, 2).sort(), ["slow_step", "step"]);
    await page.key("Escape");
    assert(!(await texts(page, "#table thead th")).includes("Change, points"));
  },

  async "several inputs: a row for each, on an axis from the beginning of each, and no --time"() {
    const page = await this.open("several_page.html");
    assert.match(await page.text("time"), /Each file has its own clock/);
    assert.strictEqual((await texts(page, "#time .rows button")).length, 2);
    await dragShares(page, 0.2, 0.4);
    assert.match(await page.hash(), /^#time=0\.2/);
    assert.strictEqual(await page.text("option"), "");
    await press(page, "By file");
    assert.strictEqual(await page.text("chips"), "by file ✕");
  },

  async "a comparison without times says so"() {
    const page = await this.open("timeless_page.html");
    assert.match(await page.text("time"), /not shown, because a side has no timestamps/);
    assert(await page.evaluate('document.querySelector("#normalise option[value=time]").disabled'));
  },

  async "what is left out is said, shown where it is, and counted in the table"() {
    const page = await this.open("limit_page.html");
    assert.match(await page.text("left-out"), /^[\d.]+% of the weight is in [\d,]+ small stacks that are left out/);
    const zoomed = await this.open("limit_page.html", { hash: "#zoom=app;from_0" });
    assert((await labels(zoomed)).some((label) => /left out/.test(label)), String(await labels(zoomed)));
    const row = await page.evaluate('Array.from(document.querySelectorAll("#table tbody tr")).find((one) => one.querySelector("th").textContent === "rnd").textContent');
    assert.match(row, /^3,300 samples/);
    const matched = async (term) => {
      const found = await this.open("limit_page.html", { hash: "#search=" + encodeURIComponent(term) });
      return found.text("matched");
    };
    assert.match(await matched("^rnd$"), /^Matched: 5\.00% to 41\.3%$/); /* in fact 41.3% */
    assert.match(await matched("^large$"), /^Matched: 58\.8% to 95\.0%$/);
    assert.match(await matched("^app$"), /^Matched: 100\.0%$/);
    assert.match(await matched("app -rnd"), /^Matched: 58\.8% to 95\.0% \(app 100\.0%, NOT rnd 5\.00% to 41\.3%\)$/);
    assert.match(await page.text("over-limit"), /^This file embeds [\d,]+ bytes, which is more than --embed-limit/);
  },
};

if (process.env.AXE)
  for (const theme of ["light", "dark"])
    tests["axe finds no violation, " + theme] = async function () {
      const page = await this.open("demo_page.html", { theme: theme, hash: "#do=kernel" });
      await press(page, "hash_bytes", "#table tbody");
      await page.evaluate(fs.readFileSync(process.env.AXE, "utf8") + "; 0");
      const found = await page.evaluate("axe.run().then((all) => all.violations.map((one) => one.id + ': ' + one.nodes.map((node) => node.html.slice(0, 200)).join(' | ')))");
      assert.deepStrictEqual(found, []);
    };
else console.log("page: skipped: axe-core (AXE is the path of axe.min.js)");

run(tests, "pages: ", Object.assign({ first: "demo_page.html" }, IS_READY));
