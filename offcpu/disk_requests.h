/* SPDX-License-Identifier: MIT */
/*
 * Finds disk requests, from block:block_rq_issue to block:block_rq_complete of the same device and
 * sector. A wait ends with a request if the interrupt that completes the request also wakes the
 * thread:
 *
 *     cpu 0   12 issues a request ─ 12 blocks
 *     cpu 1                              interrupt: completes the request, wakes 12
 *                        └─ request ─────┘
 */
#ifndef OFFCPU_DISK_REQUESTS_H
#define OFFCPU_DISK_REQUESTS_H

#include "base/idtable.h"
#include "offcpu/pairing_rows.h"

struct disk_request {
	uint64_t issue_ns, complete_ns;
	uint32_t row; /* row of its completion */
};

struct disk_issue {
	uint64_t key, time_ns; /* key: device and sector */
	bool is_open;
};

struct disk_requests {
	VEC(struct disk_request) completed; /* in order of completion */
	VEC(struct disk_issue) issues;      /* the last issue of each sector */
	struct idtable table;
};

/* rows are sorted by time. */
void disk_requests_init(struct disk_requests *requests, const struct pairing_row *rows,
			size_t count);
void disk_requests_deinit(struct disk_requests *requests);

/* Returns the request whose completion caused the wake-up in this row, or NULL. */
const struct disk_request *disk_requests_of_wake(const struct disk_requests *requests,
						 const struct pairing_row *rows, uint32_t wake);

#endif
