/* SPDX-License-Identifier: MIT */
/*
 * Describes how the captures of a comparison were recorded, and finds the differences:
 *
 *              file      kernel    CPUs   rate
 *     before   a1.data   6.1.0     8      99 Hz
 *              a2.data   6.1.0     8      99 Hz
 *     after    b.data    6.5.0     8      (not known)      ─▶  kernel
 */
#ifndef DIFF_DIFF_CAPTURES_H
#define DIFF_DIFF_CAPTURES_H

#include "base/strings.h"
#include "base/vec.h"
#include "diff/diff_scale.h"
#include "profile/profile.h"

/* Properties that may explain a change, in the order in which outputs list them. */
enum diff_capture_key {
	DIFF_CAPTURE_HOST,
	DIFF_CAPTURE_ARCH,
	DIFF_CAPTURE_KERNEL,
	DIFF_CAPTURE_CPU,  /* the CPU model */
	DIFF_CAPTURE_CPUS, /* online CPUs */
	DIFF_CAPTURE_EVENT,
	DIFF_CAPTURE_RATE,
	DIFF_CAPTURE_CALLCHAINS, /* how they were recorded */
	DIFF_CAPTURE_CODE,       /* kernel, user code or both */
	/* The other keys are numbers. */
	DIFF_CAPTURE_TEXTS,
	DIFF_CAPTURE_DURATION = DIFF_CAPTURE_TEXTS,
	DIFF_CAPTURE_LOST,
	DIFF_CAPTURE_THROTTLED,
	DIFF_CAPTURE_KEYS,
};

struct diff_capture {
	enum diff_side side;
	str_id file;         /* as given on the command line */
	str_id command;      /* empty: unknown, as for the texts below */
	str_id recorded;     /* date as text, if recorded_s is unknown */
	uint64_t recorded_s; /* since 1970; 0 if unknown */
	str_id partial;      /* why the capture is incomplete; empty: it is complete */
	str_id texts[DIFF_CAPTURE_TEXTS];
	/*
	 * Indexed by key; the keys from DIFF_CAPTURE_TEXTS on are numbers: a duration in
	 * nanoseconds, then percentages. NAN: unknown.
	 */
	double numbers[DIFF_CAPTURE_KEYS];
};

typedef VEC(struct diff_capture) diff_capture_list;

/* Adds a capture; texts are copied to strings. */
void diff_captures_add(diff_capture_list *captures, const struct profile *profile,
		       enum diff_side side, struct strings *strings);

/*
 * Returns the mean of a number over those captures of a side that contain the number; NAN if no
 * capture does.
 */
double diff_captures_mean(const diff_capture_list *captures, enum diff_side side,
			  enum diff_capture_key key);

/*
 * Whether the captures differ in this property, which must be known for both sides. Texts: two
 * captures have different texts. Durations: the means differ by more than a factor of two. Shares
 * of lost or throttled samples: the means differ by more than one percentage point.
 */
bool diff_captures_differ(const diff_capture_list *captures, const struct strings *strings,
			  enum diff_capture_key key);

/*
 * Whether an event name describes what was counted. "samples" and the units in SVGs from other
 * tools do not.
 */
bool diff_event_is_known(struct text event);

#endif
