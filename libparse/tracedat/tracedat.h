/* SPDX-License-Identifier: MIT */
/* The format of trace-cmd's binary captures; its layout is in libparse/tracedat/trace_dat.h. */
#ifndef LIBPARSE_TRACEDAT_TRACEDAT_H
#define LIBPARSE_TRACEDAT_TRACEDAT_H

#include "libparse/formats.h"

extern const struct input_format trace_dat_format;

#endif
