/* SPDX-License-Identifier: MIT */
/*
 * Builds one SVG path for many rectangles, as bytes: for 100,000 rectangles, string concatenation
 * would dominate drawing.
 *
 *     M16.25 340.00h1167.50v17h-1167.50z
 */

const outline = { bytes: new Uint8Array(65536), used: 0 };

function putCode(code) {
  outline.bytes[outline.used++] = code;
}

/* A non-negative number in hundredths. */
function putNumber(hundredths) {
  let digits = 3;
  for (let power = 1000; power <= hundredths; power *= 10) digits++;
  let at = outline.used += digits + 1;
  for (let i = 0, rest = hundredths; i < digits; i++) {
    if (i === 2) outline.bytes[--at] = 46;
    outline.bytes[--at] = 48 + (rest % 10);
    rest = Math.floor(rest / 10);
  }
}

function putRect(x, y, w, height) {
  if (outline.used + 100 > outline.bytes.length) outline.bytes = grown(outline.bytes, 0);
  const wide = Math.round(100 * w);
  putCode(77);
  putNumber(Math.round(100 * x));
  putCode(32);
  putNumber(Math.round(100 * y));
  putCode(104);
  putNumber(wide);
  putCode(118);
  putNumber(100 * height);
  putCode(104);
  putCode(45);
  putNumber(wide);
  putCode(122);
}

/* Returns and clears the path. */
function takePath() {
  const path = new TextDecoder().decode(outline.bytes.subarray(0, outline.used));
  outline.used = 0;
  return path;
}
