/* SPDX-License-Identifier: MIT */
/*
 * Where stacks of the kernel end. Texts print its stack and that of the program one behind the other, and
 * mostly do not say where one ends: its outermost function does.
 */
#ifndef LIBPARSE_FTRACE_KERNEL_ENTRY_H
#define LIBPARSE_FTRACE_KERNEL_ENTRY_H

#include "base/strings.h"

/* Whether a function, without an offset, is one the kernel is entered by, from a program, by an interrupt or
 * with a new thread, on any processor. */
bool kernel_entry_is(struct text name);

/* Whether it is one by which an interrupt enters: what called it is what the interrupt came upon. */
bool kernel_entry_is_interrupt(struct text name);

/* Whether a function does what interrupts put off, on behalf of the thread that calls it. */
bool kernel_entry_is_deferral(struct text name);

/* Whether a frame begins with an address of the kernel: 16 digits, the first of them f. */
bool kernel_entry_is_address(struct text frame);

#endif
