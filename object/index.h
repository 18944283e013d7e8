/* SPDX-License-Identifier: MIT */
/*
 * The files a user offers for naming code: folders are searched once, files are looked into, and
 * what is found is listed by what it can be asked for. Sorted, so that which of two equal files
 * is taken does not depend on the file system.
 */
#ifndef OBJECT_INDEX_H
#define OBJECT_INDEX_H

#include "base/arena.h"
#include "base/build_id.h"
#include "base/vec.h"

enum index_kind {
	INDEX_ELF,
	INDEX_KALLSYMS, /* also System.map */
	INDEX_PERF_MAP,
};

struct index_file {
	enum index_kind kind;
	bool is_explicit;         /* named by the user, rather than found in a folder */
	struct build_id build_id; /* an ELF file's own; of a kallsyms copy, its folder's name */
	uint32_t pid;             /* INDEX_PERF_MAP; 0: the name does not tell */
	struct text path;         /* NUL behind */
};

struct file_index {
	struct arena arena;
	VEC(struct index_file) files;
	VEC(struct text) folders; /* as the user gave them; NUL behind */
	size_t seen_count;        /* directory entries so far, against LIMIT_INDEX_FILES */
};

void file_index_init(struct file_index *index);
void file_index_deinit(struct file_index *index);

/* Adds a folder and all in it, or a file; false when there is nothing to be read at path. */
bool file_index_add(struct file_index *index, const char *path);

#endif
