/* SPDX-License-Identifier: MIT */
/*
 * The table of all symbols of a list, to compare with the table of kallsyms_choose. The conversion
 * of rows to symbols is repeated here, so that a fault there shows.
 */
#ifndef TESTS_SUPPORT_WHOLE_TABLE_H
#define TESTS_SUPPORT_WHOLE_TABLE_H

#include "symbolise/kernel/kallsyms.h"

void whole_table_make(const struct kallsyms *list, struct symbol_table *ret);

/*
 * Whether both tables have the same symbol at an address, or both have none. Both must be of the
 * same text.
 */
bool whole_table_is_same_at(const struct symbol_table *one, const struct symbol_table *other,
			    uint64_t address);

#endif
