/* SPDX-License-Identifier: MIT */
/*
 * Reads the columns that page_data.c writes.
 *
 *     const { facts, columns } = await readPage(document);
 *     columns.get("row.self")      Float64Array; texts are arrays of strings
 */

/** @param {Document} page */
async function readPage(page) {
	const facts = JSON.parse(page.getElementById("facts").textContent);
	const element = page.getElementById("columns");
	const packed = Uint8Array.from(atob(element.textContent), (c) => c.charCodeAt(0));
	const bytes = element.dataset.coding === "deflate" ? await inflate(packed) : packed;
	const columns = new Map();
	for (const column of facts.columns) {
		const part = bytes.subarray(column.offset, column.offset + column.size);
		columns.set(column.name, column.type === "text" ? readTexts(part, column.count) : readNumbers(part, column.count, column.scale || 1));
	}
	return { facts, columns };
}

/** @param {Uint8Array} packed */
async function inflate(packed) {
	const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
	return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** LEB128. @param {Uint8Array} bytes @param {number} count @param {number} multiple */
function readNumbers(bytes, count, multiple) {
	const ret = new Float64Array(count);
	let at = 0;
	for (let i = 0; i < count; i++) {
		let scale = 1;
		let value = 0;
		for (; at < bytes.length && bytes[at] >= 0x80; scale *= 128)
			value += (bytes[at++] & 0x7f) * scale;
		if (at >= bytes.length)
			throw new Error("a column ends too early");
		ret[i] = (value + bytes[at++] * scale) * multiple;
	}
	return ret;
}

/** @param {Uint8Array} bytes @param {number} count */
function readTexts(bytes, count) {
	const ret = new TextDecoder().decode(bytes).split("\0");
	if (ret.length !== count + 1)
		throw new Error("a column has another number of texts");
	ret.pop();
	return ret;
}
