/* SPDX-License-Identifier: MIT */
/*
 * What a reader does first with a page and with an SVG, in Firefox: node firefox.test.js DIRECTORY.
 * Everything else is tested in Chromium. SHOTS is a directory for screenshots that people can look
 * at.
 */
"use strict";

const assert = require("assert");
const fs = require("fs");
const path = require("path");
const { Firefox } = require("./firefox.js");

const directory = path.resolve(process.argv[2]);
const PAGE_READY = 'Boolean(document.documentElement.dataset.ready)', SVG_READY = 'document.querySelector("svg").classList.contains("live")';
const ESCAPE = "\ue00c", LIMIT_MS = 5 * 60 * 1000;

/* A point in the first frame with a label. */
function labelAt(browser, name) {
  return browser.evaluate(`(() => {
    const box = Array.from(document.querySelectorAll("#frames text")).find((text) => text.textContent === ${JSON.stringify(name)}).getBoundingClientRect();
    return { x: box.x + 4, y: box.y + box.height / 2 };
  })()`);
}

function labels(browser) {
  return browser.evaluate('Array.from(document.querySelectorAll("#frames text"), (text) => text.textContent)');
}

async function click(browser, name) {
  await browser.drag([await labelAt(browser, name)]);
}

const hash = (browser) => browser.evaluate("decodeURIComponent(location.hash)");
const text = (browser, id) => browser.evaluate(`document.getElementById("${id}").textContent`);

const tests = {
  async "a page is drawn, searched, zoomed, and follows a window"(browser) {
    await browser.open(path.join(directory, "demo_page.html"), PAGE_READY);
    assert((await labels(browser)).includes("serve_connection"));
    await click(browser, "http-worker");
    assert.strictEqual(await hash(browser), "#zoom=http-worker");
    await browser.type(ESCAPE);
    assert.strictEqual(await hash(browser), "");
    await browser.type("/handle_request");
    assert.match(await text(browser, "matched"), /^Matched: [\d.]+%$/);
    await browser.type(ESCAPE);
    const box = await browser.evaluate('(({ x, y, width }) => ({ x, y, width }))(document.querySelector("#time canvas").getBoundingClientRect())');
    await browser.drag([0.2, 0.3, 0.4].map((share) => ({ x: box.x + share * box.width, y: box.y + 20 })));
    assert.match(await hash(browser), /^#time=\d/);
    assert.match(await text(browser, "option"), /^--time /);
    const rows = await browser.evaluate('document.querySelectorAll("#table tbody tr").length');
    assert(rows > 10, rows);
  },

  async "a comparison is drawn"(browser) {
    await browser.open(path.join(directory, "change_page.html"), PAGE_READY);
    assert.match(await text(browser, "view"), /change: widths of the larger side/);
    assert((await labels(browser)).includes("load-client"));
  },

  async "an SVG is drawn, searched and zoomed"(browser) {
    await browser.open(path.join(directory, "demo.svg"), SVG_READY);
    assert((await labels(browser)).includes("serve_connection"));
    await click(browser, "http-worker");
    await browser.until('!Array.from(document.querySelectorAll("#frames text")).some((one) => one.textContent === "logger")', "the zoom");
    await browser.type(ESCAPE);
    await browser.until('Array.from(document.querySelectorAll("#frames text")).some((one) => one.textContent === "logger")', "the whole graph");
    await browser.type("/handle_request");
    await browser.until('document.querySelector("#frames .hit")', "the search");
  },
};

async function run(browser) {
  await browser.start();
  let passed = 0, failed = 0;
  for (const [name, test] of Object.entries(tests)) {
    try {
      await test(browser);
      if (process.env.SHOTS) fs.writeFileSync(path.join(process.env.SHOTS, "firefox-" + passed + ".png"), await browser.screenshot(), "base64");
      assert.deepStrictEqual(await browser.complaints(), []);
      passed++;
    } catch (error) {
      failed++;
      console.log("FAIL " + name + "\n  " + String(error.stack).split("\n").slice(0, 12).join("\n  "));
    }
  }
  await browser.quit();
  console.log("firefox: " + passed + " passed, " + failed + " failed");
  if (!failed) process.exitCode = 0;
}

async function main() {
  const browser = new Firefox(process.env.FIREFOX || "firefox-esr");
  const limit = setTimeout(() => {
    console.log("FAIL firefox: not done after " + LIMIT_MS / 1000 + " seconds");
    browser.discard();
    process.exit(1);
  }, LIMIT_MS);
  try {
    await run(browser);
  } catch (error) {
    console.log("FAIL firefox\n  " + error.stack);
  } finally {
    clearTimeout(limit);
    browser.discard();
  }
}

/* This is the status if node ends early, because nothing is left to wait for. */
process.exitCode = 1;
main();
