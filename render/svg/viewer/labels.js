/* SPDX-License-Identifier: MIT */
/*
 * Shortens the name of a frame to its width, exactly as render/short_label.c and
 * render/short_name.c do. A string has one character for each cell, except that a wide character
 * has two cells.
 */

const WIDE = /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;
const FILE_SUFFIX = /^(c|cc|cold|constprop|cpp|cs|dll|exe|go|h|hpp|isra|jar|java|js|jsx|ko|llvm|lua|lto_priv|map|mjs|out|part|php|pl|py|rb|rs|so|ts|tsx)(?![\w$\u0080-\uffff])/;
const OPERATOR = /operator(<<=|<=>|>>=|->\*|<<|<=|>>|>=|->|\(\)|<|>)/y;
const WORD = /[\w$\u0080-\uffff]/;
/* By level: template arguments are kept down to this nesting depth. */
const KEPT_DEPTH = [Infinity, 2, 1, 0];

function cellsOf(text) {
  let cells = 0;
  for (const character of text) cells += WIDE.test(character) ? 2 : 1;
  return cells;
}

function firstCells(text, cells) {
  let end = 0;
  for (const character of text) {
    cells -= WIDE.test(character) ? 2 : 1;
    if (cells < 0) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/* By position of an opening bracket: the position of its closing bracket. */
function matchBrackets(text) {
  const close = new Map(), open = [];
  const shut = (kind, at) => {
    let left = open.length;
    /* A "<" that is still open inside was a less-than sign. */
    while (left && text[open[left - 1]] === "<" && kind !== "<") left--;
    if (!left || text[open[left - 1]] !== kind) return;
    close.set(open[left - 1], at);
    open.length = left - 1;
  };
  for (let at = 0; at < text.length; at++) {
    const c = text[at];
    OPERATOR.lastIndex = at;
    if (c === "o" && !(at && WORD.test(text[at - 1])) && OPERATOR.test(text)) at = OPERATOR.lastIndex - 1;
    else if (c === "<" || c === "(" || c === "{") open.push(at);
    else if (c === ">" && !/[-=]/.test(text[at - 1] || "")) shut("<", at);
    else if (c === ")" || c === "}") shut(c === ")" ? "(" : "{", at);
  }
  return close;
}

/* Whether a Rust type begins here, not an argument list. */
function isType(text, close, at) {
  if (!at || text.startsWith("<impl ", at)) return true;
  for (let i = at + 1; i < close.get(at); i++)
    if (close.has(i)) i = close.get(i);
    else if (text.startsWith(" as ", i)) return true;
  return false;
}

function isElided(text, close, at, level, depth) {
  if (new TextEncoder().encode(text.slice(at, close.get(at))).length < 6) return false;
  if (text[at] === "(") return !text.startsWith("(anonymous namespace)", at) && text[at - 1] !== ".";
  return text[at] === "<" && depth >= KEPT_DEPTH[level] && !isType(text, close, at);
}

function withoutArguments(text, close, level) {
  const ends = [];
  let short = "";
  for (let at = 0; at < text.length; at++) {
    if (ends[ends.length - 1] === at) ends.pop();
    short += text[at];
    if (!close.has(at)) continue;
    if (isElided(text, close, at, level, ends.length)) {
      at = close.get(at);
      short += "…" + text[at];
    } else if (text[at] === "<" && !isType(text, close, at)) {
      ends.push(close.get(at));
    }
  }
  const all = Array.from(short);
  return all.length > 400 ? all.slice(0, 200).join("") + "…" + all.slice(-199).join("") : short;
}

/* Leaves out leading scopes and folders until the rest fits. */
function withoutScopes(text, cells) {
  let head = "", begin = 0, word = 0, depth = 0;
  const elide = (kept, end) => {
    if (kept > begin) head += text.slice(begin, kept);
    if (!head.endsWith("…")) head += "…";
    begin = end;
  };
  for (let at = 0; at < text.length && cellsOf(head + text.slice(begin)) > cells; at++) {
    const c = text[at], next = text[at + 1] || "";
    if ("(<{[".includes(c)) depth++;
    else if (")>}]".includes(c)) depth = Math.max(0, depth - 1);
    else if (depth) continue;
    else if (c === " " || (c === ":" && next === "/")) word = at + 1;
    else if (c === ":" && next === ":" && at + 2 < text.length) {
      /* "{{closure}}" and "operator()" alone do not identify a function. */
      if (text[at + 2] === "{" || text.startsWith("operator", at + 2)) continue;
      head = "";
      elide(begin, at + 2);
    } else if ((c === "/" || c === ".") && (next === "(" || WORD.test(next))) {
      /* "migration/0", "foo.isra.0" */
      if (!/\d/.test(next) && (c === "/" || (at && !FILE_SUFFIX.test(text.slice(at + 1, at + 20))))) elide(word, at + 1);
    }
  }
  return head + text.slice(begin);
}

/*
 * Shortens a text to this many cells. Opening brackets and ellipses just before the cut are removed, too, because nothing
 * would follow them.
 */
function cut(text, cells) {
  if (cellsOf(text) <= cells) return text;
  if (cells < 8 && text[0] === "…") text = text.slice(1);
  return cellsOf(text) <= cells ? text : firstCells(text, cells - 1).replace(/(?:[(<{[]|(?!^)…)+$/, "") + "…";
}

function labelOf(name, cells) {
  if (name.length > 8192 || cellsOf(name) <= cells) return cut(name, cells);
  const close = matchBrackets(name);
  let short = "";
  for (let level = 0; level < KEPT_DEPTH.length; level++) {
    short = withoutArguments(name, close, level);
    if (cellsOf(short) <= cells) return short;
  }
  return cut(withoutScopes(short, cells), cells);
}
