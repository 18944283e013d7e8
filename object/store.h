/* SPDX-License-Identifier: MIT */
/*
 * Symbol stores: directories in which the path of a file contains its build-id. Stores may be
 * large, so kiln does not search a store, but tries only the possible paths. A file may be
 * compressed (.zst, .gz or .xz).
 *
 *     DIR/buildid/ABCDEF/{executable,debuginfo}     served by debuginfod servers
 *     DIR/ABCDEF/{executable,debuginfo}             the cache of debuginfod's clients
 *     DIR/.build-id/ab/cdef{,.debug}                debug packages of distributions, GDB
 *     DIR/.build-id/ab/cdef/{elf,debug,vdso}        the cache of perf
 *     DIR/.build-id/ab/cdef/{executable,debuginfo}  the files of a server, as a tree of build-ids
 *     DIR/usr/lib/debug/.build-id/ab/cdef{,.debug}  the same packages, in a root directory
 *
 * The caller must check the build-id of the file.
 */
#ifndef OBJECT_STORE_H
#define OBJECT_STORE_H

#include "object/locate.h"

/*
 * Adds the store's files with this build-id to the list; candidates live in arena. If the store has
 * the layout of servers and lacks the file, adds the path where the file should be.
 */
void store_locate(const char *directory, const struct build_id *id, struct arena *arena,
		  struct located_list *list);

/* Whether path is a directory DIR/buildid/ABCDEF, which store_locate tries. */
bool store_covers(const char *directory, struct text path);

#endif
