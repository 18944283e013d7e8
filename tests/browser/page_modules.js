/* SPDX-License-Identifier: MIT */
/* Loads modules of the page's viewer that need no browser: joined in their order, as make joins them. */
"use strict";

const fs = require("fs");
const path = require("path");

const root = path.join(__dirname, "../..");
const FILES = ["svg/viewer/rows", "svg/viewer/comparison", "page/viewer/columns", "page/viewer/lanes", "page/viewer/capture", "page/viewer/compared", "page/viewer/tree",
  "page/viewer/time_window", "page/viewer/offsets", "page/viewer/idle", "page/viewer/statistics", "page/viewer/transforms", "page/viewer/notes", "page/viewer/query", "page/viewer/chart"];

/* names: the functions that the caller uses. */
function load(names) {
  const sources = FILES.map((file) => fs.readFileSync(path.join(root, "render", file + ".js"), "utf8"));
  return new Function('"use strict"; const GROUP = 0, MARK = 5; ' + sources.join("") + "return { " + names.join(", ") + " };")();
}

module.exports = { load };
