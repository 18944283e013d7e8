/* SPDX-License-Identifier: MIT */
#include "profile/build.h"

#include "base/saturate.h"
#include "base/workers.h"
#include "profile/frames.h"
#include "profile/stack_sort.h"

/* The rows from the root to where the last stack ended. */
struct tree_path {
	VEC(uint32_t) rows;
	VEC(uint32_t) ranks; /* of the row at the same index; the root's is not used */
};

/* What a stack is made from, until its frames are filled in. */
struct stack_source {
	const location_id *locations; /* behind those it stands on */
	bool is_java;
};

/* Parts that are sorted by themselves and merged while the tree grows. */
#define PARTS_MAX         8
#define PARTED_STACKS_MIN 4096

struct builder {
	struct profile *profile;
	struct frames frames;
	VEC(struct sorted_stack) stacks;
	VEC(struct stack_source) sources; /* of the stack at the same index, before sorting */
	VEC(uint32_t) stack_frames;
	size_t part_count;
	bool has_java;
	bool counts_samples;
	const struct selection *selection;
	struct grouping grouping;
};

/* The event of the first sample in time; where there are no times, the first that has samples. */
static const struct profile_event *default_event(const struct profile *profile)
{
	const struct profile_event *found = NULL;

	for (size_t i = 0; i < profile->events.count; i++) {
		const struct profile_event *event = &profile->events.at[i];

		if (event->sample_count && (!found || event->first_time_ns < found->first_time_ns))
			found = event;
	}
	if (!found && profile->events.count)
		found = &profile->events.at[0];
	return found;
}

static bool no_such_event(const struct profile *profile, const char *name, struct error *err)
{
	char known[300] = "";

	for (size_t i = 0; i < profile->events.count; i++) {
		size_t length = strlen(known);

		snprintf(known + length, sizeof(known) - length, "%s%s", i ? ", " : "",
			 strings_text(profile->strings, profile->events.at[i].name));
	}
	return error_set(err, ERROR_USAGE, "there is no event \"%s\" in it, but %s", name, known);
}

static bool choose_event(struct profile *profile, const struct build_options *options,
			 struct error *err)
{
	const struct profile_event *event = default_event(profile);

	if (!event)
		return error_set(err, ERROR_DAMAGED, "no events are described");
	if (options->event_name) {
		str_id name = strings_intern_text(profile->strings, options->event_name);

		event = NULL;
		for (size_t i = 0; i < profile->events.count && !event; i++)
			if (profile->events.at[i].name.i == name.i)
				event = &profile->events.at[i];
		if (!event)
			return no_such_event(profile, options->event_name, err);
	}
	profile->event_name = event->name;
	profile->unit = options->counts_samples ? UNIT_SAMPLES : event->unit;
	/* Periods of different things do not add up; samples do. */
	if (options->grouping && grouping_has(options->grouping, GROUP_EVENT)) {
		profile->event_name = strings_intern_text(profile->strings, "all events");
		profile->unit = UNIT_SAMPLES;
	}
	return true;
}

/* Whether the stack is one of those selected by what its innermost frame is. */
static bool is_selected(const struct builder *builder, const struct resolved *resolved,
			const struct resolved_stack *stack)
{
	const struct profile *profile = builder->profile;
	const struct location *leaf;

	if (!stack->frame_count)
		return selection_takes_leaf(builder->selection, false, (struct text){ 0 },
					    (struct text){ 0 });
	leaf = &builder->frames.locations->rows
			.at[resolved->frames.at[stack->frame_first + stack->frame_count - 1].i];
	return selection_takes_leaf(
		builder->selection, true,
		strings_get(profile->strings, modules_get(profile->modules, leaf->module)->path),
		strings_get(profile->strings, leaf->name));
}

static bool is_of_event(const struct builder *builder, const struct resolved_stack *stack)
{
	const struct profile *profile = builder->profile;

	return grouping_has(&builder->grouping, GROUP_EVENT) ||
	       profile->events.at[stack->event].name.i == profile->event_name.i;
}

