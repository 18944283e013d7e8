/* SPDX-License-Identifier: MIT */
/*
 * What a function is called, and where it is declared. An inlined one says so by pointing to its
 * abstract origin, that to its declaration; each is asked once.
 */
#ifndef DWARF_DIE_NAME_H
#define DWARF_DIE_NAME_H

#include <elfutils/libdw.h>

#include "base/idtable.h"
#include "base/sink.h"
#include "dwarf/inline_table.h"

struct die_name {
	const void *key; /* where the entry is in memory */
	uint32_t name, bare_name, file, line;
};

struct die_names {
	struct inline_table *table; /* whose text names go to */
	VEC(struct die_name) rows;
	struct idtable ids;
	struct strings texts;  /* those in the table already */
	VEC(uint32_t) offsets; /* by str_id, where */
	struct sink scratch;
};

void die_names_init(struct die_names *names, struct inline_table *table);
void die_names_deinit(struct die_names *names);

/* Of a function, inlined or not. */
struct die_name die_names_of(struct die_names *names, Dwarf_Die *die);

/* Text as an offset in the table; NULL is the empty one. */
uint32_t die_names_text(struct die_names *names, const char *text);

#endif
