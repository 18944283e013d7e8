/* SPDX-License-Identifier: MIT */
/*
 * Runs the statements of a document in a database: node check.js DOCUMENT duckdb, or node check.js
 * DOCUMENT postgresql DIRECTORY-OF-SOCKET. The directory must have fleet.jsonl and fleet.tsv, and
 * what kiln prints for the same profile: by-host.csv and by-release.csv of kiln report, and
 * by-host.folded of kiln fold.
 */
"use strict";

const assert = require("assert");
const fs = require("fs");
const { execFileSync } = require("child_process");

const [document, database, place] = process.argv.slice(2);
const LIMIT = 20; /* of rows, in the queries */

/* The statements of the document: { text, before }, where before is the paragraph above. */
function statements() {
  const found = [];
  let before = "";
  for (const block of fs.readFileSync(document, "utf8").split(/\n\n+/)) {
    if (block.startsWith("    ")) found.push({ text: block.replace(/^ {4}/gm, ""), before });
    else before = block.replace(/\n/g, " ");
  }
  return found.filter((one) => /^(WITH|SELECT|CREATE)/.test(one.text));
}

const all = statements();

function statement(pattern) {
  const found = all.filter((one) => pattern.test(one.before));
  assert.strictEqual(found.length, 1, `${found.length} statements after ${pattern}`);
  return found[0].text;
}

/* Opens the database, and returns a function that runs a query and returns its rows as lists. */
async function openDuckdb() {
  const { DuckDBInstance } = require("@duckdb/node-api");
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  await connection.run(statement(/^DuckDB detects/));
  return async (query) => (await connection.runAndReadAll(query)).getRowsJson();
}

function openPostgresql() {
  const psql = (text) => execFileSync("psql",
    ["-h", place, "-U", "kiln", "-d", "postgres", "-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1"], { input: text, encoding: "utf8" });
  psql(statement(/PostgreSQL 15 and later/));
  return (query) => psql(query).split("\n").filter(Boolean).map((line) => line.split("\t"));
}

/* Rows of kiln report: { key, symbol, self, total }. Names in the capture have no quotes. */
function report(key) {
  const [names, ...lines] = fs.readFileSync(`by-${key}.csv`, "utf8").trim().split("\n").map((line) => line.match(/("[^"]*"|[^,]*)(,|$)/g).map((cell) => cell.replace(/,$/, "").replace(/^"|"$/g, "")));
  return lines.map((line) => Object.fromEntries(names.map((name, i) => [name, line[i]])));
}

/* Compares rows of name..., value with a map from the joined names to the expected value. */
function compare(rows, expected, what) {
  const largest = [...expected.values()].sort((a, b) => b - a).slice(0, LIMIT);
  assert(rows.length > 1, `${what}: ${rows.length} rows`);
  assert.deepStrictEqual(rows.map((row) => Number(row[row.length - 1])), largest, what);
  rows.forEach((row) => assert.strictEqual(Number(row[row.length - 1]), expected.get(row.slice(0, -1).join()), `${what}: ${row}`));
}

function byHost(column) {
  return new Map(report("host").filter((row) => row[column] !== "0").map((row) => [`${row.host},${row.symbol}`, Number(row[column])]));
}

/* The weight of the callers of a function, of its outermost calls, from folded stacks. */
function callersOf(name) {
  const callers = new Map();
  for (const line of fs.readFileSync("by-host.folded", "utf8").trim().split("\n")) {
    const frames = line.slice(0, line.lastIndexOf(" ")).split(";").slice(1), at = frames.indexOf(name);
    if (at > 0) callers.set(frames[at - 1], (callers.get(frames[at - 1]) || 0) + Number(line.slice(line.lastIndexOf(" ") + 1)));
  }
  return callers;
}

/* Shares of self time in two releases: by leaf, [leaf, before, after, change]. */
function sharesOfReleases() {
  const own = report("release").filter((row) => row.self !== "0"), sums = { 41: 0, 42: 0 }, shares = new Map();
  own.forEach((row) => (sums[row.release] += Number(row.self)));
  for (const { release, symbol, self } of own) {
    const row = shares.get(symbol) || [symbol, 0, 0, 0], share = (100 * Number(self)) / sums[release];
    shares.set(symbol, [symbol, row[1] + (release === "41" ? share : 0), row[2] + (release === "42" ? share : 0), 0]);
  }
  shares.forEach((row) => (row[3] = row[2] - row[1]));
  return shares;
}

/* Databases differ in the last digits of a share. */
function rounded([leaf, ...shares]) {
  return [leaf, ...shares.map((share) => Number(share).toFixed(6).replace(/^-(?=[0.]*$)/, ""))];
}

/* Compares rows with the functions whose shares changed most. Equal changes may be in any order. */
function compareReleases(rows, shares) {
  const size = (change) => Math.abs(change).toFixed(6), largest = Array.from(shares.values(), (row) => size(row[3])).sort((a, b) => b - a);
  assert.strictEqual(new Set(rows.map(([leaf]) => leaf)).size, rows.length, "a function has two rows");
  assert.deepStrictEqual(rows.map((row) => size(row[3])), largest.slice(0, LIMIT), "changes");
  rows.forEach((row) => assert.deepStrictEqual(rounded(row), rounded(shares.get(row[0]) || []), `shares: ${row}`));
}

/* Rows that a wrong query could return must not pass. */
function refuseWrongReleases(rows, shares) {
  const [first, second, ...rest] = rows;
  const wrong = {
    "functions that do not exist": rows.map(() => ["nonsense", 0, 0, 0]),
    "another order": [second, first, ...rest],
    "a row less": rest.concat([first]),
    "shares of the other release": rows.map(([leaf, before, after, change]) => [leaf, after, before, change]),
    "the smallest changes": Array.from(shares.values()).sort((a, b) => Math.abs(a[3]) - Math.abs(b[3])).slice(0, LIMIT),
    "a function twice": [first, first, ...rest],
  };
  for (const [what, those] of Object.entries(wrong))
    assert.throws(() => compareReleases(those, shares), { code: "ERR_ASSERTION" }, what);
}

async function main() {
  const isDuckdb = database === "duckdb";
  const query = isDuckdb ? await openDuckdb() : openPostgresql();
  compare(await query(statement(/highest self time/)), byHost("self"), "self");
  compare(await query(statement(isDuckdb ? /highest total time/ : /^The same in PostgreSQL/)), byHost("total"), "total");
  if (isDuckdb) compare(await query(statement(/^Callers of/)), callersOf("append_number"), "callers");
  const rows = await query(statement(/share of self time changed/)), shares = sharesOfReleases();
  compareReleases(rows, shares);
  refuseWrongReleases(rows, shares);
}

main().catch((error) => {
  console.log(error.stack);
  process.exitCode = 1;
});
