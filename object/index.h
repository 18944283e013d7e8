/* SPDX-License-Identifier: MIT */
/*
 * The files a user offers for naming code: folders are searched once, archives are unpacked once into
 * a temporary file, files are looked into, and what is found is listed by what it can be asked for.
 * Sorted, so that which of two equal files is taken does not depend on the file system.
 *
 *     FOLDER/lib/libc.so.6          a file on disk
 *     a.tar.zst/lib/libc.so.6       a stretch of what was unpacked; the path is for people
 */
#ifndef OBJECT_INDEX_H
#define OBJECT_INDEX_H

#include "compress/contents.h"
#include "base/arena.h"
#include "base/build_id.h"
#include "base/vec.h"

enum index_kind {
	INDEX_ELF,
	INDEX_KALLSYMS, /* also System.map */
	INDEX_PERF_MAP,
	INDEX_JITDUMP,
};

struct index_file {
	enum index_kind kind;
	bool is_explicit; /* named by the user, rather than found in a folder */
	bool is_host;     /* INDEX_KALLSYMS: of the kernel that runs now, as are its addresses */
	bool is_packed;   /* INDEX_ELF: compressed as a whole, and not looked into */
	/* An ELF file's own, or if is_packed what its path says; of a kallsyms copy its folder's name. */
	struct build_id build_id;
	uint32_t pid;         /* INDEX_PERF_MAP; 0: the name does not tell. INDEX_JITDUMP */
	uint32_t for_pid;     /* the process of the capture that the user gave it for; 0: none */
	bool is_of_container; /* found in a folder or archive that the user said is of a container */
	struct text path;     /* NUL behind */
	bool has_no_name;     /* its path says nothing of which file it is: a manifest does */
	/* NULL: a file on disk. Else where it came from, and which stretch of that it is. */
	const struct contents *contents;
	uint64_t begin, size_bytes;
};

struct elf_file;

typedef VEC(const struct index_file *) index_order;

struct file_index {
	struct arena arena;
	VEC(struct index_file) files;
	VEC(struct text) folders; /* as the user gave them; NUL behind */
	VEC(struct text) notes;   /* for people: of what was added, what cannot be used and why */
	VEC(struct contents *) archives;
	uint32_t for_pid; /* of what is being added: see struct index_file */
	bool is_of_container;
	VEC(uint32_t) given_pids; /* processes that a perf map was given for */
	struct error refusal; /* of the first archive that is damaged or cannot be read; or none */
	size_t seen_count, seen_max; /* directory entries so far; the cap is LIMIT_INDEX_FILES */
	bool has_more_files, has_deeper_folders; /* of what is being added, not looked at */
	bool has_store;                          /* there: see object/store.h */
	/* Made by file_index_finish: ELF files by build-id and by last part of the path, perf maps and
	 * jitdumps by process; of equal ones, in the order of files. */
	index_order by_build_id, by_name, by_pid, by_module;
	index_order packed_split; /* of archives: files of split debug information */
};

/* The files something was asked for by, in the order of files. */
struct index_run {
	const struct index_file *const *at;
	size_t count;
};

void file_index_init(struct file_index *index);
void file_index_deinit(struct file_index *index);

/* Adds a folder and all in it, an archive and all in it, or a file, which may be compressed; false when
 * there is nothing to be read at path. */
bool file_index_add(struct file_index *index, const char *path);

/* The same for what the user gave for one process of the capture: a file is its perf map or jitdump, and
 * a folder the root file system, or a copy of /tmp, of the container it is in; with pid 0 of a
 * container of any. Links in such a folder are not followed: they were made for another root. */
bool file_index_add_for(struct file_index *index, uint32_t pid, const char *path);

/* Adds the files of an archive that was unpacked already, and outlives the index. has_names: which
 * file is which may be told by their paths. */
void file_index_add_contents(struct file_index *index, const char *path,
			     const struct contents *contents, bool has_names);

/* For index_archive.c: adds what at path is an archive or compressed, false when it is not or cannot be
 * read; a file of which fd has the bytes, if it names anything; FOLDER/NAME. */
bool file_index_add_wrapped(struct file_index *index, struct text path);
void file_index_look_into(struct file_index *index, struct index_file *file, int fd);
struct text file_index_join(struct file_index *index, struct text folder, struct text name);

/* After the last addition, before the first question. */
void file_index_finish(struct file_index *index);

/* A descriptor of its own with the bytes of the file, from the first on, or -1 with the error. */
int index_file_open(const struct index_file *file, struct error *err) WARN_UNUSED;

/* The same for a file that is ELF, which is read where it is. */
bool index_file_open_elf(const struct index_file *file, struct elf_file *elf,
			 struct error *err) WARN_UNUSED;

/* Whether two have the same bytes; false too when one cannot be read. */
bool index_file_is_equal(const struct index_file *file, const struct index_file *other);

/* ELF files whose build-id may be this one (build_id_equal tells), or that are called name. */
struct index_run file_index_find_build_id(const struct file_index *index,
					  const struct build_id *id);
struct index_run file_index_find_name(const struct file_index *index, struct text name);

/* Files of a kernel module: "nf_conntrack" finds nf-conntrack.ko and nf-conntrack.ko.xz. */
struct index_run file_index_find_module(const struct file_index *index, struct text name);

/* The folder of the user's that this path, of a file of the index, is in; at NULL: it was named. */
struct text file_index_folder_of(const struct file_index *index, struct text path);

/* Whether the user gave a perf map for process pid of the capture. */
bool file_index_has_map_for(const struct file_index *index, uint32_t pid);

/* Perf maps by the number in their names; 0: those whose name does not tell whose they are. One that
 * was given for a process as a file has that number, whatever it is called. */
struct index_run file_index_find_pid(const struct file_index *index, uint32_t pid);

/* The perf map that the user named, when it is the only one there is; else none. */
struct index_run file_index_find_only_map(const struct file_index *index);

/* Jitdumps that a process wrote which calls itself pid. */
struct index_run file_index_find_jitdump(const struct file_index *index, uint32_t pid);

#endif
