/* SPDX-License-Identifier: MIT */
#include "dwarf/inline_table.h"

#include <criterion/criterion.h>

#include "dwarf/table_packing.h"
#include "tests/support/leaks.h"
#include "tests/support/random.h"

static uint32_t add_text(struct inline_table *table, const char *text)
{
	uint32_t offset = (uint32_t)table->text.count;

	for (const char *at = text; at == text || at[-1]; at++)
		vec_push(&table->text, *at);
	return offset;
}

/* main [base, base + 0x100), next in it from 0x40 to 0x60; lines 1 and 2. */
static void make(struct inline_table *table, uint64_t base)
{
	uint32_t outer = add_text(table, "main");
	uint32_t inner = add_text(table, "next");
	uint32_t file = add_text(table, "a.c");
	uint32_t node = (uint32_t)table->nodes.count;

	table->has_lines = true;
	vec_push(&table->nodes,
		 (struct inline_node){ .parent = INLINE_NONE, .name = outer, .bare_name = outer });
	vec_push(&table->nodes, (struct inline_node){ .parent = node,
						      .name = inner,
						      .bare_name = inner,
						      .call_file = file,
						      .call_line = 12 });
	vec_push(&table->segments, (struct inline_segment){ base + 0x60, base + 0x100, node, 0 });
	vec_push(&table->segments, (struct inline_segment){ base, base + 0x40, node, 0 });
	vec_push(&table->segments,
		 (struct inline_segment){ base + 0x40, base + 0x60, node + 1, 0 });
	vec_push(&table->lines, (struct inline_line){ base + 0x100, 0, 0 });
	vec_push(&table->lines, (struct inline_line){ base + 0x50, file, 2 });
	vec_push(&table->lines, (struct inline_line){ base, file, 1 });
	vec_push(&table->covered, (struct inline_range){ base, base + 0x100 });
}

static void expect_at(const struct inline_table *table, uint64_t address, const char *name,
		      uint32_t line)
{
	const struct inline_line *row = inline_table_find_line(table, address);
	uint32_t node = inline_table_find(table, address);
	struct text found =
		inline_table_text(table, node == INLINE_NONE ? 0 : table->nodes.at[node].name);

	cr_expect(text_is(found, name), "%#lx: %s, not %s", (long)address, found.at, name);
	cr_expect_eq(row ? row->line : 0, line, "%#lx: line %u", (long)address,
		     row ? row->line : 0);
}

static void expect_main_at(const struct inline_table *table, uint64_t base)
{
	expect_at(table, base, "main", 1);
	expect_at(table, base + 0x3f, "main", 1);
	expect_at(table, base + 0x40, "next", 1);
	expect_at(table, base + 0x50, "next", 2);
	expect_at(table, base + 0x60, "main", 2);
	expect_at(table, base + 0xff, "main", 2);
	expect_at(table, base + 0x100, "", 0);
	cr_expect(inline_table_covers(table, base) && inline_table_covers(table, base + 0xff));
	cr_expect(!inline_table_covers(table, base - 1) &&
		  !inline_table_covers(table, base + 0x100));
}

Test(inline_table, finds_the_innermost)
{
	struct inline_table table;

	inline_table_init(&table);
	expect_at(&table, 5, "", 0);
	make(&table, 0x1000);
	inline_table_finish(&table);
	expect_main_at(&table, 0x1000);
	expect_at(&table, 0xfff, "", 0);
	inline_table_deinit(&table);
	assert_no_leaks();
}

Test(inline_table, of_what_overlaps_the_first_stays)
{
	struct inline_table table;

	inline_table_init(&table);
	make(&table, 0x1000);
	vec_push(&table.segments, (struct inline_segment){ 0x10f0, 0x1200, 1, 0 });
	vec_push(&table.covered, (struct inline_range){ 0x10f0, 0x1200 });
	inline_table_finish(&table);
	expect_at(&table, 0x10ff, "main", 2);
	expect_at(&table, 0x1100, "next", 0);
	cr_expect_eq(table.covered.count, 1);
	inline_table_deinit(&table);
}

