/* SPDX-License-Identifier: MIT */
/*
 * Opens the code of a module for unwinding. Finds files by the same rules as symbolisation, so that
 * unwinding never uses a file that symbolisation would reject.
 */
#ifndef SYMBOLISE_ELF_CODE_FILES_H
#define SYMBOLISE_ELF_CODE_FILES_H

#include "object/elf.h"
#include "symbolise/source.h"

struct code_files {
	struct naming_context context;
	struct locations no_locations;
};

/* The code, and its separate debug file if there is one. */
struct code_file {
	const struct elf_file *runtime;
	const struct elf_file *debug; /* NULL if there is none */
};

/* All arguments are borrowed. */
void code_files_init(struct code_files *files, const struct modules *modules,
		     const struct strings *strings, const struct symbolise_options *options);
void code_files_deinit(struct code_files *files);

/*
 * Calls `use` with the module's file, which stays open during the call. Returns false if no file
 * was found. Must be called by one thread at a time.
 */
bool code_files_open(const struct code_files *files, module_id module,
		     void (*use)(void *context, const struct code_file *file), void *context);

#endif
