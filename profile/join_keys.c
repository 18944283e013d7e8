/* SPDX-License-Identifier: MIT */
#include "profile/join_keys.h"

#include "base/arithmetic.h"
#include "base/sink.h"
#include "profile/frame_table.h"
#include "profile/tree/stack_tree.h"

#define SEPARATOR ", "

struct key {
	struct text name;
	str_id id;
	uint32_t row; /* in the original tree */
	uint64_t self;
};

struct keys {
	VEC(struct key) rows;
	VEC(uint32_t) open; /* length of `name` at each row from the root to the current row */
	struct sink name;   /* name of the current row */
};

static bool shows_table(const struct profile *profile)
{
	bool is_table = false;

	for (size_t i = 0; i < profile->events.count; i++) {
		const struct profile_event *event = &profile->events.at[i];

		if (event->is_shown && event->sample_count && !event->is_table)
			return false;
		is_table |= event->is_shown && event->is_table;
	}
	return is_table;
}

static bool has_only_groups(const struct profile *profile)
{
	for (size_t i = 1; i < profile->stacks.count; i++)
		if (profile->frames.at[profile->stacks.at[i].frame.i].kind != FRAME_GROUP)
			return false;
	return profile->stacks.count > 1;
}

/* Sets keys->name to the name of a row; rows are visited in tree order. */
static void enter_row(struct keys *keys, const struct profile *profile, uint32_t row)
{
	const struct stack *stack = &profile->stacks.at[row];

	while (keys->open.count >= stack->depth)
		keys->open.count--;
	keys->name.used = keys->open.count ? keys->open.at[keys->open.count - 1] : 0;
	if (keys->open.count)
		sink_puts(&keys->name, SEPARATOR);
	sink_text(&keys->name, profile_frame_name(profile, stack->frame));
	vec_push(&keys->open, (uint32_t)keys->name.used);
}

static int compare_keys(const void *a, const void *b)
{
	const struct key *left = a;
	const struct key *right = b;
	int order = frame_name_compare(left->name, right->name);

	return order ? order : (left->row > right->row) - (left->row < right->row);
}

static void find_keys(struct keys *keys, const struct profile *profile)
{
	for (uint32_t row = 1; row < profile->stacks.count; row++) {
		struct text name;
		str_id id;

		enter_row(keys, profile, row);
		if (!profile->stacks.at[row].self)
			continue;
		name = sink_memory(&keys->name);
		id = strings_intern(profile->strings, name.at, name.length);
		vec_push(&keys->rows, (struct key){
					      .id = id,
					      .row = row,
					      .self = profile->stacks.at[row].self,
				      });
	}
	for (size_t i = 0; i < keys->rows.count; i++)
		keys->rows.at[i].name = strings_get(profile->strings, keys->rows.at[i].id);
	if (keys->rows.count)
		qsort(keys->rows.at, keys->rows.count, sizeof(*keys->rows.at), compare_keys);
}

static int compare_stack_bins(const void *a, const void *b)
{
	const struct stack_bin *left = a;
	const struct stack_bin *right = b;

	if (left->row != right->row)
		return left->row < right->row ? -1 : 1;
	return (left->time_bin > right->time_bin) - (left->time_bin < right->time_bin);
}

/* Moves the weights of time bins to the new rows. */
static void move_stack_bins(struct profile *profile, const uint32_t *moved)
{
	for (size_t i = 0; i < profile->stack_bins.count; i++)
		profile->stack_bins.at[i].row = moved[profile->stack_bins.at[i].row];
	if (profile->stack_bins.count)
		qsort(profile->stack_bins.at, profile->stack_bins.count,
		      sizeof(*profile->stack_bins.at), compare_stack_bins);
}

static void build_tree(struct profile *profile, const struct keys *keys)
{
	uint32_t *moved = memory_zalloc(profile->stacks.count, sizeof(*moved));
	uint64_t root_self = profile->stacks.at[0].self;
	struct stack *stack = NULL;

	profile->frames.count = profile->stacks.count = 0;
	stack_tree_add_row(profile, 0, 0)->self = root_self;
	for (size_t i = 0; i < keys->rows.count; i++) {
		const struct key *key = &keys->rows.at[i];

		if (!i || key->id.i != keys->rows.at[i - 1].id.i) {
			vec_push(&profile->frames, (struct frame){ .name = key->id,
								   .kind = FRAME_USER,
								   .is_named = true });
			stack = stack_tree_add_row(profile, 1, (uint32_t)profile->frames.count - 1);
		}
		stack->self = saturate_add(stack->self, key->self);
		moved[key->row] = (uint32_t)profile->stacks.count - 1;
	}
	stack_tree_finish(profile);
	move_stack_bins(profile, moved);
	memory_free(moved);
}

void profile_join_keys(struct profile *profile)
{
	struct keys keys = { 0 };

	if (profile->stacks.count < 2 || (!shows_table(profile) && !has_only_groups(profile)))
		return;
	sink_init_memory(&keys.name);
	find_keys(&keys, profile);
	build_tree(profile, &keys);
	sink_deinit(&keys.name);
	vec_free(&keys.rows);
	vec_free(&keys.open);
}
