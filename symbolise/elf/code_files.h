/* SPDX-License-Identifier: MIT */
/*
 * The files of modules for who needs their code rather than names: found by the same rules and in the
 * same places, so that what frames are like is never taken from a file that may not name them.
 */
#ifndef SYMBOLISE_ELF_CODE_FILES_H
#define SYMBOLISE_ELF_CODE_FILES_H

#include "object/elf.h"
#include "symbolise/source.h"

struct code_files {
	struct naming_context context;
	struct locations no_locations;
};

/* A file, and where it has debug information apart from it, that. */
struct code_file {
	const struct elf_file *runtime;
	const struct elf_file *debug; /* NULL: there is none */
};

/* All that is given is only read, and outlives files. */
void code_files_init(struct code_files *files, const struct modules *modules,
		     const struct strings *strings, const struct symbolise_options *options);
void code_files_deinit(struct code_files *files);

/* Calls use with the file of the module, which is open during the call; false: there is none. By one
 * thread at a time. */
bool code_files_open(const struct code_files *files, module_id module,
		     void (*use)(void *context, const struct code_file *file), void *context);

#endif
