/* SPDX-License-Identifier: MIT */
/*
 * Runs tests of SVGs and pages in headless Chromium. Every test has a page of its own. It fails if
 * the console has errors, or if anything was fetched.
 *
 *     node NAME.test.js DIRECTORY [PART OF A TEST'S NAME]
 */
"use strict";

const assert = require("assert");
const fs = require("fs");
const path = require("path");
const chromium = require("./chromium.js");
const png = require("./png.js");

const directory = path.resolve(process.argv[2]), wanted = process.argv[3] || "";
const DIFFERENT_PIXELS_MAX = 0.03; /* share of all pixels; fonts differ between machines */

/* The place of the first frame with this label, in a static SVG or as the viewer draws it. */
async function labelAt(page, name) {
  return page.evaluate(`(() => {
    const texts = Array.from(document.querySelectorAll("#frames text"));
    const box = texts.find((text) => text.textContent === ${JSON.stringify(name)}).getBoundingClientRect();
    return { x: box.x + 4, y: box.y + box.height / 2 };
  })()`);
}

function labels(page) {
  return page.evaluate('Array.from(document.querySelectorAll("#frames text"), (text) => text.textContent)');
}

/* Drags from one point to another; modifiers as the DevTools protocol has them. */
async function drag(page, from, to, modifiers) {
  const event = (type, at, more) =>
    page.send("Input.dispatchMouseEvent", Object.assign({ type, x: at.x, y: at.y, button: "left", modifiers: modifiers || 0 }, more));
  await event("mousePressed", from, { clickCount: 1 });
  await event("mouseMoved", to, { buttons: 1 });
  await event("mouseReleased", to, { clickCount: 1 });
}

/* The object with which a test is called; options apply to every page. */
class Test {
  constructor(browser, options) {
    this.browser = browser;
    this.options = options;
    this.pages = [];
  }

  async open(file, options) {
    const page = await this.browser.page(path.resolve(directory, file), Object.assign({}, this.options, options));
    this.pages.push(page);
    return page;
  }

  async details(page, act) {
    await act();
    return page.text("details");
  }

  compare(screenshot, name) {
    const file = path.join(__dirname, "screenshots", name + ".png");
    if (process.env.UPDATE) fs.writeFileSync(file, screenshot, "base64");
    const share = png.difference(Buffer.from(screenshot, "base64"), fs.readFileSync(file));
    assert(share <= DIFFERENT_PIXELS_MAX, `${(100 * share).toFixed(2)} % of the pixels differ from ${file}`);
  }

  async run(body) {
    try {
      const page = body.length ? await this.open(this.options.first) : null;
      await body.call(this, page);
      this.pages.forEach((page) => {
        assert.deepStrictEqual(page.complaints, []);
        assert.deepStrictEqual(page.requests, []);
      });
    } finally {
      for (const page of this.pages) await page.close();
    }
  }
}

/* Runs the tests, and prints "PREFIXN passed, N failed". options.first: the file of tests that take a page. */
async function run(tests, prefix, options) {
  const browser = chromium.open(process.env.CHROMIUM || "chromium");
  let passed = 0, failed = 0;
  for (const [name, body] of Object.entries(tests).filter(([one]) => one.includes(wanted))) {
    try {
      await new Test(browser, options).run(body);
      passed++;
    } catch (error) {
      failed++;
      console.log("FAIL " + name + "\n  " + String(error.stack).split("\n").slice(0, 12).join("\n  "));
    }
  }
  await browser.close();
  console.log(prefix + passed + " passed, " + failed + " failed");
  process.exitCode = failed ? 1 : 0;
}

/* The positions of all labels except the shortest: the font decides whether there is room for these. */
function positions(page) {
  return page.evaluate(`Array.from(document.querySelectorAll("#frames text"))
    .filter((text) => text.textContent.length > 5)
    .map((text) => {
      const box = text.getBoundingClientRect();
      return text.textContent + " " + Math.round(box.x) + " " + Math.round(box.y);
    })
    .sort()`);
}

/* The horizontal positions of labels. */
function places(page) {
  return page.evaluate(`Array.from(document.querySelectorAll("#frames text"),
    (text) => text.textContent + " " + Math.round(text.getBoundingClientRect().x))`);
}

async function search(page, term) {
  await page.key("/");
  await page.type(term);
  await page.key("Enter");
}

module.exports = { run, directory, labelAt, labels, positions, places, search, drag };
