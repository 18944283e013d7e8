/* SPDX-License-Identifier: MIT */
#include "profile/build.h"

#include "base/hash.h"
#include "base/saturate.h"
#include "base/workers.h"
#include "profile/activity.h"
#include "profile/choose_event.h"
#include "profile/distinct_stacks.h"
#include "profile/frames.h"
#include "profile/sample_values.h"
#include "profile/tree.h"
#include "profile/trie_tree.h"

/* One worker's stacks. Parts are sorted by themselves, and merged while the tree grows. */
struct part {
	const struct resolved *resolved;
	VEC(uint32_t) groups; /* the frames each callers' stacks stand on, callers after callers */
	VEC(bool) is_java;    /* by callers */
	struct distinct_stacks stacks;
	struct trie_order order; /* in the place of stacks */
	size_t next;             /* of the stacks that are not in the tree yet */
};

struct builder {
	struct profile *profile;
	struct frames frames;
	struct part *parts;
	size_t part_count;
	VEC(uint32_t) open_ranks; /* of the tree's open rows, without the root */
	bool has_java, has_wakers;
	bool counts_samples;
	bool is_reversed;
	uint32_t depth_max; /* 0: none */
	uint32_t *of_dso; /* frames, by location, then that of no place; NULL: not grouped by it */
	uint32_t dso_level; /* of the grouping, with of_dso */
	const struct selection *selection;
	struct grouping grouping;
	const struct strings *values;
};

/* The innermost frame's place; LOCATION_NONE: the stack has no frames. */
static location_id innermost(const struct resolved *resolved,
			     const struct resolved_callers *callers, location_id leaf)
{
	if (leaf.i == LOCATION_NONE.i && callers->frame_count)
		return resolved->frames.at[callers->frame_first + callers->frame_count - 1];
	return leaf;
}

static uint32_t make_group(struct builder *builder, const struct resolved_callers *callers,
			   uint32_t level, uint32_t *value_index)
{
	enum group_by by = builder->grouping.by[level];
	struct text values;

	if (by != GROUP_CGROUP && by != GROUP_FIELD)
		return frames_of_group(&builder->frames, builder->profile, callers, by);
	values = strings_get(builder->values, (str_id){ callers->values });
	return frames_of_value(&builder->frames, sample_values_part(values, (*value_index)++));
}

/* Makes the frames that stacks stand on. New frames are made by one thread alone. */
static void make_groups(struct builder *builder, struct part *part)
{
	const struct resolved *resolved = part->resolved;

	vec_reserve(&part->is_java, resolved->callers.count);
	vec_reserve(&part->groups, resolved->callers.count * builder->grouping.count);
	for (size_t i = 0; i < resolved->callers.count; i++) {
		const struct resolved_callers *callers = &resolved->callers.at[i];
		bool is_java = frames_of_comm(&builder->frames, callers).is_java;
		uint32_t value_index = 0;

		builder->has_java |= is_java;
		vec_push(&part->is_java, is_java);
		for (uint32_t k = 0; k < builder->grouping.count; k++)
			vec_push(&part->groups, make_group(builder, callers, k, &value_index));
	}
}

/* Finds the grouping's level that differs from leaf to leaf, and makes its frames. */
static void make_dso_frames(struct builder *builder)
{
	const struct locations *locations = builder->frames.locations;
	size_t count = locations->rows.count;
	uint32_t level = 0;

	while (level < builder->grouping.count && builder->grouping.by[level] != GROUP_DSO)
		level++;
	if (level == builder->grouping.count)
		return;
	builder->dso_level = level;
	builder->of_dso = memory_alloc(count + 1, sizeof(*builder->of_dso));
	for (size_t i = 0; i < count; i++)
		builder->of_dso[i] = frames_of_dso(&builder->frames, &locations->rows.at[i]);
	builder->of_dso[count] = frames_of_dso(&builder->frames, NULL);
}

static void make_variants(struct builder *builder, location_id location)
{
	bool is_wanted[] = {
		[FRAME_RUNS] = true,
		[FRAME_WAITS] = builder->profile->shows_waits,
		[FRAME_WAKES] = builder->has_wakers,
	};

	for (int i = 0; i < FRAME_SEVERAL; i++) {
		struct frame_variant variant = { false, (enum frame_activity)i };

		if (!is_wanted[i])
			continue;
		frames_of_location(&builder->frames, location, variant);
		variant.is_java = true;
		if (builder->has_java)
			frames_of_location(&builder->frames, location, variant);
	}
}

