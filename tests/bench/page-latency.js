/* SPDX-License-Identifier: MIT */
/*
 * How long Chromium takes to show a page of kiln, and the page to follow a window of time:
 * node page-latency.js FILE.
 *
 *     first paint      the static graph and table are on screen
 *     interactive      the viewer has drawn, and answers
 *     window to graph  from the end of a drag to the frame that shows the new graph
 *     second window    the same with Ctrl: both windows are compared
 *     judged           from the same event, until the changes are judged
 */
"use strict";

const chromium = require("../browser/chromium.js");

const [file] = process.argv.slice(2);
const LOADS = 3, WINDOWS = 21, CTRL = 2;

function median(times) {
  return times.slice().sort((a, b) => a - b)[times.length >> 1];
}

function report(what, times) {
  console.log(what + median(times).toFixed(0) + " ms, worst " + Math.max(...times).toFixed(0) + " ms (" + times.length + " times)");
}

/* Drags over a part of the strip. The time is measured in the page, from the event to the frame after it. */
async function selectWindow(page, from, to, modifiers) {
  const box = await page.evaluate('(({ x, y, width }) => ({ x, y, width }))(document.querySelector("#time canvas").getBoundingClientRect())');
  const event = (type, share, more) => page.send("Input.dispatchMouseEvent",
    Object.assign({ type, x: box.x + share * box.width, y: box.y + 20, button: "left", modifiers: modifiers }, more));
  await page.evaluate(`window.shown = new Promise((done) => document.querySelector("#time canvas").addEventListener("pointerup",
    (event) => {
      const ms = () => performance.now() - event.timeStamp;
      requestAnimationFrame(() => setTimeout(() => done(ms())));
      window.judged = new Promise((judged) => requestAnimationFrame(function look() { /Judging/.test(document.getElementById("window").textContent) ? setTimeout(look) : judged(ms()); }));
    }, { once: true })); 0`);
  await event("mousePressed", from, { clickCount: 1 });
  await event("mouseMoved", to, { buttons: 1 });
  await event("mouseReleased", to, { clickCount: 1 });
  return page.evaluate("window.shown");
}

async function main() {
  const browser = chromium.open(process.env.CHROMIUM || "chromium");
  const paints = [], ready = [], windows = [], seconds = [], judged = [];
  let page;
  for (let i = 0; i < LOADS; i++) {
    if (page) await page.close();
    page = await browser.page(file, { isReady: 'document.documentElement.dataset.ready' });
    paints.push(await page.evaluate('performance.getEntriesByType("paint")[0].startTime'));
    ready.push(Number(await page.evaluate("document.documentElement.dataset.ready")));
  }
  for (let i = 0; i < WINDOWS; i++) windows.push(await selectWindow(page, (i % 7) / 10, (i % 7) / 10 + 0.05 + 0.02 * (i % 13), 0));
  for (let i = 0; i < WINDOWS; i++) {
    seconds.push(await selectWindow(page, 0.6, 0.65 + 0.015 * i, CTRL));
    judged.push(await page.evaluate("window.judged"));
  }
  report("first paint:      ", paints);
  report("interactive:      ", ready);
  report("window to graph:  ", windows);
  report("second window:    ", seconds);
  report("judged:           ", judged);
  await page.send("HeapProfiler.collectGarbage");
  const { usedSize, backingStorageSize } = await page.send("Runtime.getHeapUsage");
  console.log("memory:           " + ((usedSize + (backingStorageSize || 0)) / 1e6).toFixed(0) + " MB of heap and arrays");
  await browser.close();
}

main();
