/* SPDX-License-Identifier: MIT */
/*
 * Determines when files were mapped, in wall-clock time. A file that was modified after that is not
 * the file that ran. If the capture's clock cannot be converted, an upper bound is computed. The
 * bound follows from the modification time of the capture, because recording ended at this time or
 * earlier:
 *
 *     mapped  <=  capture written  -  (last record - mapping record)
 */
#ifndef PROCESS_MAPPING_TIME_H
#define PROCESS_MAPPING_TIME_H

#include "process/module.h"
#include "process/wall_clock.h"

struct recording_time {
	const struct wall_clock *clock;
	uint64_t first_ns,
		last_ns;    /* times of the capture's records, by its own clock; 0 if unknown */
	int64_t written_ns; /* modification time of the capture, since 1970; 0 if unknown */
};

/* Sets mapped_wall_ns of every module. */
void mapping_time_set(struct modules *modules, const struct recording_time *recording);

#endif
