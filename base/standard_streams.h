/* SPDX-License-Identifier: MIT */
/*
 * Standard input, output and error. Any of them may be closed when a program starts, and the next
 * opened file would get its number:
 *
 *     kiln flame -o flame.svg 2>&-     descriptor 2 would be flame.svg, and warnings would be written into it
 */
#ifndef BASE_STANDARD_STREAMS_H
#define BASE_STANDARD_STREAMS_H

#include "base/error.h"

/*
 * Occupies the descriptors of closed streams, so that no file gets them. Reading or writing these
 * streams still fails with EBADF. Must be called before any file is opened. False if a number
 * cannot be reserved.
 */
bool standard_streams_reserve(void) WARN_UNUSED;

/* Fails with "is closed" if the stream, one of STDIN_FILENO to STDERR_FILENO, was closed. */
bool standard_streams_check(int stream, struct error *err) WARN_UNUSED;

#endif
