/* SPDX-License-Identifier: MIT */
/* Dumps of the stacks of all threads: of gdb and eu-stack, of Java, and of Go. */
#ifndef LIBPARSE_DUMP_DUMPS_H
#define LIBPARSE_DUMP_DUMPS_H

#include "libparse/formats.h"

extern const struct input_format backtrace_format;
extern const struct input_format java_dump_format;
extern const struct input_format goroutines_format;

#endif