static uint32_t depth_of(const struct builder *builder, const struct resolved_stack *stack)
{
	uint32_t depth_max = builder->selection ? builder->selection->depth_max : 0;

	return depth_max && depth_max < stack->frame_count ? depth_max : stack->frame_count;
}

/* Notes one worker's selected stacks, with the frames they stand on; the rest is filled in later. */
static void take_stacks(struct builder *builder, const struct resolved *resolved)
{
	const struct profile *profile = builder->profile;

	for (size_t i = 0; i < resolved->stacks.count; i++) {
		const struct resolved_stack *stack = &resolved->stacks.at[i];
		uint32_t depth = depth_of(builder, stack);
		struct sorted_stack row = {
			.first = builder->stack_frames.count,
			.count = builder->grouping.count + depth,
			.sample_count = stack->sample_count,
			.weight = builder->counts_samples ? stack->sample_count : stack->period_sum,
		};
		struct stack_source source = {
			.locations = stack->frame_count ? resolved->frames.at + stack->frame_first
							: NULL,
			.is_java = frames_of_comm(&builder->frames, stack).is_java,
		};

		if (!is_of_event(builder, stack) || !is_selected(builder, resolved, stack))
			continue;
		builder->has_java |= source.is_java;
		vec_reserve(&builder->stack_frames, row.first + row.count);
		for (uint32_t k = 0; k < builder->grouping.count; k++)
			vec_push(&builder->stack_frames,
				 frames_of_group(&builder->frames, profile, stack,
						 builder->grouping.by[k]));
		builder->stack_frames.count += depth;
		vec_push(&builder->stacks, row);
		vec_push(&builder->sources, source);
	}
}

/* Makes a frame of every place, so that afterwards they are only looked up. */
static void make_frames(struct builder *builder)
{
	size_t count = builder->frames.locations->rows.count;

	for (uint32_t i = 0; i < count; i++) {
		frames_of_location(&builder->frames, (location_id){ i }, false);
		if (builder->has_java)
			frames_of_location(&builder->frames, (location_id){ i }, true);
	}
	frames_number(&builder->frames);
}

static size_t part_begin(const struct builder *builder, size_t part)
{
	return builder->stacks.count * part / builder->part_count;
}

/* Fills in the frames of one part of the stacks, and sorts it. */
static void sort_part(void *context, size_t part)
{
	struct builder *builder = context;
	size_t begin = part_begin(builder, part);
	size_t end = part_begin(builder, part + 1);

	for (size_t i = begin; i < end; i++) {
		const struct sorted_stack *stack = &builder->stacks.at[i];
		const struct stack_source *source = &builder->sources.at[i];
		const uint32_t *of_location = builder->frames.of_location[source->is_java];
		uint32_t *frames = builder->stack_frames.at + stack->first;

		for (uint32_t k = builder->grouping.count; k < stack->count; k++)
			frames[k] = of_location[source->locations[k - builder->grouping.count].i];
	}
	stack_sort(builder->stacks.at + begin, end - begin, builder->stack_frames.at,
		   builder->frames.rank);
}

/* Ends the subtrees of the path below depth. */
static void close_rows(struct profile *profile, struct tree_path *path, size_t depth)
{
	while (path->rows.count > depth) {
		uint32_t row = path->rows.at[--path->rows.count];

		path->ranks.count--;
		profile->stacks.at[row].end = (uint32_t)profile->stacks.count;
	}
}

static void open_row(struct profile *profile, struct tree_path *path, uint32_t frame, uint32_t rank)
{
	uint32_t row = (uint32_t)profile->stacks.count;
	uint32_t depth = (uint32_t)path->rows.count;

	vec_push(&profile->stacks, (struct stack){
					   .parent = depth ? path->rows.at[depth - 1] : 0,
					   .frame = { frame },
					   .depth = depth,
				   });
	vec_push(&path->rows, row);
	vec_push(&path->ranks, rank);
}

static void merge_frame(struct builder *builder, struct stack *row, uint32_t frame)
{
	if (row->frame.i != frame)
		row->frame.i = frames_merge(&builder->frames, row->frame.i, frame);
}

