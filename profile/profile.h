/* SPDX-License-Identifier: MIT */
/*
 * The second neck: a finished profile, which every output reads and none changes.
 *
 * Stacks are rows of a prefix tree in preorder, sorted by name among siblings, so a parent comes
 * before its children, a subtree is a run of rows, and sums roll up in one backward loop:
 *
 *     row     0      1      2      3      4        row 0 is the root, "all", and has no frame
 *     frame   -      app    main   parse  write    subtree of row 1 = rows [1, stacks[1].end)
 *     parent  -      0      1      2      2
 */
#ifndef PROFILE_PROFILE_H
#define PROFILE_PROFILE_H

#include "base/error.h"
#include "base/strings.h"
#include "base/vec.h"
#include "libparse/event.h"
#include "profile/event_name.h"
#include "process/module.h"
#include "process/wall_clock.h"

typedef struct {
	uint32_t i;
} frame_id;

enum frame_kind {
	FRAME_GROUP, /* not code: the process, thread or file the stacks below it belong to */
	FRAME_USER,
	FRAME_KERNEL,
	FRAME_JIT, /* named by a perf-PID.map or a jitdump */
	FRAME_INLINED,
	FRAME_MARK, /* not code: [truncated] and its like */
	/* Nor are these: what a thread did not run for. */
	FRAME_BLOCKED,
	FRAME_PREEMPTED,
	FRAME_RUN_QUEUE,
	FRAME_KIND_COUNT,
};

/* What threads did in the stacks a frame is in. */
enum frame_activity {
	FRAME_RUNS,
	FRAME_WAITS,
	FRAME_WAKES, /* others, that waited */
	FRAME_SEVERAL,
};

/* What a box in the picture stands for. Frames with equal names, modules and kinds are one. */
struct frame {
	str_id name; /* never empty: "[libc.so.6]" or "[unknown]" where there is no symbol */
	module_id module;
	enum frame_kind kind;
	enum frame_activity activity;
	bool is_named; /* false: the name only says which module it was */
	str_id source; /* "file:line", where that was asked for and is known; else empty */
};

struct stack {
	uint32_t parent;
	frame_id frame;
	uint32_t end;   /* one past the last row of this subtree */
	uint32_t depth; /* 0 for the root */
	uint64_t self;
	uint64_t total;
};

/* What a function weighs itself, and in all its places. */
struct function_sum {
	uint64_t self, total;
};

struct name_total {
	str_id name;
	uint64_t total;
};

/* The change of a row's self weight against another profile. */
struct delta {
	int64_t value; /* in the profile's unit */
	bool is_known;
};

/* Of a profile that lacks some of its stacks: what is known of functions in spite of that. */
struct exact {
	VEC(struct function_sum) functions; /* by frame_id; empty: the tree is all that is known */
	VEC(struct name_total) names;       /* of functions that are several frames */
};

/* Self weight of a row in one time bin (profile/time_bins.h). */
struct stack_bin {
	uint32_t row, time_bin;
	uint64_t weight;
};

/* Branches that samples hold: of all, how many the processor foresaw, where it says so. */
struct branch_counts {
	uint64_t count;
	uint64_t predicted, mispredicted;
	uint64_t aborts; /* of memory transactions */
};

/* One measured event of the capture, and what was seen of it. */
struct profile_event {
	str_id name;
	enum weight_unit unit;
	uint64_t sample_count;
	uint64_t period_sum;
	bool has_deviation; /* of a counter: how much runs of the program differ is known */
	double deviation;   /* of period_sum: the standard error of the mean of these runs */
	uint32_t run_count; /* 0: not known how many */
	uint64_t sample_period;
	bool is_frequency;
	bool has_attr;                       /* how it was recorded is known: not of a text's */
	bool excludes_user, excludes_kernel; /* code that was not sampled */
	bool is_dummy;
	bool is_histogram; /* of a text: how often something was how large */
	bool is_table;     /* of a text: its stacks are keys of a table */
	bool is_off_cpu;   /* its stacks are where threads waited, not where they ran */
	bool is_shown;     /* in the view that was asked for */
	bool has_callchain;
	bool has_branches;
	bool has_branch_calls;         /* which are call chains, not all branches */
	bool is_monotonic;             /* times are those of CLOCK_MONOTONIC */
	struct branch_counts branches; /* where they are all */
	uint64_t first_time_ns;        /* of its samples; UINT64_MAX: there is none with a time */
	uint64_t sample_type;          /* FIELD_* that its samples have */
	uint64_t user_register_mask;   /* as in struct event_attr, and so is the next */
	uint32_t id_count;
	uint32_t field_first, field_count; /* of the profile's fields */
	str_id print_format; /* of a tracepoint, as its kernel has it; empty: not known */
};

