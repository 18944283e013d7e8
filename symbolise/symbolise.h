/* SPDX-License-Identifier: MIT */
/*
 * Locations to names. Every module that any location lies in is looked up once: a source (one of
 * the table in symbolise.c) finds a file that may speak for it and turns that file into a symbol
 * table, sorted by address; the module's locations, sorted too, are named in one sweep over both.
 *
 *     locations, by module and address ─┐
 *     module ─ source ─▶ symbol table ──┴─ sweep ─▶ names, start addresses, verdict and reason
 *
 * A file speaks for a module only when nothing contradicts it: an equal build-id, or none to
 * compare. What was found and refused is said in the module's reason.
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
struct prefetch;

struct symbolise_options {
	/* What the user offers: folders (searched for ELF files and symbol lists, and as a root below
	 * which captured paths are looked up), archives, ELF files, kallsyms copies, perf-PID.map files. */
	const struct file_index *index;
	const struct bundle_manifest
		*manifest;          /* of the bundle the capture came in; NULL: it came in none */
	const char *build_id_cache; /* a folder laid out as perf's ~/.debug; NULL: none */
	/* Servers to be asked for files by build-id, or what they gave before; NULL: none are. */
	struct debuginfod *debuginfod;
	/* The capture was made on this very machine and kernel: its paths may be followed, and
	 * /proc/kallsyms, /tmp/perf-PID.map and /usr/lib/debug read. */
	bool use_host_files;
	const struct jit_dumps
		*jit_dumps;     /* what names modules of kind MODULE_JITDUMP; NULL: nothing */
	int64_t capture_time_s; /* when the capture was written; 0: unknown */
	const char *os_release; /* of the captured kernel; NULL: unknown */
	const struct collector
		*collector; /* who is shown the files that name frames; NULL: nobody */
	bool trusts_owners; /* perf maps of other users too */
	/* Names come from files that something contradicts, too, and are called unverified. */
	bool trusts_paths;
	const struct return_words *return_words; /* of recorded stacks; NULL: there are none */
	bool demangle;
	bool fold_suffixes; /* name a function's split-off parts (.cold, .part.0) after it */
	/* By perf's own rules: its choice among aliases, suffixes kept, return addresses looked up
	 * as they are. For comparison with perf. */
	bool perf_names;
	const struct dwarf_helper *helper; /* reads debug information; NULL: it is not wanted */
	struct prefetch *prefetch;         /* of it; NULL: none have begun */
	bool wants_lines;                  /* of source files */
	const char *table_cache;           /* a folder to keep what was read in; NULL: none */
	unsigned thread_count;
	/* Called now and then, by any thread, with how many modules are done; NULL: not wanted. */
	void (*on_step)(void *context, const char *what, uint64_t done_count, uint64_t total_count);
	void *step_context;
};

/*
 * Fills what location.h and module.h say is filled by symbolise; names and reasons are interned
 * in an order that does not depend on the number of threads. Cannot fail: what cannot be named
 * stays unnamed and the module says why.
 */
void symbolise(struct modules *modules, struct locations *locations, struct strings *strings,
	       const struct symbolise_options *options);

enum collected_kind {
	COLLECTED_CODE,    /* ELF, with the code: a program, a library, the vdso */
	COLLECTED_SYMBOLS, /* ELF, without: a separate debug file */
	COLLECTED_SPLIT,   /* ELF, a file of split debug information */
	COLLECTED_KALLSYMS,
	COLLECTED_PERF_MAP,
	COLLECTED_JITDUMP,
	COLLECTED_KIND_COUNT,
};

struct collected_file {
	enum collected_kind kind;
	const struct module *module; /* that it is for; of a list, the kernel */
	enum match_status match;
	struct build_id build_id; /* its own; of a list, that of the kernel it is proven to be of */
	bool is_slim;             /* not the whole file */
	const char *path;         /* where it was */
	int fd;                   /* -1: bytes has them */
	const void *bytes;
	uint64_t size_bytes;
};

struct collector {
	void *context;
	bool is_slim;      /* files are shown without the code: symbolise/slim_files.h */
	bool keeps_frames; /* slim files have call frame information too */
	/* Whether files of a module are wanted at all; NULL: those of every module. Called by any thread. */
	bool (*wants)(void *context, const struct module *module);
	/* Called by any thread. The file is there during the call. */
	void (*take)(void *context, const struct collected_file *file);
};

#endif
