/* SPDX-License-Identifier: MIT */
/*
 * Merged profiles, which kiln merge writes, as an input format.
 */
#ifndef LIBPARSE_MERGED_MERGED_READER_H
#define LIBPARSE_MERGED_MERGED_READER_H

#include "libparse/formats.h"

extern const struct input_format merged_format;

#endif
