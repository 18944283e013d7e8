/* SPDX-License-Identifier: MIT */
/*
 * The first pass over the records of a perf.data: every record but samples is told, compressed ones
 * are decompressed into the spool, and both are cut into slices for the second pass.
 *
 *     offsets   0 ............. size of the input | size ............ + size of the spool
 *               records of the file                 records that were compressed in it
 */
#ifndef LIBPARSE_PERF_STATE_PASS_H
#define LIBPARSE_PERF_STATE_PASS_H

#include "libparse/perf/perf_reader.h"

/*
 * Fills capture->slices. False only when reading failed; whatever is wrong with the records ends
 * the pass, is told as a loss and noted in capture->damage.
 */
bool state_pass_run(struct capture *capture, const struct event_sink *sink,
		    struct error *err) WARN_UNUSED;

#endif
