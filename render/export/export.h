/* SPDX-License-Identifier: MIT */
/*
 * Writes a profile in the formats of other tools:
 *
 *     pprof        go tool pprof: profile.proto of github.com/google/pprof, in gzip
 *     speedscope   speedscope.app: a sampled profile for each thread and event, or for each group
 *     firefox      Firefox Profiler: the processed profile format, a thread for each thread and event
 *     chrome       Perfetto and chrome://tracing: functions as slices of a timeline
 *     callgrind    KCachegrind: self cost of functions, and inclusive cost of calls
 *     d3           d3-flame-graph and other viewers: a tree of name, value and children
 *     collapsed    async-profiler's jfrconv, speedscope: a line for each stack
 *     tsv, jsonl   databases: a row for each stack of each group
 *
 * Group frames (--by) are labels in pprof, profiles in speedscope, frames in callgrind, d3 and
 * collapsed, and columns in tsv and jsonl.
 * Formats with times are made of tracks (timeline/tracks.h) instead of stacks.
 */
#ifndef RENDER_EXPORT_EXPORT_H
#define RENDER_EXPORT_EXPORT_H

#include "base/sink.h"
#include "profile/grouping.h"
#include "profile/profile.h"
#include "timeline/tracks.h"

struct export_options {
	const struct grouping *grouping; /* of the profile */
	const char *title;
	bool shows_homes; /* write home directories in paths as they are */
	bool has_lines;   /* frames have source lines */
};

struct export_format {
	const char *name;
	const char *suffix; /* the file name suffix by which the format is recognised */
	/* NULL if the format has only tracks. */
	void (*write)(const struct profile *profile, const struct export_options *options,
		      struct sink *sink);
	/* NULL if the format has no times. */
	void (*write_tracks)(const struct profile *profile, const struct tracks *tracks,
			     const struct export_options *options, struct sink *sink);
	bool is_table;   /* a table with columns for the groups, and rows of all events */
	bool has_groups; /* groups are labels, profiles or columns, rather than frames */
	bool is_whole;   /* weights are whole numbers: those of the profile / export_divisor() */
};

/* The last row has no name. */
extern const struct export_format export_formats[];

/* A weight of 1, in the unit of the profile's weights. */
uint64_t export_weight_of_one(const struct profile *profile);

/*
 * The number by which formats with whole numbers divide all weights: the greatest power of ten that
 * divides them, if they have decimals. The quotients are the smallest whole numbers with the same
 * proportions. If their sum is too large, a greater power.
 */
uint64_t export_divisor(const struct profile *profile);

/* Whether the divisor divides all weights without a remainder. */
bool export_is_exact(const struct profile *profile, uint64_t divisor);

/* The file and line of a frame's source; line is 0 if unknown. */
struct export_place {
	struct text file;
	uint64_t line;
};

struct export_place export_place_of(const struct profile *profile, frame_id frame);

/*
 * Writes the name of a track: its thread, the CPU of an idle task, and the event if several are
 * shown. Returns whether the previous track has the same thread, but a different event.
 */
bool export_track_name(const struct profile *profile, const struct tracks *tracks, size_t track,
		       struct sink *sink);

/* The thread id of a track; for idle tasks, the CPU. */
uint32_t export_track_tid(const struct track *track);

/* Writes a path, without the home directory unless options show it. */
void export_write_path(const struct export_options *options, struct text path, struct sink *sink);

/* The number of levels of group frames at the root of each stack. */
uint32_t export_group_depth(const struct profile *profile, const struct export_options *options);

void export_write_pprof(const struct profile *profile, const struct export_options *options,
			struct sink *sink);
void export_write_speedscope(const struct profile *profile, const struct export_options *options,
			     struct sink *sink);
void export_write_speedscope_tracks(const struct profile *profile, const struct tracks *tracks,
				    const struct export_options *options, struct sink *sink);
void export_write_firefox(const struct profile *profile, const struct tracks *tracks,
			  const struct export_options *options, struct sink *sink);
void export_write_chrome(const struct profile *profile, const struct tracks *tracks,
			 const struct export_options *options, struct sink *sink);
void export_write_callgrind(const struct profile *profile, const struct export_options *options,
			    struct sink *sink);
void export_write_d3(const struct profile *profile, const struct export_options *options,
		     struct sink *sink);
void export_write_collapsed(const struct profile *profile, const struct export_options *options,
			    struct sink *sink);
void export_write_tsv(const struct profile *profile, const struct export_options *options,
		      struct sink *sink);
void export_write_jsonl(const struct profile *profile, const struct export_options *options,
			struct sink *sink);

/* Fails if a grouping key has the same name as another column of the table. */
bool export_rows_check(const struct grouping *grouping, struct error *err) WARN_UNUSED;

#endif
