/* SPDX-License-Identifier: MIT */
/*
 * Thread dumps, which contain the stacks of all threads, as printed by gdb, eu-stack, Java and Go.
 */
#ifndef LIBPARSE_DUMP_DUMPS_H
#define LIBPARSE_DUMP_DUMPS_H

#include "libparse/formats.h"

extern const struct input_format backtrace_format;
extern const struct input_format java_dump_format;
extern const struct input_format goroutines_format;

#endif
