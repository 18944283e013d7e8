/* SPDX-License-Identifier: MIT */
#include "profile/tree/build.h"

#include "base/arithmetic.h"
#include "base/hash.h"
#include "base/workers.h"
#include "profile/frames.h"
#include "profile/join_keys.h"
#include "profile/sample_values.h"
#include "profile/selection/choose_event.h"
#include "profile/tree/stack_tree.h"
#include "profile/tree/unfold.h"

/* One list of stacks. */
struct build_part {
	struct resolved *resolved;
	VEC(uint32_t) groups; /* by key: the row of its groups */
	struct unfolded stacks;
	struct trie_order order; /* instead of stacks, for tries */
};

struct builder {
	struct profile *profile;
	struct frames frames;
	struct build_part *parts;
	size_t part_count;
	/* The groups of stacks: for each distinct combination, one frame per level. */
	struct idtable group_ids;
	VEC(struct stack_key) groups;
	uint32_t *group_frames;
	bool *is_java;
	const struct view *view;
	const struct strings *values;
	/* See struct unfolding. */
	uint32_t *of_dso;
	bool *is_base, *takes_leaf;
	struct unfolding unfolding;
	bool has_java;
};

static uint32_t make_group(struct builder *builder, const struct stack_key *key, uint32_t level,
			   uint32_t *value_index)
{
	enum group_by by = builder->view->grouping.by[level];
	struct text values;

	if (by != GROUP_CGROUP && by != GROUP_FIELD)
		return frames_of_group(&builder->frames, builder->profile, key, by);
	values = strings_get(builder->values, (str_id){ key->values });
	return frames_of_value(&builder->frames, sample_values_part(values, (*value_index)++));
}

/* Members before time_bin determine the group frames. */
#define GROUP_KEY_BYTES offsetof(struct stack_key, time_bin)

/* Returns the row of the groups of a key, and records their first sample. */
static uint32_t intern_groups(struct builder *builder, const struct stack_key *key)
{
	uint64_t hash = hash_bytes(key, GROUP_KEY_BYTES, 0);
	struct idtable_probe probe = idtable_find(&builder->group_ids, hash);
	uint32_t id;

	while ((id = idtable_next(&builder->group_ids, &probe)) != IDTABLE_NONE) {
		struct stack_key *row = &builder->groups.at[id];

		if (memcmp(row, key, GROUP_KEY_BYTES) != 0)
			continue;
		if (key->first_offset < row->first_offset)
			row->first_offset = key->first_offset;
		return id;
	}
	id = (uint32_t)builder->groups.count;
	vec_push(&builder->groups, *key);
	idtable_add(&builder->group_ids, hash, id);
	return id;
}

static void find_groups(struct builder *builder, struct build_part *part)
{
	const struct resolved *resolved = part->resolved;

	vec_reserve(&part->groups, resolved->keys.count);
	for (size_t i = 0; i < resolved->keys.count; i++)
		vec_push(&part->groups, intern_groups(builder, &resolved->keys.at[i]));
}

/*
 * Orders groups by their first samples. A sample can have several groups, because it can begin an
 * interval for each of its events.
 */
static int compare_groups(const void *a, const void *b)
{
	const struct stack_key *one = *(const struct stack_key *const *)a;
	const struct stack_key *other = *(const struct stack_key *const *)b;
	uint32_t keys[2][GROUP_KEY_BYTES / sizeof(uint32_t)];

	if (one->first_offset != other->first_offset)
		return one->first_offset < other->first_offset ? -1 : 1;
	memcpy(keys[0], one, GROUP_KEY_BYTES);
	memcpy(keys[1], other, GROUP_KEY_BYTES);
	for (size_t i = 0; i < ARRAY_SIZE(keys[0]); i++)
		if (keys[0][i] != keys[1][i])
			return keys[0][i] < keys[1][i] ? -1 : 1;
	return 0;
}

/*
 * Creates group frames in the order of their first samples, because the order of stacks differs
 * between runs. Runs in a single thread, like all code that creates frames.
 */
