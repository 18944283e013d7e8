/* SPDX-License-Identifier: MIT */
/*
 * A finished profile, which is built once. Every output reads the profile, and none changes it.
 *
 * The stacks of a profile are the rows of a prefix tree in preorder, with siblings sorted by name.
 * A parent precedes its children, a subtree is a range of rows, and one backward loop adds up
 * totals:
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
#include "process/loss.h"
#include "process/module.h"
#include "process/time_order.h"
#include "process/wall_clock.h"

typedef struct {
	uint32_t i;
} frame_id;

enum frame_kind {
	FRAME_GROUP, /* not code: the process, thread or file by which stacks are grouped */
	FRAME_USER,
	FRAME_KERNEL,
	FRAME_JIT, /* named by a perf-PID.map or jitdump */
	FRAME_INLINED,
	FRAME_MARK, /* not code: [truncated] and similar notes */
	/* Not code: why a thread was off-CPU. */
	FRAME_BLOCKED,
	FRAME_PREEMPTED,
	FRAME_RUN_QUEUE,
	FRAME_KIND_COUNT,
};

/* What threads did while a frame was on their stacks. */
enum frame_activity {
	FRAME_RUNS,
	FRAME_WAITS,
	FRAME_WAKES, /* woke a blocked thread */
	FRAME_SEVERAL,
};

/* A frame of a flame graph. Frames with equal name, module and kind are one row. */
struct frame {
	str_id name; /* never empty; "[libc.so.6]" or "[unknown]" without a symbol */
	module_id module;
	enum frame_kind kind;
	enum frame_activity activity;
	bool is_named; /* false: `name` is the module's */
	str_id source; /* "file:line" of the function if requested and known; otherwise empty */
};

struct stack {
	uint32_t parent;
	frame_id frame;
	uint32_t end;   /* one past the last row of this subtree */
	uint32_t depth; /* 0 for the root */
	uint64_t self;
	uint64_t total;
};

/* Weight of a function over all its rows. `total` counts recursive calls only once. */
struct function_sum {
	uint64_t self, total;
};

struct name_total {
	str_id name;
	uint64_t total;
};

/* The change of a row's self weight compared with another profile. */
struct delta {
	int64_t value; /* in the profile's unit */
	bool is_known;
};

/* Exact self and total weights of functions, for a profile that lacks some of its stacks. */
struct exact {
	VEC(struct function_sum) functions; /* by frame_id; empty: use the tree's sums */
	VEC(struct name_total) names;       /* totals of names that several frames have */
};

/*
 * Self weight of a row in one time bin (profile/time_bins.h); with view.has_cpu_bins, on one CPU.
 */
struct stack_bin {
	uint32_t row, time_bin, cpu;
	uint64_t weight;
};

/* Branches recorded with samples and, if recorded, how many of them the CPU predicted. */
struct branch_counts {
	uint64_t count;
	uint64_t predicted, mispredicted;
	uint64_t aborts; /* aborted transactions */
};

/* One event of the capture, and counts of its samples. */
struct profile_event {
	str_id name;
	enum weight_unit unit;
	uint64_t sample_count;
	uint64_t period_sum;
	bool has_deviation; /* the event is a counter, and its deviation is known */
	double deviation;   /* standard error of period_sum, which is a mean over run_count runs */
	uint32_t run_count; /* 0 if not known */
	uint64_t sample_period;
	bool is_frequency;
	bool has_attr; /* its perf attr is known; false for text formats */
	bool excludes_user, excludes_kernel;
	bool is_dummy;
	bool is_histogram; /* text: leaf frames are buckets of a histogram */
	bool is_table;     /* text: stacks are keys of a table */
	bool is_off_cpu;   /* stacks belong to blocked threads, not to running ones */
	bool is_shown;     /* the profile shows this event */
	bool has_callchain;
	bool has_branches;
	bool has_branch_calls;         /* branches are a callchain (LBR), not a history */
	bool is_monotonic;             /* times are CLOCK_MONOTONIC */
	struct branch_counts branches; /* unless has_branch_calls */
	/* time of its first sample, selected or not; UINT64_MAX if no sample has a time */
	uint64_t first_time_ns;
	uint64_t sample_type;        /* SAMPLE_HAS_* bits of the fields that its samples have */
	uint64_t user_register_mask; /* as in struct event_attr, like the next member */
	uint32_t id_count;
	uint32_t field_first, field_count; /* in profile.fields */
	str_id print_format;               /* for tracepoints; empty: unknown */
};

