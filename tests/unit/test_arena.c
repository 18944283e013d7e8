/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"
#include "tests/support/random.h"

#define BLOCKS 4000

struct block {
	unsigned char *at;
	size_t size_bytes;
};

/* Mostly small sizes; one in 1000 is larger than any chunk. */
static size_t random_size(struct random *random, unsigned i)
{
	return i % 1000 == 999 ? 5000000 + random_below(random, 1000) : random_below(random, 300);
}

Test(arena, blocks_are_aligned_and_apart)
{
	static struct block blocks[BLOCKS];
	struct random random = { 42 };
	struct arena arena;

	arena_init(&arena);
	for (unsigned i = 0; i < BLOCKS; i++) {
		size_t align = (size_t)1 << random_below(&random, 5);

		blocks[i].size_bytes = random_size(&random, i);
		blocks[i].at = arena_alloc(&arena, blocks[i].size_bytes, align);
		cr_assert_not_null(blocks[i].at);
		cr_assert_eq((uintptr_t)blocks[i].at % align, 0, "block %u, align %zu", i, align);
		memset(blocks[i].at, (int)(i & 0xff), blocks[i].size_bytes);
	}
	for (unsigned i = 0; i < BLOCKS; i++)
		for (size_t k = 0; k < blocks[i].size_bytes; k++)
			cr_assert_eq(blocks[i].at[k], i & 0xff, "block %u was overwritten", i);
	arena_deinit(&arena);
	cr_expect_null(arena.chunks);
	cr_expect_eq(arena.total_bytes, 0);
	assert_no_leaks();
}

Test(arena, text_gets_a_nul)
{
	static const struct {
		const char *text;
		size_t length;
	} rows[] = { { "", 0 }, { "abc", 3 }, { "abcdef", 2 }, { "a\0b", 3 } };
	struct arena arena;

	arena_init(&arena);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *copy = arena_text(&arena, rows[i].text, rows[i].length);

		cr_expect_eq(memcmp(copy, rows[i].text, rows[i].length), 0, "row %zu", i);
		cr_expect_eq(copy[rows[i].length], '\0', "row %zu", i);
		cr_expect_neq(copy, rows[i].text);
	}
	arena_deinit(&arena);
}

/* Even a first block of 0 bytes is not NULL. */
Test(arena, blocks_of_no_bytes)
{
	struct arena arena;
	char *first;

	arena_init(&arena);
	first = arena_alloc(&arena, 0, 16);
	cr_expect_not_null(first);
	cr_expect_eq((uintptr_t)first % 16, 0);
	cr_expect_str_eq(arena_text(&arena, "a", 1), "a");
	arena_deinit(&arena);
	assert_no_leaks();
}

/* A few bytes must not cost megabytes, and a large arena must not be made of small chunks. */
Test(arena, chunks_grow_with_it)
{
	struct arena arena;

	arena_init(&arena);
	arena_alloc(&arena, 1, 1);
	cr_expect_leq(arena.total_bytes, 4u << 10);
	for (unsigned i = 0; i < 1024; i++)
		arena_alloc(&arena, 64 << 10, 1);
	cr_expect_geq(arena.total_bytes, 64u << 20);
	cr_expect_leq(arena.total_bytes, 80u << 20);
	arena_deinit(&arena);
}

/* A cleared arena needs no more memory for the same content, in whatever order the sizes come. */
Test(arena, clear_keeps_the_memory)
{
	static const size_t sizes[] = { 100, 4000, 8, 100000, 300 };
	struct arena arena;
	size_t total_bytes = 0;

	arena_init(&arena);
	for (size_t turn = 0; turn < 20; turn++) {
		for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
			char *memory =
				arena_alloc(&arena, sizes[(i + turn) % ARRAY_SIZE(sizes)], 8);

			memset(memory, 1, sizes[(i + turn) % ARRAY_SIZE(sizes)]);
		}
		arena_clear(&arena);
		if (turn == 5)
			total_bytes = arena.total_bytes;
	}
	cr_expect_leq(arena.total_bytes, 2 * total_bytes);
	cr_expect_leq(arena.total_bytes, (size_t)1 << 20);
	arena_clear(&arena);
	arena_deinit(&arena);
	cr_expect_eq(arena.total_bytes, 0);
	assert_no_leaks();
}
