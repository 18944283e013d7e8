/* SPDX-License-Identifier: MIT */
#include "profile/tree/lane_chart.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/hash.h"
#include "profile/tree/stack_tree.h"

/*
 * Samples are not evenly spaced. If two samples are at most this many quarters of a duration apart,
 * the thread ran between them.
 */
#define DURATION_QUARTERS 6
/* A sample without a known duration is drawn as wide as the axis divided by this number. */
#define INSTANTS_OF_AXIS 1000

void lane_chart_init(struct lane_chart *chart)
{
	*chart = (struct lane_chart){ 0 };
	idtable_init(&chart->lane_table);
	idtable_init(&chart->stack_table);
}

void lane_chart_deinit(struct lane_chart *chart)
{
	for (size_t i = 0; i < chart->lanes.count; i++)
		vec_free(&chart->lanes.at[i].boxes);
	vec_free(&chart->lanes);
	idtable_deinit(&chart->lane_table);
	vec_free(&chart->frames);
	vec_free(&chart->stack_ends);
	idtable_deinit(&chart->stack_table);
}

static struct chart_lane *lane_of(struct lane_chart *chart, uint32_t frame)
{
	uint64_t hash = hash_bytes(&frame, sizeof(frame), 0);
	struct idtable_probe probe = idtable_find(&chart->lane_table, hash);
	uint32_t id;

	while ((id = idtable_next(&chart->lane_table, &probe)) != IDTABLE_NONE)
		if (chart->lanes.at[id].frame == frame)
			return &chart->lanes.at[id];
	id = (uint32_t)chart->lanes.count;
	vec_push(&chart->lanes, (struct chart_lane){ .frame = frame });
	idtable_add(&chart->lane_table, hash, id);
	return &chart->lanes.at[id];
}

/* ---- Stacks ---- */

static const uint32_t *frames_of(const struct lane_chart *chart, uint32_t stack, uint32_t *count)
{
	size_t begin = stack ? chart->stack_ends.at[stack - 1] : 0;

	*count = (uint32_t)(chart->stack_ends.at[stack] - begin);
	return *count ? chart->frames.at + begin : NULL;
}

static bool is_stack(const struct lane_chart *chart, uint32_t stack, const uint32_t *frames,
		     uint32_t count)
{
	uint32_t own_count;
	const uint32_t *own = frames_of(chart, stack, &own_count);

	return own_count == count && (!count || memcmp(own, frames, count * sizeof(*frames)) == 0);
}

static uint32_t intern_stack(struct lane_chart *chart, const uint32_t *frames, uint32_t count)
{
	uint64_t hash = hash_bytes(frames, count * sizeof(*frames), 0);
	struct idtable_probe probe = idtable_find(&chart->stack_table, hash);
	uint32_t id;

	while ((id = idtable_next(&chart->stack_table, &probe)) != IDTABLE_NONE)
		if (is_stack(chart, id, frames, count))
			return id;
	id = (uint32_t)chart->stack_ends.count;
	for (uint32_t i = 0; i < count; i++)
		vec_push(&chart->frames, frames[i]);
	vec_push(&chart->stack_ends, chart->frames.count);
	idtable_add(&chart->stack_table, hash, id);
	return id;
}

/* ---- Boxes ---- */

void lane_chart_add(struct lane_chart *chart, uint32_t lane_frame, const uint32_t *frames,
		    uint32_t count, const struct lane_sample *sample)
{
	uint32_t stack = intern_stack(chart, frames, count);
	struct chart_lane *lane = lane_of(chart, lane_frame);
	uint64_t end_ns = lane->boxes.count ? lane->boxes.at[lane->boxes.count - 1].end_ns : 0;
	uint64_t reach_ns = saturate_add(sample->duration_ns / 4 * DURATION_QUARTERS,
					 sample->duration_ns % 4 * DURATION_QUARTERS / 4);
	struct lane_box box = {
		.begin_ns = sample->time_ns - (sample->time_ns < sample->duration_ns
						       ? sample->time_ns
						       : sample->duration_ns),
		.end_ns = sample->time_ns,
		.stack = stack,
		.is_instant = !sample->duration_ns,
	};

	lane->sample_count = saturate_add(lane->sample_count, sample->count);
	if (lane->boxes.count && sample->time_ns - end_ns <= reach_ns)
		box.begin_ns = end_ns;
	if (box.begin_ns < sample->window_ns)
		box.begin_ns = sample->window_ns;
	if (lane->boxes.count && box.begin_ns < end_ns)
		box.begin_ns = end_ns;
	if (box.begin_ns < box.end_ns || box.is_instant)
		vec_push(&lane->boxes, box);
}

