/* SPDX-License-Identifier: MIT */
/*
 * Tracepoints, by the number that is the config of their attrs: found in the ftrace format
 * files that perf copies into the capture (feature TRACING_DATA, or behind that record in a pipe).
 *
 *     17 08 44 "tracing" version\0 | big-endian? | long size | page size
 *     "header_page\0" text | "header_event\0" text | ftrace formats
 *     systems: name\0, count, format text ("name: sched_switch\nID: 316\nformat: ...") each
 *     texts the kernel's pointers lead to
 *     kallsyms, saved command names                                            -- not read
 *
 * Source: tools/perf/util/trace-event-info.c of the Linux kernel, trace-cmd.dat.v6(5).
 */
#ifndef LIBPARSE_TRACEPOINT_TRACEPOINTS_H
#define LIBPARSE_TRACEPOINT_TRACEPOINTS_H

#include "base/arena.h"
#include "base/span.h"
#include "base/vec.h"
#include "libparse/tracepoint/kernel_texts.h"
#include "libparse/tracepoint/print_format.h"

struct perf_tracepoint {
	uint64_t id;
	struct text name; /* "sched:sched_switch", NUL behind it */
	struct text text; /* all that the kernel says of it */
	/* What that means; empty until perf_tracepoints_read_format. */
	bool is_read;
	struct trace_format format;
	struct print_format print;
};

struct perf_tracepoints {
	struct arena arena;
	VEC(struct perf_tracepoint) rows; /* by id */
	struct kernel_texts texts;
	uint64_t print_bytes; /* of all print formats that were read */
};

void perf_tracepoints_init(struct perf_tracepoints *tracepoints);
void perf_tracepoints_deinit(struct perf_tracepoints *tracepoints);

/* Adds the tracepoints described in bytes. False when they end too early or make no sense; what
 * came before that stays. */
bool perf_tracepoints_read(struct perf_tracepoints *tracepoints, struct span bytes);

/* A tracepoint, or NULL; valid until perf_tracepoints_deinit. */
const struct perf_tracepoint *perf_tracepoints_find(const struct perf_tracepoints *tracepoints,
						    uint64_t id);

/* The same, its format read: once, however many events are of it. What all print formats together
 * have beyond LIMIT_PRINTS_BYTES is not understood. */
const struct perf_tracepoint *perf_tracepoints_read_format(struct perf_tracepoints *tracepoints,
							   uint64_t id);

#endif
