/* SPDX-License-Identifier: MIT */
/*
 * The callchains of a set of tables, as one list in the order of first appearance.
 */
#ifndef TESTS_SUPPORT_CALLCHAIN_LIST_H
#define TESTS_SUPPORT_CALLCHAIN_LIST_H

#include "profile/callchains.h"

struct listed_callchain {
	const struct callchain_callers *callers; /* the tables' */
	struct callchain chain;
};

struct callchain_list {
	VEC(struct listed_callchain) rows;
	struct callchain_callers_place *places; /* of the distinct callers */
	size_t callers_count;
};

/* Flushes and merges the tables, which must not have been merged before. */
void callchain_list_init(struct callchain_list *list, struct callchains *chains);
void callchain_list_deinit(struct callchain_list *list);

#endif
