/* SPDX-License-Identifier: MIT */
/*
 * The functions of the kernel, from the copy of /proc/kallsyms in the capture:
 *
 *     ffffffff81a03120 T schedule
 *     ffffffffc0412000 t ext4_sync_file	[ext4]
 */
#ifndef LIBPARSE_TRACEDAT_KERNEL_SYMBOLS_H
#define LIBPARSE_TRACEDAT_KERNEL_SYMBOLS_H

#include "base/strings.h"
#include "base/vec.h"

struct kernel_symbol {
	uint64_t address;
	struct text name;
};

struct kernel_symbols {
	VEC(struct kernel_symbol) rows; /* sorted by address */
};

/* Adds the symbols in text. text must outlive the symbols. Malformed lines are skipped. */
void kernel_symbols_read(struct kernel_symbols *symbols, struct text text);
void kernel_symbols_deinit(struct kernel_symbols *symbols);

/* Returns the name of the function at an address. .at is NULL if no function is there. */
struct text kernel_symbols_find(const struct kernel_symbols *symbols, uint64_t address);

#endif
