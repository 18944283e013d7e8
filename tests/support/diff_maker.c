/* SPDX-License-Identifier: MIT */
#include "tests/support/diff_maker.h"

#include <stdlib.h>

#include "tests/support/profile_maker.h"

const struct diff_options diff_maker_defaults = {
	.alignment.naming = DIFF_NAMING_ALIGNED,
	.confidence = 0.99,
	.margin = 0.5,
	.assumed_spread = 0.03,
	.assumed_function_spread = 0.03,
	.run_count = 2,
};

void diff_maker_add(struct diff *diff, const char *const *lines, enum diff_side side)
{
	struct profile_maker maker;
	struct error err;

	profile_maker_init(&maker);
	for (; *lines; lines++) {
		const char *blank = strrchr(*lines, ' ');
		char *stack = strndup(*lines, (size_t)(blank - *lines));

		for (uint64_t i = strtoull(blank, NULL, 10); i > 0; i--)
			profile_maker_stack(&maker, stack, 1);
		free(stack);
	}
	profile_maker_build(&maker, NULL);
	if (!compare_add(diff, &maker.profile, side, &err))
		abort();
	profile_maker_deinit(&maker);
}

void diff_maker_compare(struct diff *diff, const struct diff_options *options,
			const char *const *before, const char *const *after)
{
	struct error err;

	diff_init(diff, options);
	diff_maker_add(diff, before, DIFF_BEFORE);
	diff_maker_add(diff, after, DIFF_AFTER);
	if (!compare_finish(diff, &err))
		abort();
}

const struct diff_function *diff_maker_find(const struct diff *diff, const char *name)
{
	for (size_t i = 0; i < diff->functions.count; i++)
		if (text_is(profile_frame_name(&diff->profile,
					       (frame_id){ diff->functions.at[i].frame }),
			    name))
			return &diff->functions.at[i];
	return NULL;
}
