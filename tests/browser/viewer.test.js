/* SPDX-License-Identifier: MIT */
/*
 * What a reader does with a flame graph in a browser. Called by run: node viewer.test.js DIRECTORY,
 * where the SVGs are.
 */
"use strict";

const assert = require("assert");
const fs = require("fs");
const path = require("path");
const { run, directory, labelAt, labels, positions, places, search } = require("./harness.js");

const picture = path.join(directory, "demo.svg");

/* The document inside a page: evaluates expressions as a page does. */
async function inside(page) {
  const { frameTree } = await page.send("Page.getFrameTree");
  const { executionContextId } = await page.send("Page.createIsolatedWorld", { frameId: frameTree.childFrames[0].frame.id });
  const document = Object.create(page);
  document.send = (method, params) => page.send(method, Object.assign({ contextId: executionContextId }, params));
  return document;
}

const tests = {
  async "a click zooms, its ancestors stay, and Escape brings all back"(page) {
    const before = await positions(page);
    const at = await labelAt(page, "search_documents");
    await page.click(at.x, at.y);
    const zoomed = await labels(page);
    assert(zoomed.includes("all") && zoomed.includes("handle_request"));
    assert(!zoomed.includes("compress_response"));
    assert.match(await page.hash(), /^#zoom=[\d.]+$/);
    await page.key("Escape");
    assert.deepStrictEqual(await positions(page), before);
    assert.strictEqual(await page.hash(), "");
  },

  async "what is too narrow for the picture appears on zoom"() {
    const page = await this.open(path.join(directory, "narrow.svg"));
    const before = await labels(page);
    const at = await labelAt(page, "rank_hits");
    assert(!before.includes("sift_down"));
    await page.click(at.x, at.y);
    assert((await labels(page)).includes("sift_down"));
  },

  async "search tells the share of what matches, once where matches nest"(page) {
    await search(page, "parse_");
    assert.strictEqual(await page.text("matched"), "Matched: 16.5%");
    await search(page, "");
    await page.key("Escape");
  },

  async "callees that are too narrow to draw are in the details of their caller"() {
    const page = await this.open("flat.svg"), at = await labelAt(page, "app");
    await page.move(at.x, at.y);
    assert.strictEqual(await page.text("details"), "app (20,000 samples, 100.0%), 100.0% in callees too narrow to draw");
  },

  async "what is zoomed to inside a match matches as a whole"(page) {
    await search(page, "^parse_value$");
    const at = await labelAt(page, "parse_object");
    await page.click(at.x, at.y);
    assert.strictEqual(await page.text("matched"), "Matched: 100.0%");
    await page.key("r");
    assert.notStrictEqual(await page.text("matched"), "Matched: 100.0%");
    await search(page, "");
    await page.key("Escape");
  },

  async "a search without capital letters matches both cases; those of escapes are none"() {
    const page = await this.open("names.svg"), shares = [];
    for (const term of ["cdata", "c\\Data", "c\\DATA"]) {
      await search(page, term);
      shares.push(await page.text("matched"));
      await search(page, "");
      await page.key("Escape");
    }
    assert.strictEqual(shares[0], shares[1]);
    assert.strictEqual(shares[2], "Matched: 0.00%");
    assert.notStrictEqual(shares[0], shares[2]);
  },

  async "Ctrl-F searches, a wrong expression is marked, and keys go from match to match"(page) {
    await page.key("f", 2);
    await page.type("(");
    assert.strictEqual(await page.evaluate('document.querySelector("input").className'), "wrong");
    await page.key("Enter");
    assert.strictEqual(await page.text("matched"), "not a regular expression");
    assert.strictEqual(await page.evaluate('document.activeElement.getAttribute("aria-invalid")'), "true");
    await page.type("parse_)");
    assert.strictEqual(await page.text("matched"), "Matched: 16.5%");
    await page.key("Enter");
    assert.strictEqual(await page.evaluate('document.querySelector("input")'), null);
    assert.strictEqual(await page.hash(), "#search=(parse_)");
    await page.key("/");
    await page.type("(");
    await page.key("Enter");
    const at = await labelAt(page, "search_documents");
    await page.click(at.x, at.y);
    assert.match(await page.text("matched"), /^Matched: /);
    await page.key("Escape");
    await page.key("/");
    await page.key("Escape");
    await search(page, "^write_document$");
    const first = await this.details(page, () => page.key("n"));
    const second = await this.details(page, () => page.key("n"));
    assert.match(first, /^write_document \(/);
    assert.match(second, /^write_document \(/);
    assert.notStrictEqual(first, second);
    assert.strictEqual(await this.details(page, () => page.key("N")), first);
  },

  async "the arrow keys walk from box to box and say what they are"(page) {
    await page.key("ArrowRight");
    assert.match(await page.text("details"), /^all \(1\.26 s, 100/);
    await page.key("ArrowUp");
    assert.match(await page.text("details"), /^http-worker \(/);
    await page.key("ArrowRight");
    assert.match(await page.text("details"), /^load-client \(/);
    assert.strictEqual(await page.evaluate('document.activeElement.getAttribute("aria-label")'), await page.text("details"));
    await page.key("Enter");
    assert.match(await page.hash(), /^#zoom=\d+$/);
  },

  async "the pointer is answered with self, total and the file"(page) {
    const at = await labelAt(page, "find_longest_match");
    await page.move(at.x, at.y);
    assert.match(await page.text("details"), /^find_longest_match \(.*, self [\d.]+%.* in all occurrences, in \/.*demo$/);
    await page.move(5, 5);
    assert.strictEqual(await page.text("details"), "");
  },

  async "a long name leaves room for its numbers, and screen readers get all of it"() {
    for (const [file, numbers] of [["long.svg", /\(20,000 samples, 66\.7%\), self 33\.3%/],
      ["long_diff.svg", /\(before 50\.0%, after 75\.0%: \+25\.00 points, \+50\.0%\)/]])
      for (const width of [320, 450, 700, 900, 1200]) {
        const page = await this.open(file, { width });
        await page.key("ArrowRight");
        await page.key("ArrowUp");
        await page.key("ArrowUp");
        const [shown, right, whole] = await page.evaluate(`{
          const details = document.getElementById("details");
          [details.textContent, details.getBoundingClientRect().right, document.activeElement.getAttribute("aria-label")];
        }`);
        assert.match(shown, numbers, file + " " + width);
        assert.match(shown, /^…list<….*::function_7 \(/, file + " " + width);
        assert(right <= width - 8, file + " " + width + ": " + right); /* a line may end in a space */
        assert.match(whole, /^project::(list<const inner::element_\d+>::)+function_7 \(/);
      }
  },

  async "a sandwich has the callers above and the callees below a function"(page) {
    const at = await labelAt(page, "parse_object");
    await page.click(at.x, at.y, 8);
    assert.match(await page.hash(), /^#view=sandwich&function=\d+$/);
    const middle = await labelAt(page, "parse_object");
    assert((await labelAt(page, "search_documents")).y < middle.y);
    assert((await labelAt(page, "hash_bytes")).y > middle.y);
    await page.key("s");
    assert.strictEqual(await page.hash(), "");
  },

  async "reversed, the functions samples ended in stand on the root"(page) {
    await page.key("r");
    const root = await labelAt(page, "all");
    const leaf = await labelAt(page, "hash_bytes");
    assert.strictEqual(Math.round(root.y - leaf.y), 18);
    await page.key("r");
    assert.strictEqual(Math.round(root.y - (await labelAt(page, "http-worker")).y), 18);
  },

  async "upside down, the root is at the top"(page) {
    await page.key("i");
    assert((await labelAt(page, "all")).y < (await labelAt(page, "http_worker")).y);
  },

  async "by weight, the heavier of two stands left"(page) {
    assert((await labelAt(page, "compress_response")).x < (await labelAt(page, "search_documents")).x);
    await page.key("o");
    assert((await labelAt(page, "compress_response")).x > (await labelAt(page, "search_documents")).x);
  },

  async "a link shows what its sender saw"(page) {
    const at = await labelAt(page, "search_documents");
    await page.click(at.x, at.y);
    await search(page, "parse|write");
    await page.key("o");
    const link = await page.evaluate("location.hash");
    const seen = await positions(page);
    const other = await this.open(picture, { hash: link });
    assert.deepStrictEqual(await positions(other), seen);
    assert.strictEqual(await other.text("matched"), await page.text("matched"));
  },

  async "a link made up by somebody does no harm"() {
    const hash = "#view=sandwich&function=99999&zoom=1.x.-3.4&search=%28%E0&order=<script>&inverted=%ff";
    const page = await this.open(picture, { hash: hash });
    assert((await labels(page)).includes("http_worker"));
  },

  async "there is help"(page) {
    await page.key("?");
    assert.strictEqual(await page.evaluate('getComputedStyle(document.getElementById("help")).display'), "inline");
    await page.key("Escape");
    assert.strictEqual(await page.evaluate('getComputedStyle(document.getElementById("help")).display'), "none");
  },

  async "the Tab key goes from button to button, from left to right"(page) {
    const at = await labelAt(page, "parse_value"), lefts = [];
    await page.click(at.x, at.y);
    await page.key("Tab"); /* to the frame */
    for (const id of ["reset", "colours", "search", "keys"]) {
      await page.key("Tab");
      assert.strictEqual(await page.evaluate("document.activeElement.id"), id);
      lefts.push(await page.evaluate("document.activeElement.getBoundingClientRect().x"));
    }
    assert.deepStrictEqual(lefts, lefts.slice().sort((a, b) => a - b));
  },

  async "the help fits the window"() {
    const page = await this.open(picture, { width: 500 });
    await page.key("?");
    const right = await page.evaluate('document.getElementById("help").getBoundingClientRect().right');
    assert(right <= 500 - 16, String(right));
  },

  async "on a phone, the help has texts of the usual size"() {
    const texts = (page) => page.evaluate(`Array.from(document.querySelectorAll("#help text"), (text) =>
      [text.textContent.replace(/ /g, ""), text.getBoundingClientRect().height / (text.querySelectorAll("tspan").length || 1), text.getBoundingClientRect().right])`);
    const [wide, narrow] = [await this.open(picture, { width: 1024 }), await this.open(picture, { width: 375, height: 750 })];
    await wide.key("?");
    await narrow.key("?");
    const wanted = await texts(wide), got = await texts(narrow);
    assert(got.length > 20);
    assert.deepStrictEqual(got.map(([words]) => words), wanted.map(([words]) => words));
    got.forEach(([words, height, right]) => assert(height >= 12 && right <= 375 - 16, `${words}: ${height}, ${right}`));
  },

  async "a heading that is too long for the window ends before the buttons"() {
    const page = await this.open(path.join(directory, "titled.svg"), { width: 600 });
    const room = await page.evaluate(`document.getElementById("search").getBoundingClientRect().left -
      document.querySelector(".heading").getBoundingClientRect().right`);
    assert(room > 0, String(room));
    assert.match(await page.evaluate('document.querySelector(".heading").textContent'), /^WWW.*…$/);
  },

  async "there is nothing to reset until something was zoomed to"(page) {
    const isShown = () => page.evaluate('getComputedStyle(document.getElementById("reset")).display !== "none"');
    assert(!(await isShown()));
    const at = await labelAt(page, "search_documents");
    await page.click(at.x, at.y);
    assert(await isShown());
  },

  async "of a deep and narrow tower one row remains, which says so; zooming unfolds it"() {
    const still = await this.open(path.join(directory, "deep.svg"), { hasNoScript: true });
    const heightOf = (page) => page.evaluate("document.documentElement.getBoundingClientRect().height");
    const fold = (page) => page.evaluate('Array.from(document.querySelectorAll("#frames text.folded"), (text) => text.textContent)');
    assert.deepStrictEqual(await fold(still), ["+98 levels, 0.30%"]);
    const page = await this.open(path.join(directory, "deep.svg"));
    await page.key("i");
    await page.key("i");
    assert.deepStrictEqual(await fold(page), ["+98 levels, 0.30%"]);
    const low = await heightOf(page);
    await page.key("h");
    assert.deepStrictEqual(await fold(page), []);
    assert(await heightOf(page) >= low + 97 * 18);
    assert.match(await page.hash(), /levels=all/);
    await page.key("h");
    const mark = await page.evaluate(`{
      const box = document.querySelector("#frames path.folded").getBoundingClientRect();
      [box.x + box.width / 2, box.y + 8];
    }`);
    await page.click(mark[0], mark[1]);
    assert.deepStrictEqual(await fold(page), []);
    await page.until('Array.from(document.querySelectorAll("#frames text")).some((text) => text.textContent === "level_101")');
    const full = await this.open(path.join(directory, "full.svg"), { hasNoScript: true });
    assert.deepStrictEqual(await fold(full), []);
    assert(await heightOf(full) > 100 * 18);
  },

  async "head, losses, legend and root of a tall graph are in sight, whatever the reader does"() {
    const page = await this.open(path.join(directory, "tall.svg"), { width: 1280, height: 800 });
    const inSight = async () => {
      const edges = await page.evaluate(`{
        const all = Array.from(document.querySelectorAll("#frames text")).find((text) => text.textContent === "all");
        [...document.querySelectorAll("#head > text, #head tspan, #legend, #head .headline"), all]
          .map((shape) => shape.getBoundingClientRect()).map((box) => [box.top, box.bottom]);
      }`);
      assert(edges.length > 4);
      edges.forEach(([above, below]) => assert(above >= 0 && below <= 800, JSON.stringify(edges)));
    };
    await inSight();
    await page.evaluate("window.scrollTo(0, 0)");
    await page.until('document.getElementById("head").getAttribute("transform") === "translate(0,0)"');
    for (const act of ["i", "i", "r", "r", "o", "o", "f", "Escape"]) {
      await page.key(act);
      await inSight();
    }
    const at = await labelAt(page, "narrow");
    await page.click(at.x, at.y);
    await inSight();
    await page.key("Escape");
    await inSight();
    await search(page, "level_7");
    await inSight();
    await page.evaluate("window.scrollBy(0, -300)");
    await page.until('document.getElementById("head").getBoundingClientRect().top >= 0');
    assert.deepStrictEqual(await page.evaluate('document.querySelector("#head .heading").getBoundingClientRect().top >= 0'), true);
  },

  async "the head says what the profile is mostly of, and where it is from"(page) {
    const head = await page.evaluate('Array.from(document.querySelectorAll("#head text"), (text) => text.textContent)');
    assert.match(head[1], /^http-worker 81\.22%, load-client 11\.89%, logger 6\.89%; top self: append_number 11\.57%, /);
    assert.match(head[3], /^perf\.data · kiln flame .* · recorded by perf record .*-F 999/);
  },

  async "labels are shortened as in the static SVG: by structure, and wide characters count twice"() {
    const source = fs.readFileSync(path.join(__dirname, "../../render/svg/viewer/labels.js"), "utf8");
    const labelOf = new Function(source + "; return labelOf;")();
    const rows = fs.readFileSync(path.join(__dirname, "../fixtures/labels.tsv"), "utf8").split("\n");
    rows.filter((row) => row && row[0] !== "#").forEach((row) => {
      const [cells, name, label] = row.split("\t");
      assert.strictEqual(labelOf(name, Number(cells)), label);
    });
  },

  async "states are announced"(page) {
    const label = (id) => page.evaluate(`document.getElementById("${id}").getAttribute("aria-label")`);
    assert.deepStrictEqual([await label("search"), await label("colours")], ["Search", "Colours: kind"]);
    const pressed = (id) => page.evaluate(`document.getElementById("${id}").getAttribute("aria-pressed")`);
    assert.deepStrictEqual([await pressed("search"), await pressed("keys")], ["false", "false"]);
    await search(page, "parse");
    await page.key("?");
    assert.deepStrictEqual([await pressed("search"), await pressed("keys")], ["true", "true"]);
    assert.strictEqual(await page.evaluate('document.getElementById("matched").getAttribute("role")'), "status");
    await page.key("Escape");
    await page.key("Escape");
    assert.match(await page.text("said"), /^all \(/);
  },

  async "in a page of others the graph leaves its keys alone, and is hit where it is drawn"() {
    const page = await this.open(path.join(directory, "host.html"), { height: 1100 });
    const before = await labels(page);
    await page.evaluate('document.querySelector("textarea").focus()');
    await page.type("rio/s");
    assert.strictEqual(await page.evaluate('document.querySelector("textarea").value'), "rio/s");
    assert.deepStrictEqual(await labels(page), before);
    await page.evaluate('document.querySelector("svg").scrollIntoView()');
    const at = await labelAt(page, "serve_connection");
    await page.move(at.x, at.y);
    assert.match(await page.text("details"), /^serve_connection \(/);
  },

  async "the legend fits the window"() {
    for (const name of ["demo.svg", "diff.svg"]) {
      const page = await this.open(path.join(directory, name), { width: 450, height: 1100 });
      const right = await page.evaluate('document.getElementById("legend").getBoundingClientRect().right');
      assert(right <= 450 - 15, name + ": " + right);
      const [above, top, bottom, below] = await page.evaluate(`{
        const edge = (shape, side) => shape.getBoundingClientRect()[side];
        const lines = Array.from(document.querySelectorAll("#head > .facts"));
        [Math.max(...lines.map((line) => edge(line, "bottom"))), edge(document.getElementById("legend"), "top"),
          edge(document.getElementById("legend"), "bottom"), edge(document.getElementById("frames"), "top")];
      }`);
      assert(above <= top + 1 && bottom <= below, name + ": " + [above, top, bottom, below]);
      const size = await page.evaluate(`document.querySelector("#legend text").getBoundingClientRect().height /
        document.querySelector("#head > .facts").getBoundingClientRect().height`);
      assert(size > 0.7, name + ": " + size);
    }
  },

  async "of a picture with many boxes, what is out of sight is drawn as well, and the still picture goes"() {
    const page = await this.open(path.join(directory, "many.svg"), { height: 400 });
    assert.strictEqual(await page.evaluate('document.querySelectorAll("#frames title").length'), 0);
    const shapes = () => page.evaluate(`{
      const wanted = [0, 0];
      for (const path of document.querySelectorAll("#frames path"))
        for (const shape of path.getAttribute("d").match(/M[^M]+/g)) {
          wanted[0]++;
          wanted[1] = Math.max(wanted[1], Number(shape.match(/ ([\\d.]+)h/)[1]));
        }
      wanted;
    }`);
    await page.until('document.querySelectorAll("#frames path").length > 20', "the rest");
    const [count, lowest] = await shapes();
    assert(count > 10000, String(count));
    assert(lowest > 1500, String(lowest));
    await page.key("i");
    const paths = 'Array.from(document.querySelectorAll("#frames path"), (path) => path.getAttribute("d").split("M").length - 1)';
    await page.until(`${paths}.reduce((sum, count) => sum + count) >= ${count}`, "the rest");
    assert.deepStrictEqual(await shapes(), [count, lowest]);
  },

  async "a sandwich marks what it is about"(page) {
    const at = await labelAt(page, "search_documents");
    await page.click(at.x, at.y, 8);
    const mark = await page.evaluate('document.querySelector("#frames .axis").getBoundingClientRect().y');
    assert(Math.abs(mark - (await labelAt(page, "search_documents")).y) < 18);
  },

  async "a key finds all places of the function under the pointer"(page) {
    const at = await labelAt(page, "parse_object");
    await page.move(at.x, at.y);
    const share = (await page.text("details")).match(/([\d.]+%) in all occurrences/)[1];
    await page.key("f");
    assert.strictEqual(await page.text("matched"), "Matched: " + share);
    assert.strictEqual(await page.hash(), "#search=^parse_object$");
    await page.key("f");
    assert.strictEqual(await page.text("matched"), "");
  },

  async "boxes with ids of their own do not stand in for the viewer's parts"() {
    const page = await this.open(path.join(directory, "ids.svg"));
    const at = await labelAt(page, "foot");
    await page.move(at.x, at.y);
    assert.match(await page.evaluate('document.querySelector("#details:not(#frames *)").textContent'), /^foot \(/);
    await page.click(at.x, at.y);
    assert(!(await labels(page)).includes("profile"));
  },

  async "boxes lead where they were told to, and with Ctrl they are zoomed to"() {
    const page = await this.open(path.join(directory, "links.svg"));
    await page.evaluate("window.open = (...what) => { window.opened = what.join(); }");
    await page.key("o");
    const at = await labelAt(page, "parse");
    await page.click(at.x, at.y);
    assert.strictEqual(await page.evaluate("window.opened"), "https://example.org/parse,_blank,noopener");
    assert(!/zoom/.test(await page.hash()));
    await page.click(at.x, at.y, 2);
    assert.match(await page.hash(), /zoom=/);
    const other = await labelAt(page, "sort");
    await page.evaluate("window.opened = 'none'");
    await page.click(other.x, other.y);
    assert.strictEqual(await page.evaluate("window.opened"), "none");
  },

  async "what turns the direction of writing is made visible"() {
    const page = await this.open(path.join(directory, "ids.svg"));
    const still = await labels(page);
    await page.key("i");
    assert.deepStrictEqual((await labels(page)).sort(), still.sort());
    assert(still.includes("\ufffdabc"));
  },

  async "readers in the dark have a dark page"() {
    const page = await this.open(picture, { theme: "dark" });
    const colour = await page.evaluate('getComputedStyle(document.querySelector(".page")).fill');
    assert.strictEqual(colour, "rgb(13, 17, 23)");
  },

  async "in the dark, the text about folded levels is not black"() {
    for (const hasNoScript of [true, false]) {
      const page = await this.open("deep.svg", { theme: "dark", hasNoScript });
      const colour = await page.evaluate('getComputedStyle(document.querySelector("#frames text.folded")).fill');
      assert.strictEqual(colour, "rgb(145, 152, 161)");
    }
  },

  async "buttons cover no text, whatever the width of the window"() {
    for (const width of [320, 450, 599, 600, 700, 844, 845, 1200]) {
      const page = await this.open(picture, { width });
      const [above, below] = await page.evaluate(`{
        const boxes = Array.from(document.querySelectorAll("#bar .button:not(.off) rect"), (shape) => shape.getBoundingClientRect());
        const text = document.querySelector("#head .headline text").getBoundingClientRect();
        [Math.max(...boxes.map((box) => box.bottom)), text.top];
      }`);
      assert(above <= below, width + ": " + [above, below]);
    }
  },

  async "the picture is as wide as the window, unless it was told its width"() {
    const fluid = await this.open(picture, { width: 900 });
    const fixed = await this.open(path.join(directory, "narrow.svg"), { width: 900 });
    assert.strictEqual(await fluid.evaluate('document.documentElement.getAttribute("width")'), "900");
    const button = 'document.querySelector("#keys rect").getBoundingClientRect().right';
    assert.strictEqual(Math.round(await fluid.evaluate(button)), 900 - 16);
    assert.strictEqual(await fixed.evaluate('document.documentElement.getAttribute("width")'), "1000");
  },

  async "the viewer draws what the still picture shows"(page) {
    const still = await this.open(picture, { hasNoScript: true });
    const wanted = await positions(still);
    assert(wanted.length > 40);
    await page.key("i");
    await page.key("i");
    assert.deepStrictEqual(await positions(page), wanted);
  },

  async "without scripts, lines above the graph end inside the picture"() {
    for (const width of [400, 600, 800, 1000]) {
      const page = await this.open(`head${width}.svg`, { hasNoScript: true });
      const lines = await page.evaluate(`Array.from(document.querySelectorAll("#head > text, #head .headline text"),
        (line) => [line.lastChild.nodeValue, line.getBoundingClientRect().right])`);
      lines.forEach(([text, right]) => assert(right <= width - 16, width + ": " + text + " " + right));
      assert(/^Incomplete: .*…$/.test(lines.pop()[0]), String(width));
    }
  },

  async "without scripts every box has its tooltip and no button is shown"() {
    const page = await this.open(picture, { hasNoScript: true });
    const bare = await page.evaluate('document.querySelectorAll("#frames g:not(:has(title))").length');
    assert.strictEqual(bare, 0);
    assert.strictEqual(await page.evaluate('getComputedStyle(document.querySelector(".button")).display'), "none");
  },

  async "profiles that are not packed are read as well"() {
    const page = await this.open(path.join(directory, "plain.svg"));
    await page.key("r");
    assert((await labels(page)).includes("hash_bytes"));
  },

  async "the reader chooses what colours say; legend and address follow"(page) {
    const legend = () => page.evaluate('Array.from(document.querySelectorAll("#legend text"), (text) => text.textContent)');
    const before = await legend();
    await page.key("c");
    assert.strictEqual(await page.hash(), "#colours=module");
    assert((await legend()).includes("demo"), String(await legend()));
    await page.key("c");
    await page.key("c");
    assert.strictEqual(await page.hash(), "");
    assert.deepStrictEqual(await legend(), before);
  },

  async "a link with colours has their legend from the start"() {
    const page = await this.open(picture, { hash: "#colours=self" });
    const legend = await page.evaluate('Array.from(document.querySelectorAll("#legend text"), (text) => text.textContent)');
    assert.deepStrictEqual(legend, ["less", "0.1% self or more", "1%", "3%", "10%"]);
  },

  async "frames are a tree, and Enter keeps the focus"(page) {
    await page.key("ArrowRight");
    await page.key("ArrowUp");
    await page.key("Enter");
    const [role, level, label] = await page.evaluate(`["role", "aria-level", "aria-label"].map((name) => document.activeElement.getAttribute(name))`);
    assert.deepStrictEqual([role, level], ["treeitem", "2"]);
    assert.match(label, /^http-worker \(/);
  },

  async "inside a page of others, the style is the graph's alone"() {
    const file = path.join(directory, "host.html");
    const svg = fs.readFileSync(picture, "utf8").replace(/^<\?xml[^\n]*\n/, "");
    const host = `<input value="x"><span class="button">a</span><div><svg><text>b</text></svg></div>`;
    const styles = `["input", ".button", "div > svg > text"].map((which) => {
      const style = getComputedStyle(document.querySelector(which));
      return [style.width, style.display, style.fill, style.cursor, style.pointerEvents].join(" ");
    })`;
    fs.writeFileSync(file, "<!DOCTYPE html>" + host);
    const alone = await (await this.open(file, { isReady: "true" })).evaluate(styles);
    fs.writeFileSync(file, "<!DOCTYPE html>" + host + svg);
    const isReady = 'document.querySelector(".kiln").classList.contains("live")';
    assert.deepStrictEqual(await (await this.open(file, { isReady })).evaluate(styles), alone);
  },

  async "inside another document, the graph is hit where it is drawn, and leaves keys alone"() {
    const name = path.basename(picture), file = path.join(directory, "document.html");
    const tags = [`<object data="${name}" type="image/svg+xml" width="800" height="500"></object>`,
      `<iframe sandbox="allow-scripts" src="${name}" width="800" height="500" style="border:0"></iframe>`];
    for (const tag of tags) {
      fs.writeFileSync(file, `<!DOCTYPE html><body style="margin:0"><textarea style="display:block;box-sizing:border-box;height:40px"></textarea>${tag}`);
      const page = await this.open(file, { width: 800, height: 540, isReady: "true" });
      const graph = await inside(page);
      await graph.until('document.querySelector("svg").classList.contains("live")', "the viewer");
      const before = await labels(graph);
      await page.evaluate('document.querySelector("textarea").focus()');
      await page.type("rio/s");
      assert.strictEqual(await page.evaluate('document.querySelector("textarea").value'), "rio/s");
      assert.deepStrictEqual(await labels(graph), before);
      const at = await labelAt(graph, "search_documents");
      await page.click(at.x, at.y + 40);
      await graph.until('document.getElementById("reset").getBoundingClientRect().width > 0', "the zoom");
      assert(!(await labels(graph)).includes("load-client"), tag);
    }
  },

  async "on a touch screen, the first tap shows the numbers, and the second zooms"() {
    const page = await this.open(picture, { width: 390, height: 844 });
    await page.send("Emulation.setTouchEmulationEnabled", { enabled: true });
    const at = await labelAt(page, "http-worker");
    const tap = async () => {
      await page.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [at] });
      await page.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    };
    await tap();
    await page.until('/^http-worker \\(/.test(document.getElementById("details").textContent)', "the numbers");
    assert(!/zoom/.test(await page.hash()));
    await tap();
    await page.until('/zoom=/.test(location.hash)', "the zoom");
  },

  async "on paper, the whole width is on the page, and the buttons are not"() {
    const page = await this.open(picture, { width: 1200 });
    await page.send("Emulation.setEmulatedMedia", { media: "print" });
    await page.send("Emulation.setDeviceMetricsOverride", { width: 700, height: 900, deviceScaleFactor: 1, mobile: false });
    const [right, shown] = await page.evaluate(`[
      document.querySelector("#frames").getBoundingClientRect().right, getComputedStyle(document.querySelector(".button")).display]`);
    assert(right <= 700, String(right));
    assert.strictEqual(shown, "none");
  },

  async "of a picture made with --source, boxes say where functions are declared"() {
    const file = path.join(directory, "source.svg");
    if (!/^at src\/inlined\.cpp:/m.test(fs.readFileSync(file, "utf8"))) return; /* built without libdw */
    const page = await this.open(file);
    await page.key("r");
    await search(page, "shapes::mix");
    await page.key("n");
    const label = await page.evaluate('document.activeElement.getAttribute("aria-label")');
    assert.match(label, /^shapes::mix \(.*, at src\/inlined\.cpp:\d+$/);
  },

  async "a page has the picture in it, which its policy lets move"() {
    const page = await this.open(path.join(directory, "page.html"));
    const at = await labelAt(page, "search_documents");
    await page.click(at.x, at.y);
    assert(!(await labels(page)).includes("compress_response"));
    assert.match(await page.hash(), /^#zoom=/);
    await page.key("Escape");
    assert((await labels(page)).includes("compress_response"));
  },

  async "a chart is one in the viewer too: rows of one name stay apart"() {
    const page = await this.open(path.join(directory, "chart.svg"));
    const count = async (name) => (await labels(page)).filter((label) => label === name).length;
    assert.strictEqual(await count("bbb"), 2);
    await page.key("i");
    await page.key("i");
    assert.strictEqual(await count("bbb"), 2);
    const second = await page.evaluate(`Math.max(...Array.from(document.querySelectorAll("#frames text"))
      .filter((text) => text.textContent === "bbb").map((text) => text.getBoundingClientRect().x))`);
    await page.click(second + 4, (await labelAt(page, "bbb")).y);
    assert.strictEqual(await count("bbb"), 1);
    assert.strictEqual(await count("ddd"), 1);
  },

  async "in a chart nothing is elsewhere in time than in the still picture, whatever was left out"() {
    for (const name of ["chart.svg", "pruned_chart.svg"]) {
      const page = await this.open(path.join(directory, name));
      const still = await places(page);
      await page.key("i");
      await page.key("i");
      const drawn = await places(page);
      assert(still.length > 3);
      assert.deepStrictEqual(still.filter((place) => !drawn.includes(place)), [], name);
    }
  },

  async "what functions come to is exact, also where the file lacks most of their places"() {
    const page = await this.open(path.join(directory, "pruned.svg"));
    await search(page, "^rnd$");
    assert.strictEqual(await page.text("matched"), "Matched: 41.3%");
    await page.key("/");
    await page.key("Escape");
    await search(page, "by_[78]$");
    assert.strictEqual(await page.text("matched"), "Matched: 0.64% to 1.27%36.3% is in stacks left out of this file, which may match too");
    const at = await labelAt(page, "rnd");
    await page.move(at.x, at.y);
    assert.match(await page.text("details"), /^rnd \(300 samples, .* 41\.3% in all occurrences/);
    await page.key("Escape");
    await page.key("r");
    const reversed = await labelAt(page, "rnd");
    await page.move(reversed.x, reversed.y);
    assert.match(await page.text("details"), /^rnd \(3,300 samples, 41\.3%\), /);
    const all = await labelAt(page, "all");
    const leftOut = await labelAt(page, "[left out of this file: too narrow]");
    assert.strictEqual(Math.round(all.y - leftOut.y), 36);
    await page.move(leftOut.x, leftOut.y);
    assert.match(await page.text("details"), /^\[left out of this file: too narrow\] \(2,900 samples, 36\.3%\), 87\.9% of its callee$/);
    const caller = await labelAt(page, "main");
    await page.move(caller.x, caller.y);
    assert.match(await page.text("details"), /^main \(300 samples, 3\.75%\), .*, or up to 36\.3% more in stacks left out of this file/);
  },

  async "a picture laid out as flamegraph.pl does it stays so, and zooms"() {
    const page = await this.open(path.join(directory, "classic.svg"));
    const before = await positions(page);
    await page.key("o");
    await page.key("o");
    assert.deepStrictEqual((await positions(page)).length > 0.8 * before.length, true);
    const at = await labelAt(page, "search_documents");
    await page.move(at.x, at.y);
    assert.match(await page.text("details"), /^Function: search_documents \([\d,]+ samples, /);
    await page.click(at.x, at.y);
    assert(!(await labels(page)).includes("compress_response"));
    await search(page, "parse");
    assert.match(await page.text("matched"), /^Matched: [\d.]+%$/);
  },

  async "two counts keep their colours when the picture is drawn anew"() {
    const page = await this.open(path.join(directory, "counts.svg"));
    const colours = () => page.evaluate(`Array.from(new Set(Array.from(
      document.querySelectorAll("#frames [fill^='#']:not(text)"), (box) => box.getAttribute("fill")))).sort()`);
    const before = await colours();
    await page.key("i");
    await page.key("i");
    assert.deepStrictEqual(await colours(), before);
  },

  async "a background that was chosen stays in the dark, and what is found can be read"() {
    const page = await this.open(path.join(directory, "blue.svg"), { theme: "dark" });
    const styleOf = (what, name) => page.evaluate(`getComputedStyle(document.querySelector("${what}")).${name}`);
    assert.strictEqual(await styleOf(".heading", "fill"), "rgb(0, 0, 0)");
    assert.match(await styleOf("#ground", "fill"), /#background/);
    await search(page, "search_documents");
    assert.strictEqual(await styleOf("#frames path.hit", "fill"), "rgb(0, 0, 128)");
    assert.strictEqual(await styleOf("#frames text.hit", "fill"), "rgb(255, 255, 255)");
  },

  async "names are only ever text"() {
    const page = await this.open(path.join(directory, "hostile.svg"));
    await page.key("r");
    await page.key("r");
    assert.strictEqual(await page.evaluate('document.querySelectorAll("script").length'), 1);
    assert.strictEqual(await page.evaluate("window.hostile"), undefined);
  },

  async "whatever functions are called, pictures and pages of them work, and are of text"() {
    for (const name of ["names.svg", "names.html"]) {
      const still = await this.open(path.join(directory, name), { hasNoScript: true });
      const leaves = 'Array.from(document.querySelectorAll("#frames title")).filter((title) => /^leaf \\(/.test(title.textContent)).length';
      assert.strictEqual(await still.evaluate(leaves), 14);
      const page = await this.open(path.join(directory, name));
      for (const key of ["r", "o", "i", "ArrowRight", "ArrowDown", "s", "f", "Escape", "b"]) await page.key(key);
      await search(page, "proto|constructor");
      assert.strictEqual(await page.text("matched"), "Matched: 14.3%");
      assert.strictEqual(await page.evaluate('document.querySelectorAll("script").length'), 1);
      assert.strictEqual(await page.evaluate('document.querySelectorAll("parsererror").length'), 0);
      assert.strictEqual(await page.evaluate("window.hostile"), undefined);
    }
  },

  async "225 hostile names are text"() {
    for (const name of ["pairs.svg", "pairs.html"]) {
      const isReady = name.endsWith("html") ? "document.documentElement.dataset.ready" : undefined;
      const page = await this.open(path.join(directory, name), { isReady });
      if (!isReady) {
        await search(page, "^name.*end$");
        assert.strictEqual(await page.text("matched"), "Matched: 100.0%");
      }
      assert.strictEqual(await page.evaluate('document.querySelectorAll("parsererror, #frames script").length'), 0);
      assert.strictEqual(await page.evaluate("window.hostile"), undefined);
    }
  },

  async "it looks as it did"(page) {
    this.compare(await page.screenshot(), "still");
    const at = await labelAt(page, "search_documents");
    await page.click(at.x, at.y);
    await page.move(5, 5);
    this.compare(await page.screenshot(), "zoomed");
  },

};

if (process.env.AXE)
  for (const theme of ["light", "dark"])
    tests["axe finds no violation, " + theme] = async function () {
      const file = path.join(directory, "axe.html");
      const svg = fs.readFileSync(picture, "utf8").replace(/^<\?xml[^\n]*\n/, "");
      fs.writeFileSync(file, `<!DOCTYPE html><html lang="en"><title>A flame graph</title><main><h1>Profile</h1>${svg}</main></html>`);
      const page = await this.open(file, { theme });
      await search(page, "parse");
      await page.evaluate(fs.readFileSync(process.env.AXE, "utf8") + "; 0");
      const found = await page.evaluate("axe.run('main').then((all) => all.violations.map((one) => one.id + ': ' + one.nodes.map((node) => node.html.slice(0, 200)).join(' | ')))");
      assert.deepStrictEqual(found, []);
    };

run(tests, "", { first: "demo.svg" });
