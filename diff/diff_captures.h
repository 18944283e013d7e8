/* SPDX-License-Identifier: MIT */
/*
 * What the captures of a comparison report of how they were made, and in what the two sides differ:
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

/* What matters to a comparison. The order is that of outputs. */
enum diff_capture_key {
	DIFF_CAPTURE_HOST,
	DIFF_CAPTURE_ARCH,
	DIFF_CAPTURE_KERNEL,
	DIFF_CAPTURE_CPU,  /* its model */
	DIFF_CAPTURE_CPUS, /* how many were online */
	DIFF_CAPTURE_EVENT,
	DIFF_CAPTURE_RATE,
	DIFF_CAPTURE_CALLCHAINS, /* how they were recorded */
	DIFF_CAPTURE_CODE,       /* of the kernel, of users, or both */
	/* Up to here texts, and from here on numbers. */
	DIFF_CAPTURE_TEXTS,
	DIFF_CAPTURE_DURATION = DIFF_CAPTURE_TEXTS,
	DIFF_CAPTURE_LOST,
	DIFF_CAPTURE_THROTTLED,
	DIFF_CAPTURE_KEYS,
};

struct diff_capture {
	enum diff_side side;
	str_id file;         /* as the user named it */
	str_id command;      /* that recorded it; empty: not known, as are the texts below */
	str_id recorded;     /* when, in words, where recorded_s is not known */
	uint64_t recorded_s; /* since 1970; 0: not known */
	str_id texts[DIFF_CAPTURE_TEXTS];
	/* By key from DIFF_CAPTURE_TEXTS on: nanoseconds, then percents; NAN: not known. */
	double numbers[DIFF_CAPTURE_KEYS];
};

typedef VEC(struct diff_capture) diff_capture_list;

/* Adds what a capture reports; its texts are copied to strings. */
void diff_captures_add(diff_capture_list *captures, const struct profile *profile,
		       enum diff_side side, struct strings *strings);

/* The mean of a side's captures, of those that have the number; NAN: none has. */
double diff_captures_mean(const diff_capture_list *captures, enum diff_side side,
			  enum diff_capture_key key);

/*
 * Whether captures differ in this, where something is known of both sides: texts of any two captures; mean durations
 * by more than a factor of two; mean shares that were lost or throttled by more than a percent point.
 */
bool diff_captures_differ(const diff_capture_list *captures, const struct strings *strings,
			  enum diff_capture_key key);

#endif
