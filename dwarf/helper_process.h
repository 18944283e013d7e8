/* SPDX-License-Identifier: MIT */
/*
 * The processes behind dwarf/helper.h, and their protocol. A job comes with descriptors: of the socket for the
 * answer, of the file, the archives, and the dwz file. The request and the answer go through that socket:
 *
 *     request    header | addresses | places
 *     answer     kind | size of split files | split files | table | trailer        or
 *                kind | error text | trailer
 */
#ifndef DWARF_HELPER_PROCESS_H
#define DWARF_HELPER_PROCESS_H

#include <stdint.h>

#include "dwarf/helper.h"

/* Wall-clock time of a process that reads debug information: first to decompress the file, then
 * again to answer. Disks and networks may be slow. */
#define LIMIT_DWARF_WALL_SECONDS 120u

#define HELPER_FILES_MAX   (3 + DWARF_ARCHIVES_MAX)
#define HELPER_CHUNK_BYTES 65536u

struct helper_job {
	uint8_t archive_count;
	bool wants_lines;
};

struct helper_request_header {
	uint64_t address_count;
	uint64_t places_bytes;
};

enum helper_answer_kind {
	HELPER_ANSWER_TABLE,
	HELPER_ANSWER_ERROR,
};

/* Sent by the server: the reader's status from waitpid(). */
struct helper_trailer {
	int32_t status;
};

/* The server: starts a reader for each job until the socket is closed. */
void helper_process_serve(int socket) NORETURN;

#endif
