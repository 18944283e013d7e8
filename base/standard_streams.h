/* SPDX-License-Identifier: MIT */
/*
 * Standard input, output and error. Any standard stream may be closed when a program starts, and
 * the next opened file would get its number:
 *
 *     kiln flame -o flame.svg 2>&-     warnings would be written into flame.svg
 */
#ifndef BASE_STANDARD_STREAMS_H
#define BASE_STANDARD_STREAMS_H

#include "base/error.h"

/*
 * Occupies the descriptors of closed streams, so that no file gets their numbers. Reading or
 * writing these streams still fails with EBADF. This function must be called before any file is
 * opened. Returns false if a number cannot be occupied.
 */
bool standard_streams_reserve(void) WARN_UNUSED;

/* Fails with "is closed" if the stream, one of STDIN_FILENO to STDERR_FILENO, was closed. */
bool standard_streams_check(int stream, struct error *err) WARN_UNUSED;

#endif