/*
 * A flame chart with a lane for each thread or CPU: the children of the root, the heaviest first.
 * Weights are durations, and profile->begins are times since first_ns; the row of a lane begins at
 * 0.
 */
struct profile_lanes {
	uint32_t count;                 /* 0 if the profile has no lanes */
	uint64_t first_ns, duration_ns; /* of the time axis, on the capture's clock */
	uint64_t merged_ns;             /* stacks shorter than this are merged; 0 if none */
	bool has_instants; /* samples without a known duration have the same short duration */
	/*
	 * Samples that are not in a lane: samples without a time and, if lanes are threads, samples
	 * of the idle task.
	 */
	uint64_t timeless_count, idle_count;
	/* Lanes that are not drawn: their number, their weight, and the heaviest of them. */
	uint32_t other_count;
	uint64_t other_ns;
	frame_id others[5];
};

struct process_state;

struct profile {
	struct strings *strings;
	struct modules *modules;

	str_id input_name;             /* name of the capture, for messages and titles */
	uint64_t added_count;          /* captures that were added to the first one */
	struct text facts[FACT_COUNT]; /* .at is NULL if unknown */
	struct wall_clock clock;       /* converts times to time of day */
	VEC(struct profile_event) events;
	/* fields of tracepoints, grouped by event; their names are in strings */
	VEC(struct field) fields;
	uint64_t losses[LOSS_KIND_COUNT];
	struct loss_spans loss_spans; /* when records were lost, as far as known */
	uint64_t sample_count;        /* samples of all events */
	/* stack dumps that were unwound; `losses` counts the incomplete ones */
	uint64_t unwound_count;
	uint64_t first_skipped_line; /* counted from 1; 0 if none or unknown */
	/*
	 * Times of the first and last sample; first > last: no sample has a time. If captures were
	 * added, the difference is the sum of their durations.
	 */
	uint64_t first_time_ns, last_time_ns;
	struct time_faults time_faults;
	uint64_t unselected_ns;                 /* time between these times that --time excludes */
	VEC(struct event_record_count) records; /* by type; their names are in strings */
	uint64_t mapping_count;                 /* mappings of all processes, at all times */
	uint64_t process_count, thread_count;

	str_id default_event; /* which the capture says to show; STR_EMPTY if it says nothing */

	/* The view: the event or events shown, and their weight. */
	str_id event_name;  /* or the pattern, if there are several */
	str_id weight_name; /* what is counted; empty: periods or samples */
	enum weight_unit unit;
	uint64_t view_sample_count;
	bool lacks_sample_counts; /* the number of samples that the weights represent is unknown */
	bool is_counted;          /* events are counters (perf stat) without stacks */
	bool shows_waits;         /* some events that are shown are off-CPU */
	bool is_reversed;         /* stacks begin with the leaf, below group frames */
	VEC(struct frame) frames;
	VEC(struct stack) stacks;
	bool keeps_sample_counts;
	/* by row: number of samples with this leaf; set if the view has keeps_sample_counts */
	VEC(uint64_t) sample_counts;
	VEC(struct delta) deltas; /* by row; empty: no comparison */
	uint64_t largest_delta;   /* at least 1 */
	/* flame chart: by row, the weight to its left; empty: children are packed to the left */
	VEC(uint64_t) begins;
	struct profile_lanes lanes;

	struct exact exact;
	/*
	 * The profile was read from an SVG without the narrowest frames, whose weight is in the
	 * self weight of their parents.
	 */
	bool lacks_narrow;

