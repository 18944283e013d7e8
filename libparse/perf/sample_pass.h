/* SPDX-License-Identifier: MIT */
/*
 * The second pass over the records, from the file or out of compressed ones: samples alone, slice by slice,
 * and as many slices at once as there are threads. What the first pass has made of the capture is only read.
 */
#ifndef LIBPARSE_PERF_SAMPLE_PASS_H
#define LIBPARSE_PERF_SAMPLE_PASS_H

#include "libparse/formats.h"

/* Sends the samples of one slice. False: it could not be read, or is no longer what it was. */
bool sample_pass_run(const struct capture *capture, struct slice slice,
		     const struct event_sink *sink, struct error *err) WARN_UNUSED;

#endif
