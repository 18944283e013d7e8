/* SPDX-License-Identifier: MIT */
#include "timeline/function_series.h"

#include "base/arithmetic.h"
#include "base/memory.h"

struct frame_cell {
	uint32_t frame;
	struct function_cell cell;
};

struct series_maker {
	const struct profile *profile;
	struct function_series *series;
	/* Sums in the current bin, by frame: */
	uint64_t *self, *total;
	uint32_t *seen; /* the last stack that contained the frame */
	uint32_t stack_number;
	VEC(uint32_t) touched; /* frames in this bin */
	VEC(struct frame_cell) cells;
};

/* Returns the rows of profile->stack_bins in bin order. */
static size_t *sort_by_bin(const struct profile *profile, size_t *begins)
{
	size_t count = profile->stack_bins.count;
	size_t *order = memory_alloc(count, sizeof(*order));

	for (size_t i = 0; i < count; i++)
		begins[profile->stack_bins.at[i].time_bin + 1]++;
	for (size_t i = 0; i < profile->time_bin_count; i++)
		begins[i + 1] += begins[i];
	for (size_t i = 0; i < count; i++)
		order[begins[profile->stack_bins.at[i].time_bin]++] = i;
	return order;
}

static void add_frame(struct series_maker *maker, uint32_t frame, uint64_t self, uint64_t weight)
{
	if (maker->seen[frame] == maker->stack_number)
		return;
	maker->seen[frame] = maker->stack_number;
	if (!maker->total[frame])
		vec_push(&maker->touched, frame);
	maker->self[frame] = saturate_add(maker->self[frame], self);
	maker->total[frame] = saturate_add(maker->total[frame], weight);
}

static void add_stack(struct series_maker *maker, const struct stack_bin *bin)
{
	const struct stack *stacks = maker->profile->stacks.at;
	uint64_t *samples = &maker->series->bin_samples.at[bin->time_bin];

	if (!bin->weight)
		return;
	*samples = saturate_add(*samples, bin->weight);
	maker->stack_number++;
	for (uint32_t row = bin->row; row; row = stacks[row].parent)
		add_frame(maker, stacks[row].frame.i, row == bin->row ? bin->weight : 0,
			  bin->weight);
}

static uint32_t capped(uint64_t count)
{
	return count > UINT32_MAX ? UINT32_MAX : (uint32_t)count;
}

static void end_bin(struct series_maker *maker, uint32_t bin)
{
	for (size_t i = 0; i < maker->touched.count; i++) {
		uint32_t frame = maker->touched.at[i];
		struct function_cell cell = {
			.bin = bin,
			.self = capped(maker->self[frame]),
			.total = capped(maker->total[frame]),
		};

		vec_push(&maker->cells, (struct frame_cell){ frame, cell });
		maker->self[frame] = maker->total[frame] = 0;
	}
	maker->touched.count = 0;
}

/* Sorts cells by frame. Cells were made bin by bin, so the cells of a frame are in bin order. */
static void sort_by_frame(struct series_maker *maker)
{
	struct function_series *series = maker->series;
	size_t frame_count = maker->profile->frames.count;

	vec_reserve(&series->begins, frame_count + 2);
	series->begins.count = frame_count + 2;
	memset(series->begins.at, 0, series->begins.count * sizeof(*series->begins.at));
	vec_reserve(&series->cells, maker->cells.count);
	series->cells.count = maker->cells.count;
	for (size_t i = 0; i < maker->cells.count; i++)
		series->begins.at[maker->cells.at[i].frame + 2]++;
	for (size_t i = 2; i < series->begins.count; i++)
		series->begins.at[i] += series->begins.at[i - 1];
	for (size_t i = 0; i < maker->cells.count; i++) {
		size_t *at = &series->begins.at[maker->cells.at[i].frame + 1];

		series->cells.at[(*at)++] = maker->cells.at[i].cell;
	}
}

void function_series_init(struct function_series *series, const struct profile *profile)
{
	size_t frame_count = profile->frames.count;
	size_t *begins = memory_zalloc(profile->time_bin_count + 1, sizeof(*begins));
	size_t *order = sort_by_bin(profile, begins);
	struct series_maker maker = {
		.profile = profile,
		.series = series,
		.self = memory_zalloc(frame_count + 1, sizeof(*maker.self)),
		.total = memory_zalloc(frame_count + 1, sizeof(*maker.total)),
		.seen = memory_zalloc(frame_count + 1, sizeof(*maker.seen)),
	};
	size_t next = 0;

	*series = (struct function_series){ .bin_count = profile->time_bin_count };
	vec_reserve(&series->bin_samples, series->bin_count + 1);
	series->bin_samples.count = series->bin_count;
	memset(series->bin_samples.at, 0,
	       (series->bin_count + 1) * sizeof(*series->bin_samples.at));
	/* After sort_by_bin, begins[bin] is where the bin ends. */
	for (uint32_t bin = 0; bin < series->bin_count; bin++) {
		for (; next < begins[bin]; next++)
			add_stack(&maker, &profile->stack_bins.at[order[next]]);
		end_bin(&maker, bin);
	}
	sort_by_frame(&maker);
	memory_free(begins);
	memory_free(order);
	memory_free(maker.self);
	memory_free(maker.total);
	memory_free(maker.seen);
	vec_free(&maker.touched);
	vec_free(&maker.cells);
}

void function_series_deinit(struct function_series *series)
{
	vec_free(&series->cells);
	vec_free(&series->begins);
	vec_free(&series->bin_samples);
}
