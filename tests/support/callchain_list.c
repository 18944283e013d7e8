/* SPDX-License-Identifier: MIT */
#include "tests/support/callchain_list.h"

void callchain_list_init(struct callchain_list *list, struct callchains *chains)
{
	*list = (struct callchain_list){ 0 };
	callchains_flush(chains);
	for (size_t i = 0; i < CALLCHAINS_TABLE_COUNT; i++)
		callchain_table_gather(&chains->tables[i]);
	list->places = callchains_order(chains, &list->callers_count);
	for (size_t i = 0; i < list->callers_count; i++) {
		const struct callchain_table *table = &chains->tables[list->places[i].table];
		const struct callchain_callers *callers = list->places[i].callers;

		for (uint32_t k = 0; k < callers->chain_count; k++)
			vec_push(&list->rows,
				 (struct listed_callchain){
					 .callers = callers,
					 .chain = table->chains.at[callers->chain_first + k],
				 });
	}
}

void callchain_list_deinit(struct callchain_list *list)
{
	memory_free(list->places);
	vec_free(&list->rows);
}
