/* SPDX-License-Identifier: MIT */
/*
 * The first line of a sample in `perf script` text, with any fields:
 *
 *     Web Content  4711/4712  [001]  5669.617688:     200040 cycles:u:
 *     comm         pid  tid    cpu   time             period event     payload
 *
 * Comms are not quoted, and may contain blanks, digits, colons and brackets. Parsing therefore
 * starts at the time, or at the event if there is no time, and continues in both directions.
 * Source: tools/perf/builtin-script.c, perf_sample__fprintf_start and process_event.
 */
#ifndef LIBPARSE_SCRIPT_PERF_SCRIPT_HEADER_H
#define LIBPARSE_SCRIPT_PERF_SCRIPT_HEADER_H

#include "libparse/event.h"

/* The number of decimals of the seconds that perf prints without --ns. */
#define PERF_SCRIPT_TIME_DECIMALS_MIN 6

struct perf_script_header {
	uint64_t present; /* SAMPLE_HAS_TID, SAMPLE_HAS_CPU, SAMPLE_HAS_TIME, SAMPLE_HAS_PERIOD */
	struct text comm; /* .at is NULL if not printed */
	uint32_t pid, tid, cpu;
	bool has_pid; /* printed in addition to the tid */
	uint64_t time_ns, period;
	uint32_t time_decimals;
	bool is_period_too_large;
	struct text behind_time; /* the text after the time and its colon, if there is a time */
	struct text event;       /* empty if not printed */
	struct text rest;        /* the text after the event: a tracepoint's payload, or a frame */
};

/*
 * Parses a line. Returns false if the line is not a sample. has_frames: a frame follows, so a bare
 * "event:" may begin a sample.
 */
bool perf_script_header_parse(struct text line, bool has_frames, struct perf_script_header *ret);

/* Whether a line contains a time as perf prints it, or an address after an event, and is no frame. */
bool perf_script_header_is_certain(struct text line);

/*
 * Parses a line that has neither a time nor an event, such as "app 16/17 [001] ". Only the addresses
 * of frames after such a line show that it is a sample.
 */
bool perf_script_header_parse_task(struct text line, struct perf_script_header *ret);

#endif