/* Makes a frame of every place, so that afterwards they are only looked up. */
static void make_frames(struct builder *builder)
{
	size_t count = builder->frames.locations->rows.count;

	make_dso_frames(builder);
	for (uint32_t i = 0; i < count; i++)
		builder->has_wakers |=
			builder->frames.locations->rows.at[i].kind == LOCATION_SEPARATOR;
	for (uint32_t i = 0; i < count; i++)
		make_variants(builder, (location_id){ i });
	frames_number(&builder->frames);
}

/*
 * Adds a stack, turned round above the frames it stands on. turned has room for as many frames. What
 * is cut is what is outermost then: stacks are cut after they were turned.
 */
static void add_reversed(const struct builder *builder, struct part *part,
			 const struct sorted_stack *stack, uint32_t group_count, uint32_t *turned)
{
	struct sorted_stack cut = *stack;

	for (uint32_t i = 0; i < stack->count; i++) {
		bool is_group = i < group_count;

		turned[i] = stack->frames[is_group ? i : stack->count - 1 - (i - group_count)];
	}
	if (builder->depth_max && stack->count - group_count > builder->depth_max)
		cut.count = group_count + builder->depth_max;
	cut.frames = turned;
	distinct_stacks_add(&part->stacks, &cut,
			    hash_bytes(turned, cut.count * sizeof(*turned), stack->block));
}

/* Puts the frame of the leaf's module where stacks stand on it; the hash of all of buffer. */
static uint64_t set_dso(const struct builder *builder, uint32_t *buffer, uint32_t count,
			location_id leaf, uint32_t block)
{
	size_t none = builder->frames.locations->rows.count;

	buffer[builder->dso_level] =
		builder->of_dso[leaf.i == LOCATION_NONE.i ? none : (size_t)leaf.i];
	return hash_bytes(buffer, count * sizeof(*buffer), block);
}

typedef VEC(uint32_t) stack_buffer;

static bool has_bases(const struct builder *builder)
{
	return builder->selection && builder->selection->bases.count;
}

/* Cuts off what the frame that is to be the base stands on. False: the stack has none. */
static bool cut_to_base(const struct builder *builder, struct sorted_stack *stack)
{
	const selection_names *bases = &builder->selection->bases;
	size_t first = frame_table_find_name(&builder->frames.table, builder->profile->strings,
					     stack->frames, stack->count, bases->at, bases->count);

	if (first == stack->count)
		return false;
	stack->frames += first;
	stack->count -= (uint32_t)first;
	return true;
}

/* Adds a stack that begins with its base, and with nothing that it would be grouped by. */
static void add_on_base(const struct builder *builder, struct part *part, struct sorted_stack stack,
			uint32_t *turned)
{
	if (!cut_to_base(builder, &stack))
		return;
	if (builder->is_reversed) {
		add_reversed(builder, part, &stack, 0, turned);
		return;
	}
	if (builder->depth_max && stack.count > builder->depth_max)
		stack.count = builder->depth_max;
	distinct_stacks_add(
		&part->stacks, &stack,
		hash_bytes(stack.frames, stack.count * sizeof(*stack.frames), stack.block));
}

/* Appends the frames of a place, as many as depth_max lets be. */
static void push_place(const struct builder *builder, stack_buffer *buffer, struct frame_run run)
{
	bool is_cut_later = builder->is_reversed || has_bases(builder);
	size_t depth_max = is_cut_later ? 0 : builder->depth_max;
	size_t room = builder->grouping.count + depth_max - buffer->count;
	size_t count = depth_max && run.count > room ? room : run.count;

	vec_reserve(buffer, buffer->count + count);
	memcpy(buffer->at + buffer->count, builder->frames.in_runs.at + run.first,
	       count * sizeof(*buffer->at));
	buffer->count += count;
}

/* Adds the stacks of some callers. buffer holds what they stand on and the callers' own frames. */
static void add_leaves(const struct builder *builder, struct part *part,
		       const struct resolved_callers *callers, const struct frame_run *of_location,
		       stack_buffer *buffer)
{
	uint32_t count = (uint32_t)buffer->count;
	uint64_t hash = hash_bytes(buffer->at, count * sizeof(*buffer->at), callers->block);

	for (size_t i = 0; i < callers->stack_count; i++) {
		const struct resolved_stack *source =
			&part->resolved->stacks.at[callers->stack_first + i];
		location_id leaf = innermost(part->resolved, callers, source->leaf);
		struct sorted_stack stack = {
			.count = count,
			.block = callers->block,
			.sample_count = source->sample_count,
			.weight =
				builder->counts_samples ? source->sample_count : source->period_sum,
		};
		uint64_t stack_hash;

		if (!selection_takes_leaf(builder->selection, builder->profile,
					  builder->frames.locations, leaf))
			continue;
		buffer->count = count;
		if (builder->of_dso)
			hash = set_dso(builder, buffer->at, count, leaf, callers->block);
		if (source->leaf.i != LOCATION_NONE.i)
			push_place(builder, buffer, of_location[source->leaf.i]);
		stack.count = (uint32_t)buffer->count;
		stack_hash = hash;
		for (uint32_t k = count; k < stack.count; k++)
			stack_hash = hash_pair(stack_hash, buffer->at[k]);
		vec_reserve(buffer, 2 * (size_t)stack.count);
		stack.frames = buffer->at;
		if (has_bases(builder))
			add_on_base(builder, part, stack, buffer->at + stack.count);
		else if (builder->is_reversed)
			add_reversed(builder, part, &stack, builder->grouping.count,
				     buffer->at + stack.count);
		else
			distinct_stacks_add(&part->stacks, &stack, stack_hash);
	}
}

