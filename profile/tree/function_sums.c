/* SPDX-License-Identifier: MIT */
#include "profile/tree/function_sums.h"

#include "base/arithmetic.h"

struct function_walk {
	const struct profile *profile;
	struct function_sums *sums;
	uint32_t *open_frames, *open_names; /* how often each is on the current path */
	VEC(uint32_t) path;                 /* frames */
};

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

static uint32_t name_of(const struct function_walk *walk, uint32_t frame)
{
	return walk->profile->frames.at[frame].name.i;
}

static void add_row(struct function_walk *walk, uint32_t frame, uint64_t self, uint64_t total)
{
	struct function_sum *sum = &walk->sums->of_frame[frame];
	uint64_t *of_name = &walk->sums->total_of_name[name_of(walk, frame)];

	if (!walk->open_frames[frame]++)
		sum->total = saturate_add(sum->total, total);
	if (!walk->open_names[name_of(walk, frame)]++)
		*of_name = saturate_add(*of_name, total);
	sum->self = saturate_add(sum->self, self);
}

void function_sums_of_tree(struct function_sums *sums, const struct profile *profile,
			   const struct function_weights *weights)
{
	struct function_walk walk = {
		.profile = profile,
		.sums = sums,
		.open_frames = memory_zalloc(profile->frames.count, sizeof(*walk.open_frames)),
		.open_names = memory_zalloc(profile->strings->rows.count, sizeof(*walk.open_names)),
	};

	allocate(sums, profile);
	for (size_t i = 1; i < profile->stacks.count; i++) {
		const struct stack *stack = &profile->stacks.at[i];

		while (walk.path.count >= stack->depth) {
			uint32_t frame = walk.path.at[--walk.path.count];

			walk.open_frames[frame]--;
			walk.open_names[name_of(&walk, frame)]--;
		}
		add_row(&walk, stack->frame.i, weights ? weights->self[i] : stack->self,
			weights ? weights->total[i] : stack->total);
		vec_push(&walk.path, stack->frame.i);
	}
	vec_free(&walk.path);
	memory_free(walk.open_frames);
	memory_free(walk.open_names);
}

/* The total of a name that several frames have is at most the sum of theirs. */
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
