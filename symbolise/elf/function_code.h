/* SPDX-License-Identifier: MIT */
/*
 * Reads the code of functions: the extent of a symbol, and its bytes in the module's file.
 *
 *     module, offset 0x1139  ─▶  app: symbol parse, 0x401139 to 0x401250  ─▶  bytes
 */
#ifndef SYMBOLISE_ELF_FUNCTION_CODE_H
#define SYMBOLISE_ELF_FUNCTION_CODE_H

#include "symbolise/elf/code_files.h"

/* Maximum size of the code of one function, for disassembly. The largest functions in the kernel
 * and in interpreters are about 100 kB. */
#define LIMIT_FUNCTION_CODE_BYTES (1u << 20)

enum function_code_status {
	FUNCTION_CODE_MISSING, /* no file was found */
	FUNCTION_CODE_READ,
	FUNCTION_CODE_SLIM,        /* the file has no code, as in slim bundles */
	FUNCTION_CODE_WITHOUT_END, /* the symbol tables do not contain the function */
	FUNCTION_CODE_TOO_LARGE,
	FUNCTION_CODE_CORRUPT, /* the bytes are not in the file */
};

struct function_code {
	uint64_t offset; /* start of the symbol, as an offset in the file; set by the caller */
	enum function_code_status status;
	uint64_t address; /* the start as an address in the file; set if size_bytes is set */
	uint64_t size_bytes;
	unsigned char *bytes; /* owned; NULL unless FUNCTION_CODE_READ */
	uint16_t machine;     /* EM_* */
	bool is_64_bit;
};

/* Reads functions of one module, which must be a MODULE_FILE or MODULE_VDSO. */
void function_code_read(const struct code_files *files, module_id module,
			struct function_code *functions, size_t count);
void function_code_deinit(struct function_code *function);

#endif
