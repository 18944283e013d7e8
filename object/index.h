/* SPDX-License-Identifier: MIT */
/*
 * The symbol files that a user offers (--symbols). Each directory is searched once. Each archive is
 * extracted once, to a temporary file. Each file is identified. Files are found by build-id, name
 * or PID. The files are sorted, so the choice among equal files does not depend on the file system.
 *
 *     DIRECTORY/lib/libc.so.6          a file on disk
 *     a.tar.zst/lib/libc.so.6       a range of the extracted archive; the path is for messages
 */
#ifndef OBJECT_INDEX_H
#define OBJECT_INDEX_H

#include "base/arena.h"
#include "base/build_id.h"
#include "base/vec.h"
#include "compress/contents.h"

enum index_kind {
	INDEX_ELF,
	INDEX_KALLSYMS, /* or System.map */
	INDEX_PERF_MAP,
	INDEX_JITDUMP,
};

struct index_file {
	enum index_kind kind;
	bool is_explicit; /* named by the user, not found in a directory */
	bool is_host;     /* INDEX_KALLSYMS: symbols of the running kernel */
	/* INDEX_ELF: the file is compressed as a whole, and has not been opened yet */
	bool is_compressed;
	/*
	 * If is_compressed is set, the build-id comes from the path. For a copy of kallsyms, the
	 * build-id comes from the name of the file's directory.
	 */
	struct build_id build_id;
	uint32_t pid; /* PID of an INDEX_PERF_MAP (0 if its name has no PID) or an INDEX_JITDUMP */
	uint32_t for_pid; /* the process for which the user gave the file (PID=FILE); 0 if none */
	/* the file is in a directory or archive of a container (container=DIRECTORY) */
	bool is_of_container;
	struct text path; /* followed by a NUL */
	bool has_no_name; /* the path is meaningless, because a manifest identifies the file */
	/* The archive, and the file's range in the archive; NULL if the file is on disk. */
	const struct contents *contents;
	uint64_t begin, size_bytes;
};

struct elf_file;

typedef VEC(const struct index_file *) index_order;

struct file_index {
	struct arena arena;
	/* for archives, see struct input; must be set before archives are added */
	struct temporary_space *space;
	VEC(struct index_file) files;
	VEC(struct text)
	directories; /* directories as the user gave them; each text is followed by a NUL */
	VEC(struct text) notes; /* messages about files that cannot be used */
	VEC(struct contents *) archives;
	uint32_t for_pid; /* for files being added: see struct index_file */
	bool is_of_container;
	VEC(uint32_t) given_pids; /* processes with a perf map from the user */
	struct error refusal;     /* the error for the first archive that cannot be read, if any */
	size_t seen_count, seen_max; /* directory entries so far; at most LIMIT_DIRECTORY_FILES */
	/* the directory being added has more files, or deeper directories, that were not searched */
	bool has_more_files, has_deeper_directories;
	bool has_store; /* the added directory is a symbol store: object/store.h */
	/*
	 * Made by file_index_finish. Orders ELF files by build-id, by base name and by module.
	 * Orders perf maps and jitdumps by PID. Files with equal keys are in the order of `files`.
	 */
	index_order by_build_id, by_name, by_pid, by_module;
	index_order archived_split; /* split debug information in archives */
};

/* The result of a query, in the order of files. */
struct index_matches {
	const struct index_file *const *at;
	size_t count;
};

void file_index_init(struct file_index *index);
void file_index_deinit(struct file_index *index);

/*
 * Adds a file, possibly compressed, or the contents of a directory or an archive. Returns false if
 * path cannot be read.
 */
bool file_index_add(struct file_index *index, const char *path);

/*
 * Like file_index_add, for files of one process. path: the process's perf map or jitdump, or a
 * directory of its container (the root directory, or a copy of /tmp). pid 0: the container of any
 * process. Links in such a directory are not followed, because they refer to a different root.
 */
bool file_index_add_for(struct file_index *index, uint32_t pid, const char *path);

/*
 * Adds the files of an extracted archive, which is borrowed. has_names: whether the paths of the
 * files may identify them.
 */
void file_index_add_contents(struct file_index *index, const char *path,
			     const struct contents *contents, bool has_names);

/*
 * Only index.c and index_archive.c call these functions. file_index_add_compressed adds an archive
 * or a compressed file. file_index_add_compressed returns false if path is neither.
 */
bool file_index_add_compressed(struct file_index *index, struct text path);
void file_index_add_contents_of(struct file_index *index, struct index_file *file, int fd);
struct text file_index_join(struct file_index *index, struct text directory, struct text name);

/* Must be called after the last addition and before the first query. */
void file_index_finish(struct file_index *index);

/* A new descriptor with the contents of the file, at offset 0, or -1 with the error. */
int index_file_open(const struct index_file *file, struct error *err) WARN_UNUSED;

/* Opens an ELF file without copying it. */
bool index_file_open_elf(const struct index_file *file, struct elf_file *elf,
			 struct error *err) WARN_UNUSED;

/* Whether two files have the same contents. Returns false if one of the files cannot be read. */
bool index_file_is_equal(const struct index_file *file, const struct index_file *other);

/*
 * Returns ELF files whose build-id may be `id` (check with build_id_equal), or whose base name is
 * `name`.
 */
struct index_matches file_index_find_build_id(const struct file_index *index,
					      const struct build_id *id);
struct index_matches file_index_find_name(const struct file_index *index, struct text name);

/* The files of a kernel module: nf-conntrack.ko and nf-conntrack.ko.xz for "nf_conntrack". */
struct index_matches file_index_find_module(const struct file_index *index, struct text name);

/*
 * The directory from --symbols in which a path was found. .at is NULL if the user named the file
 * itself.
 */
struct text file_index_directory_of(const struct file_index *index, struct text path);

/* Whether the user gave a bundle. Its manifest is not used, because it is about its own capture. */
bool file_index_has_bundle(const struct file_index *index);

/* Whether the user gave a perf map for process pid. */
bool file_index_has_map_for(const struct file_index *index, uint32_t pid);

/*
 * The perf maps with this PID in their names; pid 0: the perf maps without a PID. A map given for a
 * process (PID=FILE) is found under that PID.
 */
struct index_matches file_index_find_pid(const struct file_index *index, uint32_t pid);

/* The perf map that the user named, if it is the only one. */
struct index_matches file_index_find_only_map(const struct file_index *index);

/* Jitdumps of a process that has pid in its own PID namespace. */
struct index_matches file_index_find_jitdump(const struct file_index *index, uint32_t pid);

#endif
