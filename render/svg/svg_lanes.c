/* SPDX-License-Identifier: MIT */
#include "render/svg/svg_lanes.h"

#include <inttypes.h>

#include "base/arithmetic.h"
#include "render/number.h"
#include "render/svg/svg_frames.h"
#include "render/timeline/time_axis.h"

#define NS_PER_SECOND ((uint64_t)1000000000)
/* Rectangles narrower than this are merged, in tenths of a pixel. */
#define MERGED_WIDTH SVG_TENTHS

struct lane_layout {
	struct svg_layout *to;
	const struct profile *profile;
	uint32_t width;       /* of the axis, in tenths of a pixel */
	uint64_t merged_ns;   /* shorter rows are merged */
	uint32_t depth_count; /* of the lane */
};

static uint32_t position(const struct lane_layout *lanes, uint64_t ns)
{
	uint64_t duration_ns = lanes->profile->lanes.duration_ns;

	return (uint32_t)ratio_of(ns < duration_ns ? ns : duration_ns, lanes->width, duration_ns)
		.quotient;
}

static uint64_t end_of(const struct profile *profile, uint32_t row)
{
	return saturate_add(profile->begins.at[row], profile->stacks.at[row].total);
}

static void add_rect(struct lane_layout *lanes, uint32_t row, uint32_t x, uint32_t width)
{
	/* The name of the lane is at depth 0 of the lane, and at depth 1 of the tree. */
	uint32_t depth = lanes->profile->stacks.at[row].depth - 1;

	vec_push(&lanes->to->rects, (struct layout_rect){ row, depth, x, width });
	if (depth >= lanes->depth_count)
		lanes->depth_count = depth + 1;
}

/* Returns the heaviest child of a row, or 0 if there is none. */
static uint32_t heaviest_child(const struct profile *profile, uint32_t row)
{
	const struct stack *stacks = profile->stacks.at;
	uint32_t best = 0;

	for (uint32_t child = row + 1; child < stacks[row].end; child = stacks[child].end)
		if (!best || stacks[child].total > stacks[best].total)
			best = child;
	return best;
}

/*
 * Merges the short siblings from this row on: adds one rectangle for the heaviest of them, one of
 * the same width for its heaviest child, and so on. Returns the row after these siblings.
 */
static uint32_t add_merged(struct lane_layout *lanes, uint32_t row)
{
	const struct profile *profile = lanes->profile;
	const struct stack *stacks = profile->stacks.at;
	uint64_t begin = profile->begins.at[row];
	uint32_t last = stacks[stacks[row].parent].end;
	uint32_t next = row;
	uint32_t best = row;
	uint64_t end = begin;
	uint32_t x = position(lanes, begin);
	size_t drawn = lanes->to->rects.count;
	uint32_t width;

	for (; next < last && stacks[next].total < lanes->merged_ns &&
	       end_of(profile, next) - begin <= lanes->merged_ns;
	     next = stacks[next].end) {
		end = end_of(profile, next);
		if (stacks[next].total > stacks[best].total)
			best = next;
	}
	width = position(lanes, end) - x;
	for (uint32_t at = best; at; at = heaviest_child(profile, at))
		add_rect(lanes, at, x, width ? width : 1);
	lanes->to->dropped_count += next - row - (uint32_t)(lanes->to->rects.count - drawn);
	return next;
}

/* Adds the rectangles of a lane, with their depth in the lane. */
static void add_lane(struct lane_layout *lanes, uint32_t lane)
{
	const struct profile *profile = lanes->profile;
	const struct stack *stacks = profile->stacks.at;
	uint32_t row = lane + 1;

	lanes->depth_count = 0;
	add_rect(lanes, lane, 0, lanes->width);
	while (row < stacks[lane].end) {
		uint32_t x = position(lanes, profile->begins.at[row]);

		if (stacks[row].total < lanes->merged_ns) {
			row = add_merged(lanes, row);
			continue;
		}
		add_rect(lanes, row, x, position(lanes, end_of(profile, row)) - x);
		row++;
	}
}

/* Adds `depth` to the depth of the rectangles from first to end. */
static void move(struct svg_layout *layout, size_t first, size_t end, uint32_t depth)
{
	for (size_t i = first; i < end; i++)
		layout->rects.at[i].depth += depth;
}

