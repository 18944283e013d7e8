/* SPDX-License-Identifier: MIT */
/*
 * Writes a profile in the formats of other tools:
 *
 *     pprof        go tool pprof: profile.proto of github.com/google/pprof, in gzip
 *     speedscope   speedscope.app: one sampled profile for each group
 *     callgrind    KCachegrind: self cost of functions, and inclusive cost of calls
 *     d3           d3-flame-graph and other viewers: a tree of name, value and children
 *
 * Group frames (--by) are labels in pprof, profiles in speedscope, and frames in the others.
 */
#ifndef RENDER_EXPORT_EXPORT_H
#define RENDER_EXPORT_EXPORT_H

#include "base/sink.h"
#include "profile/grouping.h"
#include "profile/profile.h"

struct export_options {
	const struct grouping *grouping; /* of the profile */
	const char *title;
	bool shows_homes; /* write home directories in paths as they are */
};

struct export_format {
	const char *name;
	const char *suffix; /* of files, to recognise the format by the name of the output */
	void (*write)(const struct profile *profile, const struct export_options *options,
		      struct sink *sink);
};

/* Ended by a row without a name. */
extern const struct export_format export_formats[];

/* A frame's source as its file and line; line 0: not known. */
struct export_place {
	struct text file;
	uint64_t line;
};

struct export_place export_place_of(const struct profile *profile, frame_id frame);

/* The number of levels of group frames at the root of each stack. */
uint32_t export_group_depth(const struct profile *profile, const struct export_options *options);

void export_write_pprof(const struct profile *profile, const struct export_options *options,
			struct sink *sink);
void export_write_speedscope(const struct profile *profile, const struct export_options *options,
			     struct sink *sink);
void export_write_callgrind(const struct profile *profile, const struct export_options *options,
			    struct sink *sink);
void export_write_d3(const struct profile *profile, const struct export_options *options,
		     struct sink *sink);

#endif
