/* SPDX-License-Identifier: MIT */
/* HTML elements. Names from captures are only ever set as text, never as markup. */

/**
 * @param {string} name @param {Record<string, string>} attributes @param {Node | null} [inside] @param {string} [text]
 * @returns {any} the element
 */
function html(name, attributes, inside, text) {
  const made = document.createElement(name);
  Object.keys(attributes).forEach((key) => made.setAttribute(key, attributes[key]));
  if (text !== undefined) made.textContent = text;
  if (inside) inside.appendChild(made);
  return made;
}

/** @param {Node | null} inside @param {string} text @param {(event: any) => void} press @param {string} [hint] */
function button(inside, text, press, hint) {
  const made = html("button", hint ? { type: "button", title: hint } : { type: "button" }, inside, text);
  made.addEventListener("click", press);
  return made;
}

/** @param {string} id @returns {HTMLElement} */
function section(id) {
  return document.getElementById(id);
}

/** Shows a message, which screen readers also speak. @param {string} text */
function announce(text) {
  notice.textContent = text;
}

/**
 * Copies a text. Browsers can forbid this for a page in a file. The text is then shown in a field, selected for
 * copying. @param {string} text @param {string} what
 */
function copyText(text, what) {
  const done = () => announce("Copied " + what + ".");
  if (navigator.clipboard && window.isSecureContext) navigator.clipboard.writeText(text).then(done, () => copyFromField(text, done));
  else copyFromField(text, done);
}

/** @param {string} text @param {() => void} done */
function copyFromField(text, done) {
  const before = /** @type {HTMLElement} */ (document.activeElement);
  const field = html("textarea", { class: "hidden", "aria-hidden": "true" }, document.body);
  field.value = text;
  field.select();
  if (document.execCommand("copy")) done();
  else announce("The browser does not allow the page to copy.");
  field.remove();
  if (before) before.focus({ preventScroll: true });
}

const notice = html("p", { id: "notice", role: "status", "aria-live": "polite" });
