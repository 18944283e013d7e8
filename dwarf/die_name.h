/* SPDX-License-Identifier: MIT */
/*
 * The name of a function, and where it is declared. An inlined function refers to its abstract
 * origin, which refers to a declaration. Each of these entries is read only once. If a function has
 * no linkage name, its entry contains only the last part of the qualified name. The entries around
 * the function's declaration contain the other parts:
 *
 *     namespace net ─ class Poller ─ operator()      ──▶  net::Poller::operator()
 */
#ifndef DWARF_DIE_NAME_H
#define DWARF_DIE_NAME_H

#include <elfutils/libdw.h>

#include "base/idtable.h"
#include "base/sink.h"
#include "dwarf/inline_table.h"
#include "dwarf/reading_budget.h"

struct die_name {
	const void *key; /* address of the entry in memory */
	uint32_t name, bare_name, file, line;
};

struct die_names {
	struct inline_table *table; /* the table that gets the names as texts */
	VEC(struct die_name) rows;
	struct idtable ids;
	struct strings texts;  /* the texts in the table */
	VEC(uint32_t) offsets; /* offsets of these texts, by str_id */
	struct sink scratch;
	struct reading_budget *budget;
	Dwarf_Files *split_files; /* source files of the current split unit; otherwise NULL */
};

void die_names_init(struct die_names *names, struct inline_table *table,
		    struct reading_budget *budget);
void die_names_deinit(struct die_names *names);

/* Forgets the entries, because their memory may be freed. Keeps the texts. */
void die_names_forget(struct die_names *names);

/* The name of a function, inlined or not. */
struct die_name die_names_of(struct die_names *names, Dwarf_Die *die);

/* The offset of a text in the table. Adds the text if it is new. NULL counts as the empty text. */
uint32_t die_names_text(struct die_names *names, const char *text);

#endif
