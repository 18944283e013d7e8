/* SPDX-License-Identifier: MIT */
/* The format of `perf report --stdio`: call graphs, as people paste them in tickets. */
#ifndef LIBPARSE_PERF_REPORT_PERF_REPORT_H
#define LIBPARSE_PERF_REPORT_PERF_REPORT_H

#include "libparse/formats.h"

extern const struct input_format perf_report_format;

#endif
