/* SPDX-License-Identifier: MIT */
/*
 * Stacks of all threads of a process, as gdb and eu-stack print them; several dumps may be concatenated. Each thread is
 * a sample.
 *
 *     Thread 2 (Thread 0x7f58e2a0d6c0 (LWP 25417) "worker 1"):      gdb: thread apply all bt
 *     #0  0x00007f58e2ae4d8a in sleep (seconds=5) at sleep.c:55
 *     #1  wait_here (s=5) at w.c:4                                  no address: inlined
 *
 *     TID 25417:                                                    eu-stack -p, -m, -s, -v
 *     #0  0x00007f58e2ae4d8a - 1 sleep - /usr/lib/libc.so.6
 */
#ifndef LIBPARSE_BACKTRACE_H
#define LIBPARSE_BACKTRACE_H

#include "libparse/formats.h"

extern const struct input_format backtrace_format;

#endif
