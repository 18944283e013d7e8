/* SPDX-License-Identifier: MIT */
#include "tests/support/chain_list.h"

void chain_list_init(struct chain_list *list, struct chains *chains)
{
	*list = (struct chain_list){ 0 };
	chains_flush(chains);
	for (size_t i = 0; i < CHAINS_TABLE_COUNT; i++)
		chain_table_gather(&chains->tables[i]);
	list->places = chains_order(chains, &list->callers_count);
	for (size_t i = 0; i < list->callers_count; i++) {
		const struct chain_table *table = &chains->tables[list->places[i].table];
		const struct chain_callers *callers =
			table->callers.at[list->places[i].row].callers;

		for (uint32_t k = 0; k < callers->chain_count; k++)
			vec_push(&list->rows,
				 (struct listed_chain){
					 .callers = callers,
					 .chain = table->chains.at[callers->chain_first + k],
				 });
	}
}

void chain_list_deinit(struct chain_list *list)
{
	memory_free(list->places);
	vec_free(&list->rows);
}
