/* SPDX-License-Identifier: MIT */
/*
 * Prints a sample by its tracepoint's print format, as perf script -F trace does:
 *
 *     "comm=%s pid=%d target_cpu=%03d", REC->comm, REC->pid, REC->target_cpu
 *     comm=cat pid=3127 target_cpu=001
 *
 * The conversions are those of printk. Source: Documentation/core-api/printk-formats.rst of the
 * Linux kernel.
 *
 * print_tree.h parses the arguments, and print_value.h evaluates them. libtraceevent could do both,
 * but crashes on corrupt formats (trace_format.h).
 */
#ifndef LIBPARSE_TRACEPOINT_PRINT_FORMAT_H
#define LIBPARSE_TRACEPOINT_PRINT_FORMAT_H

#include "libparse/formats.h"
#include "libparse/tracepoint/print_tree.h"

/*
 * Maximum length of the print format of a tracepoint. The longest print format in Linux 6.18 is 5
 * kB.
 */
#define LIMIT_PRINT_BYTES (64u << 10)

struct print_piece;

struct print_format {
	const struct print_piece *first; /* NULL if the format could not be parsed */
};

/*
 * Parses format->print, and marks fields that are printed as functions. The result points into
 * arena and format.
 */
void print_format_read(const struct trace_format *format, struct arena *arena,
		       struct print_format *ret);

/*
 * Writes the text of a sample by the print format. If the print format could not be parsed, writes
 * each field as name=value.
 */
void print_format_write(const struct print_format *print, const struct trace_format *format,
			struct span raw, const struct function_names *functions, struct sink *sink);

#endif
