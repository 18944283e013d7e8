/* SPDX-License-Identifier: MIT */
/*
 * Parses durations on the command line, such as 10us, 1.5ms and 2s. The default unit is the
 * microsecond.
 */
#ifndef CLI_DURATION_H
#define CLI_DURATION_H

#include "base/error.h"

/* If text is NULL, sets *ret_ns to 0. The error names the option. */
bool duration_parse(const char *option, const char *text, uint64_t *ret_ns,
		    struct error *err) WARN_UNUSED;

#endif
