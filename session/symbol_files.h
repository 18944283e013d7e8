/* SPDX-License-Identifier: MIT */
/*
 * Finds the symbol files for a session: those that the user specifies, those in the capture's
 * archive or bundle and, if the capture is from this machine, those of the host.
 */
#ifndef SESSION_SYMBOL_FILES_H
#define SESSION_SYMBOL_FILES_H

#include "session/session.h"

/*
 * The argument of --symbols:
 *
 *     PATH                  files for any module that they match
 *     5862=FILE             the perf map or jitdump of process 5862 of the capture
 *     5862=DIRECTORY        the root file system of the container of process 5862, or a copy of its /tmp
 *     container=DIRECTORY   the same, for a container whose processes are found by the addresses in its maps
 *
 * For a path that looks like one of the last three, the user writes ./5862=FILE.
 */
struct symbol_path {
	const char *path; /* borrowed from the text */
	uint32_t pid;     /* 0 means any process */
	bool is_container;
};

struct symbol_path symbol_path_parse(const char *text);

/* Indexes the files and finds jitdumps. Must be called after session->state has been read. */
void symbol_files_find(struct session *session);

/* Returns the options for symbolisation, which point into the session. */
struct symbolise_options symbol_files_options(struct session *session);

/*
 * Adds a location in each module, so that symbol files are searched even for modules without
 * frames.
 */
void symbol_files_touch_all(struct session *session);

/*
 * Writes the name as in a perf.data profile: demangled, and without hash, compiler suffix, version
 * and arguments. If the name is not mangled, returns false and writes nothing.
 */
bool demangle_name(struct sink *sink, struct text name);

#endif
