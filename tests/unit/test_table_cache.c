/* SPDX-License-Identifier: MIT */
#include "dwarf/table_cache.h"

#include <criterion/criterion.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/leaks.h"
#include "tests/support/scratch.h"

static const struct build_id id = { .bytes = { 0xab, 0xcd, 3 }, .size_bytes = 20 };
static const struct build_id other_id = { .bytes = { 0xab, 0xcd, 4 }, .size_bytes = 20 };

static void make(struct inline_table *table)
{
	inline_table_init(table);
	vec_push(&table->nodes, (struct inline_node){ .parent = INLINE_NONE });
	vec_push(&table->segments, (struct inline_segment){ 16, 32, 0, 0 });
	vec_push(&table->covered, (struct inline_range){ 16, 32 });
}

static bool loads(const char *directory, const struct build_id *of)
{
	struct inline_table table;
	bool good;

	inline_table_init(&table);
	good = table_cache_load(directory, of, &table);
	cr_expect_eq(inline_table_find(&table, 20), good ? 0 : INLINE_NONE);
	inline_table_deinit(&table);
	return good;
}

Test(table_cache, keeps_by_build_id)
{
	struct inline_table table;
	table_cache_entries entries = { .at = NULL };
	struct scratch scratch;
	struct error err;
	char directory[300];

	scratch_open(&scratch);
	snprintf(directory, sizeof(directory), "%s/cache", scratch.path);
	cr_expect(!loads(directory, &id));
	make(&table);
	cr_assert(table_cache_store(directory, &id, &table, &err), "%s", err.text);
	cr_assert(table_cache_store(directory, &id, &table, &err), "%s", err.text);
	cr_expect(loads(directory, &id));
	cr_expect(!loads(directory, &other_id));
	scratch_write(&scratch, "cache/README", "not ours", 8);
	scratch_write(&scratch, "cache/ABCD03.inl", "not ours", 8);
	scratch_write(&scratch, "cache/.kiln-7-7", "left", 4);
	cr_assert(table_cache_list(directory, &entries, &err));
	cr_assert_eq(entries.count, 2);
	cr_expect_str_eq(entries.at[0].name, ".kiln-7-7");
	cr_expect_str_eq(entries.at[1].name, "abcd030000000000000000000000000000000000.inl");
	cr_expect(table_cache_remove(directory, &entries.at[1], &err));
	cr_expect(!loads(directory, &id));
	vec_free(&entries);
	inline_table_deinit(&table);
	scratch_close(&scratch);
	assert_no_leaks();
}

/* The checksum finds every changed byte, and a file of another build-id is refused. */
Test(table_cache, damage)
{
	struct inline_table table;
	byte_list bytes = { .at = NULL };

	make(&table);
	table_cache_write(&table, &id, &bytes);
	inline_table_deinit(&table);
	for (size_t i = 0; i <= bytes.count; i++) {
		struct span span = span_of(bytes.at, bytes.count, 0, false);

		if (i < bytes.count)
			bytes.at[i] ^= 0x10;
		inline_table_init(&table);
		cr_expect_eq(table_cache_read(span, &id, &table), i == bytes.count, "byte %zu", i);
		inline_table_deinit(&table);
		inline_table_init(&table);
		cr_expect(!table_cache_read(span, &other_id, &table));
		inline_table_deinit(&table);
		span.end = span.begin + i;
		inline_table_init(&table);
		cr_expect(i == bytes.count || !table_cache_read(span, &id, &table));
		inline_table_deinit(&table);
		if (i < bytes.count)
			bytes.at[i] ^= 0x10;
	}
	vec_free(&bytes);
	assert_no_leaks();
}

/* Files left by interrupted runs do no harm, and are listed for pruning. */
Test(table_cache, leftovers)
{
	struct inline_table table;
	table_cache_entries entries = { .at = NULL };
	struct scratch scratch;
	struct error err;

	scratch_open(&scratch);
	make(&table);
	for (unsigned i = 0; i < 2; i++) {
		char name[64];

		snprintf(name, sizeof(name), ".kiln-%ld-%ld-%u", (long)getpid(), (long)gettid(), i);
		scratch_write(&scratch, name, "left", 4);
	}
	scratch_write(&scratch, ".kiln-notes", "mine", 4);
	cr_expect(table_cache_store(scratch.path, &id, &table, &err), "%s", err.text);
	cr_expect(loads(scratch.path, &id));
	cr_expect(table_cache_list(scratch.path, &entries, &err));
	cr_expect_eq(entries.count, 3);
	vec_free(&entries);
	inline_table_deinit(&table);
	scratch_close(&scratch);
	assert_no_leaks();
}

Test(table_cache, places_that_are_no_files)
{
	struct inline_table table;
	struct scratch scratch;
	struct error err;

	scratch_open(&scratch);
	scratch_pipe(&scratch, "abcd030000000000000000000000000000000000.inl");
	cr_expect(!loads(scratch.path, &id));
	make(&table);
	cr_expect(!table_cache_store("/dev/null/cache", &id, &table, &err));
	cr_expect(!table_cache_list("/dev/null/cache", &(table_cache_entries){ 0 }, &err));
	inline_table_deinit(&table);
	scratch_close(&scratch);
}
