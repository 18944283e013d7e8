/* SPDX-License-Identifier: MIT */
/*
 * When files were mapped, by the clock of their own times: a file that was written later is not what ran. The
 * capture's clock is another one. Where nothing relates the two, the capture was written at the end of the
 * recording or later, so a mapping was made no later than
 *
 *     when it was written  -  from the mapping to the last record
 */
#ifndef PROCESS_MAPPING_TIME_H
#define PROCESS_MAPPING_TIME_H

#include "process/module.h"
#include "process/wall_clock.h"

struct recording_time {
	const struct wall_clock *clock;
	uint64_t first_ns, last_ns; /* of its records, by the capture's clock; 0: unknown */
	int64_t written_ns;         /* the capture, since the epoch; 0: unknown */
};

/* Fills mapped_wall_ns of every module. */
void mapping_time_place(struct modules *modules, const struct recording_time *recording);

#endif
