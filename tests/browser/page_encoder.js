/* SPDX-License-Identifier: MIT */
/*
 * A small encoder of the columns of a page, independent of kiln's own, for tests of the decoder:
 *
 *     encode({ names: ["main"], rows: [[up, frame, self, [[bin, weight, CPU], ...]], ...], ... })
 *     → { facts, stream }
 */
"use strict";

function numbers(values) {
  const bytes = [];
  for (let value of values) {
    value = BigInt(value);
    for (; value > 127n; value >>= 7n) bytes.push(Number(value & 127n) | 128);
    bytes.push(Number(value));
  }
  return bytes;
}

function texts(values) {
  return Array.from(Buffer.from(values.map((text) => text + "\0").join("")));
}

/* Columns by name: [type, values]. */
function pack(columns, facts) {
  const parts = [], list = [];
  let offset = 0;
  Object.entries(columns).forEach(([name, [type, values]]) => {
    const bytes = type === "text" ? texts(values) : numbers(values);
    list.push({ name: name, type: type, count: values.length, offset: offset, size: bytes.length });
    parts.push(Buffer.from(bytes));
    offset += bytes.length;
  });
  return { facts: Object.assign({ version: 1, unit: "samples", of: "samples" }, facts, { columns: list }), stream: new Uint8Array(Buffer.concat(parts)) };
}

/* frames: [name, module, kind]; rows: [up, frame, self, cells], without the root; cells: [bin, weight, CPU]. */
function encode(frames, rows, facts) {
  const index = (list, text) => (list.includes(text) ? list : list.push(text), list.indexOf(text));
  const names = [], modules = [], cells = rows.map((row) => row[3] || []);
  const bins = cells.flatMap((list) => list.map(([bin], i) => bin - (i ? list[i - 1][0] : 0)));
  const byFrame = (of) => ["uint", frames.map(of)];
  const columns = {
    "frame.name": byFrame((frame) => index(names, frame[0])),
    "frame.module": byFrame((frame) => index(modules, frame[1])),
    "frame.kind": byFrame((frame) => frame[2]),
    "frame.colour": byFrame(() => 0xff8800),
    "frame.source": byFrame(() => 0),
    "row.up": ["uint", rows.map((row) => row[0])],
    "row.frame": ["uint", rows.map((row) => row[1])],
    "row.self": ["uint", rows.map((row) => row[2])],
    "row.cells": ["uint", cells.map((list) => list.length)],
    "cell.bin": ["uint", bins],
    "cell.weight": ["uint", cells.flatMap((list) => list.map((cell) => cell[1]))],
    "cell.cpu": ["uint", cells.flatMap((list) => list.map((cell) => (cell[2] || 0) + 1))],
    "function.self": byFrame(() => 0),
    "function.total": byFrame(() => 0),
  };
  return pack(Object.assign({ names: ["text", names], modules: ["text", modules], sources: ["text", [""]] }, columns),
    Object.assign({ bins: { first_ns: "5000000000", width_ns: 1e8, count: 10 } }, facts));
}

module.exports = { encode, pack };
