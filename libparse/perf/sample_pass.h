/* SPDX-License-Identifier: MIT */
/* The second pass over the records: samples only, one slice at a time, from any thread. */
#ifndef LIBPARSE_PERF_SAMPLE_PASS_H
#define LIBPARSE_PERF_SAMPLE_PASS_H

#include "libparse/formats.h"

/* Sends the samples of a slice. False: it could not be read, or has changed since the first pass. */
bool sample_pass_run(const struct capture *capture, struct slice slice,
		     const struct event_sink *sink, struct error *err) WARN_UNUSED;

#endif