/* Whether what stands above it is another's stack. */
static bool is_separator(const struct builder *builder, location_id place)
{
	return builder->has_wakers &&
	       builder->frames.locations->rows.at[place.i].kind == LOCATION_SEPARATOR;
}

/* Finds the distinct stacks of one part, and sorts them. */
static void sort_part(void *context, size_t index)
{
	const struct builder *builder = context;
	struct part *part = &builder->parts[index];
	const struct resolved *resolved = part->resolved;
	uint32_t group_count = builder->grouping.count;
	stack_buffer buffer = { 0 };

	for (size_t i = 0; i < resolved->callers.count; i++) {
		const struct resolved_callers *callers = &resolved->callers.at[i];
		const struct profile_event *event = &builder->profile->events.at[callers->event];
		struct frame_variant variant = { part->is_java.at[i],
						 event->is_off_cpu ? FRAME_WAITS : FRAME_RUNS };
		const struct frame_run *of_location = frames_of_places(&builder->frames, variant);

		if (!event->is_shown)
			continue;
		buffer.count = 0;
		for (uint32_t k = 0; k < group_count; k++)
			vec_push(&buffer, part->groups.at[i * group_count + k]);
		for (uint32_t k = 0; k < callers->frame_count; k++) {
			location_id place = resolved->frames.at[callers->frame_first + k];

			if (is_separator(builder, place)) {
				variant.activity = FRAME_WAKES;
				of_location = frames_of_places(&builder->frames, variant);
			}
			push_place(builder, &buffer, of_location[place.i]);
		}
		add_leaves(builder, part, callers, of_location, &buffer);
	}
	vec_free(&buffer);
	stack_sort(part->stacks.rows.at, part->stacks.rows.count, builder->frames.rank);
}

/* Two frames with the same rank have the same name, and are drawn as one. */
static void merge_frame(struct builder *builder, struct stack *row, uint32_t frame)
{
	row->frame.i = frame_table_merge(&builder->frames.table, row->frame.i, frame);
}

/* Adds a stack behind the one before, if any, with which it shares its beginning. */
static void add_stack(struct builder *builder, struct tree *tree, const struct sorted_stack *stack,
		      const struct sorted_stack *before)
{
	const uint32_t *rank = builder->frames.rank;
	struct profile *profile = builder->profile;
	struct stack *leaf;
	/* What is the very same frame needs no merging. */
	uint32_t common = before ? stack_common_depth(stack, before, 0) : 0;

	while (common < stack->count && common + 1 < tree->open.count) {
		struct stack *row = &profile->stacks.at[tree->open.at[common + 1]];

		if (builder->open_ranks.at[common] != rank[stack->frames[common]])
			break;
		merge_frame(builder, row, stack->frames[common]);
		common++;
	}
	tree_close(tree, common + 1);
	builder->open_ranks.count = common;
	for (uint32_t i = common; i < stack->count; i++) {
		tree_open(tree, stack->frames[i]);
		vec_push(&builder->open_ranks, rank[stack->frames[i]]);
	}
	leaf = &profile->stacks.at[tree->open.at[tree->open.count - 1]];
	leaf->self = saturate_add(leaf->self, stack->weight);
	if (profile->block_count)
		vec_push(&profile->parts, (struct stack_part){
						  .row = tree->open.at[tree->open.count - 1],
						  .block = stack->block,
						  .weight = stack->weight,
					  });
	profile->view_sample_count = saturate_add(profile->view_sample_count, stack->sample_count);
}

/* Of the parts' next stacks the one that sorts first; NULL when all parts are done. */
static const struct sorted_stack *next_stack(struct builder *builder)
{
	const struct sorted_stack *found = NULL;
	struct part *from = NULL;

	for (size_t i = 0; i < builder->part_count; i++) {
		struct part *part = &builder->parts[i];
		const struct sorted_stack *stack;

		if (part->next == part->stacks.rows.count)
			continue;
		stack = &part->stacks.rows.at[part->next];
		if (!found || stack_compare(stack, found, builder->frames.rank) < 0) {
			found = stack;
			from = part;
		}
	}
	if (from)
		from->next++;
	return found;
}

