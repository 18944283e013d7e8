/* SPDX-License-Identifier: MIT */
/*
 * The histograms of a profile: one of all values, and one for each stack or for each group. The
 * leaf frame of each stack is a bucket of a BCC or bpftrace histogram, or a duration
 * (render/text/latency.h):
 *
 *     disk = vda ─ 2 -> 3    12 times        all         [2, 4) 12  [4, 8) 9
 *     disk = vda ─ 4 -> 7     5 times   ──▶  disk = vda  [2, 4) 12  [4, 8) 5
 *     disk = vdb ─ 4 -> 7     4 times        disk = vdb  [4, 8) 4
 *
 * Durations are rounded, so the bucket of a duration is the range that interval_round_ns maps to
 * it, unless the exact duration is known.
 */
#ifndef HISTOGRAM_HISTOGRAM_SET_H
#define HISTOGRAM_HISTOGRAM_SET_H

#include "base/arena.h"
#include "base/error.h"
#include "base/idtable.h"
#include "histogram/histogram.h"
#include "profile/profile.h"

struct named_histogram {
	struct text name; /* frames, separated by ";"; in the arena; empty: all values */
	struct histogram histogram;
};

struct histogram_set {
	VEC(struct named_histogram) rows; /* all values first, then by count, largest first */
	size_t all_count;                 /* number of rows with all values; groups follow */
	/*
	 * unit of the values, in nanoseconds; 0 if the values are not times, or their unit is
	 * unknown
	 */
	double unit_ns;
	struct text what; /* the counted values; owned by the profile */
	bool are_durations;
	struct idtable ids; /* rows by name */
	struct arena arena;
};

struct histogram_set_options {
	bool are_durations;   /* leaf frames are durations, not buckets */
	uint32_t level_count; /* group by this many frames from the root; 0 means whole stacks */
};

/*
 * Fails if leaf frames are not buckets, or if buckets overlap. The profile must exist as long as
 * the set.
 */
bool histogram_set_make(struct histogram_set *set, const struct profile *profile,
			const struct histogram_set_options *options, struct error *err) WARN_UNUSED;
/*
 * Makes a set from individual values, row by row. The first row has all values. Texts are copied.
 * unit_ns is 0 if the values are not times.
 */
void histogram_set_begin(struct histogram_set *set, struct text what, double unit_ns);
void histogram_set_add(struct histogram_set *set, struct text name, const uint64_t *values,
		       size_t count, double factor);
void histogram_set_end(struct histogram_set *set);

void histogram_set_deinit(struct histogram_set *set);

/* Whether two sets can be compared, because their values have the same unit. */
bool histogram_sets_match(const struct histogram_set *before, const struct histogram_set *after,
			  struct error *err) WARN_UNUSED;

/* Returns the histogram of that name, or NULL. */
const struct histogram *histogram_set_find(const struct histogram_set *set, struct text name);

#endif
