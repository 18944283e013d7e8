/* SPDX-License-Identifier: MIT */
/* The format of event logs (libparse/log/log_heading.h). Only kiln events reads this format. */
#ifndef LIBPARSE_LOG_LOG_READER_H
#define LIBPARSE_LOG_LOG_READER_H

#include "libparse/formats.h"
#include "libparse/log/log_heading.h"

extern const struct input_format log_format;

/* The columns of a capture in this format. */
const struct log_heading *log_reader_heading(const struct capture *capture);

#endif
