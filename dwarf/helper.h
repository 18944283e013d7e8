/* SPDX-License-Identifier: MIT */
/*
 * Workers (sandbox/service.h) read debug information, one worker for each file, because libdw is
 * not safe with hostile files. A worker decompresses sections at once, before it gets the request.
 * A worker can read only the files that kiln sends:
 *
 *     kiln ─▶ worker    ELF file, dwz file, archives; later addresses and places of split files
 *     worker ─▶ kiln    which .dwo or .dwp to open; at the end the table
 */
#ifndef DWARF_HELPER_H
#define DWARF_HELPER_H

#include "dwarf/inline_table.h"
#include "sandbox/service.h"

/*
 * The start of a kernel module's code in its relocated debug information, as in
 * object/module_layout.h. The start must not be 0, which marks discarded code.
 */
#define DWARF_MODULE_START 0x1000u

/* The open files of one reader. */
struct dwarf_files {
	int fd;        /* descriptor of the ELF file with debug information */
	int shared_fd; /* descriptor of the dwz file; -1 if there is none */
	const int *archive_fds;
	size_t archive_count; /* number of archives, at most DWARF_ARCHIVES_MAX */
	bool wants_lines;
};

struct dwarf_request {
	const uint64_t *addresses; /* ascending */
	size_t address_count;
	/*
	 * Where split debug information may be: NUL-terminated texts whose first byte is the kind.
	 * R: a directory from --symbols; H: the whole file system; B: the package beside the
	 * program's file; P: the recorded path of the program, which is not a place to read from;
	 * "ADESCRIPTOR:BEGIN:SIZE:NAME": a byte range of archive_fds[DESCRIPTOR].
	 */
	struct text places;
	/* Steps that the reader may take in addition to the file's own (dwarf/reading_budget.h). */
	uint64_t reserve_steps;
};

/* Opens files with split debug information, because a worker cannot open files itself. */
struct dwarf_opener {
	/*
	 * Returns a descriptor that the caller closes, or -1. offer: the place that the worker
	 * named; check it against the request's places. path: the path in that place.
	 */
	int (*open)(void *context, const char *offer, const char *path);
	void *context;
};

/* The maximum number of archives of one reader. */
#define DWARF_ARCHIVES_MAX 16

/* The kind of job that a service must support in order to read debug information. */
extern const struct service_kind dwarf_service_kind;

/* Whether kiln was built with libdw. */
bool dwarf_helper_is_built_in(void);

/* A running reader. Send a request and receive the answer, or cancel the reader. */
struct dwarf_reading {
	struct service_call call;
	uint64_t drawn_steps; /* steps drawn from the reserve, according to the answer */
};

/* Starts a reader, which opens and decompresses the files. After the call, the caller may close the
 * descriptors in files. Thread-safe. */
bool dwarf_helper_begin(const struct service *service, const struct dwarf_files *files,
			struct dwarf_reading *ret, struct error *err) WARN_UNUSED;

/* Sends the request, which is not needed afterwards. */
void dwarf_reading_send(struct dwarf_reading *reading, const struct dwarf_request *request);

/*
 * Waits for the answer, fills an empty table, and ends the reading. The table covers every function
 * that contains one of the addresses, from its start to its end. If opener is NULL, no files are
 * opened. Appends the files of split units to split_files, unless split_files is NULL. Each file
 * consists of the offer and the path, both NUL-terminated (dwarf/split_paths.h).
 */
bool dwarf_reading_receive(struct dwarf_reading *reading, const struct dwarf_opener *opener,
			   struct inline_table *table, byte_list *split_files,
			   struct error *err) WARN_UNUSED;

void dwarf_reading_cancel(struct dwarf_reading *reading);

#endif