struct process_state;

struct profile {
	struct strings *strings;
	struct modules *modules;

	str_id input_name;             /* the capture's file, as people call it */
	struct text facts[FACT_COUNT]; /* at NULL: not known */
	struct wall_clock clock;       /* what time of day it was */
	VEC(struct profile_event) events;
	VEC(struct field)
	fields; /* of tracepoints, event after event; their names are in strings */
	uint64_t losses[LOSS_KIND_COUNT];
	uint64_t sample_count;  /* of all events */
	uint64_t unwound_count; /* samples whose stack was followed; losses has those cut short */
	uint64_t first_skipped_line; /* of a text, from 1 on; 0: none was, or not known which */
	uint64_t first_time_ns, last_time_ns;   /* of samples; first > last: no sample had a time */
	VEC(struct event_record_count) records; /* by type; their names are in strings */
	uint64_t mapping_count; /* told by the capture, of all processes at all times */
	uint64_t process_count, thread_count;

	/* The view that was asked for: one weight, of one event or several. */
	str_id event_name;  /* or what they were asked for by */
	str_id weight_name; /* what of it is counted; empty: its period, or its samples */
	enum weight_unit unit;
	uint64_t view_sample_count;
	bool lacks_sample_counts; /* weights are known, and not how many samples they are the sums of */
	bool is_counted;          /* events are counters, and there are no stacks */
	bool shows_waits;         /* some of its stacks are those of events that are off_cpu */
	bool is_reversed; /* stacks begin with the innermost frame, above what they stand on */
	double factor;    /* what weights are multiplied by where they are shown; 0: by nothing */
	VEC(struct frame) frames;
	VEC(struct stack) stacks;
	bool keeps_sample_counts;
	VEC(uint64_t)
	sample_counts;            /* by row: samples that ended there; with keeps_sample_counts */
	VEC(struct delta) deltas; /* by row; empty: it is compared to nothing */
	uint64_t largest_delta;   /* of what it was compared to, 1 at least */
	VEC(uint64_t)
	begins; /* by row: the weight left of it; empty: rows on another from its left */

	struct exact exact;
	bool lacks_narrow; /* stacks were read from a picture, and those too narrow for it are self weight */

	uint32_t time_bin_count;          /* 0: samples are not binned by time */
	VEC(struct stack_bin) stack_bins; /* by row; a row and bin may have several */

	/* What keeps this profile from being all of the capture, in words; NULL: nothing does. */
	const char *partial_reason;
};

/* An empty profile, with strings and modules of its own. */
void profile_init(struct profile *profile);

/* Copies what the capture records about itself: metadata, events, losses. After process_state_end_events; state has
 * the profile's strings and modules. */
void profile_begin(struct profile *profile, const struct process_state *state);

void profile_deinit(struct profile *profile);

/*
 * How well the best of all events fits a pattern (profile/event_name.h); those that fit as well are the events
 * asked for. NULL is no event in particular, which all fit.
 */
enum event_match profile_match_events(const struct profile *profile, const char *pattern);
enum event_match profile_match_event(const struct profile *profile,
				     const struct profile_event *event, const char *pattern);

/* Whether the capture has such an event; the error lists those it has, or those a base name is of several of. */
bool profile_has_event(const struct profile *profile, const char *pattern,
		       struct error *err) WARN_UNUSED;

/* Whether what is shown counts how often something was how large, whatever unit that has. */
bool profile_shows_histogram(const struct profile *profile);

/* The field of that name of an event's samples, or NULL. */
const struct field *profile_find_field(const struct profile *profile,
				       const struct profile_event *event, struct text name);

/* Adds samples that ended in a row, where that is kept; and how many they are, 0 where it is not. */
void profile_count_samples(struct profile *profile, size_t row, uint64_t count);
uint64_t profile_sample_count(const struct profile *profile, size_t row);

/* Whether first_time_ns and last_time_ns mean anything. */
bool profile_has_time(const struct profile *profile);

static inline struct text profile_frame_name(const struct profile *profile, frame_id frame)
{
	return strings_get(profile->strings, profile->frames.at[frame.i].name);
}

#endif
