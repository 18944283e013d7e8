/* SPDX-License-Identifier: MIT */
/*
 * All that a set of chain tables holds, as one list in the order of first appearance.
 */
#ifndef TESTS_SUPPORT_CHAIN_LIST_H
#define TESTS_SUPPORT_CHAIN_LIST_H

#include "profile/chains.h"

struct listed_chain {
	const struct chain_callers *callers; /* the tables' */
	struct chain chain;
};

struct chain_list {
	VEC(struct listed_chain) rows;
	struct chain_callers_place *places; /* of the distinct callers */
	size_t callers_count;
};

/* Flushes and gathers the tables, which must not have been gathered before. */
void chain_list_init(struct chain_list *list, struct chains *chains);
void chain_list_deinit(struct chain_list *list);

#endif
