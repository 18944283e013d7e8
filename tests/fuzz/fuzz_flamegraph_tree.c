/* SPDX-License-Identifier: MIT */
/*
 * Folded stacks as the drop-ins read them: one file for a flame graph, and two files for a
 * difference. For any input: rows are a tree whose totals are sums, each in its place, and scaling
 * keeps every stack.
 */
#include <stdint.h>

#include "base/arithmetic.h"
#include "profile/tree/flamegraph_tree.h"
#include "compat/difffolded.h"
#include "tests/support/memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool holds)
{
	if (!holds)
		__builtin_trap();
}

static void check_row(const struct profile *profile, uint32_t row)
{
	const struct stack *stacks = profile->stacks.at;
	const struct stack *stack = &stacks[row];
	uint64_t sum = stack->self;

	require(stack->end > row && stack->end <= profile->stacks.count);
	for (uint32_t child = row + 1; child < stack->end; child = stacks[child].end) {
		require(stacks[child].parent == row && stacks[child].depth == stack->depth + 1);
		sum = saturate_add(sum, stacks[child].total);
	}
	require(sum == stack->total);
	require(!row || stack->frame.i < profile->frames.count);
	require(profile->begins.at[row] <= profile->begins.at[0] + stacks[0].total);
}

static void check_profile(const struct profile *profile)
{
	require(profile->stacks.count && profile->begins.count == profile->stacks.count);
	require(!profile->deltas.count || profile->deltas.count == profile->stacks.count);
	for (uint32_t row = 0; row < profile->stacks.count; row++)
		check_row(profile, row);
}

static void draw(const char *path, uint8_t switches)
{
	struct name_pattern names[] = { name_pattern_literal(text_of("b")),
					name_pattern_literal(text_of("main")) };
	const name_patterns bases = { .at = names, .count = ARRAY_SIZE(names) };
	const struct flamegraph_tree_options options = {
		.is_reversed = switches & 1,
		.keeps_order = switches & 2,
		.is_last_first = switches & 4,
		.marks_wakers = switches & 8,
		.skips_comments = switches & 16,
		.is_inferno = switches & 32,
		.bases = switches & 64 ? &bases : NULL,
	};
	struct flamegraph_tree lines;
	struct error err;

	require(flamegraph_tree_read(&lines, &path, 1, &options, &err));
	check_profile(&lines.profile);
	flamegraph_tree_deinit(&lines);
}

static void pair(const char *path, uint8_t switches)
{
	const struct difffolded_options options = {
		.strips_hex = switches & 1,
		.cuts_decimals = switches & 2,
	};
	struct difffolded pairs;
	struct error err;
	size_t count;

	difffolded_init(&pairs);
	require(difffolded_read(&pairs, path, 0, &options, &err));
	count = pairs.rows.count;
	require(difffolded_read(&pairs, path, 1, &options, &err));
	/* The same stacks were read twice, so that there is no difference to scale. */
	require(pairs.rows.count == count && count <= pairs.stacks.rows.count);
	require(difffolded_normalise(&pairs) && pairs.rows.count == count);
	difffolded_deinit(&pairs);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	uint8_t switches = size ? bytes[size - 1] : 0;
	struct memory_file file;

	memory_file_open(&file, bytes, size);
	draw(file.path, switches);
	pair(file.path, switches);
	memory_file_close(&file);
	return 0;
}