/* Two functions of one line, without padding between them: the line continues. */
Test(inline_table, adjacent_ranges_with_equal_lines)
{
	struct inline_table table;

	inline_table_init(&table);
	make(&table, 0x1000);
	vec_push(&table.lines, (struct inline_line){ 0x1100, table.lines.at[1].file, 2 });
	vec_push(&table.lines, (struct inline_line){ 0x1180, 0, 0 });
	vec_push(&table.covered, (struct inline_range){ 0x1100, 0x1180 });
	inline_table_finish(&table);
	expect_at(&table, 0x10ff, "main", 2);
	expect_at(&table, 0x1100, "", 2);
	expect_at(&table, 0x117f, "", 2);
	expect_at(&table, 0x1180, "", 0);
	inline_table_deinit(&table);
}

/* Addresses in both tables keep their functions; the others are added. */
Test(inline_table, merge)
{
	static const uint64_t bases[][2] = {
		{ 0x1000, 0x2000 },
		{ 0x2000, 0x1000 },
		{ 0x1000, 0x1100 },
		{ 0x1100, 0x1000 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(bases); i++) {
		struct inline_table table;
		struct inline_table other;

		inline_table_init(&table);
		inline_table_init(&other);
		make(&table, bases[i][0]);
		make(&other, bases[i][1]);
		make(&other, bases[i][0]);
		inline_table_finish(&table);
		inline_table_finish(&other);
		inline_table_merge(&table, &other);
		for (size_t k = 0; k < 2; k++) {
			expect_at(&table, bases[i][k] + 0x3f, "main", 1);
			expect_at(&table, bases[i][k] + 0x50, "next", 2);
			expect_at(&table, bases[i][k] + 0xff, "main", 2);
		}
		cr_expect_eq(table.segments.count, 6);
		inline_table_deinit(&table);
		inline_table_deinit(&other);
	}
	assert_no_leaks();
}

static bool read_bytes(const byte_list *bytes, struct inline_table *table)
{
	struct error err;

	inline_table_init(table);
	return inline_table_read(table, span_of(bytes->at, bytes->count, 0, false), &err);
}

Test(inline_table, what_was_written_is_read)
{
	struct inline_table table;
	struct inline_table again;
	byte_list bytes = { .at = NULL };

	inline_table_init(&table);
	make(&table, 0x1000);
	inline_table_finish(&table);
	table.nodes.at[1].line = 99;
	inline_table_write(&table, &bytes);
	cr_assert(read_bytes(&bytes, &again));
	expect_main_at(&again, 0x1000);
	cr_expect(again.has_lines);
	inline_table_deinit(&again);
	for (size_t count = bytes.count; count-- > 0;) {
		byte_list cut = { bytes.at, count, 0 };

		cr_expect(!read_bytes(&cut, &again), "cut at %zu", count);
		inline_table_deinit(&again);
	}
	inline_table_deinit(&table);
	vec_free(&bytes);
	assert_no_leaks();
}

/* Every accepted table can be searched without a sanitizer error. */
Test(inline_table, damage)
{
	struct random random = { 11 };
	struct inline_table table;
	byte_list bytes = { .at = NULL };
	size_t accepted = 0;

	inline_table_init(&table);
	make(&table, 0x1000);
	inline_table_finish(&table);
	table.nodes.at[1].line = 99;
	inline_table_write(&table, &bytes);
	inline_table_deinit(&table);
	for (int round = 0; round < 20000; round++) {
		size_t at = random_below(&random, (uint32_t)bytes.count);
		unsigned char kept = bytes.at[at];

		bytes.at[at] ^= (unsigned char)(1 + random_below(&random, 255));
		if (read_bytes(&bytes, &table)) {
			accepted++;
			for (uint64_t address = 0xf80; address < 0x1180; address += 8) {
				uint32_t node = inline_table_find(&table, address);

				while (node != INLINE_NONE) {
					inline_table_text(&table, table.nodes.at[node].name);
					node = table.nodes.at[node].parent;
				}
				inline_table_find_line(&table, address);
			}
		}
		inline_table_deinit(&table);
		bytes.at[at] = kept;
	}
	cr_expect(accepted > 0 && accepted < 20000);
	vec_free(&bytes);
	assert_no_leaks();
}

/*
 * A packed table has the same little-endian bytes however the table was made, without unused parts.
 */
Test(inline_table, is_packed_for_other_machines)
{
	static const unsigned char head[] = {
		'i', 'n', 'l', '1', 1, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0
	};
	struct inline_table table, merged, read;
	byte_list once = { .at = NULL };
	byte_list again = { .at = NULL };
	struct error err;

	inline_table_init(&table);
	make(&table, 0x1000);
	make(&table, 0x2000);
	add_text(&table, "nobody needs this");
	vec_push(&table.nodes, (struct inline_node){ .parent = INLINE_NONE });
	table.is_incomplete = true;
	inline_table_finish(&table);
	inline_table_pack(&table, &once);
	cr_assert_gt(once.count, sizeof(head));
	cr_expect(memcmp(once.at, head, sizeof(head)) == 0);
	cr_expect_null(memmem(once.at, once.count, "nobody", 6));

	inline_table_init(&read);
	cr_assert(inline_table_unpack(&read, span_of(once.at, once.count, 0, false), &err), "%s",
		  err.text);
	expect_main_at(&read, 0x1000);
	expect_main_at(&read, 0x2000);
	cr_expect_eq(read.nodes.count, 4);
	cr_expect(read.is_incomplete && !read.is_over_budget);

	inline_table_init(&merged);
	merged.has_lines = true;
	inline_table_merge(&merged, &read);
	inline_table_pack(&merged, &again);
	cr_expect(once.count == again.count && memcmp(once.at, again.at, once.count) == 0);

	/* A truncated table is refused. */
	for (size_t size = 0; size < once.count; size++) {
		struct inline_table none;

		inline_table_init(&none);
		cr_expect_not(inline_table_unpack(&none, span_of(once.at, size, 0, false), &err));
		inline_table_deinit(&none);
	}
	inline_table_deinit(&table);
	inline_table_deinit(&merged);
	inline_table_deinit(&read);
	vec_free(&once);
	vec_free(&again);
	assert_no_leaks();
}

/* Expects the numbers at an offset, in the byte order that is not the host's. */
static void expect_swapped(const unsigned char *bytes, size_t offset, uint64_t value,
			   size_t size_bytes)
{
	struct span span = span_of(bytes + offset, size_bytes, 0, true);
	uint32_t word = 0;
	uint64_t wide = 0;

	cr_expect(size_bytes == 4 ? span_u32(&span, &word) : span_u64(&span, &wide));
	cr_expect_eq(size_bytes == 4 ? word : wide, value, "at %zu", offset);
}

/* All numbers of a table are swapped, and back again, also if the table is truncated. */
Test(inline_table, is_swapped)
{
	struct inline_table table;
	byte_list bytes = { .at = NULL };

	inline_table_init(&table);
	make(&table, 0x1000);
	inline_table_finish(&table);
	table.nodes.at[1].line = 99;
	inline_table_write(&table, &bytes);
	for (size_t size = 0; size <= bytes.count; size++) {
		unsigned char *copy = memory_alloc(size + !size, 1);

		memcpy(copy, bytes.at, size);
		inline_table_swap(copy, size, true);
		if (size == bytes.count) {
			/* After magic and flags: the numbers of ranges, segments, lines, nodes and bytes. */
			expect_swapped(copy, 8, 1, 8);
			expect_swapped(copy, 16, 3, 8);
			expect_swapped(copy, 24, 3, 8);
			expect_swapped(copy, 32, 2, 8);
			expect_swapped(copy, 40, table.text.count, 8);
			expect_swapped(copy, 48, 0x1000, 8); /* the range */
			expect_swapped(copy, 56, 0x1100, 8);
			expect_swapped(copy, 64, 0x1000, 8); /* the first two segments */
			expect_swapped(copy, 72, 0x1040, 8);
			expect_swapped(copy, 88, 0x1040, 8);
			expect_swapped(copy, 96, 0x1060, 8);
			expect_swapped(copy, 104, 1, 4);
			expect_swapped(copy, 136, 0x1000, 8); /* the first line */
			expect_swapped(copy, 148, 1, 4);
			expect_swapped(copy, 184, INLINE_NONE, 4);  /* the parent of main */
			expect_swapped(copy, 184 + 32 + 20, 12, 4); /* the call of next */
			expect_swapped(copy, 184 + 32 + 28, 99, 4);
			cr_expect(memcmp(copy + 248, table.text.at, table.text.count) == 0);
		}
		inline_table_swap(copy, size, false);
		cr_expect(memcmp(copy, bytes.at, size) == 0, "%zu", size);
		memory_free(copy);
	}
	inline_table_deinit(&table);
	vec_free(&bytes);
	assert_no_leaks();
}