	uint32_t time_bin_count; /* if 0, samples are not binned by time */
	uint32_t time_bin_parts; /* see struct time_bins */
	/* for bins of equal width: start of the first bin, and width; otherwise 0 */
	uint64_t first_bin_ns, bin_ns;
	/*
	 * With several inputs, bins are counted from the first bin of each input, so they have no
	 * clock times.
	 */
	bool has_relative_bins;
	VEC(struct stack_bin) stack_bins; /* by row; there may be several for a row and bin */

	VEC(struct single_interval) singles; /* intervals with their own leaf frame; by interval */

	/*
	 * Why the profile covers only part of the capture, in words; NULL if it covers the whole
	 * capture.
	 */
	const char *partial_reason;
};

/* Creates an empty profile, with its own strings and modules. */
void profile_init(struct profile *profile);

/*
 * Copies metadata, events and losses from the state, which must use the profile's strings and
 * modules. Must be called after process_state_end_events.
 */
void profile_begin(struct profile *profile, const struct process_state *state);

void profile_deinit(struct profile *profile);

/*
 * Returns how well the best event matches a pattern (profile/event_name.h). All events with the
 * best match are selected. NULL matches every event.
 */
enum event_match profile_match_events(const struct profile *profile, const char *pattern);
enum event_match profile_match_event(const struct profile *profile,
				     const struct profile_event *event, const char *pattern);

/*
 * Fails if no event matches the pattern, or if several match by base name alone; the error lists
 * candidates.
 */
bool profile_has_event(const struct profile *profile, const char *pattern,
		       struct error *err) WARN_UNUSED;

/*
 * The unit of an event's weights. The profile's unit is UNIT_EVENTS if the units of its events may
 * differ.
 */
enum weight_unit profile_event_unit(const struct profile *profile,
				    const struct profile_event *event);

/* Whether an event samples CPU time or cycles. */
bool profile_event_is_of_cpu_time(const struct profile *profile, const struct profile_event *event);

/*
 * Whether every occurrence of a tracepoint was recorded. If samples have a period, the kernel records
 * every occurrence, whatever the period of the event, unless a frequency was set (perf_swevent_event
 * in linux/kernel/events/core.c). If an older kernel did not, samples have periods of more than 1.
 */
bool profile_event_is_complete(const struct profile_event *event);

/* Whether an event that is shown is a histogram. */
bool profile_shows_histogram(const struct profile *profile);

/* Returns the field with this name, or NULL. */
const struct field *profile_find_field(const struct profile *profile,
				       const struct profile_event *event, struct text name);

/*
 * Adds to the number of samples whose leaf is this row. Without keeps_sample_counts, nothing is
 * added.
 */
void profile_count_samples(struct profile *profile, size_t row, uint64_t count);
uint64_t profile_sample_count(const struct profile *profile, size_t row);

/* Whether first_time_ns and last_time_ns are set. */
bool profile_has_time(const struct profile *profile);

/* Adds the branches of a sample. Unused entries of a branch stack are zero, and do not count. */
void profile_count_branches(struct branch_counts *counts, const struct event_sample *sample);
void profile_add_branches(struct branch_counts *counts, const struct branch_counts *more);

/*
 * Returns an event such as "tracepoint:316", or NULL. perf writes tracepoint names at the end of
 * the file, so a truncated capture contains only numbers.
 */
const char *profile_nameless_tracepoint(const struct profile *profile);

/* The duration of the selected parts of the capture; 0 if unknown. */
uint64_t profile_duration_ns(const struct profile *profile);

/*
 * Whether a row has no ancestor with the same key, such as the same function. Only such rows are
 * added to totals, so that recursive calls count once. Must be called for rows in order. Each key
 * needs its own `end`, which is initially 0.
 */
static inline bool stack_is_outermost(const struct stack *rows, size_t row, uint32_t *end)
{
	if (row < *end)
		return false;
	*end = rows[row].end;
	return true;
}

/*
 * The name of a frame's function, without a source line at the end: "parse" of "parse:scan.c:40".
 */
struct text profile_function_name(const struct profile *profile, frame_id frame);

static inline struct text profile_frame_name(const struct profile *profile, frame_id frame)
{
	return strings_get(profile->strings, profile->frames.at[frame.i].name);
}

#endif
