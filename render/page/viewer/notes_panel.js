/* SPDX-License-Identifier: MIT */
/*
 * Notes on the screen: a list below the graph, a mark on each frame that has one, a flag on the strip,
 * and the dialog in which they are written.
 *
 *     Notes                                          ▂▃▅▂▁|1▂▇|▂▁
 *      1. 5.2 to 5.4 s     the cache is cold         | main     |
 *      2. parse            why so often?             | parse   ◥|
 *     [Undo] [Save a copy]  not saved yet
 */

const notesHolder = html("section", { id: "notes", "aria-label": "Notes" });
const notedMarks = element("path", { id: "noted" });
const NOTED_SIZE = 7; /* pixels */

const noteEditor = {
  dialog: html("dialog", { id: "note", "aria-labelledby": "note-heading" }),
  heading: html("h2", { id: "note-heading" }),
  field: html("textarea", { rows: "5", maxlength: String(NOTE_TEXT_MAX), "aria-label": "Text of the note" }),
  /** @type {(text: string) => void} */
  done: () => {},
};

/** "5.2 to 5.4 s", from the beginning of the capture. @param {string} text @param {any} bins */
function placeTimeText(text, bins) {
  const window = bins && windowOfOption(bins, text), seconds = (bin) => Number(((bin * bins.width_ns) / 1e9).toFixed(6));
  return window ? seconds(window.from) + " to " + seconds(window.to) + " s" : text;
}

/** @param {Place} place */
function placeText({ stack, function: name, time, against }) {
  if (stack) return cut(shownName(stack[stack.length - 1]), 60) + (stack.length > 1 ? ", called by " + cut(shownName(stack[stack.length - 2]), 60) : "");
  if (name !== undefined) return cut(shownName(name), 60) + ", all calls";
  const times = windowBins(), parts = [];
  if (time) parts.push(placeTimeText(time, times[BEFORE]));
  if (against) parts.push(placeTimeText(against, times[AFTER]));
  if (capture.compared && parts.length) return [time ? "before: " + parts[0] : "", against ? "after: " + parts[parts.length - 1] : ""].filter(Boolean).join("; ");
  return parts.join(" against ") || "the whole page";
}

/** The time bins of the first and of the second window. */
function windowBins() {
  const times = capture.compared && capture.compared.times;
  return times ? [times[BEFORE].bins, times[AFTER].bins] : [capture.facts.bins, capture.facts.bins];
}

/**
 * The place of the selection: windows, or the function selected in the table, or the zoomed frame.
 * @returns {Place}
 */
function placeOfSelection() {
  const { window, other } = selection, times = windowBins(), text = (bins, one) => timeOption(bins, one).slice("--time ".length);
  if (window || other)
    return { time: window ? text(times[BEFORE], window) : undefined, against: other ? text(times[AFTER], other) : undefined };
  if (table.selected >= 0) return { function: model.name[table.selected] };
  if (view.kind === "sandwich") return { function: model.name[view.frame] };
  return view.path.length && view.kind === "tree" ? placeOfRect(rectOf(ancestorCount)) : {};
}

/** @returns {Place} */
function placeOfRect(rect) {
  const row = rect.from < rect.to ? sets.rows[rect.from] : 0, isStack = view.kind === "tree" && row > 0;
  return isStack ? { stack: stackOfRow(model, model, row) } : { function: model.name[rect.frame] };
}

/** Shows the place of a note: zooms to it, or selects its windows. @param {Place} place */
function openPlace(place) {
  const { bins } = capture.facts, times = capture.compared && capture.compared.times, frame = place.function === undefined ? -1 : frameNamed(place.function);
  if (place.stack) {
    const [row] = rowsOfStack(model, model, place.stack, selection.steps.length > 0), names = [];
    for (let at = row || 0; at > 0; at = model.parent[at]) names.unshift(model.name[model.frame[at]]);
    changed({ view: { kind: "tree", frame: -1, isChart: false, path: keysOfPath(names, "tree") } });
    if (!row) announce("The stack of this note is not in this view.");
  } else if (frame >= 0) changed({ view: { kind: "sandwich", frame: frame, path: [] } });
  else if (bins && (place.time || place.against)) {
    const [first, second] = windowBins();
    selection.window = place.time ? windowOfOption(first, place.time) : null;
    selection.other = place.against && (selection.window || times) ? windowOfOption(second, place.against) : null;
    changed({ isNewTree: true });
  } else announce("The place of this note is not in this view.");
}

/** Edits the text of a note. @param {Place} place @param {string} text @param {(text: string) => void} done */
function editNote(place, text, done) {
  noteEditor.heading.textContent = "Note on " + placeText(place);
  noteEditor.field.value = text;
  noteEditor.done = done;
  noteEditor.dialog.showModal();
  noteEditor.field.focus();
}

/** @param {Place} place */
function addNote(place) {
  if (notes.list.length >= NOTES_MAX) announce("The page has " + NOTES_MAX + " notes, and can have no more.");
  else editNote(place, "", (text) => text && changeNotes(notes.list.concat([{ place: place, text: text }]), "Added a note."));
}

/** @param {Note[]} list @param {string} what */
function changeNotes(list, what) {
  setNotes(list);
  notesChanged();
  announce(what);
}

