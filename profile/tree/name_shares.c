/* SPDX-License-Identifier: MIT */
#include "profile/tree/name_shares.h"

#include "base/arithmetic.h"

/* A module's share of a problem. Rows before end are in a subtree that was already counted. */
struct module_share {
	uint32_t end;
	uint64_t self;   /* weight of stacks whose leaf is such a frame */
	uint64_t weight; /* weight of stacks with such a frame */
	uint64_t area;   /* total width of all such frames in a flame graph */
};

/* State of one problem during the walk over the tree. */
struct share_walk {
	struct name_share *share;
	uint32_t end;
	struct module_share *modules;
};

static bool is_code(const struct frame *frame)
{
	return frame->kind == FRAME_USER || frame->kind == FRAME_KERNEL ||
	       frame->kind == FRAME_JIT || frame->kind == FRAME_INLINED;
}

/* A JIT map has no build-id, so it cannot be verified. */
static bool is_named_by_file(const struct module *module)
{
	return module->kind == MODULE_FILE || module->kind == MODULE_KERNEL ||
	       module->kind == MODULE_VDSO;
}

bool name_shares_is_unverified(const struct module *module)
{
	return is_named_by_file(module) && module->match == MATCH_UNVERIFIED;
}

/* Returns the problems of a frame as a bit set. */
static uint8_t problems_of(const struct profile *profile, const struct frame *frame)
{
	const struct module *module = modules_get(profile->modules, frame->module);
	bool is_unverified = name_shares_is_unverified(module);

	if (!is_code(frame))
		return 0;
	if (!frame->is_named)
		return 1 << NAME_UNKNOWN;
	return (uint8_t)(is_unverified << NAME_UNVERIFIED | (module->inline_reason.i != 0)
								    << NAME_NO_INLINES);
}

/* Returns the problems of all frames, or NULL if there are none. */
static uint8_t *list_problems(const struct profile *profile)
{
	uint8_t *problems = memory_zalloc(profile->frames.count, 1);
	uint8_t any = 0;

	for (size_t i = 0; i < profile->frames.count; i++)
		any |= problems[i] = problems_of(profile, &profile->frames.at[i]);
	if (any)
		return problems;
	memory_free(problems);
	return NULL;
}

static void count_row(struct share_walk *walk, const struct stack *stacks, uint32_t row,
		      module_id module)
{
	struct module_share *share = &walk->modules[module.i];
	uint64_t total = stacks[row].total;

	share->self = saturate_add(share->self, stacks[row].self);
	share->area = saturate_add(share->area, total);
	if (stack_is_outermost(stacks, row, &walk->end))
		walk->share->weight = saturate_add(walk->share->weight, total);
	if (stack_is_outermost(stacks, row, &share->end))
		share->weight = saturate_add(share->weight, total);
}

static void walk_tree(const struct profile *profile, const uint8_t *problems,
		      struct share_walk walks[static NAME_PROBLEM_COUNT])
{
	for (uint32_t row = 1; row < profile->stacks.count; row++) {
		frame_id frame = profile->stacks.at[row].frame;
		uint8_t found = problems[frame.i];

		for (int i = 0; found && i < NAME_PROBLEM_COUNT; i++)
			if (found & 1 << i)
				count_row(&walks[i], profile->stacks.at, row,
					  profile->frames.at[frame.i].module);
	}
}

/*
 * Self and total weight. A module on all stacks, such as the library that calls main, is not the
 * worst only because of that: without self weight, the result is 0.
 */
static uint64_t score_of(const struct module_share *share)
{
	return share->self ? saturate_add(share->self, share->weight) : 0;
}

static bool is_worse(const struct module_share *share, const struct module_share *other)
{
	if (score_of(share) != score_of(other))
		return score_of(share) > score_of(other);
	if (share->area != other->area)
		return share->area > other->area;
	return share->weight > other->weight;
}

/*
 * Prefers known files, because their problems can be fixed. Row 0 stands for no file. It is the
 * worst only if it is on more stacks than the worst file.
 */
static void find_worst(struct share_walk *walk, size_t module_count)
{
	static const struct module_share none;
	const struct module_share *worst = &none;

	for (uint32_t k = 1; k <= module_count; k++) {
		uint32_t i = k < module_count ? k : 0;
		const struct module_share *share = &walk->modules[i];

		walk->share->module_count += share->weight > 0;
		if (!is_worse(share, worst) || (!i && share->weight <= worst->weight))
			continue;
		worst = share;
		walk->share->worst = (module_id){ i };
		walk->share->worst_weight = share->weight;
	}
}

struct name_shares name_shares_of(const struct profile *profile)
{
	size_t module_count = profile->modules->rows.count;
	struct name_shares shares = { 0 };
	struct share_walk walks[NAME_PROBLEM_COUNT];
	uint8_t *problems;

	if (!profile->stacks.count)
		return shares;
	shares.total = profile->stacks.at[0].total;
	problems = list_problems(profile);
	if (!problems)
		return shares;
	for (int i = 0; i < NAME_PROBLEM_COUNT; i++)
		walks[i] = (struct share_walk){
			.share = &shares.problems[i],
			.modules = memory_zalloc(module_count, sizeof(*walks->modules)),
		};
	walk_tree(profile, problems, walks);
	for (int i = 0; i < NAME_PROBLEM_COUNT; i++) {
		find_worst(&walks[i], module_count);
		memory_free(walks[i].modules);
	}
	memory_free(problems);
	return shares;
}

double name_shares_part(const struct name_shares *shares, uint64_t weight)
{
	return shares->total ? (double)weight / (double)shares->total : 0;
}
