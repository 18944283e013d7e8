/* SPDX-License-Identifier: MIT */
/*
 * Selects samples and frames for all commands, by perf's criteria. Thread, CPU and time are checked
 * when a sample is read, modes when its callchain is resolved, and names when it is symbolised:
 *
 *     sample ─ selection_includes ─▶ callchain ─ selection_includes_mode ─▶ frames ─ dso, symbol ─▶ stack
 */
#ifndef PROFILE_SELECTION_SELECTION_H
#define PROFILE_SELECTION_SELECTION_H

#include "base/error.h"
#include "base/name_pattern.h"
#include "base/strings.h"
#include "base/vec.h"
#include "libparse/event.h"
#include "profile/location.h"
#include "profile/profile.h"

struct marks;

struct selection_range {
	uint64_t first, last; /* inclusive */
};

typedef VEC(struct selection_range) selection_ranges;

/* The origins of times in --time. */
enum selection_time_kind {
	SELECTION_TIME_OPEN,  /* the start or end of the capture */
	SELECTION_TIME_CLOCK, /* on the capture's clock, if the other end is of a different kind */
	SELECTION_TIME_FROM_FIRST, /* since the first sample */
	SELECTION_TIME_UTC,        /* ns since 1970 */
	SELECTION_TIME_OF_DAY,     /* ns since local midnight */
	SELECTION_TIME_OF_UTC_DAY, /* ns since midnight UTC */
};

struct selection_moment {
	enum selection_time_kind kind;
	uint64_t ns;
};

/* Inclusive. */
struct selection_period {
	struct selection_moment first, last;
};

typedef VEC(struct selection_period) selection_periods;

/*
 * Criteria that are checked when a sample is read. If no sample is selected, kiln names the first
 * criterion that no sample meets.
 */
enum selection_criterion {
	SELECTION_IDLE,
	SELECTION_CPU,
	SELECTION_TIME,
	SELECTION_PID,
	SELECTION_TID,
	SELECTION_PROCESS,
	SELECTION_COMM,
	SELECTION_LABEL,
	SELECTION_CRITERIA,
};

/* Selects samples whose label has one of these values; with selects_rest, all other samples. */
struct selection_label {
	struct text key; /* borrowed */
	name_patterns values;
	bool selects_rest;
};

/* An empty list, or a selection that is NULL, selects everything. */
struct selection {
	name_patterns comms;
	name_patterns processes; /* comms of processes: the comms of their first threads */
	VEC(struct selection_label) labels; /* samples must match all of them */
	selection_ranges pids, tids, cpus;
	selection_ranges times_ns;
	/* Times that are converted to times_ns once a capture is open: selection_time.h,
	 * session/time_span.h. */
	selection_ranges time_shares;
	selection_periods periods;
	/*
	 * Windows around these marks, from around_ns before each to around_ns after it. The windows
	 * are also stored in times_ns, sorted and without overlaps. NULL if none.
	 */
	const struct marks *around;
	uint64_t around_ns;
	name_patterns dsos, symbols; /* of the leaf, as perf script prints it */
	bool user_only, kernel_only; /* drop the other frames */
	bool no_idle;                /* drop the idle task */
	uint32_t depth_max;          /* frames from the root; 0 means all */
	uint32_t callchain_max;      /* callchain entries from the leaf; 0 means all */
	/*
	 * Stacks begin at the outermost of these frames; stacks without such a frame are dropped.
	 */
	name_patterns bases;
};

void selection_deinit(struct selection *selection);

/* Parses numbers as perf does: "0-3,7". The error names the option. */
bool selection_parse_numbers(const char *option, const char *text, selection_ranges *ret,
			     struct error *err) WARN_UNUSED;

/* Parses the values of a label, such as "web-1,web-9*", and adds them. */
bool selection_add_label(struct selection *selection, struct text key, const char *values,
			 bool selects_rest, struct error *err) WARN_UNUSED;

/* Whether everything is selected. True for NULL. */
bool selection_is_empty(const struct selection *selection);

/* Whether any criterion is checked when samples are read. */
bool selection_asks_of_samples(const struct selection *selection);

/* Whether times must be converted after a capture is opened. */
bool selection_needs_placing(const struct selection *selection);

/* Whether samples are selected by their leaf. */
bool selection_asks_of_leaves(const struct selection *selection);

/* Whether any criterion applies to frames. */
bool selection_asks_of_frames(const struct selection *selection);

bool selection_has_number(const selection_ranges *ranges, uint64_t number);

/* With `around`, returns the index of the window that contains a time, or SIZE_MAX. */
size_t selection_find_window(const struct selection *selection, uint64_t time_ns);

/* Whether frames of this mode are selected. */
bool selection_includes_mode(const struct selection *selection, enum cpu_mode mode);

/* Whether samples with this leaf are selected, by its DSO and name. LOCATION_NONE, the leaf of a
 * sample without selected frames, is selected only if there are no such criteria. */
bool selection_includes_leaf(const struct selection *selection, const struct profile *profile,
			     const struct locations *locations, location_id leaf);

/* A sample with the comms of its thread and process at its time. */
struct selection_subject {
	const struct event *event;
	struct text comm, process;
};

/* Whether a sample meets one criterion, and whether it meets all of them. */
bool selection_meets(const struct selection *selection, enum selection_criterion criterion,
		     const struct selection_subject *subject);
bool selection_includes(const struct selection *selection, const struct selection_subject *subject);

/* Whether a thread meets the criteria for threads and processes, regardless of when it ran. */
bool selection_includes_thread(const struct selection *selection, uint32_t pid, uint32_t tid,
			       struct text comm, struct text process);

/* The value that a sample has for a label. .at NULL: the sample does not have the label. */
struct text selection_label_value(const struct selection_label *label,
				  const struct event_sample *sample);

/* Whether a criterion is used. */
bool selection_has(const struct selection *selection, enum selection_criterion criterion);

#endif
