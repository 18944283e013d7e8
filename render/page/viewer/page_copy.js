/* SPDX-License-Identifier: MIT */
/*
 * Saves the page as a new file with the current notes. The file is the document as it was before the viewer changed it,
 * and has the same policy and hashes. Notes are a list in it:
 *
 *     <section id="notes"><h2>Notes</h2><ol>
 *       <li data-place='{"function":"parse"}'><strong>parse</strong><p>Why so often?</p></li>
 *     </ol></section>
 *
 * Texts are added through the DOM, which escapes them.
 */

/*
 * The script is the last element, so the document is complete. Only the root element is copied: a copy of the whole
 * document would apply its styles, which the policy forbids.
 */
const asWritten = /** @type {HTMLElement} */ (document.documentElement.cloneNode(true));

/** The notes that the file has, as texts. */
function notesOfFile() {
  return Array.from(document.querySelectorAll("#notes li"), (item) => ({
    place: /** @type {HTMLElement} */ (item).dataset.place || "",
    text: (item.querySelector("p") || item).textContent,
  }));
}

/** The list of notes, for readers without scripts and for the viewer of the copy. */
function writtenNotes() {
  const made = html("section", { id: "notes", "aria-label": "Notes" });
  html("h2", {}, made, "Notes");
  const list = html("ol", {}, made);
  notes.list.forEach(({ place, text }) => {
    const item = html("li", { "data-place": JSON.stringify(place) }, list);
    html("strong", {}, item, placeText(place));
    html("p", {}, item, text);
  });
  return made;
}

/** @returns {string} the file */
function pageWithNotes() {
  const old = asWritten.querySelector("#notes");
  if (old) old.remove();
  if (notes.list.length) asWritten.querySelector("#graph").append(writtenNotes());
  return "<!DOCTYPE html>\n" + asWritten.outerHTML + "\n";
}

/** "change.html": "change-notes.html" */
function copyName() {
  const name = decoded(location.pathname.replace(/^.*\//, "")).replace(/\.x?html?$/i, "").replace(/-notes( ?\(\d+\))?$/, "");
  return (name || fileName()) + (notes.list.length ? "-notes" : "") + ".html";
}

function saveCopy() {
  saveFile(new Blob([pageWithNotes()], { type: "text/html" }), copyName());
  notes.saved = notes.list;
  drawNotes();
}
