/* SPDX-License-Identifier: MIT */
/*
 * Kernel entry functions: the outermost frames of kernel stacks. In texts, the user stack follows
 * the kernel stack, usually without a separator.
 */
#ifndef LIBPARSE_FTRACE_KERNEL_ENTRY_H
#define LIBPARSE_FTRACE_KERNEL_ENTRY_H

#include "base/strings.h"

/*
 * Whether any architecture enters the kernel through this function: for a system call, an interrupt
 * or a new thread. The name must not have an offset.
 */
bool kernel_entry_is(struct text name);

/* Whether a function is an interrupt entry. Frames further out are the interrupted code. */
bool kernel_entry_is_interrupt(struct text name);

/* Whether a function runs deferred interrupt work (softirqs) in the thread that calls it. */
bool kernel_entry_is_deferral(struct text name);

/* Whether a frame begins with a kernel address: 16 hex digits, of which the first is f. */
bool kernel_entry_is_address(struct text frame);

#endif
