/* SPDX-License-Identifier: MIT */
#include "profile/tree/merge_parts.h"

#include "base/arithmetic.h"

void merge_exact_begin(struct merge_exact *merge, const struct profile *profile,
		       const struct profile *from)
{
	*merge = (struct merge_exact){
		.is_needed = profile->exact.functions.count || from->exact.functions.count,
		.own_frame_count = profile->frames.count,
		.own_string_count = profile->strings->rows.count,
	};
	if (!merge->is_needed)
		return;
	function_sums_init(&merge->own, profile, NULL);
	function_sums_init(&merge->other, from, NULL);
}

static void add_functions(struct profile *profile, const struct function_sum *sums, size_t count,
			  const uint32_t *of_frames)
{
	for (size_t i = 0; i < count; i++) {
		struct function_sum *sum = &profile->exact.functions.at[of_frames[i]];

		sum->self = saturate_add(sum->self, sums[i].self);
		sum->total = saturate_add(sum->total, sums[i].total);
	}
}

/* Returns the totals of names in both profiles together, by str_id of the merged profile. */
static uint64_t *add_names(const struct merge_exact *merge, const struct profile *profile,
			   const struct profile *from)
{
	uint64_t *totals = memory_zalloc(profile->strings->rows.count, sizeof(*totals));

	for (size_t i = 0; i < merge->own_string_count; i++)
		totals[i] = merge->own.total_of_name[i];
	for (uint32_t i = 0; i < from->strings->rows.count; i++) {
		uint64_t *total;

		if (!merge->other.total_of_name[i])
			continue;
		total = &totals[strings_find(profile->strings,
					     strings_get(from->strings, (str_id){ i }))
					.i];
		*total = saturate_add(*total, merge->other.total_of_name[i]);
	}
	return totals;
}

/* Sets the totals of names that several frames have. */
static void set_names(struct profile *profile, const uint64_t *totals)
{
	size_t count = profile->strings->rows.count;
	uint32_t *frame_counts = memory_zalloc(count, sizeof(*frame_counts));

	for (size_t i = 0; i < profile->frames.count; i++)
		frame_counts[profile->frames.at[i].name.i]++;
	profile->exact.names.count = 0;
	for (uint32_t i = 0; i < count; i++)
		if (frame_counts[i] > 1)
			vec_push(&profile->exact.names, (struct name_total){ { i }, totals[i] });
	memory_free(frame_counts);
}

void merge_exact_end(struct merge_exact *merge, struct profile *profile, const struct profile *from,
		     const uint32_t *of_own, const uint32_t *of_other)
{
	uint64_t *totals;

	if (!merge->is_needed)
		return;
	profile->exact.functions.count = 0;
	for (size_t i = 0; i < profile->frames.count; i++)
		vec_push(&profile->exact.functions, (struct function_sum){ 0 });
	add_functions(profile, merge->own.of_frame, merge->own_frame_count, of_own);
	add_functions(profile, merge->other.of_frame, from->frames.count, of_other);
	totals = add_names(merge, profile, from);
	set_names(profile, totals);
	memory_free(totals);
	function_sums_deinit(&merge->own);
	function_sums_deinit(&merge->other);
}
