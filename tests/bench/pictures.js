/* SPDX-License-Identifier: MIT */
/*
 * How long Chromium takes to show a picture, and the viewer to change it: node pictures.js FILE.
 *
 *     key pressed ──── script, style, layout, paint: the page's thread ──── raster ──── frame shown
 *                      └────────── processor time, Performance.getMetrics ┘
 *     └──────────────── by the clock: PerformanceEventTiming, in steps of 8 ms ──────────────────┘
 */
"use strict";

const chromium = require("../browser/chromium.js");

const [file] = process.argv.slice(2);
const ROUNDS = 5;

/* Milliseconds the page's thread was busy since it was opened. */
async function busy(page) {
  const { metrics } = await page.send("Performance.getMetrics");
  return 1000 * metrics.find((metric) => metric.name === "TaskDuration").value;
}

async function open(browser) {
  const page = await browser.page(file);
  await page.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.evaluate(`{
    window.pressed = [];
    new PerformanceObserver((list) => pressed.push(...list.getEntriesByType("event")
      .filter((event) => event.name === "keydown").map((event) => event.duration)))
      .observe({ type: "event", durationThreshold: 16 });
  }`);
  return page;
}

/* Presses a key; what it took the processor, and until a frame showed it. */
async function press(page, key) {
  await page.evaluate("pressed.length = 0");
  const before = await busy(page);
  await page.key(key);
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
  const cpu = (await busy(page)) - before;
  /* Events that were shown in less than 16 ms are not told of. */
  const shown = await page.evaluate(`new Promise((done) => setTimeout(() => done(Math.max(...pressed, 16)), 500))`);
  return { cpu: cpu, shown: shown };
}

async function walk(page, steps) {
  for (const step of steps) await page.key(step);
}

async function report(what, measure) {
  const times = [];
  for (let i = 0; i < ROUNDS; i++) times.push(await measure());
  const range = (of) => Math.round(Math.min(...times.map(of))) + " to " + Math.round(Math.max(...times.map(of))) + " ms";
  console.log(what + range((time) => time.shown) + ", of the processor " + range((time) => time.cpu));
}

async function main() {
  const browser = chromium.open(process.env.CHROMIUM || "chromium");
  const paints = [], redraws = [];
  for (let i = 0; i < ROUNDS; i++) {
    const page = await open(browser);
    paints.push(await page.evaluate('performance.getEntriesByType("paint")[0].startTime'));
    await walk(page, ["ArrowRight", "ArrowUp"]);
    redraws.push(await press(page, "Enter"));
    await page.close();
  }
  console.log("first paint:   " + Math.round(Math.min(...paints)) + " to " + Math.round(Math.max(...paints)) + " ms");
  await report("first redraw:  ", async () => redraws.shift());
  const page = await open(browser);
  const undoing = async (key, undo) => {
    await walk(page, ["ArrowRight", "ArrowUp", "ArrowUp"]);
    const time = await press(page, key);
    const undone = await press(page, undo);
    return { cpu: Math.max(time.cpu, undone.cpu), shown: Math.max(time.shown, undone.shown) };
  };
  await report("zoom, reset:   ", () => undoing("Enter", "Escape"));
  await report("search, clear: ", () => undoing("f", "f"));
  await browser.close();
}

main();