static void make_groups(struct builder *builder)
{
	uint32_t level_count = builder->view->grouping.count;
	size_t count = builder->groups.count;
	const struct stack_key **order = memory_alloc(count, sizeof(const void *));

	/* At least one frame, so that the array to which offsets are added is not NULL. */
	builder->group_frames = memory_alloc(count * level_count + 1, sizeof(uint32_t));
	builder->is_java = memory_alloc(count + 1, sizeof(bool));
	for (size_t i = 0; i < count; i++)
		order[i] = &builder->groups.at[i];
	qsort(order, count, sizeof(const void *), compare_groups);
	for (size_t i = 0; i < count; i++) {
		size_t row = (size_t)(order[i] - builder->groups.at);
		uint32_t value_index = 0;

		builder->is_java[row] = frames_of_comm(&builder->frames, order[i]).is_java;
		builder->has_java |= builder->is_java[row];
		for (uint32_t k = 0; k < level_count; k++)
			builder->group_frames[row * level_count + k] =
				make_group(builder, order[i], k, &value_index);
	}
	memory_free(order);
}

/* Creates the frames of the one grouping level that depends on the leaf. */
static void make_dso_frames(struct builder *builder)
{
	const struct locations *locations = builder->frames.locations;
	size_t count = locations->rows.count;
	uint32_t level = 0;

	while (level < builder->view->grouping.count &&
	       builder->view->grouping.by[level] != GROUP_DSO)
		level++;
	if (level == builder->view->grouping.count)
		return;
	builder->of_dso = memory_alloc(count + 1, sizeof(*builder->of_dso));
	for (size_t i = 0; i < count; i++)
		builder->of_dso[i] = frames_of_dso(&builder->frames, &locations->rows.at[i]);
	builder->of_dso[count] = frames_of_dso(&builder->frames, NULL);
	builder->unfolding.of_dso = builder->of_dso;
	builder->unfolding.dso_level = level;
}

/*
 * Evaluates the selection only once for each frame and location, because each may be in millions of
 * stacks.
 */
static void ask_selection(struct builder *builder)
{
	const struct selection *selection = &builder->view->selection;
	const struct locations *locations = builder->frames.locations;
	const struct frame_table *table = &builder->frames.table;
	size_t count = locations->rows.count;

	if (selection->bases.count) {
		builder->is_base = memory_alloc(table->rows.count, sizeof(bool));
		for (size_t i = 0; i < table->rows.count; i++)
			builder->is_base[i] = frame_name_fits(
				strings_get(builder->profile->strings, table->rows.at[i].name),
				&selection->bases);
	}
	if (selection_asks_of_leaves(selection)) {
		builder->takes_leaf = memory_alloc(count + 1, sizeof(bool));
		for (uint32_t i = 0; i < count; i++)
			builder->takes_leaf[i] = selection_includes_leaf(
				selection, builder->profile, locations, (location_id){ i });
		builder->takes_leaf[count] = selection_includes_leaf(selection, builder->profile,
								     locations, LOCATION_NONE);
	}
	builder->unfolding.transform.is_base = builder->is_base;
	builder->unfolding.takes_leaf = builder->takes_leaf;
}

