/* SPDX-License-Identifier: MIT */
/*
 * The first pass over the records: sends everything but samples as events, decompresses compressed records into the
 * spool, and cuts both into slices for the second pass.
 *
 *     offsets   0 ............. size of the input | size ............ + size of the spool
 *               records of the file                 records that were compressed in it
 */
#ifndef LIBPARSE_PERF_STATE_PASS_H
#define LIBPARSE_PERF_STATE_PASS_H

#include "libparse/perf/perf_reader.h"

/* Fills capture->slices. False only if reading failed. A corrupt record ends the pass, is a loss event, and is noted in
 * capture->damage. */
bool state_pass_run(struct capture *capture, const struct event_sink *sink,
		    struct error *err) WARN_UNUSED;

#endif
