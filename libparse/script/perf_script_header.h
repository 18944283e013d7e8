/* SPDX-License-Identifier: MIT */
/*
 * The line a sample of `perf script` text begins with, whichever fields were printed:
 *
 *     Web Content  4711/4712  [001]  5669.617688:     200040 cycles:u:
 *     comm         pid  tid    cpu   time             period event     payload
 *
 * Nothing quotes a comm, which may hold blanks, digits, colons and brackets. So the line is read from
 * its time, or where there is none from its event, to both sides.
 * Source: tools/perf/builtin-script.c, perf_sample__fprintf_start and process_event.
 */
#ifndef LIBPARSE_SCRIPT_PERF_SCRIPT_HEADER_H
#define LIBPARSE_SCRIPT_PERF_SCRIPT_HEADER_H

#include "libparse/event.h"

struct perf_script_header {
	uint64_t present; /* SAMPLE_HAS_TID, SAMPLE_HAS_CPU, SAMPLE_HAS_TIME, SAMPLE_HAS_PERIOD */
	struct text comm; /* at NULL: it is not printed */
	uint32_t pid, tid, cpu;
	bool has_pid; /* apart from the tid */
	uint64_t time_ns, period;
	bool is_period_too_large;
	struct text event; /* empty: it is not printed */
	struct text rest;  /* what is behind the event: a tracepoint's payload, or a frame */
};

/* has_frames: a line follows that is a frame, which makes a bare "event:" one that begins a sample. */
bool perf_script_header_parse(struct text line, bool has_frames, struct perf_script_header *ret);

#endif
