/* SPDX-License-Identifier: MIT */
/*
 * How a capture is shown: which samples and frames count, their weights, and how stacks are
 * grouped, shaped and named. A command fills a view once from its options. The session copies it,
 * and every stage reads that copy:
 *
 *     settings.view ─▶ session.view ─┬─ ingest      selection, weight, group keys, branch history
 *                                    ├─ resolve     kernel or user frames
 *                                    ├─ symbolise   inlined functions, source lines, demangling
 *                                    └─ build       events, groups, names, the shape of stacks
 *
 * Once the capture is open, the session completes its copy with times on the capture's clock and,
 * for off-CPU time, the event and the weight. A view does not include the input, symbol files,
 * threads, progress, or how switches are paired.
 */
#ifndef PROFILE_VIEW_H
#define PROFILE_VIEW_H

#include "profile/frame_name.h"
#include "profile/grouping.h"
#include "profile/selection/selection.h"
#include "profile/weighing.h"

struct view {
	/* Which samples count, and how much. */
	const char *event_pattern;   /* profile_match_events; NULL means the default event */
	const char *preferred_event; /* the first choice for the default event; NULL if none */
	struct selection selection;
	struct weighing weighing;
	struct grouping grouping;

	/* The stacks. */
	bool has_branch_history; /* callchains begin with the recorded branches */
	bool has_only_branches;  /* callchains are these branches: target, source, target, ... */
	bool ignores_inlines;    /* without inlined functions; debug information is not read */
	bool is_reversed;        /* stacks begin with the leaf, below group frames */
	bool joins_keys;         /* tables become lists of keys: profile/join_keys.h */
	bool keeps_periods; /* also keep the periods of several events, which cannot be added up */
	/* with a base, also keep the group frames, of which other formats make labels and columns */
	bool keeps_groups;
	bool keeps_sample_counts; /* also count the samples of each row */
	bool has_time_bins;       /* split weights by time bin, if samples have times */
	uint64_t time_bin_ns;     /* minimum width of these bins; if 0, they have equal counts */
	uint32_t time_bin_max; /* maximum number of bins of equal width; 0: TIME_EQUAL_BINS_MAX */
	bool has_cpu_bins;     /* also split the weights of time bins by CPU */
	bool has_both_bins;    /* make bins of equal width, and bins with equal counts */
	struct frame_naming naming;
};

/*
 * The default view: all samples of the first event, weighted by period, grouped by comm. Other
 * views start as copies of it.
 */
extern const struct view view_default;

/* Frees the lists of the selection; fields and name patterns are borrowed. */
void view_deinit(struct view *view);

/* Whether the whole input is shown unchanged: nothing is excluded, and no stack is reshaped. */
bool view_is_whole(const struct view *view);

/* Whether frames have source lines, which require debug information. */
bool view_has_lines(const struct view *view);

/*
 * Whether stacks stay as recorded, except for their group frames, so that no other frame is added,
 * hidden or moved.
 */
bool view_keeps_stacks(const struct view *view);

#endif
