/* SPDX-License-Identifier: MIT */
/* Profiles of speedscope (JSON). */
#ifndef LIBPARSE_SPEEDSCOPE_SPEEDSCOPE_READER_H
#define LIBPARSE_SPEEDSCOPE_SPEEDSCOPE_READER_H

#include "libparse/formats.h"

extern const struct input_format speedscope_format;

#endif
