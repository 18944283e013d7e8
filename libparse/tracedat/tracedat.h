/* SPDX-License-Identifier: MIT */
/* The format of trace-cmd's binary captures. libparse/tracedat/trace_dat.h describes its layout. */
#ifndef LIBPARSE_TRACEDAT_TRACEDAT_H
#define LIBPARSE_TRACEDAT_TRACEDAT_H

#include "libparse/formats.h"

extern const struct input_format trace_dat_format;

#endif
