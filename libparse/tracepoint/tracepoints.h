/* SPDX-License-Identifier: MIT */
/*
 * The tracepoints of a capture, by id (attr.config). perf copies the format files of tracepoints
 * into the TRACING_DATA feature. In a pipe, the format files follow the record of this name.
 *
 *     17 08 44 "tracing" version\0 | big-endian? | long size | page size
 *     "header_page\0" text | "header_event\0" text | ftrace formats
 *     systems: name\0, count, format text ("name: sched_switch\nID: 316\nformat: ...") each
 *     kallsyms (not read) | printk_formats | saved command lines (not read)
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

/*
 * Maximum total size of the print formats of all recorded tracepoints. Each byte of a format can
 * need 120 bytes of memory. All formats in Linux 6.18 together take 1 MB.
 */
#define LIMIT_PRINTS_BYTES (4u << 20)

/* How a trace.dat file and perf's TRACING_DATA begin. */
#define TRACING_MAGIC       "\x17\x08\x44tracing"
#define TRACING_MAGIC_BYTES (sizeof(TRACING_MAGIC) - 1)

struct perf_tracepoint {
	uint64_t id;
	struct text name; /* "sched:sched_switch", NUL-terminated */
	struct text text; /* content of the format file */
	/* Set by perf_tracepoints_read_format: */
	bool is_read;
	struct trace_format format;
	struct print_format print;
};

struct perf_tracepoints {
	struct arena arena;
	VEC(struct perf_tracepoint) rows; /* sorted by id */
	struct kernel_texts texts;
	uint64_t print_bytes; /* total size of the parsed print formats */
};

void perf_tracepoints_init(struct perf_tracepoints *tracepoints);
void perf_tracepoints_deinit(struct perf_tracepoints *tracepoints);

/*
 * Adds the tracepoints in the section. Returns false if the section is truncated or corrupt.
 * Tracepoints read before the fault remain valid.
 */
bool perf_tracepoints_read(struct perf_tracepoints *tracepoints, struct span bytes);

/*
 * These functions read parts of the section, for files that have the parts in other places
 * (libparse/tracedat/). The parts are the formats of all systems, and the formats of the tracers,
 * such as ftrace:function. perf_tracepoints_sort must be called after the last part. The cursor
 * moves past the part.
 */
bool perf_tracepoints_read_systems(struct perf_tracepoints *tracepoints, struct span *span);
bool perf_tracepoints_read_ftrace(struct perf_tracepoints *tracepoints, struct span *span);
void perf_tracepoints_sort(struct perf_tracepoints *tracepoints);

/* The tracepoint with this id, or NULL. The result is valid until perf_tracepoints_deinit. */
const struct perf_tracepoint *perf_tracepoints_find(const struct perf_tracepoints *tracepoints,
						    uint64_t id);

/*
 * Like perf_tracepoints_find, but also parses the format at the first call. Once the total size of
 * parsed print formats exceeds LIMIT_PRINTS_BYTES, further print formats are not parsed.
 */
const struct perf_tracepoint *perf_tracepoints_read_format(struct perf_tracepoints *tracepoints,
							   uint64_t id);

#endif
