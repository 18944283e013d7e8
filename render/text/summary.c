/* SPDX-License-Identifier: MIT */
#include "render/text/summary.h"

#include "base/arithmetic.h"
#include "base/vec.h"
#include "render/escape.h"
#include "render/number.h"

static int compare(const void *a, const void *b)
{
	const struct hottest *left = a;
	const struct hottest *right = b;

	if (left->self != right->self)
		return left->self > right->self ? -1 : 1;
	return text_compare(left->name, right->name);
}

/* Returns the weight of samples that have this row's frame as leaf. */
static uint64_t ended_in(const struct profile *profile, const struct stack *stack)
{
	const struct stack *below = &profile->stacks.at[stack->parent];
	bool is_group = profile->frames.at[stack->frame.i].kind == FRAME_GROUP;

	if (!profile->is_reversed || is_group)
		return stack->self;
	if (stack->parent && profile->frames.at[below->frame.i].kind != FRAME_GROUP)
		return 0;
	return stack->total;
}

size_t summary_hottest(const struct profile *profile, struct hottest *rows, size_t count_max)
{
	uint64_t *self = memory_zalloc(profile->strings->rows.count, sizeof(*self));
	VEC(struct hottest) all = { 0 };
	size_t count;

	for (size_t i = 0; i < profile->exact.functions.count; i++)
		self[profile->frames.at[i].name.i] += profile->exact.functions.at[i].self;
	for (size_t i = 1; i < profile->stacks.count && !profile->exact.functions.count; i++) {
		const struct stack *stack = &profile->stacks.at[i];
		uint64_t *sum = &self[profile->frames.at[stack->frame.i].name.i];

		*sum = saturate_add(*sum, ended_in(profile, stack));
	}
	for (uint32_t i = 0; i < profile->strings->rows.count; i++)
		if (self[i])
			vec_push(&all, (struct hottest){
					       strings_get(profile->strings, (str_id){ i }),
					       self[i],
				       });
	if (all.count)
		qsort(all.at, all.count, sizeof(*all.at), compare);
	count = all.count < count_max ? all.count : count_max;
	if (count)
		memcpy(rows, all.at, count * sizeof(*rows));
	memory_free(self);
	vec_free(&all);
	return count;
}

void summary_write(const struct profile *profile, struct sink *sink)
{
	uint64_t total = profile->stacks.count ? profile->stacks.at[0].total : 0;
	struct hottest hottest;

	sink_puts(sink, "samples:      ");
	number_grouped(sink, profile->view_sample_count);
	sink_puts(sink, " of ");
	escape_terminal(sink, strings_get(profile->strings, profile->event_name));
	sink_puts(sink, "\ntime span:    ");
	if (profile_has_time(profile))
		number_duration(sink, profile->last_time_ns - profile->first_time_ns);
	else
		sink_puts(sink, "unknown, because the samples have no timestamps");
	sink_puts(sink, "\nhottest leaf: ");
	if (summary_hottest(profile, &hottest, 1)) {
		escape_terminal(sink, hottest.name);
		sink_puts(sink, ", ");
		number_percent(sink, hottest.self, total);
	} else {
		sink_puts(sink, "none, because there are no samples");
	}
	sink_char(sink, '\n');
}
