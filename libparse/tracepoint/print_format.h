/* SPDX-License-Identifier: MIT */
/*
 * A tracepoint's print format, and what it makes of one sample:
 *
 *     "comm=%s pid=%d target_cpu=%03d", REC->comm, REC->pid, REC->target_cpu
 *     comm=cat pid=3127 target_cpu=001
 *
 * Conversions are those of the kernel's printk. Source: Documentation/core-api/printk-formats.rst of
 * the Linux kernel; perf script -F trace.
 */
#ifndef LIBPARSE_TRACEPOINT_PRINT_FORMAT_H
#define LIBPARSE_TRACEPOINT_PRINT_FORMAT_H

#include "libparse/formats.h"
#include "libparse/tracepoint/print_tree.h"

struct print_piece;

struct print_format {
	const struct print_piece *first; /* NULL: the format was not understood */
};

/* Reads format->print. Marks the fields whose value is printed as a function. What is made is in
 * arena, or in the format. */
void print_format_read(const struct trace_format *format, struct arena *arena,
		       struct print_format *ret);

/* Writes the text of a sample: by the print format, or where that is none we understand, field by
 * field as name=value. */
void print_format_write(const struct print_format *print, const struct trace_format *format,
			struct span raw, const struct function_names *functions, struct sink *sink);

#endif
