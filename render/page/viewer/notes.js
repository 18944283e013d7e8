/* SPDX-License-Identifier: MIT */
/*
 * Notes of readers, each attached to a place. Like addresses, places consist of names and seconds,
 * so that they do not depend on the view:
 *
 *     { stack: ["nginx", "main", "parse"] }        a frame; threads of one comm are not told apart
 *     { function: "parse" }                        a function, wherever it is called
 *     { time: "5.2,5.4", against: "7,7.2" }        one window, or two
 *     { }                                          the whole page
 *
 * Notes are in the file as a list, which is shown without scripts as well: see page_copy.js.
 */

/** @typedef {{stack?: string[], function?: string, time?: string, against?: string}} Place */
/** @typedef {{place: Place, text: string}} Note */

/* Nobody writes more notes than this: a file with more is an attempt to make the page slow. */
const NOTES_MAX = 500, NOTE_TEXT_MAX = 10000, NOTE_STACK_MAX = 10000;

const notes = {
  /** @type {Note[]} */
  list: [],
  /** @type {Note[][]} the list before each change, for undo */
  past: [],
  /** @type {Note[]} the list as it is in the file */
  saved: [],
};

/**
 * Parses a place in a file; null if it is not valid. @param {string} text @returns {Place | null}
 */
function readPlace(text) {
  let read;
  try {
    read = JSON.parse(text);
  } catch (error) {
    return null;
  }
  if (!read || typeof read !== "object" || Array.isArray(read)) return null;
  const isText = (value) => typeof value === "string", { stack } = read;
  const isStack = Array.isArray(stack) && stack.length > 0 && stack.length <= NOTE_STACK_MAX && stack.every(isText);
  if (stack !== undefined && !isStack) return null;
  if (["function", "time", "against"].some((key) => read[key] !== undefined && !isText(read[key]))) return null;
  return { stack: stack, function: read.function, time: read.time, against: read.against };
}

/** The notes of a file. @param {{place: string, text: string}[]} items @returns {Note[]} */
function readNotes(items) {
  return items.slice(0, NOTES_MAX).map((item) => ({ place: readPlace(item.place), text: item.text.trim().slice(0, NOTE_TEXT_MAX) }))
    .filter((note) => note.place && note.text);
}

/** @param {Note[]} list */
function setNotes(list) {
  notes.past.push(notes.list);
  notes.list = list;
}

/** Undoes the last change. */
function undoNotes() {
  if (notes.past.length) notes.list = notes.past.pop();
}

/** Whether a row is a thread or process below a comm. @param {Tree} tree @param {Frames} frames */
function isInnerGroup(tree, frames, row) {
  const parent = tree.parent[row], isGroup = (at) => at > 0 && frames.kind[tree.frame[at]] === GROUP;
  return isGroup(row) && isGroup(parent);
}

/** Names from the root to a row, without threads and processes. @returns {string[]} */
function stackOfRow(tree, frames, row) {
  const names = [];
  for (let at = row; at > 0; at = tree.parent[at]) if (!isInnerGroup(tree, frames, at)) names.unshift(frames.name[tree.frame[at]]);
  return names;
}

/**
 * The rows that a stack names. Transforms remove frames. If there are transforms, finds the deepest
 * of the rows whose frames are all in the stack.
 *
 * Rows are compared from the root on, and rows below one that does not match are skipped:
 *
 *     stack    app main parse read        row    app 0 ── main 1 ── read 3      with transforms
 *              0   1    2     3                              └─ write           not in the stack: skipped
 *
 * @param {Tree} tree @param {Frames} frames @param {string[]} stack @param {boolean} isTransformed @returns {number[]}
 */
function rowsOfStack(tree, frames, stack, isTransformed) {
  const last = stack[stack.length - 1], found = [], next = new Int32Array(tree.frame.length), depth = new Int32Array(next.length);
  let longest = isTransformed ? 0 : stack.length;
  for (let row = 1; row < next.length; row++) {
    const parent = tree.parent[row], name = frames.name[tree.frame[row]], from = next[parent];
    next[row] = from;
    depth[row] = depth[parent];
    if (isInnerGroup(tree, frames, row)) continue;
    next[row] = (isTransformed ? stack.indexOf(name, from) : stack[from] === name ? from : -1) + 1;
    if (!next[row]) {
      row = tree.end[row] - 1;
      continue;
    }
    depth[row]++;
    if (name !== last || depth[row] < longest) continue;
    if (depth[row] > longest) found.length = 0;
    longest = depth[row];
    found.push(row);
  }
  return found;
}

/**
 * By row: the notes on it, by number. Found once for each model and list of notes, since they are drawn at each zoom.
 * @param {any} shown the model @param {boolean} isTransformed @returns {Map<number, number[]>}
 */
function notesByRow(shown, isTransformed) {
  if (shown.noted === notes.list) return shown.notesByRow;
  const byRow = new Map();
  notes.list.forEach(({ place }, i) => {
    if (place.stack) rowsOfStack(shown, shown, place.stack, isTransformed).forEach((row) => byRow.set(row, (byRow.get(row) || []).concat([i])));
  });
  shown.noted = notes.list;
  return (shown.notesByRow = byRow);
}

/** Whether a note is about a function, or about a frame of it. @param {Note} note @param {string} name */
function isNoteOf({ place }, name) {
  return place.function === name || Boolean(place.stack && place.stack[place.stack.length - 1] === name);
}

/** The notes on a function, for the table. @param {string} name */
function notesText(name) {
  return notes.list.filter((note) => isNoteOf(note, name)).map((note) => note.text.replace(/\s+/g, " ")).join(" · ");
}
