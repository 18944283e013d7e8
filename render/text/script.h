/* SPDX-License-Identifier: MIT */
/*
 * Writes samples one by one, as perf script prints them. Fields have perf's names:
 *
 *     app  4711/4712  [001]  5669.617688:     200040 cpu-clock:
 *     	    1149 parse+0x9 (/usr/bin/app)
 *     	    1210 main+0x40 (/usr/bin/app)
 *
 * Source: tools/perf/builtin-script.c and perf-script(1).
 */
#ifndef RENDER_TEXT_SCRIPT_H
#define RENDER_TEXT_SCRIPT_H

#include "base/error.h"
#include "base/sink.h"
#include "profile/location.h"
#include "profile/profile.h"

enum script_field {
	SCRIPT_COMM = 1 << 0,
	SCRIPT_TID = 1 << 1,
	SCRIPT_PID = 1 << 2,
	SCRIPT_TIME = 1 << 3,
	SCRIPT_CPU = 1 << 4,
	SCRIPT_EVENT = 1 << 5,
	SCRIPT_IP = 1 << 6,
	SCRIPT_SYM = 1 << 7,
	SCRIPT_DSO = 1 << 8,
	SCRIPT_ADDR = 1 << 9,
	SCRIPT_SYMOFF = 1 << 10,
	SCRIPT_PERIOD = 1 << 11,
	SCRIPT_WEIGHT = 1 << 12,
	SCRIPT_PHYS_ADDR = 1 << 13,
	SCRIPT_MISC = 1 << 14,
	SCRIPT_DATA_SRC = 1 << 15,
	SCRIPT_BRSTACK = 1 << 16,
	SCRIPT_TRACE = 1 << 17,
	SCRIPT_SRCLINE = 1 << 18,
	SCRIPT_TOD = 1 << 19,
};

struct script_options {
	unsigned fields;  /* SCRIPT_* */
	bool is_inverted; /* callchains from the outermost frame on */
	bool has_ns;      /* times have nine decimals */
};

/* One sample, with the session's data about it. */
struct script_sample {
	const struct event_sample *sample;
	uint64_t time_ns;
	struct text comm;
	const struct profile_event *event;
	const location_id *frames; /* innermost first */
	size_t frame_count;
	struct text trace; /* of a tracepoint */
};

struct script_writer {
	struct profile *profile; /* names of modules are interned in its strings */
	const struct locations *locations;
	struct script_options options;
	size_t event_width;       /* of the longest event name */
	VEC(str_id) module_names; /* by module; empty: not known yet */
};

/*
 * Parses perf's field list into ret->fields: "comm,ip,sym", or changes to the default,
 * "+symoff,-dso".
 */
bool script_parse_fields(const char *list, struct script_options *ret,
			 struct error *err) WARN_UNUSED;

void script_writer_init(struct script_writer *writer, struct profile *profile,
			const struct locations *locations, const struct script_options *options);
void script_writer_deinit(struct script_writer *writer);

/* Writes one sample, including the empty line that ends a callchain. */
void script_write(struct script_writer *writer, const struct script_sample *sample,
		  struct sink *sink);

/*
 * Writes a branch in the format of perf script -F brstack; unknown fields are "-" or empty:
 *
 *     0x401136/0x401020/P/-/-/7/CALL
 *     from     to       │ │ │ cycles, type
 *                       │ │ └ A: aborted a transaction
 *                       │ └── X: in a transaction
 *                       └──── P: predicted, M: mispredicted
 *
 * Source: tools/perf/builtin-script.c and util/branch.c of the Linux kernel.
 */
void script_write_branch(const struct event_branch *branch, struct sink *sink);

#endif
