/* SPDX-License-Identifier: MIT */
/*
 * The worker process that serves dwarf/helper.h, and its protocol. The job has the descriptors of
 * the file, the archives, and the dwz file. The request and the answer:
 *
 *     request    header | addresses | places
 *     answer     kind | drawn steps | size of split files | split files | table        or
 *                kind | error text
 */
#ifndef DWARF_HELPER_PROCESS_H
#define DWARF_HELPER_PROCESS_H

#include <stdint.h>

#include "dwarf/helper.h"

/*
 * Maximum wall-clock time of a process that reads debug information. Decompressing the file may
 * take this long, and so may the answer. Disks and networks may be slow.
 */
#define LIMIT_DWARF_WALL_SECONDS 120u

#define HELPER_FILES_MAX (2 + DWARF_ARCHIVES_MAX)
_Static_assert(HELPER_FILES_MAX <= SERVICE_FILES_MAX, "a job has room for all files");

struct helper_job {
	uint8_t archive_count;
	bool wants_lines;
};

struct helper_request_header {
	uint64_t address_count;
	uint64_t places_bytes;
	uint64_t reserve_steps;
};

enum helper_answer_kind {
	HELPER_ANSWER_TABLE,
	HELPER_ANSWER_ERROR,
};

/* Runs in the worker. */
void helper_process_run(const struct service_job *job);

#endif