static void make_variants(struct builder *builder, location_id location)
{
	bool is_wanted[] = {
		[FRAME_RUNS] = true,
		[FRAME_WAITS] = builder->profile->shows_waits,
		[FRAME_WAKES] = builder->unfolding.has_wakers,
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

/* Creates the frames of all locations, so that threads only look them up. */
static void make_frames(struct builder *builder)
{
	size_t count = builder->frames.locations->rows.count;

	make_dso_frames(builder);
	for (uint32_t i = 0; i < count; i++)
		builder->unfolding.has_wakers |=
			builder->frames.locations->rows.at[i].kind == LOCATION_SEPARATOR;
	for (uint32_t i = 0; i < count; i++)
		make_variants(builder, (location_id){ i });
	frames_number(&builder->frames);
}

static void unfold_part(void *context, size_t index)
{
	const struct builder *builder = context;
	struct build_part *part = &builder->parts[index];

	unfold(&builder->unfolding, part->resolved,
	       &(struct unfolded_groups){ part->groups.at, builder->group_frames,
					  builder->is_java },
	       &part->stacks);
	resolved_clear(part->resolved);
}

static void build_tree_of_stacks(struct builder *builder, unsigned thread_count)
{
	struct stack_list *lists = memory_alloc(builder->part_count, sizeof(*lists));
	struct stack_list sorted;

	workers_run(thread_count, builder->part_count, unfold_part, builder);
	for (size_t i = 0; i < builder->part_count; i++) {
		lists[i] = builder->parts[i].stacks.rows;
		builder->parts[i].stacks.rows = (struct stack_list){ 0 };
	}
	sorted = stack_sort_all(lists, builder->part_count, builder->frames.rank, thread_count);
	stack_tree_build(builder->profile, &builder->frames, sorted.at, sorted.count, thread_count);
	vec_free(&sorted);
	memory_free(lists);
}

/* Orders the trie of one part. */
static void order_part(void *context, size_t index)
{
	const struct builder *builder = context;
	struct build_part *part = &builder->parts[index];
	const struct resolved *resolved = part->resolved;

	part->order.trie = resolved->trie;
	for (size_t i = 0; i < resolved->keys.count; i++) {
		const struct profile_event *event =
			&builder->profile->events.at[resolved->keys.at[i].event];
		uint32_t groups = part->groups.at[i];
		struct frame_variant variant = { builder->is_java[groups],
						 event->is_off_cpu ? FRAME_WAITS : FRAME_RUNS };

		vec_push(&part->order.roots,
			 (struct trie_root_frames){
				 .groups = builder->group_frames +
					   (size_t)groups * builder->view->grouping.count,
				 .of_location = frames_of_locations(&builder->frames, variant),
				 .is_shown = event->is_shown,
			 });
	}
	trie_order_make(&part->order, &builder->frames, resolved->text_locations.at);
}

static void build_tree_of_tries(struct builder *builder, unsigned thread_count)
{
	struct trie_order *orders = memory_alloc(builder->part_count, sizeof(*orders));

	workers_run(thread_count, builder->part_count, order_part, builder);
	for (size_t i = 0; i < builder->part_count; i++)
		orders[i] = builder->parts[i].order;
	trie_tree_build(builder->profile, &builder->frames, orders, builder->part_count,
			&(struct trie_tree_options){
				.group_count = builder->view->grouping.count,
				.counts_samples = builder->unfolding.counts_samples,
			});
	memory_free(orders);
}

static void parts_init(struct builder *builder, struct resolved *const *workers, size_t count)
{
	builder->parts = memory_zalloc(count, sizeof(*builder->parts));
	builder->part_count = count;
	idtable_init(&builder->group_ids);
	for (size_t i = 0; i < count; i++) {
		builder->parts[i].resolved = workers[i];
		unfolded_init(&builder->parts[i].stacks);
	}
}

static void parts_deinit(struct builder *builder)
{
	for (size_t i = 0; i < builder->part_count; i++) {
		vec_free(&builder->parts[i].groups);
		unfolded_deinit(&builder->parts[i].stacks);
		trie_order_deinit(&builder->parts[i].order);
	}
	memory_free(builder->parts);
	idtable_deinit(&builder->group_ids);
	vec_free(&builder->groups);
	memory_free(builder->group_frames);
	memory_free(builder->is_java);
}

/* An activity is ignored if its share of the row's weight is at most 1/SHARE. */
#define SHARE 10

static bool is_wait(enum frame_kind kind)
{
	return kind == FRAME_BLOCKED || kind == FRAME_PREEMPTED || kind == FRAME_RUN_QUEUE;
}

/* Adds up how long threads were off-CPU in each row, by the marks at the leaves. */
static uint64_t *sum_waits(const struct profile *profile, const struct frame_table *frames)
{
	const struct stack *stacks = profile->stacks.at;
	uint64_t *waits = memory_zalloc(profile->stacks.count, sizeof(*waits));

	for (size_t i = profile->stacks.count; i-- > 1;) {
		uint64_t *parent = &waits[stacks[i].parent];

		if (is_wait(frames->rows.at[stacks[i].frame.i].kind))
			waits[i] = stacks[i].total;
		*parent = saturate_add(*parent, waits[i]);
	}
	return waits;
}

void build_settle_activity(struct profile *profile, struct frame_table *frames)
{
	uint64_t *waits = sum_waits(profile, frames);

	for (size_t i = 1; i < profile->stacks.count; i++) {
		struct stack *row = &profile->stacks.at[i];
		struct frame frame = frames->rows.at[row->frame.i];

		if (frame.activity != FRAME_SEVERAL)
			continue;
		if (waits[i] <= row->total / SHARE)
			frame.activity = FRAME_RUNS;
		else if (row->total - waits[i] <= row->total / SHARE)
			frame.activity = FRAME_WAITS;
		row->frame.i = frame_table_intern(frames, &frame);
	}
	memory_free(waits);
}

/*
 * Multiplies weights so that they become nanoseconds. Afterwards, the number of samples is unknown.
 */
static void scale_weights(struct profile *profile, uint64_t factor)
{
	profile->unit = UNIT_NANOSECONDS;
	profile->view_sample_count = 0;
	profile->lacks_sample_counts = true;
	for (size_t i = 0; i < profile->stacks.count; i++) {
		struct stack *stack = &profile->stacks.at[i];

		profile->view_sample_count += stack->self != 0;
		stack->self = saturate_multiply(stack->self, factor);
		stack->total = saturate_multiply(stack->total, factor);
	}
}

static void rename_weights(struct profile *profile, const struct build_options *options)
{
	if (options->event_name)
		profile->event_name = strings_intern_text(profile->strings, options->event_name);
	if (options->weight_name)
		profile->weight_name = strings_intern_text(profile->strings, options->weight_name);
}

bool build_profile(struct profile *profile, const struct locations *locations,
		   struct resolved *const *workers, size_t worker_count, const struct view *view,
		   const struct build_options *options, struct error *err)
{
	struct builder builder = {
		.profile = profile,
		.view = view,
		.values = options->values,
	};
	uint64_t factor = 0;

	profile->is_reversed = view->is_reversed;
	if (options->time_bins) {
		profile->time_bin_count = options->time_bins->count;
		profile->time_bin_parts = options->time_bins->parts;
		profile->first_bin_ns = options->time_bins->first_ns;
		profile->bin_ns = options->time_bins->width_ns;
	}
	profile->keeps_sample_counts = view->keeps_sample_counts;
	if (!choose_event(profile, view, err))
		return false;
	rename_weights(profile, options);
	if (options->scale && !options->scale(options->scale_context, profile, &factor, err))
		return false;
	for (size_t i = 0; i < profile->events.count; i++)
		profile->shows_waits |=
			profile->events.at[i].is_shown && profile->events.at[i].is_off_cpu;
	builder.unfolding = (struct unfolding){
		.profile = profile,
		.frames = &builder.frames,
		.grouping = &view->grouping,
		.transform = {
			.frames = &builder.frames,
			.depth_max = view->selection.depth_max,
			.keeps_groups = view->keeps_groups,
			.is_reversed = view->is_reversed,
		},
		.counts_samples = profile->unit == UNIT_SAMPLES,
	};
	frames_init(&builder.frames, profile->strings, profile->modules, locations, &view->naming);
	parts_init(&builder, workers, worker_count);
	for (size_t i = 0; i < worker_count; i++)
		find_groups(&builder, &builder.parts[i]);
	make_groups(&builder);
	make_frames(&builder);
	ask_selection(&builder);
	if (workers[0]->trie)
		build_tree_of_tries(&builder, options->thread_count);
	else
		build_tree_of_stacks(&builder, options->thread_count);
	if (profile->shows_waits)
		build_settle_activity(profile, &builder.frames.table);
	frame_table_finish(&builder.frames.table, profile);
	frames_deinit(&builder.frames);
	memory_free(builder.of_dso);
	memory_free(builder.is_base);
	memory_free(builder.takes_leaf);
	parts_deinit(&builder);
	if (view->joins_keys)
		profile_join_keys(profile);
	if (factor)
		scale_weights(profile, factor);
	if (options->functions)
		exact_functions_apply(options->functions, profile, locations, &view->naming);
	return true;
}
