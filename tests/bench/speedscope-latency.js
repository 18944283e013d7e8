/* SPDX-License-Identifier: MIT */
/*
 * How long Chromium takes to show folded stacks in the page of speedscope's npm package:
 * node speedscope-latency.js FOLDED RELEASE, where RELEASE is its directory dist/release. As the
 * program of the package does, the stacks are passed in a script, whose path is in the address.
 */
"use strict";

const fs = require("fs");
const os = require("os");
const path = require("path");
const { pathToFileURL } = require("url");
const chromium = require("../browser/chromium.js");

const [folded, release] = process.argv.slice(2);
const LOADS = 3;
const IS_SHOWN = 'document.body.innerText.includes("Time Order") && document.querySelector("canvas")';

async function load(directory, script) {
  /* speedscope draws with WebGL. */
  const browser = chromium.open(process.env.CHROMIUM || "chromium", "--use-gl=angle", "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader", "--allow-file-access-from-files");
  const blank = path.join(directory, "blank.html");
  fs.writeFileSync(blank, "<!DOCTYPE html>");
  const page = await browser.page(blank, { isReady: "true" });
  const start = Date.now();
  await page.send("Page.navigate", { url: pathToFileURL(path.join(release, "index.html")) + "#localProfilePath=" + script });
  while (!await page.evaluate(IS_SHOWN).catch(() => false)) await new Promise((done) => setTimeout(done, 20));
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
  const shown = Date.now() - start;
  const { usedSize, backingStorageSize } = await page.send("Runtime.getHeapUsage");
  console.log("speedscope:       " + shown + " ms until the stacks are shown, " +
    ((usedSize + (backingStorageSize || 0)) / 1e6).toFixed(0) + " MB of heap and arrays");
  await browser.close();
}

async function main() {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "kiln-speedscope-"));
  const script = path.join(directory, "profile.js");
  fs.writeFileSync(script, `speedscope.loadFileFromBase64("stacks.folded", "${fs.readFileSync(folded).toString("base64")}")`);
  for (let i = 0; i < LOADS; i++) await load(directory, script);
  fs.rmSync(directory, { recursive: true });
}

main();
