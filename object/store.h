/* SPDX-License-Identifier: MIT */
/*
 * Symbol stores: folders in which the path of a file contains its build-id. They may be large and
 * are not searched; only the possible paths are tried. A file may be compressed (.zst, .gz or .xz).
 *
 *     DIR/buildid/ABCDEF/{executable,debuginfo}     served by debuginfod servers
 *     DIR/ABCDEF/{executable,debuginfo}             the cache of debuginfod's clients
 *     DIR/.build-id/ab/cdef{,.debug}                debug packages of distributions, GDB
 *     DIR/.build-id/ab/cdef/{elf,debug,vdso}        the cache of perf
 *
 * The caller must check the build-id of the file.
 */
#ifndef OBJECT_STORE_H
#define OBJECT_STORE_H

#include "object/locate.h"

/*
 * Adds the files with this build-id in the store; the candidates are in arena. If the folder is a
 * store without the file, adds the path at which it would be.
 */
void store_locate(const char *folder, const struct build_id *id, struct arena *arena,
		  struct located_list *list);

/* Whether path is a folder of the store in folder, and so covered by store_locate. */
bool store_covers(const char *folder, struct text path);

#endif