static void build_tree(struct builder *builder)
{
	const struct sorted_stack *before = NULL;
	const struct sorted_stack *stack;
	struct tree tree;

	tree_init(&tree, builder->profile);
	while ((stack = next_stack(builder))) {
		add_stack(builder, &tree, stack, before);
		before = stack;
	}
	tree_finish(&tree);
	vec_free(&builder->open_ranks);
}

/* Puts the trie of one part in order. */
static void order_part(void *context, size_t index)
{
	const struct builder *builder = context;
	struct part *part = &builder->parts[index];
	const struct resolved *resolved = part->resolved;

	part->order.trie = resolved->trie;
	for (size_t i = 0; i < resolved->callers.count; i++) {
		const struct profile_event *event =
			&builder->profile->events.at[resolved->callers.at[i].event];
		struct frame_variant variant = { part->is_java.at[i],
						 event->is_off_cpu ? FRAME_WAITS : FRAME_RUNS };

		vec_push(&part->order.roots,
			 (struct trie_root_frames){
				 .groups = part->groups.at + i * builder->grouping.count,
				 .of_location = frames_of_places(&builder->frames, variant),
				 .is_shown = event->is_shown,
			 });
	}
	trie_order_make(&part->order, &builder->frames, resolved->places.at);
}

static void build_tree_of_tries(struct builder *builder)
{
	struct trie_order *orders = memory_alloc(builder->part_count, sizeof(*orders));

	for (size_t i = 0; i < builder->part_count; i++)
		orders[i] = builder->parts[i].order;
	trie_tree_build(builder->profile, &builder->frames, orders, builder->part_count,
			&(struct trie_tree_options){
				.group_count = builder->grouping.count,
				.counts_samples = builder->counts_samples,
			});
	memory_free(orders);
}

static void parts_init(struct builder *builder, struct resolved *const *workers, size_t count)
{
	builder->parts = memory_zalloc(count, sizeof(*builder->parts));
	builder->part_count = count;
	for (size_t i = 0; i < count; i++) {
		builder->parts[i].resolved = workers[i];
		distinct_stacks_init(&builder->parts[i].stacks);
	}
}

static void parts_deinit(struct builder *builder)
{
	for (size_t i = 0; i < builder->part_count; i++) {
		vec_free(&builder->parts[i].groups);
		vec_free(&builder->parts[i].is_java);
		distinct_stacks_deinit(&builder->parts[i].stacks);
		trie_order_deinit(&builder->parts[i].order);
	}
	memory_free(builder->parts);
}

bool build_profile(struct profile *profile, const struct locations *locations,
		   struct resolved *const *workers, size_t worker_count,
		   const struct build_options *options, struct error *err)
{
	struct builder builder = {
		.profile = profile,
		.selection = options->selection,
		.depth_max = options->selection ? options->selection->depth_max : 0,
		.is_reversed = options->is_reversed,
	};
	struct event_demands demands = {
		.event_pattern = options->event_pattern,
		.weighing = options->weighing,
		.grouping = options->grouping,
	};

	profile->is_reversed = options->is_reversed;
	profile->block_count = options->block_count;
	grouping_init(&builder.grouping);
	if (options->grouping)
		builder.grouping = *options->grouping;

	builder.values = options->values;
	if (!choose_event(profile, &demands, err))
		return false;
	for (size_t i = 0; i < profile->events.count; i++)
		profile->shows_waits |=
			profile->events.at[i].is_shown && profile->events.at[i].is_off_cpu;
	builder.counts_samples = profile->unit == UNIT_SAMPLES;
	frames_init(&builder.frames, profile->strings, profile->modules, locations,
		    &options->naming);
	parts_init(&builder, workers, worker_count);
	for (size_t i = 0; i < worker_count; i++)
		make_groups(&builder, &builder.parts[i]);
	make_frames(&builder);
	if (workers[0]->trie) {
		workers_run(options->thread_count, worker_count, order_part, &builder);
		build_tree_of_tries(&builder);
	} else {
		workers_run(options->thread_count, worker_count, sort_part, &builder);
		build_tree(&builder);
	}
	if (profile->shows_waits)
		activity_settle(profile, &builder.frames.table);
	vec_reserve(&profile->frames, builder.frames.table.rows.count);
	for (size_t i = 0; i < builder.frames.table.rows.count; i++)
		vec_push(&profile->frames, builder.frames.table.rows.at[i]);
	frames_deinit(&builder.frames);
	memory_free(builder.of_dso);
	parts_deinit(&builder);
	return true;
}