/* Returns the range of all boxes; an empty range if there are no boxes. */
static struct lane_box axis_of(const struct lane_chart *chart)
{
	struct lane_box span = { .begin_ns = UINT64_MAX, .end_ns = 0 };

	for (size_t i = 0; i < chart->lanes.count; i++) {
		const struct chart_lane *lane = &chart->lanes.at[i];
		size_t count = lane->boxes.count;

		if (count && lane->boxes.at[0].begin_ns < span.begin_ns)
			span.begin_ns = lane->boxes.at[0].begin_ns;
		if (count && lane->boxes.at[count - 1].end_ns > span.end_ns)
			span.end_ns = lane->boxes.at[count - 1].end_ns;
	}
	return span.begin_ns < span.end_ns ? span : (struct lane_box){ 0, 1, 0, false };
}

/*
 * Makes samples without a known duration wide enough to be visible. Returns whether there are any.
 */
static bool widen_instants(struct chart_lane *lane, uint64_t instant_ns)
{
	bool has_any = false;
	uint64_t end_ns = 0;

	for (size_t i = 0; i < lane->boxes.count; i++) {
		struct lane_box *box = &lane->boxes.at[i];

		if (box->is_instant) {
			box->begin_ns -= box->begin_ns < instant_ns ? box->begin_ns : instant_ns;
			box->begin_ns = box->begin_ns < end_ns ? end_ns : box->begin_ns;
			has_any = true;
		}
		end_ns = box->end_ns;
		lane->weight_ns = saturate_add(lane->weight_ns, box->end_ns - box->begin_ns);
	}
	return has_any;
}

/* ---- Rows ---- */

struct stack_time {
	uint32_t stack;
	uint64_t time_ns;
};

struct row_maker {
	const struct lane_chart *chart;
	struct stack_tree_chart rows;
	VEC(uint32_t) path; /* frames of the box: its lane, then its stack */
	uint64_t first_ns;
	uint64_t end_ns; /* of the last box of the lane */
	uint64_t bin_ns; /* boxes shorter than this are merged */
	/* Short boxes that begin in the same bin. */
	uint64_t bin, bin_begin_ns;
	VEC(struct stack_time) merged;
	bool has_merged;
};

static void add_box(struct row_maker *maker, uint32_t stack, uint64_t begin_ns, uint64_t time_ns)
{
	uint32_t count;
	const uint32_t *frames = frames_of(maker->chart, stack, &count);

	maker->path.count = 1;
	for (uint32_t i = 0; i < count; i++)
		vec_push(&maker->path, frames[i]);
	stack_tree_chart_move(&maker->rows, begin_ns - maker->first_ns,
			      begin_ns == maker->end_ns ? count + 1 : 1);
	stack_tree_chart_add(&maker->rows, maker->path.at, count + 1, time_ns);
	maker->end_ns = begin_ns + time_ns;
}

static int compare_stacks(const void *a, const void *b)
{
	const struct stack_time *left = a;
	const struct stack_time *right = b;

	return (left->stack > right->stack) - (left->stack < right->stack);
}

/* Adds the boxes of a bin as a single box, with the stack that has most of their time. */
static void end_bin(struct row_maker *maker)
{
	const struct stack_time *parts = maker->merged.at;
	struct stack_time best = { 0, 0 };
	struct stack_time own = { 0, 0 };
	uint64_t sum_ns = 0;

	if (maker->merged.count > 1)
		qsort(maker->merged.at, maker->merged.count, sizeof(*parts), compare_stacks);
	for (size_t i = 0; i < maker->merged.count; i++) {
		own.time_ns = i && own.stack == parts[i].stack ? own.time_ns : 0;
		own.stack = parts[i].stack;
		own.time_ns += parts[i].time_ns;
		sum_ns += parts[i].time_ns;
		if (own.time_ns > best.time_ns)
			best = own;
	}
	if (sum_ns)
		add_box(maker, best.stack, maker->bin_begin_ns, sum_ns);
	maker->has_merged |= maker->merged.count > 1;
	maker->merged.count = 0;
}

