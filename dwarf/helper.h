/* SPDX-License-Identifier: MIT */
/*
 * Debug information is read in one child process for each file. If a hostile file hangs or crashes its reader, only
 * the names of that file are lost.
 *
 *     kiln ──fork── server ──fork── reader (libdw; limited memory and time)
 *      │  file and socket │ exit status of the reader │ table
 *      └──────────────────┘◀──────────────────────────┘
 *
 * A reader decompresses sections at once, before it gets the request. The server is forked while kiln has one
 * thread and little memory; it only forks and waits. All children end with kiln.
 */
#ifndef DWARF_HELPER_H
#define DWARF_HELPER_H

#include <sys/types.h>

#include "dwarf/inline_table.h"

struct dwarf_helper {
	int socket; /* -1: no server */
	pid_t pid;
};

/* The start of a kernel module's code in its relocated debug information, as in object/module_layout.h. Not 0, which
 * marks discarded code. */
#define DWARF_MODULE_START 0x1000u

/* The open files of one reader. */
struct dwarf_files {
	int fd;        /* of the ELF file with debug information */
	int shared_fd; /* of its dwz file; -1: none */
	const int *archive_fds;
	size_t archive_count; /* at most DWARF_ARCHIVES_MAX */
	bool wants_lines;
};

struct dwarf_request {
	const uint64_t *addresses; /* ascending */
	size_t address_count;
	/* Where split debug information may be: NUL-terminated texts whose first byte is the kind. R: a folder of
	 * the user's; H: the whole file system; P: the recorded path of the program, not a place itself;
	 * "ADESCRIPTOR:BEGIN:SIZE:NAME": a byte range of archive_fds[DESCRIPTOR]. */
	struct text places;
};

/* The most archives of one reader. */
#define DWARF_ARCHIVES_MAX 16

/* Starts the server. Call it while there is one thread. Does nothing without libdw. */
void dwarf_helper_start(struct dwarf_helper *helper);

/* Ends the server and its readers. */
void dwarf_helper_stop(struct dwarf_helper *helper);

/* Whether kiln was built with libdw. */
bool dwarf_helper_is_built_in(void);

/* A running reader. Send it a request and receive the answer, or cancel it. */
struct dwarf_reading {
	int socket;
	int64_t deadline_ms;
};

/* Starts a reader, which opens and decompresses the files. The caller may close its descriptors. Thread-safe. */
bool dwarf_helper_begin(const struct dwarf_helper *helper, const struct dwarf_files *files,
			struct dwarf_reading *ret, struct error *err) WARN_UNUSED;

/* Sends the request, which is not needed afterwards. */
void dwarf_reading_send(struct dwarf_reading *reading, const struct dwarf_request *request);

/*
 * Waits for the answer, fills an empty table, and ends the reading. The table covers the whole functions of the
 * addresses. Appends the files of split units to split_files, which may be NULL: for each the offer and the path,
 * NUL-terminated (dwarf/split_paths.h).
 */
bool dwarf_reading_receive(struct dwarf_reading *reading, struct inline_table *table,
			   byte_list *split_files, struct error *err) WARN_UNUSED;

void dwarf_reading_cancel(struct dwarf_reading *reading);

#endif
