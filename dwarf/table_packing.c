/* SPDX-License-Identifier: MIT */
#include "dwarf/table_packing.h"

#include "base/hash.h"
#include "base/idtable.h"

struct packing {
	const struct inline_table *from;
	struct inline_table to;
	struct idtable texts; /* index of texts; ids are offsets in to.text */
	uint32_t *nodes;      /* for each row of `from`, its row in `to`; INLINE_NONE if unused */
};

static uint32_t pack_text(struct packing *packing, uint32_t offset)
{
	struct text text = inline_table_text(packing->from, offset);
	uint64_t hash = hash_bytes(text.at, text.length, 0);
	struct idtable_probe probe = idtable_find(&packing->texts, hash);
	uint32_t id;

	if (!text.length)
		return 0;
	while ((id = idtable_next(&packing->texts, &probe)) != IDTABLE_NONE)
		if (text_equal(inline_table_text(&packing->to, id), text))
			return id;
	id = (uint32_t)packing->to.text.count;
	idtable_add(&packing->texts, hash, id);
	for (uint32_t i = 0; i <= text.length; i++)
		vec_push(&packing->to.text, text.at[i]);
	return id;
}

static void mark_nodes(struct packing *packing)
{
	const struct inline_table *from = packing->from;

	for (size_t i = 0; i < from->nodes.count; i++)
		packing->nodes[i] = INLINE_NONE;
	for (size_t i = 0; i < from->segments.count; i++)
		packing->nodes[from->segments.at[i].node] = 0;
	/* Go backwards, because parents have lower row numbers than their children. */
	for (size_t i = from->nodes.count; i-- > 0;)
		if (packing->nodes[i] != INLINE_NONE && from->nodes.at[i].parent != INLINE_NONE)
			packing->nodes[from->nodes.at[i].parent] = 0;
}

static void pack_nodes(struct packing *packing)
{
	const struct inline_table *from = packing->from;

	for (size_t i = 0; i < from->nodes.count; i++) {
		struct inline_node node = from->nodes.at[i];

		if (packing->nodes[i] == INLINE_NONE)
			continue;
		packing->nodes[i] = (uint32_t)packing->to.nodes.count;
		if (node.parent != INLINE_NONE)
			node.parent = packing->nodes[node.parent];
		node.name = pack_text(packing, node.name);
		node.bare_name = pack_text(packing, node.bare_name);
		node.call_file = pack_text(packing, node.call_file);
		node.file = pack_text(packing, node.file);
		node.unused = 0;
		vec_push(&packing->to.nodes, node);
	}
}

static void pack_rows(struct packing *packing)
{
	const struct inline_table *from = packing->from;

	for (size_t i = 0; i < from->covered.count; i++)
		vec_push(&packing->to.covered, from->covered.at[i]);
	for (size_t i = 0; i < from->segments.count; i++) {
		struct inline_segment segment = from->segments.at[i];

		segment.node = packing->nodes[segment.node];
		segment.unused = 0;
		vec_push(&packing->to.segments, segment);
	}
	for (size_t i = 0; i < from->lines.count; i++) {
		struct inline_line line = from->lines.at[i];

		line.file = pack_text(packing, line.file);
		vec_push(&packing->to.lines, line);
	}
}

/* The number of 64-bit and 32-bit words in a row. */
struct row_shape {
	unsigned wide_count, narrow_count;
};

static void swap_word(unsigned char *at, size_t size_bytes)
{
	for (size_t i = 0; i < size_bytes / 2; i++) {
		unsigned char byte = at[i];

		at[i] = at[size_bytes - 1 - i];
		at[size_bytes - 1 - i] = byte;
	}
}

/* Swaps the bytes of at most `count` rows. */
static void swap_rows(unsigned char **at, const unsigned char *end, uint64_t count,
		      struct row_shape shape)
{
	size_t row_bytes =
		shape.wide_count * sizeof(uint64_t) + shape.narrow_count * sizeof(uint32_t);

	for (; count > 0 && (size_t)(end - *at) >= row_bytes; count--) {
		for (unsigned i = 0; i < shape.wide_count; i++, *at += sizeof(uint64_t))
			swap_word(*at, sizeof(uint64_t));
		for (unsigned i = 0; i < shape.narrow_count; i++, *at += sizeof(uint32_t))
			swap_word(*at, sizeof(uint32_t));
	}
}

void inline_table_swap(unsigned char *at, size_t size_bytes, bool is_native)
{
	/*
	 * The header consists of a magic, a flag of 16 bits, two flags of 8 bits, and five counts.
	 * Rows of four kinds follow. The first four counts state how many rows of each kind.
	 */
	static const struct row_shape shapes[] = { { 2, 0 }, { 2, 2 }, { 1, 2 }, { 0, 8 } };
	unsigned char *end = at + size_bytes;
	unsigned char *counts_at = at + sizeof(uint64_t);
	uint64_t counts[5];

	if (size_bytes < sizeof(uint64_t) + sizeof(counts))
		return;
	if (is_native)
		memcpy(counts, counts_at, sizeof(counts));
	swap_word(at, sizeof(uint32_t));
	swap_word(at + sizeof(uint32_t), sizeof(uint16_t));
	at = counts_at;
	swap_rows(&at, end, ARRAY_SIZE(counts), (struct row_shape){ 1, 0 });
	if (!is_native)
		memcpy(counts, counts_at, sizeof(counts));
	for (size_t i = 0; i < ARRAY_SIZE(shapes); i++)
		swap_rows(&at, end, counts[i], shapes[i]);
}

void inline_table_pack(const struct inline_table *table, byte_list *bytes)
{
	struct packing packing = {
		.from = table,
		.nodes = memory_alloc(table->nodes.count, sizeof(*packing.nodes)),
	};
	size_t begin = bytes->count;

	inline_table_init(&packing.to);
	idtable_init(&packing.texts);
	packing.to.has_lines = table->has_lines;
	packing.to.is_incomplete = table->is_incomplete;
	mark_nodes(&packing);
	pack_nodes(&packing);
	pack_rows(&packing);
	inline_table_write(&packing.to, bytes);
	if (HOST_IS_BIG_ENDIAN)
		inline_table_swap(bytes->at + begin, bytes->count - begin, true);
	inline_table_deinit(&packing.to);
	idtable_deinit(&packing.texts);
	memory_free(packing.nodes);
}

bool inline_table_unpack(struct inline_table *table, struct span bytes, struct error *err)
{
	unsigned char *copy;
	size_t size_bytes = span_left(&bytes);
	bool good;

	/* Copy the bytes, because rows must be aligned and in the host's byte order. */
	copy = memcpy(memory_alloc(size_bytes, 1), bytes.at, size_bytes);
	if (HOST_IS_BIG_ENDIAN)
		inline_table_swap(copy, size_bytes, false);
	good = inline_table_read(table, span_of(copy, size_bytes, 0, false), err);
	memory_free(copy);
	return good;
}
