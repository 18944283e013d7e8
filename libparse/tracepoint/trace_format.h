/* SPDX-License-Identifier: MIT */
/*
 * What the kernel says of one tracepoint in the format file that perf copies into the capture: its
 * fields, and how it would print them.
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
 * The text is the capture's, and as hostile. libtraceevent reads it too, but dies of texts that are
 * slightly damaged; so it is read here.
 *
 * Source: kernel/trace/trace_events.c and Documentation/trace/events.rst of the Linux kernel.
 */
#ifndef LIBPARSE_TRACEPOINT_TRACE_FORMAT_H
#define LIBPARSE_TRACEPOINT_TRACE_FORMAT_H

#include "base/arena.h"
#include "libparse/tracepoint/field.h"
#include "libparse/tracepoint/kernel_texts.h"

struct trace_format {
	struct field *fields; /* in the order of the file */
	uint32_t field_count;
	struct text print;                /* behind "print fmt: "; empty: there is none */
	const struct kernel_texts *texts; /* that its pointers lead to; NULL: not known */
};

/* Reads a format file. What the result points to is in arena, or in text. A line that makes no
 * sense is left out. */
void trace_format_read(struct text text, struct arena *arena, struct trace_format *ret);

/* The field of that name, or NULL. */
const struct field *trace_format_find(const struct trace_format *format, struct text name);

#endif
