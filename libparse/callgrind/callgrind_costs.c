/* SPDX-License-Identifier: MIT */
#include "base/arithmetic.h"
#include "base/hash.h"
#include "libparse/callgrind/callgrind_file.h"

void callgrind_costs_init(struct callgrind_costs *costs)
{
	*costs = (struct callgrind_costs){ .rows = { 0 } };
	idtable_init(&costs->table);
}

void callgrind_costs_deinit(struct callgrind_costs *costs)
{
	vec_free(&costs->rows);
	idtable_deinit(&costs->table);
}

void callgrind_costs_add(struct callgrind_costs *costs, struct callgrind_cost cost)
{
	uint64_t hash =
		hash_pair(hash_pair(cost.stack, cost.event), hash_pair(cost.thread, cost.module.i));
	struct idtable_probe probe = idtable_find(&costs->table, hash);
	uint32_t row;

	while ((row = idtable_next(&costs->table, &probe)) != IDTABLE_NONE) {
		struct callgrind_cost *known = &costs->rows.at[row];

		if (known->stack == cost.stack && known->event == cost.event &&
		    known->thread == cost.thread && known->module.i == cost.module.i) {
			known->value = saturate_add(known->value, cost.value);
			return;
		}
	}
	idtable_add(&costs->table, hash, (uint32_t)costs->rows.count);
	vec_push(&costs->rows, cost);
}

/* Adds up the costs of contexts with the same node, which differ in their recursion levels. */
static void merge(struct callgrind_costs *costs, const struct callgrind_stacks *stacks)
{
	size_t count = costs->rows.count;

	for (size_t i = 0; i < count; i++) {
		struct callgrind_cost *cost = &costs->rows.at[i];

		cost->stack = stacks->contexts.rows.at[cost->stack].node;
	}
	if (!stacks->has_levels)
		return;
	idtable_clear(&costs->table);
	costs->rows.count = 0;
	for (size_t i = 0; i < count; i++) {
		struct callgrind_cost cost = costs->rows.at[i];

		callgrind_costs_add(costs, cost);
	}
}

uint64_t callgrind_costs_finish(struct callgrind_costs *costs, struct callgrind_stacks *stacks)
{
	uint64_t cut_count = 0;

	merge(costs, stacks);
	for (size_t i = 0; i < costs->rows.count; i++) {
		struct callgrind_cost *cost = &costs->rows.at[i];
		struct callgrind_node *node = &stacks->nodes.at[cost->stack];

		cost->frame = callgrind_stacks_frame(stacks, cost->stack, cost->module);
		if (node->is_counted || !callgrind_stacks_is_cut(stacks, cost->stack))
			continue;
		node->is_counted = true;
		cut_count++;
	}
	return cut_count;
}
