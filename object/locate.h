/* SPDX-License-Identifier: MIT */
/*
 * Lists candidates for a file that a capture refers to, in the order in which to try them. The
 * caller opens the candidates and decides whether they match.
 *
 *     by build-id    files from --symbols, perf's cache, /usr/lib/debug
 *     by path        the recorded path below a directory from --symbols, and on this machine, first as the process
 *                    sees it
 *     by name        files from --symbols with the same base name
 */
#ifndef OBJECT_LOCATE_H
#define OBJECT_LOCATE_H

#include "base/error.h"
#include "object/elf.h"
#include "object/index.h"

enum located_how {
	LOCATED_BY_BUILD_ID,
	LOCATED_IN_DIRECTORY, /* the recorded path below root */
	LOCATED_LIVE,         /* the recorded path on this machine */
	LOCATED_BY_NAME,
	LOCATED_BY_LINK,   /* another file refers to this file */
	LOCATED_BY_BUNDLE, /* identified by a bundle's manifest */
};

struct located {
	enum located_how how;
	/* The directory from --symbols that contains path; or /proc/PID/root; or NULL. */
	const char *root;
	uint32_t root_pid; /* the process with this root; 0 if not the root of a process */
	const char *path;
	const struct index_file *file; /* a file in the index; or NULL */
	bool is_recorded;              /* opened by file_open_recorded */
};

struct host_roots;

struct located_list {
	VEC(struct located) rows;
};

struct locator {
	const struct file_index *index; /* finished */
	const char *build_id_cache;     /* NULL if there is no cache */
	bool uses_host;                 /* use this machine's files */
	/* Processes that started after this time are not in the capture. 0 if unknown. */
	int64_t capture_time_s;
	const struct host_roots *roots; /* see object/host_process.h */
};

/* A link from one file to another. */
struct locate_link {
	const struct located *from; /* the file with the link */
	struct text captured_path;  /* the recorded path of that file; empty if unknown */
	struct text name;           /* name of a separate debug file, or path of a supplement */
};

struct locate_query {
	struct text path; /* the recorded path; empty if the file is known only by its build-id */
	struct build_id build_id;
	/*
	 * Processes that map the file. If one of these processes is still running, and its root or
	 * mount namespace differs from kiln's, the path is resolved there. 0 if unknown.
	 */
	uint32_t pids[2];
	/*
	 * The kernel recorded the path. perf itself finds the paths of kernel modules, and these
	 * paths may be links.
	 */
	bool is_recorded;
};

/* Adds candidates to list. The candidates live in arena, or are borrowed from the locator. */
void locate_objects(const struct locator *locator, const struct locate_query *query,
		    struct arena *arena, struct located_list *list);

/*
 * Adds candidates for a separate debug file, by name. Such candidates are next to the file with the
 * link, in .debug below its directory, at the same places next to the recorded path, below the
 * debug roots, and among the files from --symbols.
 */
void locate_debug_file(const struct locator *locator, const struct locate_link *link,
		       struct arena *arena, struct located_list *list);

/*
 * Adds candidates for a supplementary dwz file. The path can be relative to the debug file, or to
 * the recorded path if that file was recorded.
 */
void locate_supplement(const struct locator *locator, const struct locate_link *link,
		       struct arena *arena, struct located_list *list);

/* The path of a file ("elf", "kallsyms") in perf's cache. Returns NULL if there is no cache. */
const char *locate_in_cache(const struct locator *locator, const struct build_id *id,
			    const char *name, struct arena *arena);

/* Returns the path without the kernel's " (deleted)". */
struct text locate_original_path(struct text path);

/* Whether path contains a ".." component. */
bool locate_has_parent(struct text path);

/* A candidate from the index. */
struct located located_offered(enum located_how how, const struct index_file *file);

/*
 * Opens a candidate like file_open_captured, file_open_beneath or file_open_recorded. Returns false
 * if the candidate cannot be opened, or if it is not an ELF file. *is_there becomes true if the
 * file exists.
 */
bool located_open(const struct locator *locator, const struct located *located,
		  struct elf_file *elf, bool *is_there, struct error *err) WARN_UNUSED;

#endif
