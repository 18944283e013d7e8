/* SPDX-License-Identifier: MIT */
/* How long Chromium takes to show a picture, and the viewer to change it: node pictures.js FILE. */
"use strict";

const chromium = require("../browser/chromium.js");

const [file] = process.argv.slice(2);
const ROUNDS = 5;

/* Milliseconds the page's thread was busy since it was opened. */
async function busy(page) {
  const { metrics } = await page.send("Performance.getMetrics");
  return 1000 * metrics.find((metric) => metric.name === "TaskDuration").value;
}

/* Walks to the heaviest function with the keyboard, presses a key there, and then what undoes it. */
async function timeOf(page, key, undo) {
  for (const step of ["ArrowRight", "ArrowUp", "ArrowUp"]) await page.key(step);
  const before = await busy(page);
  await page.key(key);
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
  const after = await busy(page);
  await page.key(undo);
  return after - before;
}

async function report(what, measure) {
  const times = [];
  for (let i = 0; i < ROUNDS; i++) times.push(await measure());
  console.log(what + Math.round(Math.min(...times)) + " to " + Math.round(Math.max(...times)) + " ms");
}

async function main() {
  const browser = chromium.open(process.env.CHROMIUM || "chromium");
  await report("first paint:   ", async () => {
    const page = await browser.page(file);
    const time = await page.evaluate('performance.getEntriesByType("paint")[0].startTime');
    await page.close();
    return time;
  });
  const page = await browser.page(file);
  await page.send("Performance.enable", { timeDomain: "threadTicks" });
  await report("zoom:          ", () => timeOf(page, "Enter", "Escape"));
  await report("search:        ", () => timeOf(page, "f", "f"));
  await browser.close();
}

main();
