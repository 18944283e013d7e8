/* SPDX-License-Identifier: MIT */
/*
 * Parses a frame of a stack as bpftrace prints it, in any of its modes and versions:
 *
 *     vfs_read+145                                      by default, with a decimal offset
 *     main+35@src/main.c:12, [inlined] f@src/f.c:3      with debug information
 *     ffffffff81415af0 vfs_read+145                     perf mode; user frames have a module
 *     7f195de8e24a main+35 (/usr/bin/app)
 *     7f195de8e24a                                      raw
 *     4f2c...(40 digits) 0x1f3c0                        build_id
 */
#ifndef LIBPARSE_BPFTRACE_BPFTRACE_FRAME_H
#define LIBPARSE_BPFTRACE_BPFTRACE_FRAME_H

#include "libparse/event.h"

/* Whether the frame is a kernel entry, the outermost frame of a kernel stack. */
bool bpftrace_frame_is_of_kernel(struct text frame);

/* Whether a line without indentation can be a frame. */
bool bpftrace_frame_is_bare(struct text line);

/* Parses a marked frame of text or JSON; see input_format.read_frame and bpftrace_entry.h. */
void bpftrace_read_frame(const void *reader, struct text raw, event_frame_callback *callback,
			 void *context);

#endif
