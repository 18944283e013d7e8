/* SPDX-License-Identifier: MIT */
#include "profile/tree/tree.h"

#include "base/arithmetic.h"

void tree_init(struct tree *tree, struct profile *profile)
{
	*tree = (struct tree){ .profile = profile };
	tree_open(tree, 0);
}

void tree_close(struct tree *tree, size_t open_count)
{
	struct profile *profile = tree->profile;

	while (tree->open.count > open_count)
		profile->stacks.at[tree->open.at[--tree->open.count]].end =
			(uint32_t)profile->stacks.count;
}

struct stack *tree_open(struct tree *tree, uint32_t frame)
{
	struct profile *profile = tree->profile;
	uint32_t row = (uint32_t)profile->stacks.count;
	uint32_t depth = (uint32_t)tree->open.count;

	vec_push(&profile->stacks, (struct stack){
					   .parent = depth ? tree->open.at[depth - 1] : 0,
					   .frame = { frame },
					   .depth = depth,
				   });
	vec_push(&tree->open, row);
	return &profile->stacks.at[row];
}

void tree_finish(struct tree *tree)
{
	struct profile *profile = tree->profile;

	tree_close(tree, 0);
	vec_free(&tree->open);
	for (size_t i = profile->stacks.count; i-- > 0;) {
		struct stack *row = &profile->stacks.at[i];

		row->total = saturate_add(row->total, row->self);
		if (i) {
			struct stack *parent = &profile->stacks.at[row->parent];

			parent->total = saturate_add(parent->total, row->total);
		}
	}
}
