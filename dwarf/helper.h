/* SPDX-License-Identifier: MIT */
/*
 * Debug information is read by processes of their own, one a file, so that a file made to hang or
 * crash its reader costs what that file would have told and nothing else:
 *
 *     kiln ──fork── server ──fork── reader (libdw; little memory, little time)
 *      │  file and socket │ how the reader ended   │ table
 *      └──────────────────┘◀──────────────────────┘
 *
 * A reader begins with unpacking, for which it need not know yet what it is to be asked.
 *
 * The server is forked while there is one thread and little memory, does nothing but fork and wait, and
 * ends when its socket does. None outlives kiln, however that ends.
 */
#ifndef DWARF_HELPER_H
#define DWARF_HELPER_H

#include <sys/types.h>

#include "dwarf/inline_table.h"

struct dwarf_helper {
	int socket; /* -1: there is none */
	pid_t pid;
};

/* The code of a kernel module begins here in its debug information, as object/module_layout.h has it: not at 0,
 * where linkers put what they drop. */
#define DWARF_MODULE_START 0x1000u

/* What one reader has open. */
struct dwarf_files {
	int fd;        /* of the ELF file with debug information */
	int shared_fd; /* of what it has in common with others (dwz); -1: nothing */
	const int *archive_fds;
	size_t archive_count; /* at most DWARF_ARCHIVES_MAX */
	bool wants_lines;
};

/* What is asked of it. */
struct dwarf_question {
	const uint64_t *addresses; /* ascending */
	size_t address_count;
	/* Where split debug information may be: texts with a NUL behind each, of which the first byte says
	 * what it is: R a folder of the user's, H all of this machine, P no place but the captured path of
	 * the program, "ADESCRIPTOR:BEGIN:SIZE:NAME" a stretch of the archive with that row. */
	struct text places;
};

/* Archives whose files may be offered to one reader. */
#define DWARF_ARCHIVES_MAX 16

/* Starts the server; to be called while there is one thread. Without libdw there is none. */
void dwarf_helper_start(struct dwarf_helper *helper);

/* Ends it, and all it has begun. */
void dwarf_helper_stop(struct dwarf_helper *helper);

/* Whether this program can read debug information at all. */
bool dwarf_helper_is_built_in(void);

/* A reader at work, which is to be asked and heard, or dropped. */
struct dwarf_reading {
	int socket;
	int64_t deadline_ms;
};

/* Has a reader open and unpack the files, of which it has copies from then on. Safe for concurrent use. */
bool dwarf_helper_begin(const struct dwarf_helper *helper, const struct dwarf_files *files,
			struct dwarf_reading *ret, struct error *err) WARN_UNUSED;

/* Nothing of the question is needed afterwards. */
void dwarf_reading_ask(struct dwarf_reading *reading, const struct dwarf_question *question);

/*
 * Waits for the answer, and fills an empty table with what the file says of the addresses; their
 * functions are covered as a whole. Appends to split_files, unless that is NULL, where files were that
 * split units were taken from: of places which, and the path there, a NUL behind each
 * (dwarf/split_places.h). Ends the reading.
 */
bool dwarf_reading_hear(struct dwarf_reading *reading, struct inline_table *table,
			byte_list *split_files, struct error *err) WARN_UNUSED;

void dwarf_reading_drop(struct dwarf_reading *reading);

#endif
