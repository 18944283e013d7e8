/* SPDX-License-Identifier: MIT */
/*
 * The format file of a tracepoint, which perf copies into the capture: its fields, and its print
 * format.
 *
 *     name: sched_switch
 *     ID: 316
 *     format:
 *     	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
 *
 *     	field:char prev_comm[16];	offset:8;	size:16;	signed:0;
 *     	field:__data_loc char[] name;	offset:24;	size:4;	signed:0;
 *
 *     print fmt: "prev_comm=%s ...", REC->prev_comm, ...
 *
 * kiln does not use libtraceevent, because the text is hostile input. Version 1.7.1 crashes on 39
 * of 13,500 format files in which 1 to 4 bytes were changed. libtraceevent would therefore need a
 * sandboxed process.
 *
 * Source: kernel/trace/trace_events.c and Documentation/trace/events.rst of the Linux kernel.
 */
#ifndef LIBPARSE_TRACEPOINT_TRACE_FORMAT_H
#define LIBPARSE_TRACEPOINT_TRACE_FORMAT_H

#include "base/arena.h"
#include "libparse/tracepoint/field.h"
#include "libparse/tracepoint/kernel_texts.h"

/* Maximum length of the name of a tracepoint or field, which is a C identifier. */
#define LIMIT_TRACEPOINT_NAME_BYTES 256u
/*
 * Maximum number of fields of a tracepoint. The largest tracepoints in Linux have about 50 fields.
 */
#define LIMIT_TRACEPOINT_FIELDS 1024u

struct trace_format {
	struct field *fields; /* fields in the order of the file */
	uint32_t field_count;
	struct text print;                /* the text after "print fmt: "; may be empty */
	const struct kernel_texts *texts; /* strings to which fields point; NULL if unknown */
};

/*
 * Parses a format file. The result points into arena and text, so both must outlive the result.
 * Malformed lines are skipped.
 */
void trace_format_read(struct text text, struct arena *arena, struct trace_format *ret);

/* The field with this name, or NULL. */
const struct field *trace_format_find(const struct trace_format *format, struct text name);

#endif