function notesChanged() {
  drawNotes();
  drawNoted();
  drawStrip();
  drawSideStrips();
  drawTable();
}

function drawNote(note, i, list) {
  const item = html("li", {}, list), others = () => notes.list.filter((one) => one !== note);
  button(item, placeText(note.place), () => openPlace(note.place), "Show it").classList.add("place");
  html("p", {}, item, note.text);
  const edited = (text) => (text === note.text ? 0 : changeNotes(text ? notes.list.map((one) => (one === note ? { place: note.place, text: text } : one)) : others(), "Changed the note."));
  button(item, "Edit", () => editNote(note.place, note.text, edited)).setAttribute("aria-label", "Edit note " + (i + 1));
  button(item, "Delete", () => {
    changeNotes(others(), "Deleted the note.");
    const undo = /** @type {HTMLElement | null} */ (notesHolder.querySelector(".undo"));
    if (undo) undo.focus({ preventScroll: true });
  }).setAttribute("aria-label", "Delete note " + (i + 1));
}

/** Draws the list. The list is hidden if there are neither notes nor changes to undo. */
function drawNotes() {
  const isSaved = notes.saved === notes.list;
  notesHolder.hidden = !notes.list.length && !notes.past.length;
  notesHolder.replaceChildren();
  html("h2", {}, notesHolder, "Notes");
  const list = html("ol", {}, notesHolder), tools = html("p", { class: "bar" }, notesHolder);
  notes.list.forEach((note, i) => drawNote(note, i, list));
  if (notes.past.length) button(tools, "Undo", () => {
    undoNotes();
    notesChanged();
    announce("Took back the last change of the notes.");
  }, "Take back the last change of the notes").classList.add("undo");
  button(tools, "Save a copy", saveCopy, "Save this page as a new file, with its notes");
  html("span", { class: "missing" }, tools, isSaved ? "" : "Not in the file yet: only a saved copy keeps notes.");
}

/** The notes on a frame of the graph, by number. @param {number} rect @param {Map<number, number[]>} byRow @returns {number[]} */
function notesOfRect(rect, byRow) {
  const frame = rects.frame[rect], found = new Set();
  if (frame < 0 || model.isLane[frame]) return [];
  notes.list.forEach(({ place }, i) => place.function === model.name[frame] && found.add(i));
  for (let at = rects.from[rect]; byRow.size && at < rects.to[rect]; at++)
    if (rects.mode[rect] === CALLEES || sets.origins[at] === sets.rows[at]) (byRow.get(sets.rows[at]) || []).forEach((i) => found.add(i));
  return Array.from(found).sort((a, b) => a - b);
}

/** Marks the frames that have notes. Call when the layout or the notes change. */
function drawNoted() {
  const byRow = notesByRow(model, selection.steps.length > 0);
  let d = "";
  for (let rect = 0; notes.list.length && rect < rectCount; rect++) {
    if (!notesOfRect(rect, byRow).length) continue;
    const size = Math.max(2, Math.min(NOTED_SIZE, rects.w[rect])), right = round(rects.x[rect] + rects.w[rect]);
    d += "M" + right + " " + yOf(rects.level[rect] + axis) + "h" + -size + "l" + size + " " + size + "z";
  }
  notedMarks.setAttribute("d", d);
}

/** The notes on a frame, as lines for its details. @returns {string[]} */
function noteLines(rect) {
  return notes.list.length ? notesOfRect(rect.index, notesByRow(model, selection.steps.length > 0)).map((i) => "Note " + (i + 1) + ": " + notes.list[i].text) : [];
}

/** Flags of notes on a strip. key: "time" or "against", a window of this strip. */
function drawNoteFlags(look, bins, key, high) {
  const { draw } = look;
  draw.font = "bold 10px system-ui, sans-serif";
  notes.list.forEach(({ place }, i) => {
    const window = place[key] ? windowOfOption(bins, place[key]) : null, text = String(i + 1), room = draw.measureText(text).width + 6;
    if (!window) return;
    const x = window.from * look.scale, wide = Math.max(2, (window.to - window.from) * look.scale);
    draw.fillStyle = look.colour("--note");
    draw.fillRect(x, 0, wide, 2);
    draw.fillRect(x, 0, 1.5, high);
    draw.fillRect(x, 0, room, 12);
    draw.fillStyle = look.colour("--page");
    draw.fillText(text, x + 3, 10);
  });
}

function makeNoteEditor() {
  const { dialog, heading, field } = noteEditor, form = html("form", { method: "dialog" }, dialog), buttons = html("p", { class: "bar" });
  form.append(heading, field, buttons);
  html("button", {}, buttons, "Keep the note");
  button(buttons, "Cancel", () => dialog.close());
  html("span", { class: "missing" }, buttons, "Ctrl-Enter keeps it, Esc cancels.");
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  form.addEventListener("submit", () => noteEditor.done(field.value.trim()));
  document.body.appendChild(dialog);
}

/** Reads the notes of the file. Call before the static graph is replaced. */
function makeNotes() {
  notes.list = notes.saved = readNotes(notesOfFile());
  makeNoteEditor();
  drawNotes();
  window.addEventListener("beforeunload", (event) => {
    if (notes.list !== notes.saved) event.preventDefault();
  });
}
