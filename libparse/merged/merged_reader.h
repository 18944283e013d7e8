/* SPDX-License-Identifier: MIT */
/*
 * Merged profiles, which kiln merge writes, as an input of every command.
 */
#ifndef LIBPARSE_MERGED_MERGED_READER_H
#define LIBPARSE_MERGED_MERGED_READER_H

#include "libparse/formats.h"
#include "libparse/merged/merged_file.h"

extern const struct input_format merged_format;

/* The file of an open capture of this format. */
const struct merged_file *merged_reader_file(const struct capture *capture);

#endif
