/* SPDX-License-Identifier: MIT */
/*
 * What a reader does with a differential flame graph, and with two windows or sides of a page, in a browser. Called by
 * run: node difference.test.js DIRECTORY, where the SVGs and pages are.
 */
"use strict";

const assert = require("assert");
const path = require("path");
const { run, directory, labelAt, labels, positions, places, search } = require("./harness.js");

const IS_READY = "document.documentElement.dataset.ready";

/* The text that a button copies. */
async function copied(page, text) {
  await page.evaluate(`document.execCommand = () => (window.copied = document.activeElement.value, true); window.copied = "";
    Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true });
    Array.from(document.querySelectorAll("button")).find((one) => one.textContent === ${JSON.stringify(text)}).click()`);
  await page.until("window.copied", "the copy");
  return page.evaluate("window.copied");
}

const tests = {
  async "of a difference, the lines of the head are broken to fit the window, and lose nothing"() {
    for (const width of [375, 450, 800, 1024, 1400, 2400]) {
      const page = await this.open(path.join(directory, "diff.svg"), { width });
      const [all, lines, facts, right] = await page.evaluate(`{
        const headline = document.querySelector(".headline"), texts = (lines) => Array.from(lines, (line) => line.lastChild ? line.lastChild.nodeValue : "");
        [headline.querySelector("title").textContent, texts(headline.querySelectorAll("text")), texts(document.querySelectorAll("#head > .facts")),
          Math.max(...Array.from(document.querySelectorAll(".headline text, #head > .facts"), (line) => line.getBoundingClientRect().right))];
      }`);
      assert(right <= width - 15, width + ": " + right);
      assert.strictEqual(lines.filter((line) => line).join(" "), all, String(width));
      assert.match(facts.join(" "), / noise estimated from time bins$/, String(width));
      assert(!facts.join(" ").includes("…"), width + ": " + facts.join(" "));
    }
  },

  async "of a difference, notes in one line of the head are separated"() {
    for (const width of [390, 800, 2400]) {
      const page = await this.open("notes_diff.svg", { width: width });
      const facts = await page.evaluate('Array.from(document.querySelectorAll("#head > .facts"), (line) => line.lastChild.nodeValue).join(" ")');
      assert.match(facts, / is compared with thread_of_the_pool_after; --no-pair-roots compares them separately · variants of one function name: /, String(width));
    }
  },

  async "of a difference, a key draws either side, and what the other lacks goes"() {
    const page = await this.open(path.join(directory, "diff.svg"));
    const fills = () => page.evaluate('Array.from(document.querySelectorAll("#frames path"), (path) => path.getAttribute("fill"))');
    await page.key("i");
    await page.key("i");
    const both = await positions(page);
    assert((await labels(page)).includes("http-worker") && (await labels(page)).includes("load-client"));
    await page.key("b");
    assert.strictEqual(await page.text("details"), "widths: after");
    assert((await labels(page)).includes("load-client") && !(await labels(page)).includes("http-worker"));
    await page.key("b");
    assert((await labels(page)).includes("http-worker") && !(await labels(page)).includes("load-client"));
    assert.strictEqual(await page.hash(), "#width=2");
    await page.key("b");
    assert.deepStrictEqual(await positions(page), both);
    assert((await fills()).includes("url(#hatch-new)") && (await fills()).includes("url(#hatch-gone)"));
    assert.strictEqual(await page.hash(), "");
  },

  async "of a difference, the head says which captures it is of; a phone has it in several lines"() {
    const page = await this.open(path.join(directory, "diff.svg"), { width: 450 });
    const lines = await page.evaluate('Array.from(document.querySelectorAll("#head > .facts"), (line) => line.lastChild.nodeValue)');
    assert.match(lines.join(" "), /^before: perf.data, comm=http-worker, 1.25 s long: perf record -q .* -- demo after: perf.data, /);
    assert.match(await page.evaluate('document.querySelector("#legend").textContent'), /^gone \(comm=http-worker\)/);
  },

  async "of a difference, what did not change is grey in the light and in the dark"() {
    const wanted = { light: ["rgb(200, 203, 209)", "rgb(31, 35, 40)"], dark: ["rgb(52, 59, 68)", "rgb(230, 237, 243)"] };
    const colours = (shape, label) => `[${JSON.stringify(shape)}, ${JSON.stringify(label)}].map((which) =>
      getComputedStyle(document.querySelector("#frames " + which)).fill)`;
    for (const theme of ["light", "dark"]) {
      const page = await this.open(path.join(directory, "diff.svg"), { theme });
      assert.deepStrictEqual(await page.evaluate(colours("rect[fill='#c8cbd1']", "rect[fill='#c8cbd1'] + text")), wanted[theme]);
      await page.key("b");
      assert.deepStrictEqual(await page.evaluate(colours("path[fill='#c8cbd1']", "text.same")), wanted[theme]);
    }
  },

  async "of a difference, the viewer says before, after and whether it is noise"() {
    const page = await this.open(path.join(directory, "diff.svg"));
    await page.key("ArrowRight");
    assert.strictEqual(await page.text("details"), "all (before 100.0%, after 100.0%: +0.00 points, +0.0%)");
    await page.key("ArrowUp");
    assert.match(await page.text("details"), /^http-worker \(before 100.0%, after 0.00%: −100.00 points, gone\), less, confidence 100%$/);
  },

  async "of a difference, a function's places are summed up and judged anew"() {
    const page = await this.open(path.join(directory, "diff.svg"));
    await page.key("r");
    await search(page, "^update_crc$");
    assert.match(await this.details(page, () => page.key("n")), /^update_crc \(before 4.49%, after 41.3%: \+36.85 points, \+821.0%\), more$/);
    await page.key("s");
    assert.match(await page.hash(), /^#view=sandwich/);
  },

  async "of a difference, few samples are no change because they are summed up"() {
    const page = await this.open(path.join(directory, "few.svg"));
    for (const [name, verdict] of [["few", "no significant change"], ["many", "more"]]) {
      /* The viewer follows the address only after this event. */
      await page.evaluate(`new Promise((done) => {
        addEventListener("hashchange", () => setTimeout(done), { once: true });
        location.hash = "view=callers&search=^${name}$";
      })`);
      const said = await this.details(page, () => page.key("n"));
      assert.match(said, new RegExp("^" + name + " .*new\\), " + verdict));
    }
  },

  async "of a difference, the viewer draws what the still picture shows"() {
    const file = path.join(directory, "diff.svg");
    const page = await this.open(file);
    /* Labels may be truncated one character earlier or later, since the widths of the font are
     * unknown for a static SVG. */
    const places = async (of) => (await positions(of)).map((place) => place.replace(/^(.{5})\S*/, "$1")).sort();
    const wanted = await places(await this.open(file, { hasNoScript: true }));
    assert(wanted.length > 20);
    await page.key("i");
    await page.key("i");
    assert.deepStrictEqual(await places(page), wanted);
  },

  async "of two profiles, too, functions come to what they do, and no more is said of their callers"() {
    const page = await this.open(path.join(directory, "pruned_diff.svg"));
    await page.key("b");
    await search(page, "^rnd$");
    assert.strictEqual(await page.text("matched"), "Matched: 41.3%");
    await page.key("Escape");
    await page.key("r");
    const at = await labelAt(page, "rnd");
    await page.move(at.x, at.y);
    assert.match(await page.text("details"), /^rnd \(before 41\.3%, after 41\.3%: \+0\.00 points, \+0\.0%\)/);
  },

  async "samples that a transform drops are in no verdict on two windows, even if the window after has none of them"() {
    const windows = "#time=100,101.899&against=102.1,103.899";
    const judged = async (file, hash) => {
      const page = await this.open(file, { hash: hash, isReady: IS_READY });
      return [await page.evaluate('Array.from(document.querySelectorAll("#table tbody tr"), (row) => row.textContent)'), (await page.text("window")).match(/[^.]*\.$/)[0]];
    };
    const dropped = await judged("dropped_page.html", windows + "&do=drop:gone"), without = await judged("without_page.html", windows);
    assert.strictEqual(without[0].length, 3);
    assert.deepStrictEqual(dropped, without);
  },

  async "the export of both sides has both"() {
    for (const width of [1400, 500]) {
      const page = await this.open("change_page.html", { hash: "#compare=both", width: width, isReady: IS_READY });
      const shown = await page.evaluate(`Array.from(document.querySelectorAll("#frames-before text, #frames text"), (text) => text.textContent)`);
      const text = await copied(page, "Copy SVG");
      const made = await page.evaluate(`(() => {
        const made = new DOMParser().parseFromString(${JSON.stringify(text)}, "image/svg+xml").documentElement;
        const size = (svg, name) => Number(svg.getAttribute(name)), svg = document.querySelector("#stage svg");
        return { texts: Array.from(made.querySelectorAll("text"), (one) => one.textContent), grown: ["width", "height"].map((name) => size(made, name) - size(svg, name)) };
      })()`);
      assert(shown.includes("http-worker") && shown.includes("load-client"), String(shown));
      assert.deepStrictEqual(made.texts.slice(1), shown);
      assert.deepStrictEqual(made.grown, [0, 26]);
    }
  },

  async "the title of an export names windows and transforms"() {
    const title = async (file, hash) => {
      const page = await this.open(file, { hash: hash, isReady: IS_READY });
      return (await copied(page, "Copy SVG")).match(/<title>(.*)<\/title>/)[1];
    };
    assert.match(await title("gap_page.html", "#time=100,100.1&do=drop:rest&search=leaf"), / · --time 100,100\.\d+ · without rest · search: leaf$/);
    assert.match(await title("dropped_page.html", "#do=focus:parse"), /Icicle graph · focus: parse$/);
    const page = await this.open("change_page.html", { isReady: IS_READY });
    await page.evaluate(`(() => {
      const field = document.querySelector('[aria-label^="Window of the side after"]');
      field.value = "0, 0.1";
      field.dispatchEvent(new Event("change"));
    })()`);
    assert.match((await copied(page, "Copy SVG")).match(/<title>(.*)<\/title>/)[1], / · after: --time \d[\d.,]+$/);
  },

  async "a window without samples is nothing, and the other window is all there was"() {
    const expected = [["#time=100,100.999&against=102,102.5", /^leaf \(before 66\.\d%, after 0\.00%: −66\.\d\d points, gone\)/, "100.0%"],
      ["#time=102,102.5&against=100,100.999", /^leaf \(before 0\.00%, after 66\.\d%: \+66\.\d\d points, new\)/, "100.0%"],
      ["#time=102,102.2&against=102.3,102.5", null, "0.00%"]];
    for (const [hash, leaf, all] of expected) {
      const page = await this.open("gap_page.html", { hash: hash, isReady: IS_READY });
      const shown = async (label) => {
        const at = await labelAt(page, label);
        await page.move(at.x, at.y);
        return [await page.text("details"), await page.evaluate('document.querySelector("#tooltip strong").textContent')];
      };
      if (leaf) assert.match((await shown("leaf"))[0], leaf);
      const root = await shown("all");
      assert(!/NaN/.test(root.join()) && root[1].startsWith(all), hash + ": " + root);
      await page.key("b");
      await page.key("b");
      assert(!/NaN|Infinity/.test((await shown("all")).join() + await page.text("table")));
    }
  },

  async "of a comparison, the numbers of a function are those of the side in view"() {
    for (const [compare, isDrawn] of [["before", true], ["after", false], ["change", true]]) {
      const page = await this.open("change_page.html", { hash: "#compare=" + compare, isReady: IS_READY });
      if (isDrawn) {
        const at = await labelAt(page, "handle_search");
        await page.move(at.x, at.y);
        assert.match(await page.text("tooltip"), /^([\d.]+%).*\1 in all occurrences/);
      }
      const callers = await this.open("change_page.html", { hash: "#view=sandwich&function=handle_search&compare=" + compare, isReady: IS_READY });
      assert.match(await callers.text("view"), /total before [1-9][\d.]+%, after 0\.00%; self before [\d.]+%, after 0\.00%$/);
    }
  },

  async "reversed, a caller has no self weight"() {
    const page = await this.open("gap_page.html", { hash: "#view=reversed", isReady: IS_READY }), text = async (label) => {
      const at = await labelAt(page, label);
      await page.move(at.x, at.y);
      return await page.text("tooltip") + await page.text("details");
    };
    assert(!/self/.test(await text("leaf")) && !/self/.test(await text("app")));
    await page.key("1");
    assert.match(await text("leaf"), /self 66\.\d%/);
  },
};

run(tests, "differences: ", { first: "diff.svg" });
