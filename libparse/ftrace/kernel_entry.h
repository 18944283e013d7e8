/* SPDX-License-Identifier: MIT */
/*
 * Functions by which the kernel is entered, which end a kernel stack. Texts print the kernel stack
 * and the user stack in a row, mostly without a mark between them.
 */
#ifndef LIBPARSE_FTRACE_KERNEL_ENTRY_H
#define LIBPARSE_FTRACE_KERNEL_ENTRY_H

#include "base/strings.h"

/*
 * Whether the kernel is entered by this function (without an offset) on any architecture: by a
 * system call, an interrupt or a new thread.
 */
bool kernel_entry_is(struct text name);

/* Whether an interrupt enters by it; its callers are the interrupted code. */
bool kernel_entry_is_interrupt(struct text name);

/* Whether a function runs deferred work of interrupts (softirqs) in the thread that calls it. */
bool kernel_entry_is_deferral(struct text name);

/* Whether a frame begins with a kernel address: 16 digits, the first of them f. */
bool kernel_entry_is_address(struct text frame);

#endif
