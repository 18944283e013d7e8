/* SPDX-License-Identifier: MIT */
/*
 * Sorts the stacks of several lists into one by several threads. Some stacks are looked at first, to
 * find a few that part all of them into buckets of about the same size; then each bucket is brought
 * together and sorted by itself:
 *
 *     lists     d a f   c e b          splitter  d
 *     buckets   a c b │ d f e
 *     sorted    a b c │ d e f
 */
#ifndef PROFILE_TREE_SAMPLE_SORT_H
#define PROFILE_TREE_SAMPLE_SORT_H

#include "base/vec.h"
#include "profile/tree/stack_sort.h"

/*
 * Empties the lists into one that is sorted as by stack_sort, the caller's to vec_free. The frames stay
 * where they are.
 */
struct stack_list sample_sort(struct stack_list *lists, size_t list_count, const uint32_t *rank,
			      unsigned thread_count);

#endif
