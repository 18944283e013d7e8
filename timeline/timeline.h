/* SPDX-License-Identifier: MIT */
/*
 * Sums weights by time and key in a sparse matrix of bins. Memory is bounded, even for long
 * captures.
 *
 *     row           bin 9297000   9297020   9297040   ...     time_ns / bin_ns
 *     cpu 0                 12         9         -
 *     cpu 1                  -         3        31
 *
 * If there are too many cells, neighbouring bins are merged, alternately two and five at a time.
 * Widths are therefore always round (20 ms, 100 ms, 200 ms, 1 s), and each is a multiple of the
 * previous one:
 *
 *     20 ms   | 1 | 2 |   | 4 | 1 | 1 |   |   |   | 7 |
 *     100 ms  |         8         |         8         |
 *
 * Waits are intervals. Each wait has a cell for its beginning and a cell for its end, regardless of
 * how many bins it covers. A cell stores the time in its own bin, and the change of the number of
 * waits that cover each later bin:
 *
 *     wait                    3 ──────────── 13
 *     bin, 4 ns          | 0     | 1     | 2     | 3     |
 *     weight, covering     1, +1                  -3, -1
 *     sum                  1       4       4       1        bin 3: 4 for the cover, -3
 *
 * Sums are exact. The final width is the smallest width in this series at which the cells of the
 * whole capture fit. The width depends only on the samples, not on their order or on the number of
 * workers.
 */
#ifndef TIMELINE_TIMELINE_H
#define TIMELINE_TIMELINE_H

#include "base/idtable.h"
#include "base/strings.h"
#include "base/vec.h"
#include "profile/ingest.h"
#include "profile/profile.h"

/* The keys of rows. */
enum timeline_by {
	TIMELINE_BY_NOTHING, /* one row for each event */
	TIMELINE_BY_CPU,
	TIMELINE_BY_THREAD,
	TIMELINE_BY_COMM,
	TIMELINE_BY_EVENT,
	TIMELINE_BY_VALUE, /* only in heat maps of event logs (timeline/log_map.h) */
};

struct timeline_options {
	enum timeline_by by;
	uint64_t bin_ns; /* width of the narrowest bins, at least 1 */
	/*
	 * by enum interval_mark: bits of the intervals that count; if 0, samples count, not
	 * intervals
	 */
	unsigned marks;
	const struct time_windows *windows; /* intervals are clipped to these; NULL if none */
	size_t cell_max; /* merge bins at this number of cells; 0 means LIMIT_TIMELINE_CELLS */
};

/*
 * Maximum number of cells of a timeline: enough for 600 columns and 400 keys. A cell takes 56
 * bytes, including its slots in the hash table, so all cells together take 14 MB for each worker.
 */
#define LIMIT_TIMELINE_CELLS ((size_t)1 << 18)

/* Samples with equal keys share a row. Members that the options do not use are 0. */
struct timeline_key {
	str_id event; /* in timeline.names, as comm */
	str_id comm;
	uint32_t pid, tid, cpu;
	bool is_idle; /* the idle task */
};

struct timeline_row {
	struct timeline_key key;
	str_id latest_comm; /* comm of a thread at latest_ns */
	uint64_t latest_ns;
	uint64_t sample_count, weight; /* of samples with a time, or of intervals */
	uint64_t timeless_count;       /* samples without a time, which are not in a cell */
	uint64_t first_time_ns, last_time_ns;
	uint32_t last_cell; /* consecutive samples are usually in the same bin */
};

struct timeline_cell {
	uint64_t bin; /* time_ns / bin_ns */
	uint32_t row;
	uint64_t sample_count;
	/*
	 * For intervals, modulo 2^64: a cell can be negative, but the sum of all bins up to any bin
	 * is not.
	 */
	uint64_t weight, covering;
};

struct timeline {
	struct timeline_options options;
	const struct profile *profile; /* whose events are counted */
	uint64_t bin_ns;               /* options.bin_ns, or wider */
	unsigned level;                /* how many times bins have been merged */
	struct strings names;
	VEC(struct timeline_row) rows;
	VEC(struct timeline_cell) cells;
	struct idtable row_table, cell_table;
	/* by str_id of the profile: the id in names, or UINT32_MAX */
	VEC(uint32_t) of_comm, of_event;
};

void timeline_init(struct timeline *timeline, const struct timeline_options *options,
		   const struct profile *profile);
void timeline_deinit(struct timeline *timeline);

/* The on_sample of an ingest_observer whose context is the timeline. */
void timeline_on_sample(void *context, const struct ingested_sample *sample);

/* Adds the cells of `from`, which has the same options. */
void timeline_merge(struct timeline *timeline, const struct timeline *from);

/* Whether intervals are counted instead of samples. */
static inline bool timeline_has_intervals(const struct timeline *timeline)
{
	return timeline->options.marks;
}

/* Merges neighbouring bins once. Returns false if bins cannot become wider. */
bool timeline_widen(struct timeline *timeline);

#endif
