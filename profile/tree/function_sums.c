/* SPDX-License-Identifier: MIT */
#include "profile/tree/function_sums.h"

#include "base/arithmetic.h"

static void allocate(struct function_sums *sums, const struct profile *profile)
{
	size_t name_count = profile->strings->rows.count;

	*sums = (struct function_sums){
		.of_frame = memory_zalloc(profile->frames.count, sizeof(*sums->of_frame)),
		.total_of_name = memory_zalloc(name_count, sizeof(*sums->total_of_name)),
		.frame_count_of_name =
			memory_zalloc(name_count, sizeof(*sums->frame_count_of_name)),
	};
	for (size_t i = 0; i < profile->frames.count; i++)
		sums->frame_count_of_name[profile->frames.at[i].name.i]++;
}

void function_sums_deinit(struct function_sums *sums)
{
	memory_free(sums->of_frame);
	memory_free(sums->total_of_name);
	memory_free(sums->frame_count_of_name);
}

void function_sums_of_tree(struct function_sums *sums, const struct profile *profile,
			   const struct function_weights *weights)
{
	const struct stack *stacks = profile->stacks.at;
	uint32_t *frame_ends = memory_zalloc(profile->frames.count, sizeof(*frame_ends));
	uint32_t *name_ends = memory_zalloc(profile->strings->rows.count, sizeof(*name_ends));

	allocate(sums, profile);
	for (size_t i = 1; i < profile->stacks.count; i++) {
		uint32_t frame = stacks[i].frame.i;
		uint32_t name = profile->frames.at[frame].name.i;
		struct function_sum *sum = &sums->of_frame[frame];
		uint64_t total = weights ? weights->total[i] : stacks[i].total;

		sum->self = saturate_add(sum->self, weights ? weights->self[i] : stacks[i].self);
		if (stack_is_outermost(stacks, i, &frame_ends[frame]))
			sum->total = saturate_add(sum->total, total);
		if (stack_is_outermost(stacks, i, &name_ends[name]))
			sums->total_of_name[name] = saturate_add(sums->total_of_name[name], total);
	}
	memory_free(frame_ends);
	memory_free(name_ends);
}

/*
 * If several frames have the same name, the total of the name is at most the sum of their totals.
 */
static void take_exact(struct function_sums *sums, const struct profile *profile)
{
	const struct exact *exact = &profile->exact;

	allocate(sums, profile);
	memcpy(sums->of_frame, exact->functions.at,
	       exact->functions.count * sizeof(*sums->of_frame));
	for (size_t i = 0; i < exact->functions.count; i++) {
		uint64_t *total = &sums->total_of_name[profile->frames.at[i].name.i];

		*total = saturate_add(*total, exact->functions.at[i].total);
	}
	for (size_t i = 0; i < exact->names.count; i++) {
		const struct name_total *row = &exact->names.at[i];

		if (row->total < sums->total_of_name[row->name.i])
			sums->total_of_name[row->name.i] = row->total;
	}
}

void function_sums_init(struct function_sums *sums, const struct profile *profile,
			const struct function_weights *weights)
{
	if (!weights && profile->exact.functions.count)
		take_exact(sums, profile);
	else
		function_sums_of_tree(sums, profile, weights);
}
