/* SPDX-License-Identifier: MIT */
#include "profile/name_shares.h"

#include "base/saturate.h"

/* One problem while the tree is walked. A row below end is in a subtree that was counted already. */
struct walk {
	struct name_share *share;
	uint32_t end;
	uint32_t *module_ends;
	uint64_t *module_weights;
};

static bool is_code(const struct frame *frame)
{
	return frame->kind == FRAME_USER || frame->kind == FRAME_KERNEL ||
	       frame->kind == FRAME_JIT || frame->kind == FRAME_INLINED;
}

static bool has_problem(const struct profile *profile, const struct frame *frame,
			enum name_problem problem)
{
	const struct module *module = modules_get(profile->modules, frame->module);

	if (!is_code(frame))
		return false;
	switch (problem) {
	case NAME_UNKNOWN:
		return !frame->is_named;
	case NAME_UNVERIFIED:
		return frame->is_named && module->verdict == VERDICT_UNVERIFIED;
	case NAME_NO_INLINES:
		return frame->is_named && module->inline_reason.i;
	case NAME_PROBLEM_COUNT:
		break;
	}
	return false;
}

static void count_row(struct walk *walk, const struct stack *stack, uint32_t row, module_id module)
{
	if (row >= walk->end) {
		walk->share->weight = saturate_add(walk->share->weight, stack->total);
		walk->end = stack->end;
	}
	if (row >= walk->module_ends[module.i]) {
		walk->module_weights[module.i] =
			saturate_add(walk->module_weights[module.i], stack->total);
		walk->module_ends[module.i] = stack->end;
	}
}

static void find_worst(struct walk *walk, size_t module_count)
{
	for (uint32_t i = 0; i < module_count; i++) {
		walk->share->module_count += walk->module_weights[i] > 0;
		if (walk->module_weights[i] > walk->share->worst_weight) {
			walk->share->worst = (module_id){ i };
			walk->share->worst_weight = walk->module_weights[i];
		}
	}
}

static void sum_problem(const struct profile *profile, enum name_problem problem,
			struct name_share *share)
{
	size_t module_count = profile->modules->rows.count;
	struct walk walk = {
		.share = share,
		.module_ends = memory_zalloc(module_count, sizeof(*walk.module_ends)),
		.module_weights = memory_zalloc(module_count, sizeof(*walk.module_weights)),
	};

	for (uint32_t row = 1; row < profile->stacks.count; row++) {
		const struct stack *stack = &profile->stacks.at[row];
		const struct frame *frame = &profile->frames.at[stack->frame.i];

		if (stack->total && has_problem(profile, frame, problem))
			count_row(&walk, stack, row, frame->module);
	}
	find_worst(&walk, module_count);
	memory_free(walk.module_ends);
	memory_free(walk.module_weights);
}

struct name_shares name_shares_of(const struct profile *profile)
{
	struct name_shares shares = { 0 };

	if (!profile->stacks.count)
		return shares;
	shares.total = profile->stacks.at[0].total;
	for (int i = 0; i < NAME_PROBLEM_COUNT; i++)
		sum_problem(profile, (enum name_problem)i, &shares.problems[i]);
	return shares;
}

double name_shares_part(const struct name_shares *shares, uint64_t weight)
{
	return shares->total ? (double)weight / (double)shares->total : 0;
}
