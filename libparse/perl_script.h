/* SPDX-License-Identifier: MIT */
/*
 * `perf script` text as stackcollapse-perf.pl reads it, for the drop-in alone: a format nobody detects.
 * Its stacks begin with a frame that is the comm, its weights are periods.
 *
 *     comm line, frames, empty line ─▶ one sample; what has no empty line behind it is none
 */
#ifndef LIBPARSE_PERL_SCRIPT_H
#define LIBPARSE_PERL_SCRIPT_H

#include "libparse/formats.h"

/* The options of that script, as capture->format_options. */
struct perl_script_options {
	bool with_pid, with_tid; /* behind the comm */
	bool marks_kernel, marks_jit;
	bool shows_addresses;
	bool has_source_lines;    /* a line with the place in the source is behind each frame */
	const char *event_filter; /* NULL: the first event there is */
};

extern const struct input_format perl_script_format;

#endif
