/* SPDX-License-Identifier: MIT */
/*
 * What --symbols accepts in front of a path:
 *
 *     PATH               files for anything they fit
 *     5862=FILE          the perf map or jitdump of process 5862 of the capture
 *     5862=FOLDER        the root file system, or a copy of /tmp, of the container process 5862 is in
 *     container=FOLDER   the same of a container: processes are found by the addresses in its maps
 *
 * A path that looks like this itself is written ./5862=FILE.
 */
#ifndef SESSION_SYMBOL_PATH_H
#define SESSION_SYMBOL_PATH_H

#include <stdbool.h>
#include <stdint.h>

struct symbol_path {
	const char *path; /* borrowed from the text */
	uint32_t pid;     /* 0: of no process in particular */
	bool is_container;
};

struct symbol_path symbol_path_parse(const char *text);

#endif
