/* SPDX-License-Identifier: MIT */
/*
 * The functions from which compilers split off parts, found by the names of the parts.
 *
 *     added          stems     is_function
 *     parse.cold     parse     true, if parse was found among the names of functions
 *     parse
 *     main.warm      main      false
 */
#ifndef SYMBOLISE_ELF_PART_STEMS_H
#define SYMBOLISE_ELF_PART_STEMS_H

#include <stdbool.h>

#include "base/idtable.h"
#include "base/strings.h"
#include "base/vec.h"

struct part_stem {
	struct text name; /* borrowed from the part */
	bool is_function; /* for the caller; false at first */
};

struct part_stems {
	VEC(struct part_stem) rows; /* without duplicates */
	struct idtable table;
};

void part_stems_init(struct part_stems *stems);
void part_stems_deinit(struct part_stems *stems);

/* Adds the stem of a name that looks like the name of a part. Ignores all other names. */
void part_stems_add(struct part_stems *stems, struct text name);

/* The stem of a name that looks like the name of a part, and was added; otherwise NULL. */
struct part_stem *part_stems_of_part(const struct part_stems *stems, struct text name);

/* The stem that is the name of this function, with or without a version; NULL if there is none. */
struct part_stem *part_stems_find(const struct part_stems *stems, struct text function);

#endif
