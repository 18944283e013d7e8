/* SPDX-License-Identifier: MIT */
/*
 * pprof profiles (profile.proto), which Go's runtime, gperftools' pprof, kiln export and others
 * write, usually compressed by gzip.
 *
 *     sample     locations 3 5 1, the leaf first; values 2, 20000000; labels
 *     location   5: mapping 1, lines: scan (inlined into), parse
 *     types      samples, in count; cpu, in nanoseconds: each is an event
 */
#ifndef LIBPARSE_PPROF_PPROF_READER_H
#define LIBPARSE_PPROF_PPROF_READER_H

#include "libparse/formats.h"

extern const struct input_format pprof_format;

#endif
