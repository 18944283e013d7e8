/* SPDX-License-Identifier: MIT */
/*
 * Standard input, output and error, any of which may be closed when a program starts. The next file that it opens would
 * get the number of the closed one:
 *
 *     kiln flame -o flame.svg 2>&-     descriptor 2 would be flame.svg, and warnings would be written into it
 */
#ifndef BASE_STANDARD_STREAMS_H
#define BASE_STANDARD_STREAMS_H

#include "base/error.h"

/*
 * Reserves the numbers of closed streams. Reading and writing these still fails with EBADF. Call it before any file is
 * opened. False if a number cannot be reserved.
 */
bool standard_streams_reserve(void) WARN_UNUSED;

/* An error if the stream, one of STDIN_FILENO to STDERR_FILENO, was closed: "is closed". */
bool standard_streams_check(int stream, struct error *err) WARN_UNUSED;

#endif
