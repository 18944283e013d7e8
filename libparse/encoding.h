/* SPDX-License-Identifier: MIT */
/*
 * Texts that begin with a byte order mark, as redirections in PowerShell write them: UTF-16 of either
 * byte order, or UTF-8. What is behind the mark goes to a spool as UTF-8, which takes the place of the input.
 *
 *     ff fe 61 00 3b 00 e9 00  ─▶  61 3b c3 a9
 *
 * Half of a pair becomes U+FFFD.
 */
#ifndef LIBPARSE_ENCODING_H
#define LIBPARSE_ENCODING_H

#include "base/input.h"

/* An input without a mark stays as it is. */
bool encoding_unwrap(struct input *input, struct error *err) WARN_UNUSED;

#endif
