/* SPDX-License-Identifier: MIT */
/*
 * Reports of BCC's tools and libbpf-tools that print stacks, in their long form: profile, offcputime,
 * offwaketime, wakeuptime, stackcount and memleak. (Their folded form is read by folded.c.) A block of
 * lines is a stack; one that is only a number ends it, and is what it counts:
 *
 *         vfs_read                          leaf first; the kernel's, then the program's
 *         --                                between them, with -d
 *         read+0xe [libc.so.6]
 *         -                app (4711)       whose it is
 *             12
 *
 *         target:          app 4711         offwaketime, wakeuptime: two threads and their stacks
 *         waker:           make 99
 *
 * memleak has the number first, and prints all of it again and again: printings.h.
 * Source: tools/ and libbpf-tools/ of BCC, what their programs print.
 */
#ifndef LIBPARSE_BCC_BCC_H
#define LIBPARSE_BCC_BCC_H

#include "libparse/formats.h"

extern const struct input_format bcc_format;

/* Whether a line is one that only these reports have; other texts have lines like the rest of them. */
bool bcc_is_report_line(struct text line);

#endif
