/* SPDX-License-Identifier: MIT */
/*
 * The pixels of a PNG as Chromium writes it: eight bits a channel, not interlaced (PNG
 * specification, third edition, sections 5, 7 and 9).
 */
"use strict";

const zlib = require("zlib");

const CHANNELS = { 2: 3, 6: 4 }; /* by colour type: RGB, RGBA */

function chunks(bytes) {
  const found = {};
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString("latin1", at + 4, at + 8);
    (found[type] || (found[type] = [])).push(bytes.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return found;
}

function paeth(left, above, corner) {
  const guess = left + above - corner;
  const toLeft = Math.abs(guess - left), toAbove = Math.abs(guess - above), toCorner = Math.abs(guess - corner);
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

const filters = [
  () => 0,
  (left) => left,
  (left, above) => above,
  (left, above) => (left + above) >> 1,
  paeth,
];

/* Returns { width, height, channels, bytes }. */
function decode(file) {
  const found = chunks(file);
  const head = found.IHDR[0];
  const width = head.readUInt32BE(0), height = head.readUInt32BE(4), channels = CHANNELS[head[9]];
  const raw = zlib.inflateSync(Buffer.concat(found.IDAT));
  const stride = width * channels;
  const bytes = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = filters[raw[y * (stride + 1)]];
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      const left = x >= channels ? bytes[at - channels] : 0;
      const above = y ? bytes[at - stride] : 0;
      const corner = x >= channels && y ? bytes[at - stride - channels] : 0;
      bytes[at] = raw[y * (stride + 1) + 1 + x] + filter(left, above, corner);
    }
  }
  return { width, height, channels, bytes };
}

/* The share of pixels that differ by more than a shade; 1 when the sizes differ. */
function difference(left, right) {
  const a = decode(left), b = decode(right);
  let count = 0;
  if (a.width !== b.width || a.height !== b.height || a.channels !== b.channels) return 1;
  for (let i = 0; i < a.bytes.length; i += a.channels)
    count += Math.abs(a.bytes[i] - b.bytes[i]) + Math.abs(a.bytes[i + 1] - b.bytes[i + 1]) > 48;
  return count / (a.width * a.height);
}

module.exports = { difference };
