/* SPDX-License-Identifier: MIT */
/*
 * How long Chromium takes to show an SVG, and the viewer to change it: node svg-latency.js FILE.
 *
 *     key pressed ──── script, style, layout, paint: the page's thread ──── raster ──── frame shown
 *                      └────────── processor time, Performance.getMetrics ┘
 *     └──────────────── by the clock: PerformanceEventTiming, in steps of 8 ms ──────────────────┘
 */
"use strict";

const chromium = require("../browser/chromium.js");

const [file] = process.argv.slice(2);
const ROUNDS = 5;

/* The time in milliseconds that the page's thread was busy since the page was opened. */
async function busy(page) {
  const { metrics } = await page.send("Performance.getMetrics");
  return 1000 * metrics.find((metric) => metric.name === "TaskDuration").value;
}

async function open(browser) {
  const page = await browser.page(file);
  page.ready = await page.evaluate("performance.now()");
  await page.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.evaluate(`{
    window.pressed = [];
    new PerformanceObserver((list) => pressed.push(...list.getEntriesByType("event")
      .filter((event) => event.name === "keydown").map((event) => event.duration)))
      .observe({ type: "event", durationThreshold: 16 });
  }`);
  return page;
}

/* Presses a key; returns the CPU time, and the time until a frame showed the result. */
async function press(page, key) {
  await page.evaluate("pressed.length = 0");
  const before = await busy(page);
  await page.key(key);
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
  const cpu = (await busy(page)) - before;
  /* Events that were shown in less than 16 ms are not reported. */
  const shown = await page.evaluate(`new Promise((done) => setTimeout(() => done(Math.max(...pressed, 16)), 500))`);
  return { cpu: cpu, shown: shown };
}

async function walk(page, steps) {
  for (const step of steps) await page.key(step);
}

function range(times) {
  return Math.round(Math.min(...times)) + " to " + Math.round(Math.max(...times)) + " ms";
}

function report(what, times) {
  console.log(what + range(times.map((time) => time.shown)) + ", of the processor " + range(times.map((time) => time.cpu)));
}

async function main() {
  const browser = chromium.open(process.env.CHROMIUM || "chromium");
  const paints = [], ready = [], redraws = [];
  for (let i = 0; i < ROUNDS; i++) {
    const page = await open(browser);
    paints.push(await page.evaluate('performance.getEntriesByType("paint")[0].startTime'));
    ready.push(page.ready);
    await walk(page, ["ArrowRight", "ArrowUp"]);
    redraws.push(await press(page, "Enter"));
    await page.close();
  }
  console.log("first paint:   " + range(paints));
  console.log("viewer ready:  " + range(ready));
  report("first redraw:  ", redraws);
  const page = await open(browser);
  for (const [what, key, undo] of [["zoom, reset:   ", "Enter", "Escape"], ["search, clear: ", "f", "f"]]) {
    const times = [];
    for (let i = 0; i < ROUNDS; i++) {
      await walk(page, ["ArrowRight", "ArrowUp", "ArrowUp"]);
      times.push(await press(page, key), await press(page, undo));
    }
    report(what, times);
  }
  await browser.close();
}

main();
