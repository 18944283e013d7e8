/* SPDX-License-Identifier: MIT */
/*
 * Gives names to locations. Each module with sampled locations is looked up once. A symbol source
 * (one row of the table in symbolise.c) finds the module's symbol file and reads it into a table
 * sorted by address. One sweep over that table and the sorted locations names the locations.
 *
 *     locations, by module and address ─┐
 *     module ─ source ─▶ symbol table ──┴─ sweep ─▶ names, symbol starts, match status and reason
 *
 * A file is used only if nothing contradicts it. The build-id must be equal, unless there is none
 * to compare. module->reason lists files that were found and refused.
 */
#ifndef SYMBOLISE_SYMBOLISE_H
#define SYMBOLISE_SYMBOLISE_H

#include "dwarf/helper.h"
#include "object/index.h"
#include "profile/location.h"
#include "process/module.h"
#include "profile/return_words.h"
#include "symbolise/jit/jit_dumps.h"
#include "symbolise/bundle_manifest.h"

struct debuginfod;
struct host_list;
struct prefetch;

struct symbolise_options {
	/*
	 * The files given with --symbols: archives, ELF files, copies of kallsyms, perf-PID.map
	 * files, and directories. Directories are searched for such files, and serve as a sysroot
	 * for captured paths.
	 */
	const struct file_index *index;
	/* Manifest of the bundle with the capture. NULL if the capture is not in a bundle. */
	const struct bundle_manifest *manifest;
	const char *build_id_cache; /* a directory laid out as perf's ~/.debug; NULL if none */
	/*
	 * Client of the debuginfod servers and their cache. NULL if kiln does not use debuginfod.
	 */
	struct debuginfod *debuginfod;
	/*
	 * The capture was made on this machine and kernel. kiln may therefore open the capture's
	 * paths, /proc/kallsyms, /tmp/perf-PID.map and /usr/lib/debug.
	 */
	bool use_host_files;
	const struct jit_dumps *jit_dumps; /* for MODULE_JITDUMP; NULL if none */
	int64_t capture_time_s;            /* when the capture was written; 0 if unknown */
	/*
	 * Opens the root directories of containers. If NULL, this process opens the directories
	 * itself.
	 */
	const struct host_roots *roots;
	const char *os_release;            /* release of the captured kernel; NULL if unknown */
	const struct collector *collector; /* receives every accepted symbol file; or NULL */
	bool trusts_owners;                /* use perf maps that belong to other users */
	/*
	 * --trust-paths: also use files whose build-id evidence contradicts. Such files stay
	 * unverified.
	 */
	bool trusts_paths;
	/* return addresses from stack dumps; NULL if there are none */
	const struct return_words *return_words;
	bool demangle;
	const struct service *demangler; /* if NULL, names are demangled in this process */
	bool fold_suffixes; /* name split-off parts (.cold, .part.0) after their function */
	/*
	 * Follow perf's rules, for comparison with perf: choose the same alias, keep suffixes, and
	 * look up return addresses unchanged.
	 */
	bool perf_names;
	const struct service *service; /* reads debug information; if NULL, none is read */
	struct prefetch *prefetch; /* debug information that is already being read; NULL if none */
	struct host_list *host_list; /* likewise, /proc/kallsyms */
	bool wants_data;             /* the locations are data, so also use data symbols */
	bool wants_lines;            /* resolve source lines */
	/* directory that caches what was read from debug information; NULL if none */
	const char *table_cache;
	unsigned thread_count;
	/*
	 * Reports progress, in modules. Any thread may call this function. NULL if nobody needs the
	 * progress.
	 */
	void (*on_step)(void *context, const char *what, uint64_t done_count, uint64_t total_count);
	void *step_context;
};

/* The kinds of jobs that a service for symbolise() must support; NULL at the end. */
extern const struct service_kind *const symbolise_service_kinds[];
/*
 * All these kinds except root_service_kind, for runs that do not use the files of processes on this
 * machine.
 */
extern const struct service_kind *const symbolise_rootless_kinds[];

/*
 * Fills the fields that location.h and module.h mark as set by symbolise. The order in which
 * strings are interned does not depend on the number of threads. symbolise cannot fail. Each module
 * stores the reason why some of its locations have no name.
 */
void symbolise(struct modules *modules, struct locations *locations, struct strings *strings,
	       const struct symbolise_options *options);

enum collected_kind {
	COLLECTED_CODE,    /* ELF, with the code: a program, a library, the vdso */
	COLLECTED_SYMBOLS, /* ELF, without the code: a separate debug file */
	COLLECTED_SPLIT,   /* ELF, a file of split debug information */
	COLLECTED_KALLSYMS,
	COLLECTED_PERF_MAP,
	COLLECTED_JITDUMP,
	COLLECTED_KIND_COUNT,
};

struct collected_file {
	enum collected_kind kind;
	const struct module *module; /* the module that the file is for; for kallsyms, the kernel */
	enum match_status match;
	/* for kallsyms: the build-id of the kernel to which the list certainly belongs */
	struct build_id build_id;
	bool is_slim;     /* the file is reduced to the symbols that were sampled */
	const char *path; /* where the file was found */
	int fd;           /* -1 if the contents are in bytes */
	const void *bytes;
	uint64_t size_bytes;
};

struct collector {
	void *context;
	bool is_slim;      /* requests reduced files: symbolise/slim_files.h */
	bool keeps_frames; /* reduced files keep call frame information */
	/*
	 * Whether the files of this module are wanted. If NULL, the files of all modules are
	 * wanted. Any thread may call this function.
	 */
	bool (*wants)(void *context, const struct module *module);
	/*
	 * Receives one accepted file, which stays open during the call. Any thread may call this
	 * function.
	 */
	void (*accept)(void *context, const struct collected_file *file);
};

#endif
