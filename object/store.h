/* SPDX-License-Identifier: MIT */
/*
 * Symbol stores: folders in which the path of a file is made of its build-id. They are not searched, however
 * large: the few paths a file can have are looked at. A file may be compressed as a whole, and its
 * name then ends in .zst, .gz or .xz.
 *
 *     DIR/buildid/ABCDEF/{executable,debuginfo}     what debuginfod servers serve
 *     DIR/ABCDEF/{executable,debuginfo}             the cache of debuginfod's clients
 *     DIR/.build-id/ab/cdef{,.debug}                debug packages of distributions, GDB
 *     DIR/.build-id/ab/cdef/{elf,debug,vdso}        the cache of perf
 *
 * The path is a claim: whether the file has that build-id is decided by who opens it.
 */
#ifndef OBJECT_STORE_H
#define OBJECT_STORE_H

#include "object/locate.h"

/*
 * Adds the files that the store in folder has of this build-id. Where the folder has such a store, but not
 * the file, adds the path at which it is missing. What is added is in arena.
 */
void store_locate(const char *folder, const struct build_id *id, struct arena *arena,
		  struct located_list *list);

/* Whether path is a folder of the store in folder, of which all that matters is found by store_locate. */
bool store_covers(const char *folder, struct text path);

#endif
