/* SPDX-License-Identifier: MIT */
/* Small files that options name, as a whole. */
#ifndef CLI_TEXT_FILE_H
#define CLI_TEXT_FILE_H

#include "base/sink.h"

/* Appends the file, "-" for standard input, to the sink. False: it cannot be read, or is no small one. */
bool text_file_read(const char *path, struct sink *ret, struct error *err) WARN_UNUSED;

#endif
