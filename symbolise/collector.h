/* SPDX-License-Identifier: MIT */
/*
 * Who wants to have the files that name frames: each one is shown when it has been accepted, and none
 * that was refused. What is to be taken along to another machine is told so by the very search that
 * names frames here.
 */
#ifndef SYMBOLISE_COLLECTOR_H
#define SYMBOLISE_COLLECTOR_H

#include "process/module.h"

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
