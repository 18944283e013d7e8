/* SPDX-License-Identifier: MIT */
/*
 * Creates the rows of a flame chart with a lane for each thread or CPU. All lanes have the same
 * time axis. A sample represents the time before it: at most its duration, and at most the time
 * since the previous sample:
 *
 *     samples of tid 7      a    a    b              b        duration ─────, a gap after the third
 *     lane "tid 7"     ├─ a ────┤├─b─┤     ...  ├─b─┤
 *     lane "tid 8"                    ├─c─┤
 *
 * A row's weight is sampled time, so totals add up as in any profile. The row of a lane weighs as
 * much as its samples, although the lane is as wide as the axis.
 */
#ifndef PROFILE_TREE_LANE_CHART_H
#define PROFILE_TREE_LANE_CHART_H

#include "base/idtable.h"
#include "profile/profile.h"

/* The time during which a thread or CPU had the same stack. */
struct lane_box {
	uint64_t begin_ns, end_ns;
	uint32_t stack;  /* of the chart */
	bool is_instant; /* the duration of the sample is not known */
};

struct chart_lane {
	uint32_t frame; /* its name */
	uint64_t weight_ns, sample_count;
	VEC(struct lane_box) boxes; /* in time order; they do not overlap */
};

struct lane_chart {
	VEC(struct chart_lane) lanes; /* after lane_chart_finish: the heaviest first */
	struct idtable lane_table;
	VEC(uint32_t) frames; /* of all stacks */
	VEC(size_t)
	stack_ends; /* indexes in `frames`; a stack begins where the previous one ends */
	struct idtable stack_table;
};

struct lane_sample {
	uint64_t time_ns;
	uint64_t duration_ns; /* 0 if not known */
	uint64_t window_ns;   /* start of the sample's window, which limits its box */
	uint64_t count;
};

void lane_chart_init(struct lane_chart *chart);
void lane_chart_deinit(struct lane_chart *chart);

/*
 * Adds a sample to the lane with this name. Samples must be in time order. Frames are root first.
 */
void lane_chart_add(struct lane_chart *chart, uint32_t lane_frame, const uint32_t *frames,
		    uint32_t count, const struct lane_sample *sample);

/*
 * Makes the rows and profile->lanes. Draws at most lane_max lanes, and at most box_max boxes:
 * if there are more, short boxes in the same time bin become one, with the stack that has most of
 * their time.
 */
void lane_chart_finish(struct lane_chart *chart, struct profile *profile, uint32_t lane_max,
		       uint32_t box_max);

#endif
