/* SPDX-License-Identifier: MIT */
/* Reads the small files that options name. */
#ifndef CLI_TEXT_FILE_H
#define CLI_TEXT_FILE_H

#include "base/sink.h"

/* Appends the file, or standard input for "-", to the sink. Large files are an error. */
bool text_file_read(const char *path, struct sink *ret, struct error *err) WARN_UNUSED;

#endif
