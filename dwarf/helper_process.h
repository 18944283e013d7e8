/* SPDX-License-Identifier: MIT */
/*
 * The other end of dwarf/helper.h: what the processes do, and what goes through the sockets. A
 * request comes with descriptors: of the socket for the answer, the file, the archives, and perhaps what
 * the file shares. Through that socket comes the question, when it is known, and goes the answer:
 *
 *     question   header | addresses | places
 *     answer     kind | size of split files | split files | table | trailer        or
 *                kind | what is wrong | trailer
 */
#ifndef DWARF_HELPER_PROCESS_H
#define DWARF_HELPER_PROCESS_H

#include <stdint.h>

#include "dwarf/helper.h"

#define HELPER_FILES_MAX   (3 + DWARF_ARCHIVES_MAX)
#define HELPER_CHUNK_BYTES 65536u

struct helper_request {
	uint8_t archive_count;
	bool wants_lines;
};

struct helper_question_header {
	uint64_t address_count;
	uint64_t places_bytes;
};

enum helper_answer_kind {
	HELPER_ANSWER_TABLE,
	HELPER_ANSWER_ERROR,
};

/* From the server: how the reader ended, as waitpid has it. */
struct helper_trailer {
	int32_t status;
};

/* The server: answers requests until the socket ends. */
void helper_process_serve(int socket) NORETURN;

#endif
