/* SPDX-License-Identifier: MIT */
/*
 * Stacks printed by BCC's tools and libbpf-tools: profile, offcputime, offwaketime, wakeuptime,
 * stackcount and memleak. (Folded output, -f, is read by libparse/folded/.) Each block of lines is
 * one stack. The last line of a block contains only the weight:
 *
 *         vfs_read                          innermost first; the kernel stack, then the user stack
 *         --                                between them, with -d
 *         read+0xe [libc.so.6]
 *         -                app (4711)       the thread
 *             12
 *
 *         target:          app 4711         offwaketime, wakeuptime: two threads and their stacks
 *         waker:           make 99
 *
 * memleak prints the number first, and repeats all blocks at each interval
 * (libparse/bpftrace/snapshots.h). Source: tools/ and libbpf-tools/ of BCC.
 */
#ifndef LIBPARSE_BCC_BCC_H
#define LIBPARSE_BCC_BCC_H

#include "libparse/formats.h"

extern const struct input_format bcc_format;
extern const struct input_format bcc_histogram_format;
extern const struct input_format bcc_table_format;

/* The result of reading a block or table that may begin at a line. */
enum bcc_result {
	BCC_READ,
	BCC_NOT_READ,  /* no block or table begins at the line, or its end is missing */
	BCC_TRUNCATED, /* the block or table continues after the window */
};

/* Whether a line occurs only in these reports. */
bool bcc_is_report_line(struct text line);

#endif