static void add_stack(struct builder *builder, struct tree_path *path,
		      const struct sorted_stack *stack)
{
	const uint32_t *frames = builder->stack_frames.at + stack->first;
	struct profile *profile = builder->profile;
	struct stack *leaf;
	uint32_t common = 0;

	while (common < stack->count && common + 1 < path->rows.count &&
	       path->ranks.at[common + 1] == builder->frames.rank[frames[common]]) {
		merge_frame(builder, &profile->stacks.at[path->rows.at[common + 1]],
			    frames[common]);
		common++;
	}
	close_rows(profile, path, common + 1);
	for (uint32_t i = common; i < stack->count; i++)
		open_row(profile, path, frames[i], builder->frames.rank[frames[i]]);
	leaf = &profile->stacks.at[path->rows.at[path->rows.count - 1]];
	leaf->self = saturate_add(leaf->self, stack->weight);
	profile->view_sample_count += stack->sample_count;
}

static void sum_totals(struct profile *profile)
{
	for (size_t i = profile->stacks.count; i-- > 0;) {
		struct stack *row = &profile->stacks.at[i];

		row->total = saturate_add(row->total, row->self);
		if (i) {
			struct stack *parent = &profile->stacks.at[row->parent];

			parent->total = saturate_add(parent->total, row->total);
		}
	}
}

/* Of the parts' next stacks the one that sorts first; false when all parts are done. */
static bool next_stack(const struct builder *builder, size_t *next, size_t *ret)
{
	const struct sorted_stack *stacks = builder->stacks.at;
	size_t found = SIZE_MAX;

	for (size_t part = 0; part < builder->part_count; part++) {
		if (next[part] == part_begin(builder, part + 1))
			continue;
		if (found == SIZE_MAX ||
		    stack_compare(&stacks[next[part]], &stacks[next[found]],
				  builder->stack_frames.at, builder->frames.rank) < 0)
			found = part;
	}
	if (found == SIZE_MAX)
		return false;
	*ret = next[found]++;
	return true;
}

static void build_tree(struct builder *builder)
{
	struct profile *profile = builder->profile;
	struct tree_path path = { 0 };
	size_t next[PARTS_MAX];
	size_t i;

	for (size_t part = 0; part < builder->part_count; part++)
		next[part] = part_begin(builder, part);
	open_row(profile, &path, 0, 0);
	while (next_stack(builder, next, &i))
		add_stack(builder, &path, &builder->stacks.at[i]);
	close_rows(profile, &path, 0);
	sum_totals(profile);
	vec_free(&path.rows);
	vec_free(&path.ranks);
}

static size_t part_count_for(unsigned thread_count, size_t stack_count)
{
	size_t count = thread_count < PARTS_MAX ? thread_count : PARTS_MAX;

	if (!stack_count)
		return 0;
	return count && stack_count >= PARTED_STACKS_MIN ? count : 1;
}

bool build_profile(struct profile *profile, const struct locations *locations,
		   struct resolved *const *workers, size_t worker_count,
		   const struct build_options *options, struct error *err)
{
	struct builder builder = {
		.profile = profile,
		.selection = options->selection,
	};

	grouping_init(&builder.grouping);
	if (options->grouping)
		builder.grouping = *options->grouping;

	if (!choose_event(profile, options, err))
		return false;
	builder.counts_samples = profile->unit == UNIT_SAMPLES;
	frames_init(&builder.frames, profile->strings, profile->modules, locations,
		    options->is_literal);
	for (size_t i = 0; i < worker_count; i++)
		take_stacks(&builder, workers[i]);
	make_frames(&builder);
	builder.part_count = part_count_for(options->thread_count, builder.stacks.count);
	workers_run(options->thread_count, builder.part_count, sort_part, &builder);
	build_tree(&builder);
	vec_reserve(&profile->frames, builder.frames.rows.count);
	for (size_t i = 0; i < builder.frames.rows.count; i++)
		vec_push(&profile->frames, builder.frames.rows.at[i]);
	frames_deinit(&builder.frames);
	vec_free(&builder.sources);
	vec_free(&builder.stacks);
	vec_free(&builder.stack_frames);
	return true;
}