static void add_short_box(struct row_maker *maker, const struct lane_box *box)
{
	uint64_t bin = (box->begin_ns - maker->first_ns) / maker->bin_ns;

	if (maker->merged.count && maker->bin != bin)
		end_bin(maker);
	if (!maker->merged.count) {
		maker->bin = bin;
		maker->bin_begin_ns = box->begin_ns;
	}
	vec_push(&maker->merged, (struct stack_time){ box->stack, box->end_ns - box->begin_ns });
}

static void add_lane(struct row_maker *maker, const struct chart_lane *lane)
{
	maker->path.count = 0;
	vec_push(&maker->path, lane->frame);
	stack_tree_chart_move(&maker->rows, 0, 0);
	stack_tree_chart_add(&maker->rows, maker->path.at, 1, 0);
	maker->end_ns = UINT64_MAX;
	for (size_t i = 0; i < lane->boxes.count; i++) {
		const struct lane_box *box = &lane->boxes.at[i];

		if (box->end_ns - box->begin_ns < maker->bin_ns) {
			add_short_box(maker, box);
			continue;
		}
		end_bin(maker);
		if (box->begin_ns < box->end_ns)
			add_box(maker, box->stack, box->begin_ns, box->end_ns - box->begin_ns);
	}
	end_bin(maker);
}

/* ---- Choosing lanes ---- */

static int compare_lanes(const void *a, const void *b)
{
	const struct chart_lane *left = a;
	const struct chart_lane *right = b;

	if (left->weight_ns != right->weight_ns)
		return left->weight_ns > right->weight_ns ? -1 : 1;
	return (left->frame > right->frame) - (left->frame < right->frame);
}

/* Records the lanes that are not drawn. */
static void note_others(const struct lane_chart *chart, struct profile *profile)
{
	struct profile_lanes *lanes = &profile->lanes;

	for (size_t i = lanes->count; i < chart->lanes.count; i++) {
		const struct chart_lane *lane = &chart->lanes.at[i];

		lanes->other_count++;
		lanes->other_ns = saturate_add(lanes->other_ns, lane->weight_ns);
		if (i - lanes->count < ARRAY_SIZE(lanes->others))
			lanes->others[i - lanes->count] = (frame_id){ lane->frame };
	}
}

static uint64_t count_boxes(const struct lane_chart *chart, uint32_t lane_count)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < lane_count; i++)
		count += chart->lanes.at[i].boxes.count;
	return count;
}

static void choose_lanes(struct lane_chart *chart, struct profile *profile, uint32_t lane_max)
{
	struct profile_lanes *lanes = &profile->lanes;
	struct lane_box span = axis_of(chart);
	uint64_t instant_ns = (span.end_ns - span.begin_ns) / INSTANTS_OF_AXIS + 1;

	for (size_t i = 0; i < chart->lanes.count; i++)
		lanes->has_instants |= widen_instants(&chart->lanes.at[i], instant_ns);
	/* The first sample may have been widened. */
	span = axis_of(chart);
	if (chart->lanes.count)
		qsort(chart->lanes.at, chart->lanes.count, sizeof(*chart->lanes.at), compare_lanes);
	lanes->first_ns = span.begin_ns;
	lanes->duration_ns = span.end_ns - span.begin_ns;
	lanes->count = chart->lanes.count < lane_max ? (uint32_t)chart->lanes.count : lane_max;
	note_others(chart, profile);
}

void lane_chart_finish(struct lane_chart *chart, struct profile *profile, uint32_t lane_max,
		       uint32_t box_max)
{
	struct row_maker maker = { .chart = chart };
	struct profile_lanes *lanes = &profile->lanes;

	choose_lanes(chart, profile, lane_max);
	maker.first_ns = lanes->first_ns;
	if (count_boxes(chart, lanes->count) > box_max)
		maker.bin_ns = lanes->duration_ns / (box_max / lanes->count + 1) + 1;
	stack_tree_chart_init(&maker.rows, profile);
	for (uint32_t i = 0; i < lanes->count; i++) {
		add_lane(&maker, &chart->lanes.at[i]);
		profile->view_sample_count =
			saturate_add(profile->view_sample_count, chart->lanes.at[i].sample_count);
	}
	stack_tree_chart_deinit(&maker.rows);
	vec_free(&maker.merged);
	vec_free(&maker.path);
	lanes->merged_ns = maker.has_merged ? maker.bin_ns : 0;
	stack_tree_finish(profile);
}
