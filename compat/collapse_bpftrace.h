/* SPDX-License-Identifier: MIT */
/*
 * Maps of bpftrace, collapsed by the rules of stackcollapse-bpftrace.pl: for the drop-in, which writes
 * what that would write. A line of output for each entry, in their order, nothing summed up.
 *
 *     @[ / frames / ]: 3  ──▶  outermost;...;innermost 3
 *
 * kiln fold reads the same text by better rules: libparse/bpftrace/bpftrace_text.h.
 */
#ifndef COMPAT_COLLAPSE_BPFTRACE_H
#define COMPAT_COLLAPSE_BPFTRACE_H

#include "base/sink.h"
#include "compat/input_lines.h"

/* Collapses these inputs, behind each other as one; "-" is standard input. lines is what was read, and skipped. */
bool collapse_bpftrace(const char *const *paths, size_t count, struct sink *sink,
		       struct input_lines *lines, struct error *err) WARN_UNUSED;

#endif
