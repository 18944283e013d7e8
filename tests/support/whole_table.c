/* SPDX-License-Identifier: MIT */
#include "tests/support/whole_table.h"

void whole_table_make(const struct kallsyms *list, struct symbol_table *ret)
{
	symbol_table_init(ret);
	for (size_t i = 0; i < list->rows.count; i++) {
		const struct kallsyms_row *row = &list->rows.at[i];

		symbol_table_add(
			ret, &(struct symbol){
				     .start = row->address,
				     .end = row->address,
				     .limit = UINT64_MAX,
				     .name = { list->text.at + row->name_offset, row->name_length },
				     .owner = row->owner,
				     .binding = (enum symbol_binding)row->binding,
			     });
	}
	symbol_table_finish(ret, list->rules);
}

bool whole_table_is_same_at(const struct symbol_table *one, const struct symbol_table *other,
			    uint64_t address)
{
	struct symbol_cursor in_one = { .table = one };
	struct symbol_cursor in_other = { .table = other };
	const struct symbol *a = symbol_cursor_find(&in_one, address);
	const struct symbol *b = symbol_cursor_find(&in_other, address);

	if (!a || !b)
		return a == b;
	return a->name.at == b->name.at && a->name.length == b->name.length &&
	       a->start == b->start && a->end == b->end && a->owner == b->owner &&
	       a->is_whole == b->is_whole;
}