void svg_lanes_layout(struct svg_layout *layout, const struct profile *profile, uint32_t width,
		      bool is_inverted)
{
	struct lane_layout lanes = { .to = layout, .profile = profile, .width = width };
	struct ratio merged = ratio_of(profile->lanes.duration_ns, MERGED_WIDTH, width);

	*layout = (struct svg_layout){ 0 };
	lanes.merged_ns = merged.quotient + (merged.remainder != 0);
	for (uint32_t row = 1; row < profile->stacks.count; row = profile->stacks.at[row].end) {
		size_t first = layout->rects.count;

		add_lane(&lanes, row);
		/*
		 * A lane goes below the previous ones. Depth 0 is at the bottom, unless the chart
		 * is inverted.
		 */
		if (is_inverted)
			move(layout, first, layout->rects.count, layout->depth_count);
		else
			move(layout, 0, first, lanes.depth_count);
		layout->depth_count += lanes.depth_count;
	}
}

void svg_lanes_write_axis(const struct profile *profile, const struct svg_lanes_axis *axis,
			  struct sink *sink)
{
	const struct profile_lanes *lanes = &profile->lanes;

	sink_puts(sink, "<g id=\"clock\" text-anchor=\"middle\">\n");
	time_axis_write(
		&(struct time_axis){ .first_ns = lanes->first_ns,
				     .duration_ns = lanes->duration_ns,
				     .unit_ns = 1,
				     .unit_width = (double)axis->width / (double)lanes->duration_ns,
				     .left = axis->left,
				     .y = axis->bottom,
				     .grid_top = axis->top },
		sink);
	sink_puts(sink, "</g>\n");
}

static void write_seconds(uint64_t time_ns, struct sink *sink)
{
	sink_printf(sink, "%" PRIu64 ".%09" PRIu64 " s", time_ns / NS_PER_SECOND,
		    time_ns % NS_PER_SECOND);
}

void svg_lanes_write_times(const struct profile *profile, uint32_t row, struct sink *sink)
{
	uint64_t first_ns = profile->lanes.first_ns;
	bool is_lane = profile->stacks.at[row].parent == 0;
	uint64_t end = is_lane ? profile->lanes.duration_ns : end_of(profile, row);

	sink_puts(sink, "from ");
	write_seconds(saturate_add(first_ns, profile->begins.at[row]), sink);
	sink_puts(sink, " to ");
	write_seconds(saturate_add(first_ns, end), sink);
}

static void write_others(const struct profile *profile, struct sink *sink)
{
	const struct profile_lanes *lanes = &profile->lanes;
	uint32_t named = lanes->other_count < ARRAY_SIZE(lanes->others)
				 ? lanes->other_count
				 : (uint32_t)ARRAY_SIZE(lanes->others);

	number_grouped(sink, lanes->other_count);
	sink_puts(sink, lanes->other_count == 1 ? " lane is not drawn, with "
						: " lanes are not drawn, with ");
	number_duration(sink, lanes->other_ns);
	for (uint32_t i = 0; i < named; i++) {
		sink_puts(sink, i ? ", " : ": ");
		sink_text(sink, profile_frame_name(profile, lanes->others[i]));
	}
	sink_puts(sink, named < lanes->other_count ? " and others" : "");
}

static void write_count(uint64_t count, const char *one, const char *several, struct sink *sink)
{
	number_grouped(sink, count);
	sink_puts(sink, count == 1 ? one : several);
}

void svg_lanes_write_notes(const struct profile *profile, struct sink *sink)
{
	const struct profile_lanes *lanes = &profile->lanes;
	const char *separator = "";

	if (lanes->other_count) {
		write_others(profile, sink);
		separator = "; ";
	}
	if (lanes->merged_ns) {
		sink_printf(sink, "%sparts shorter than ", separator);
		number_duration(sink, lanes->merged_ns);
		sink_puts(
			sink,
			" are merged into the heaviest of them, so sums of functions are approximate");
		separator = "; ";
	}
	if (lanes->has_instants) {
		sink_printf(sink,
			    "%ssamples of unknown duration are marks of at most a thousandth of "
			    "the axis, so sums are not times",
			    separator);
		separator = "; ";
	}
	if (lanes->idle_count) {
		sink_puts(sink, separator);
		write_count(lanes->idle_count, " sample of idle CPUs is not drawn",
			    " samples of idle CPUs are not drawn", sink);
		separator = "; ";
	}
	if (lanes->timeless_count) {
		sink_puts(sink, separator);
		write_count(lanes->timeless_count, " sample without a time is not drawn",
			    " samples without a time are not drawn", sink);
	}
}
