/* SPDX-License-Identifier: MIT */
/*
 * Writes lanes as SVG or as rows of characters for a terminal, or their sums and intervals as TSV
 * or JSON:
 *
 *     lane        start           end             state    what  nanoseconds  count
 *     worker 412  9297.420000000  9297.423000000  blocked  disk  3000000      1
 */
#ifndef RENDER_TIMELINE_LANES_OUTPUT_H
#define RENDER_TIMELINE_LANES_OUTPUT_H

#include "base/sink.h"
#include "profile/profile.h"
#include "profile/selection/marks.h"
#include "timeline/lanes.h"

/* Lanes, and their description. */
struct lanes_view {
	const struct lanes *lanes;
	const struct profile *profile;
	const char *title;                /* of the SVG; NULL means "Timeline" */
	const char *command;              /* for the metadata; NULL if none */
	bool is_metadata_stripped;        /* omit how the SVG was made */
	uint32_t width;                   /* of the SVG, in pixels */
	const struct placed_marks *marks; /* drawn over the SVG; NULL if none */
};

/* Columns per pixel. Intervals shorter than a column are merged. */
#define LANES_COLUMNS_OF_PIXEL 2u
/*
 * The part of the width that is not lanes, in pixels: margins, names on the left, and on-CPU time
 * on the right.
 */
#define LANES_MARGIN         16u
#define LANES_WIDTH_OF_NAMES 164u
#define LANES_WIDTH_OF_SUMS  84u

static inline uint32_t lanes_plot_width(uint32_t width)
{
	return width - 2 * LANES_MARGIN - LANES_WIDTH_OF_NAMES - LANES_WIDTH_OF_SUMS;
}

/*
 * The SVG is static if scripts do not run; in a browser, users can select intervals and a time
 * window.
 */
void lanes_write_svg(const struct lanes_view *view, struct sink *sink);

/* Writes the SVG element with the intervals, which the script reads: lanes_data.c. */
void lanes_write_data(const struct lanes *lanes, struct sink *sink);

/* width: the width of the terminal, in characters. */
void lanes_write_text(const struct lanes_view *view, uint32_t width, struct sink *sink);

void lanes_write_tsv(const struct lanes_view *view, struct sink *sink);
void lanes_write_json(const struct lanes_view *view, struct sink *sink);

/* Writes the name of a lane, unescaped: "make 412", "CPU 3", "12 other threads". */
void lanes_name(const struct lanes *lanes, uint32_t lane, struct sink *sink);

/* Writes the name of a thread, unescaped: "make 412". */
void lanes_thread_name(const struct lanes *lanes, uint32_t tid, struct sink *sink);

/*
 * Writes a description: "capture · 1,234 context switches over 48.8 s · 40 of 57 threads ·
 * intervals shorter than 25 ms are merged".
 */
void lanes_facts(const struct lanes_view *view, struct sink *sink);

/* Whether sums of intervals are times. Without switches, they are not if some samples are marks. */
bool lanes_have_sums(const struct lanes *lanes);

/* Returns the running time of a lane. */
uint64_t lanes_running_ns(const struct lanes *lanes, const struct lane *lane);

#endif
