/* SPDX-License-Identifier: MIT */
/*
 * The table of inlined functions that is in a file of the symbol cache (without the checksum), and
 * in the answer of a process that reads debug information. For any input: rows are sorted and
 * disjoint, chains end, names lie in the table, and the table is the same after it is written and
 * read again.
 */
#include <stdint.h>

#include "dwarf/inline_table.h"
#include "dwarf/table_packing.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool holds)
{
	if (!holds)
		__builtin_trap();
}

static void check(const struct inline_table *table)
{
	for (size_t i = 0; i < table->segments.count; i++) {
		const struct inline_segment *segment = &table->segments.at[i];
		uint32_t node = inline_table_find(table, segment->start);

		require(node == segment->node);
		require(inline_table_find(table, segment->end - 1) == node);
		for (size_t steps = 0; node != INLINE_NONE; steps++) {
			require(steps <= table->nodes.count);
			inline_table_text(table, table->nodes.at[node].name);
			inline_table_text(table, table->nodes.at[node].bare_name);
			inline_table_text(table, table->nodes.at[node].call_file);
			node = table->nodes.at[node].parent;
		}
	}
	for (size_t i = 0; i < table->covered.count; i++)
		require(inline_table_covers(table, table->covered.at[i].start) &&
			inline_table_covers(table, table->covered.at[i].end - 1));
	for (size_t i = 0; i < table->lines.count; i++)
		if (table->lines.at[i].line)
			require(inline_table_find_line(table, table->lines.at[i].address) ==
				&table->lines.at[i]);
}

/* A packed table has the same content, and is packed to the same bytes again. */
static void check_packing(const struct inline_table *table)
{
	struct inline_table read;
	struct error err;
	byte_list once = { .at = NULL };
	byte_list again = { .at = NULL };

	inline_table_init(&read);
	inline_table_pack(table, &once);
	require(inline_table_unpack(&read, span_of(once.at, once.count, 0, false), &err));
	check(&read);
	require(read.segments.count == table->segments.count &&
		read.lines.count == table->lines.count);
	inline_table_pack(&read, &again);
	require(once.count == again.count && memcmp(once.at, again.at, once.count) == 0);
	inline_table_deinit(&read);
	vec_free(&once);
	vec_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct inline_table table;
	struct inline_table merged;
	struct error err;
	byte_list written = { .at = NULL };

	inline_table_init(&table);
	inline_table_init(&merged);
	if (inline_table_read(&table, span_of(bytes, size, 0, false), &err)) {
		check(&table);
		check_packing(&table);
		inline_table_write(&table, &written);
		require(written.count == size);
		inline_table_merge(&merged, &table);
		check(&merged);
		inline_table_merge(&merged, &table);
		check(&merged);
	}
	inline_table_deinit(&table);
	inline_table_deinit(&merged);
	vec_free(&written);
	return 0;
}
