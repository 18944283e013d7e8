/* SPDX-License-Identifier: MIT */
/*
 * What a reader does with heat maps and timelines in a browser. Called by run: node time.test.js
 * DIRECTORY, where the SVGs are.
 */
"use strict";

const assert = require("assert");
const path = require("path");
const { run, directory, drag } = require("./harness.js");

/*
 * The place of a timeline's longest wait that another thread with a lane ended: the middle and the
 * end of the wait, and both lanes.
 */
async function wokenAt(page) {
  return page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob(document.getElementById("lanes").textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const data = JSON.parse(await new Response(stream).text());
    const plot = document.getElementById("plot");
    const [width, columns, pitch, height] = plot.getAttribute("data-grid").split(" ").map(Number);
    const nsOfPixel = Number(data.column) * columns / width;
    let best = { duration: 0 };
    data.lanes.forEach((lane, index) => {
      const numbers = lane[1].split(",").map(Number);
      for (let i = 0, time = 0; i + 4 < numbers.length; i += 5) {
        const from = time + numbers[i], duration = numbers[i + 1], waker = data.threads[2 * numbers[i + 4] - 1];
        time = from + duration;
        if (numbers[i + 3] === 1 && waker >= 0 && waker !== index && duration > best.duration)
          best = { from, duration, lane: index, name: lane[0], kind: data.kinds[numbers[i + 2]], waker: data.lanes[waker][0], wakerLane: waker };
      }
    });
    const at = (ns, lane) => {
      const point = new DOMPoint(ns / nsOfPixel, lane * pitch + height / 2).matrixTransform(plot.getScreenCTM());
      return { x: point.x, y: point.y };
    };
    return Object.assign(best, { middle: at(best.from + best.duration / 2, best.lane), wakerY: best.wakerLane * pitch + height / 2 });
  })()`);
}

/* The middle of a bin of a heat map: its column, and its row from the top. */
async function binAt(page, column, row) {
  return page.evaluate(`(() => {
    const map = document.getElementById("map");
    const [x, y, width, height] = map.getAttribute("data-grid").split(" ").map(Number);
    const at = new DOMPoint(x + (${column} + 0.5) * width, y + (${row} + 0.5) * height)
      .matrixTransform(document.getElementById("plot").getScreenCTM());
    return { x: at.x, y: at.y };
  })()`);
}

/* The texts of an SVG that are visible: their heights, and how far they are outside the window. */
function visibleTexts(page) {
  return page.evaluate(`Array.from(document.querySelectorAll("svg text"))
    .filter((text) => text.textContent.trim() && text.checkVisibility({ visibilityProperty: true }))
    .map((text) => [text, text.getBoundingClientRect()])
    .filter(([, box]) => box.width)
    .map(([text, box]) => ({ text: text.textContent, outside: Math.max(-box.left, box.right - innerWidth), left: box.left, right: box.right,
      top: box.top, bottom: box.bottom, lines: text.querySelectorAll("tspan").length || 1 }))`);
}

/* A tap of a finger. */
async function tap(page, at) {
  await page.send("Emulation.setTouchEmulationEnabled", { enabled: true });
  await page.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [at] });
  await page.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}

const tests = {
  async "on a phone, the texts of a heat map and a timeline keep their size, and none is cut off or over another"() {
    for (const name of ["heat", "heat_rows", "heat_weights", "heat_log", "timeline", "timeline_cpus"])
      for (const width of [375, 800, 1199]) {
        const page = await this.open(name + ".svg", { width }), texts = await visibleTexts(page);
        assert(texts.length > 5);
        texts.forEach((one, i) => {
          assert(one.outside <= 0 && (one.bottom - one.top) / one.lines >= 12, `${name} ${width}: ${JSON.stringify(one)}`);
          const over = texts.slice(i + 1).find((two) => two.left < one.right - 1 && one.left < two.right - 1 && two.top < one.bottom - 4 && one.top < two.bottom - 4);
          assert(!over, `${name} ${width}: ${JSON.stringify(one)} ${JSON.stringify(over)}`);
        });
      }
  },

  async "on a phone, a tap on a heat map shows the numbers of a bin"() {
    const page = await this.open("heat_weights.svg", { width: 375, height: 800 });
    await tap(page, await binAt(page, 3, 49));
    await page.until('document.getElementById("window").textContent.trim() !== ""');
    const words = (await page.text("details")).replace(/ /g, ""); /* a line ends where a space was */
    assert.strictEqual(words.replace("·copied", ""), "103to103.02s·1sample·10.1msofCPUtime");
    assert.strictEqual(await page.text("window"), "--time 103,103.019999999");
  },

  async "on a phone, a tap on a timeline shows an interval, and the details stay in sight"() {
    const page = await this.open("timeline.svg", { width: 375, height: 500 });
    const wait = await wokenAt(page);
    await page.evaluate(`scrollTo(0, ${wait.middle.y} - 300)`);
    const scrolled = await page.evaluate("scrollY");
    await tap(page, { x: wait.middle.x, y: wait.middle.y - scrolled });
    await page.until('document.getElementById("window").textContent.trim() !== ""');
    assert((await page.text("details")).startsWith(wait.name.slice(0, 8)), await page.text("details"));
    assert((await page.evaluate('document.getElementById("details").getBoundingClientRect().top')) >= 0);
  },

  async "a heat map and a timeline follow the width of the window, and are as before when it is wide again"() {
    for (const name of ["heat_rows.svg", "timeline.svg"]) {
      const page = await this.open(name), resize = async (width) => {
        await page.send("Emulation.setDeviceMetricsOverride", { width, height: 700, deviceScaleFactor: 1, mobile: false });
        await page.until(`document.documentElement.getBoundingClientRect().width === ${Math.min(width, 1200)}`);
      };
      const plot = 'JSON.stringify(["x", "y", "width", "height"].map((side) => Math.round(document.getElementById("plot").getBoundingClientRect()[side])))';
      const before = await page.evaluate(plot);
      await resize(500);
      assert.notStrictEqual(await page.evaluate(plot), before);
      await resize(1300);
      assert.strictEqual(await page.evaluate(plot), before);
    }
  },

  async "a heat map says what is under the pointer"() {
    const page = await this.open(path.join(directory, "heat.svg"));
    const at = await binAt(page, 3, 49);
    const empty = await binAt(page, 3, 48);
    await page.move(at.x, at.y);
    assert.strictEqual(await page.text("details"), "103 to 103.02 s · 1 sample");
    await page.move(empty.x, empty.y);
    assert.strictEqual(await page.text("details"), "103.02 to 103.04 s · 0 samples");
    assert.strictEqual(await page.text("window"), "");
  },

  async "a drag over a heat map selects a window, in either direction, and Escape clears it"() {
    const page = await this.open(path.join(directory, "heat.svg"));
    const first = await binAt(page, 3, 49), last = await binAt(page, 5, 45);
    await drag(page, first, last);
    assert.strictEqual(await page.text("window"), "--time 103,105.099999999");
    assert.match(await page.text("details"), /^2.1 s selected · 21 samples/);
    await page.key("Escape");
    assert.strictEqual(await page.text("window"), "");
    await drag(page, last, first);
    assert.strictEqual(await page.text("window"), "--time 103,105.099999999");
  },

  async "keys select a window of a heat map"() {
    const page = await this.open(path.join(directory, "heat.svg"));
    await page.key("ArrowRight");
    await page.key("ArrowUp", 8);
    await page.key("ArrowUp", 8);
    assert.strictEqual(await page.text("window"), "--time 101,101.059999999");
    await page.key("ArrowLeft");
    assert.strictEqual(await page.text("window"), "");
  },

  async "rows of a heat map have names"() {
    const page = await this.open(path.join(directory, "heat_rows.svg"));
    const at = await binAt(page, 4, 1), other = await binAt(page, 6, 0);
    await page.move(at.x, at.y);
    assert.strictEqual(await page.text("details"), "app 2 · 100.4 to 100.5 s · 0 samples");
    await drag(page, at, other);
    assert.strictEqual(await page.text("window"), "--time 100.4,100.699999999");
    assert.match(await page.text("details"), /^300 ms selected · 3 samples/);
  },

  async "a heat map says what samples weigh, in the unit of its legend"() {
    const legend = (page) => page.evaluate('Array.from(document.querySelectorAll(".legend text")).pop().textContent');
    const times = await this.open("heat_weights.svg"), cycles = await this.open("heat_cycles.svg");
    assert.strictEqual(await legend(times), "10.1 ms of CPU time per bin");
    const at = await binAt(times, 3, 49), other = await binAt(times, 5, 45);
    await times.move(at.x, at.y);
    assert.strictEqual(await times.text("details"), "103 to 103.02 s · 1 sample · 10.1 ms of CPU time");
    await drag(times, at, other);
    assert.match(await times.text("details"), /^2.1 s selected · 21 samples · 212.1 ms of CPU time/);
    assert.strictEqual(await legend(cycles), "250,000 events per bin");
    const first = await binAt(cycles, 4, 0), last = await binAt(cycles, 6, 1);
    await drag(cycles, first, last);
    assert.match(await cycles.text("details"), /^300 ms selected · 3 samples · 750,000 events/);
  },

  async "the heat map of a log shows values at times of day"() {
    const page = await this.open(path.join(directory, "heat_log.svg"));
    const at = await binAt(page, 0, 0), other = await binAt(page, 2, 1);
    await page.move(at.x, at.y);
    assert.strictEqual(await page.text("details"), "12 ms to 15 ms · 23:59:58 to 23:59:59 · 2 events");
    await drag(page, at, other);
    assert.strictEqual(await page.text("window"), "23:59:58 to +1d 00:00:01");
    assert.match(await page.text("details"), /^3 s selected · 3 events/);
  },

  async "a timeline says what a thread did, and draws an arrow from its waker"() {
    const page = await this.open(path.join(directory, "timeline.svg"));
    const wait = await wokenAt(page);
    await page.move(wait.middle.x, wait.middle.y);
    const words = await page.text("details");
    assert.ok(words.startsWith(wait.name + " · " + wait.kind + " · "), words);
    assert.ok(words.endsWith(" · woken by " + wait.waker), words);
    assert.strictEqual(await page.text("window"), "");
    await page.click(wait.middle.x, wait.middle.y);
    const arrow = await page.evaluate('document.getElementById("arrow").getAttribute("d")');
    assert.match(arrow, new RegExp("^M[0-9.]+ " + wait.wakerY + "a"));
    assert.match(await page.text("window"), /^--time \d+\.\d+,\d+\.\d+$/);
    await page.key("w");
    assert.ok((await page.text("details")).startsWith(wait.waker + " · "), await page.text("details"));
    await page.key("Escape");
    assert.strictEqual(await page.text("window"), "");
    assert.strictEqual(await page.evaluate('document.getElementById("arrow").getAttribute("d")'), "");
  },

  async "a timeline offers to say who ended a wait only if it knows"() {
    const WHO = "click a blocked interval to see who ended it; ";
    for (const [name, who] of [["timeline", WHO], ["timeline_cpus", ""], ["timeline_switches", ""]]) {
      const page = await this.open(name + ".svg");
      assert.strictEqual(await page.text("details"), "Hover for durations; " + who + "drag to select a window");
    }
  },

  async "a drag over a timeline selects a window, in either direction"() {
    const page = await this.open(path.join(directory, "timeline.svg"));
    const wait = await wokenAt(page);
    const other = { x: wait.middle.x + 100, y: wait.middle.y + 20 };
    await drag(page, wait.middle, other);
    const selected = await page.text("window");
    assert.match(selected, /^--time \d+\.\d+,\d+\.\d+$/);
    assert.match(await page.text("details"), / selected · /);
    await page.key("Escape");
    await drag(page, other, wait.middle);
    assert.strictEqual(await page.text("window"), selected);
  },

  async "a timeline is whole without scripts, and in the dark"() {
    for (const options of [{ hasNoScript: true }, { theme: "dark" }]) {
      const page = await this.open(path.join(directory, "timeline.svg"), options);
      const paint = await page.evaluate('getComputedStyle(document.querySelector("#spans path")).stroke');
      assert.match(paint, /^rgb/);
    }
  },

  async "a heat map is whole without scripts, and in the dark"() {
    for (const options of [{ hasNoScript: true }, { theme: "dark" }]) {
      const page = await this.open(path.join(directory, "heat.svg"), options);
      const path_ = await page.evaluate('getComputedStyle(document.querySelector("#map path[d]:not([d=\'\'])")).stroke');
      assert.match(path_, /^rgb/);
    }
  },
};

run(tests, "time: ", { first: "heat.svg" });
