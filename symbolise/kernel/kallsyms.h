/* SPDX-License-Identifier: MIT */
/*
 * A list of kernel symbols: /proc/kallsyms, a copy of it, or System.map.
 *
 *     ffffffff81000000 T _text
 *     ffffffffc0a51000 t ext4_get_inode_loc	[ext4]
 *     address          type name           tab [module]
 */
#ifndef SYMBOLISE_KERNEL_KALLSYMS_H
#define SYMBOLISE_KERNEL_KALLSYMS_H

#include "base/idtable.h"
#include "base/sink.h"
#include "base/vec.h"
#include "symbolise/elf/symbol_table.h"

/* Special owners of symbols: the kernel itself, and "not found". */
#define KALLSYMS_KERNEL   0u
#define KALLSYMS_NO_OWNER UINT32_MAX

struct kallsyms_module {
	struct text name; /* without brackets */
	/* range of the module's function addresses; first > last if it has no functions */
	uint64_t first_address, last_address;
};

/* A symbol, or the end of the one before. There are many, so rows are small. */
struct kallsyms_row {
	uint64_t address;
	uint32_t name_offset; /* in the text */
	uint32_t owner;       /* KALLSYMS_KERNEL, or 1 + a row of modules */
	uint16_t name_length; /* 0 at the end of a symbol */
	uint8_t binding;      /* enum symbol_binding */
	bool is_chosen;       /* by kallsyms_choose */
};

struct kallsyms {
	struct text text; /* borrowed */
	enum symbol_rules rules;
	VEC(struct kallsyms_row) rows;
	struct symbol_table symbols; /* those of kallsyms_choose; the owners are those of rows */
	VEC(struct kallsyms_module) modules;
	struct idtable module_table;
	uint32_t line_count;
	bool has_address;   /* false if kptr_restrict zeroed all addresses */
	bool has_reference; /* the reference symbol is in the list */
	uint64_t reference_address;
	uint64_t text_end, data_end; /* _etext and _edata of the kernel; 0 if not in the list */
};

/*
 * Reads all lines of text, which is borrowed. Skips corrupt lines. Also finds the address of the
 * kernel symbol `reference`, which may be empty. The table of symbols is empty until
 * kallsyms_choose.
 */
void kallsyms_init(struct kallsyms *kallsyms, struct text text, struct text reference,
		   enum symbol_rules rules);
void kallsyms_deinit(struct kallsyms *kallsyms);

/*
 * Makes the table of symbols for these addresses, which must be ascending. The symbols at these
 * addresses have the same names, starts and ends as in a table of the whole list. Other addresses
 * may have other symbols, or none.
 */
void kallsyms_choose(struct kallsyms *kallsyms, const uint64_t *addresses, size_t address_count);

/*
 * Returns the owner number of the module that was mapped as path ("[ext4]",
 * "/lib/modules/.../ext4.ko.xz"). Returns KALLSYMS_NO_OWNER if the list has no symbols of this
 * module.
 */
uint32_t kallsyms_find_module(const struct kallsyms *kallsyms, struct text path);

/* Whether all functions of a module lie in [start, end). */
bool kallsyms_has_module_in(const struct kallsyms *kallsyms, uint32_t owner, uint64_t start,
			    uint64_t end);

/* Writes the list without the lines of these owners. */
void kallsyms_write_without(const struct kallsyms *kallsyms, struct text text,
			    const uint32_t *owners, size_t owner_count, struct sink *sink);

/*
 * Writes only the lines that name the addresses or identify the kernel: reference, _etext and
 * _edata. Addresses must be ascending.
 */
void kallsyms_write_around(struct text text, struct text reference, const uint64_t *addresses,
			   size_t address_count, struct sink *sink);

#endif
