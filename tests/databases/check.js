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
  psql(statement(/^PostgreSQL 15/));
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

/* Shares of self time in two releases: rows of leaf, before, after, change. */
function compareReleases(rows) {
  const shares = {};
  for (const release of ["41", "42"]) {
    const own = report("release").filter((row) => row.release === release);
    const sum = own.reduce((total, row) => total + Number(row.self), 0);
    shares[release] = new Map(own.map((row) => [row.symbol, 100 * Number(row.self) / sum]));
  }
  assert(rows.length === LIMIT);
  for (const [leaf, before, after, change] of rows) {
    const expected = [shares[41].get(leaf) || 0, shares[42].get(leaf) || 0];
    assert(Math.abs(before - expected[0]) < 1e-6 && Math.abs(after - expected[1]) < 1e-6, `${leaf}: ${before}, ${after}, not ${expected}`);
    assert(Math.abs(change - (expected[1] - expected[0])) < 1e-6);
  }
}

async function main() {
  const isDuckdb = database === "duckdb";
  const query = isDuckdb ? await openDuckdb() : openPostgresql();
  compare(await query(statement(/highest self time/)), byHost("self"), "self");
  compare(await query(statement(isDuckdb ? /highest total time/ : /^In PostgreSQL/)), byHost("total"), "total");
  if (isDuckdb) compare(await query(statement(/^Callers of/)), callersOf("append_number"), "callers");
  compareReleases(await query(statement(/share of self time changed/)));
}

main().catch((error) => {
  console.log(error.stack);
  process.exitCode = 1;
});
