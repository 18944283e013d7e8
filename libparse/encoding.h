/* SPDX-License-Identifier: MIT */
/*
 * Handles text with a byte order mark, as written by PowerShell: UTF-16 in either byte order, or
 * UTF-8. The text is converted to UTF-8 in a temporary file, which replaces the input.
 *
 *     ff fe 61 00 3b 00 e9 00  ─▶  61 3b c3 a9
 *
 * Unpaired surrogates become U+FFFD.
 */
#ifndef LIBPARSE_ENCODING_H
#define LIBPARSE_ENCODING_H

#include "base/input.h"

/* Converts the input if it has a byte order mark. Other inputs stay unchanged. */
bool encoding_unwrap(struct input *input, struct error *err) WARN_UNUSED;

#endif
