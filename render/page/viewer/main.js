/* SPDX-License-Identifier: MIT */
/* Starts the viewer. If the data cannot be read, the static graph stays. */

readPage(document).then(({ facts, columns }) => {
	document.documentElement.dataset.rows = String(columns.get("row.self").length);
	document.documentElement.dataset.total = String(facts.total);
});
