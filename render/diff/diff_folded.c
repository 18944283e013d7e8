/* SPDX-License-Identifier: MIT */
#include "render/diff/diff_output.h"

#include "render/number.h"

static void write_line(const struct diff *diff, struct text path, uint32_t row, struct sink *sink)
{
	const uint64_t *weight = diff->rows[row].self.weight;

	if (!weight[DIFF_BEFORE] && !weight[DIFF_AFTER])
		return;
	sink_text(sink, path);
	sink_char(sink, ' ');
	number_plain(sink, diff_scaled(diff, weight[DIFF_BEFORE]), diff->profile.unit);
	sink_char(sink, ' ');
	number_plain(sink, weight[DIFF_AFTER], diff->profile.unit);
	sink_char(sink, '\n');
}

void diff_folded_write(const struct diff *diff, struct sink *sink)
{
	const struct profile *profile = &diff->profile;
	VEC(size_t) lengths = { 0 }; /* of the path, by depth */
	struct sink path;

	sink_init_memory(&path);
	vec_push(&lengths, 0);
	for (uint32_t row = 1; row < profile->stacks.count; row++) {
		const struct stack *stack = &profile->stacks.at[row];

		lengths.count = stack->depth;
		path.used = lengths.at[stack->depth - 1];
		if (path.used)
			sink_char(&path, ';');
		sink_text(&path, profile_frame_name(profile, stack->frame));
		vec_push(&lengths, path.used);
		write_line(diff, sink_memory(&path), row, sink);
	}
	sink_deinit(&path);
	vec_free(&lengths);
}
