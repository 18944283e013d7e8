/* SPDX-License-Identifier: MIT */
#include "merging/profile_run.h"

#include <assert.h>
#include <stdlib.h>

#include "base/arena.h"
#include "libparse/merged/merged_chunk.h"
#include "libparse/merged/merged_text.h"
#include "merging/merged_writer.h"
#include "profile/frame_name.h"
#include "profile/tree/stack_sort.h"

/* The levels of the grouping, which are not part of stacks: event, comm. */
#define GROUP_LEVELS 2u

/* Texts of groups or frames, and their order. */
struct texts {
	VEC(struct text) rows;
	uint32_t *ranks;
};

/* An event, and the name of its group frame. */
struct shown_event {
	str_id name;
	uint32_t event;
};

struct profile_run {
	const struct profile *profile;
	const struct profile_run_options *options;
	struct arena arena;  /* owns the texts and the stacks */
	struct texts all;    /* frames by frame_id, then groups */
	struct sink text;    /* while it is written */
	VEC(uint32_t) path;  /* of the row: group, then frames */
	VEC(bool) is_sample; /* by group: the event's weights are numbers of samples */
	struct stack_list stacks;
	VEC(struct shown_event) events; /* sorted by name */
};

void profile_run_set_view(struct view *view)
{
	view->grouping =
		(struct grouping){ .by = { GROUP_EVENT, GROUP_COMM }, .count = GROUP_LEVELS };
	view->keeps_sample_counts = true;
	view->keeps_periods = true;
	view->naming.parts_modules = true;
}

static void add_text(struct profile_run *run)
{
	struct text text = sink_memory(&run->text);

	vec_push(&run->all.rows,
		 (struct text){ arena_text(&run->arena, text.at, text.length), text.length });
	run->text.used = 0;
}

static enum merged_kind kind_of(enum frame_kind kind)
{
	static const enum merged_kind kinds[FRAME_KIND_COUNT] = {
		[FRAME_GROUP] = MERGED_GROUP,     [FRAME_USER] = MERGED_CODE,
		[FRAME_KERNEL] = MERGED_KERNEL,   [FRAME_JIT] = MERGED_JIT,
		[FRAME_INLINED] = MERGED_INLINED, [FRAME_MARK] = MERGED_MARK,
		[FRAME_BLOCKED] = MERGED_MARK,    [FRAME_PREEMPTED] = MERGED_MARK,
		[FRAME_RUN_QUEUE] = MERGED_MARK,
	};

	return kinds[kind];
}

/* Omits the name of an unknown function, which the reader derives from the module, if any. */
static void add_frame(struct profile_run *run, const struct frame *frame)
{
	const struct profile *profile = run->profile;
	const struct module *module = modules_get(profile->modules, frame->module);
	struct merged_frame merged = { .kind = kind_of(frame->kind) };
	bool has_module = module->kind != MODULE_NONE && module->kind != MODULE_MARK;

	merged.name = frame->is_named ? strings_get(profile->strings, frame->name) : text_of("");
	merged.module = has_module ? strings_get(profile->strings,
						 frame_name_of_module(profile->strings, module))
				   : text_of("");
	if (has_module && !module_has_other_build_id(module))
		merged.build_id = module->build_id;
	merged_frame_write(&merged, &run->text);
	add_text(run);
}

static int compare_shown(const void *a, const void *b)
{
	const struct shown_event *left = a;
	const struct shown_event *right = b;

	if (left->name.i != right->name.i)
		return left->name.i < right->name.i ? -1 : 1;
	return (left->event > right->event) - (left->event < right->event);
}

/*
 * Sorts the events by the names of their group frames. Events whose group frames have the same name
 * share a frame, so their stacks cannot be distinguished, which is an error.
 */
static bool list_events(struct profile_run *run, struct error *err)
{
	const struct profile *profile = run->profile;
	const struct profile_event *events = profile->events.at;

	for (uint32_t i = 0; i < profile->events.count; i++) {
		struct text name = strings_get(profile->strings, events[i].name);

		vec_push(&run->events,
			 (struct shown_event){ frame_name_of_value(profile->strings, name), i });
	}
	if (run->events.count)
		qsort(run->events.at, run->events.count, sizeof(*run->events.at), compare_shown);
	for (size_t i = 1; i < run->events.count; i++) {
		const struct profile_event *left = &events[run->events.at[i - 1].event];
		const struct profile_event *right = &events[run->events.at[i].event];

		if (run->events.at[i - 1].name.i == run->events.at[i].name.i &&
		    (left->name.i != right->name.i || left->unit != right->unit))
			return error_set(err, ERROR_UNSUPPORTED,
					 "two different events are both shown as %s; select one of "
					 "them with --event",
					 strings_text(profile->strings, run->events.at[i].name));
	}
	return true;
}

/* The event that a group frame stands for. */
static const struct profile_event *find_event(const struct profile_run *run, frame_id frame)
{
	const struct profile *profile = run->profile;
	str_id name = profile->frames.at[frame.i].name;
	size_t index = vec_count_first(&run->events, row, row->name.i < name.i);

	assert(index < run->events.count && run->events.at[index].name.i == name.i);
	return &profile->events.at[run->events.at[index].event];
}

/* Adds the group of the rows below a comm. */
static void add_group(struct profile_run *run, const struct stack *comm)
{
	const struct profile *profile = run->profile;
	const struct stack *rows = profile->stacks.at;
	const struct profile_event *event = find_event(run, rows[comm->parent].frame);
	struct merged_group group = {
		.event = strings_get(profile->strings, event->name),
		.unit = event->unit,
		.flags = (event->is_histogram ? MERGED_IS_HISTOGRAM : 0) |
			 (event->is_table ? MERGED_IS_TABLE : 0),
		.label_count = run->options->label_count,
		.comm = profile_frame_name(profile, comm->frame),
	};

	for (uint32_t i = 0; i < group.label_count; i++)
		group.labels[i] = run->options->labels[i];
	merged_group_write(&group, &run->text);
	add_text(run);
	vec_push(&run->is_sample, event->unit == UNIT_SAMPLES);
}

static void add_stack(struct profile_run *run, size_t row)
{
	const struct stack *stack = &run->profile->stacks.at[row];
	uint64_t sample_count = profile_sample_count(run->profile, row);
	bool is_sample = run->is_sample.at[run->is_sample.count - 1];
	uint32_t *frames =
		arena_alloc(&run->arena, run->path.count * sizeof(*frames), _Alignof(uint32_t));

	memcpy(frames, run->path.at, run->path.count * sizeof(*frames));
	vec_push(&run->stacks, (struct sorted_stack){
				       .frames = frames,
				       .count = (uint32_t)run->path.count,
				       .sample_count = sample_count,
				       .weight = is_sample ? sample_count : stack->self,
			       });
}

static void add_stacks(struct profile_run *run)
{
	const struct profile *profile = run->profile;

	for (size_t i = 1; i < profile->stacks.count; i++) {
		const struct stack *stack = &profile->stacks.at[i];

		if (stack->depth < GROUP_LEVELS)
			continue;
		run->path.count = stack->depth - GROUP_LEVELS;
		if (stack->depth == GROUP_LEVELS) {
			add_group(run, stack);
			vec_push(&run->path, (uint32_t)run->all.rows.count - 1);
		} else {
			vec_push(&run->path, stack->frame.i);
		}
		if (stack->self || profile_sample_count(profile, i))
			add_stack(run, i);
	}
}

struct ranked_text {
	struct text text;
	uint32_t row;
};

static int compare_ranked(const void *a, const void *b)
{
	return merged_text_compare(((const struct ranked_text *)a)->text,
				   ((const struct ranked_text *)b)->text);
}

/* Equal texts have equal ranks. */
static void rank_texts(struct texts *texts)
{
	size_t count = texts->rows.count;
	struct ranked_text *order = memory_alloc(count + 1, sizeof(*order));
	uint32_t rank = 0;

	texts->ranks = memory_alloc(count + 1, sizeof(*texts->ranks));
	for (uint32_t i = 0; i < count; i++)
		order[i] = (struct ranked_text){ texts->rows.at[i], i };
	if (count)
		qsort(order, count, sizeof(*order), compare_ranked);
	for (size_t i = 0; i < count; i++) {
		rank += i && compare_ranked(&order[i - 1], &order[i]) != 0;
		texts->ranks[order[i].row] = rank;
	}
	memory_free(order);
}

static bool write_stacks(struct profile_run *run, struct merged_writer *writer, struct error *err)
{
	VEC(struct text) elements = { 0 };
	bool good = true;

	stack_sort(run->stacks.at, run->stacks.count, run->all.ranks);
	for (size_t i = 0; good && i < run->stacks.count; i++) {
		const struct sorted_stack *stack = &run->stacks.at[i];

		elements.count = 0;
		for (uint32_t k = 0; k < stack->count; k++)
			vec_push(&elements, run->all.rows.at[stack->frames[k]]);
		good = merged_writer_add(writer,
					 &(struct merged_stack){
						 .elements = elements.at,
						 .count = stack->count,
						 .sample_count = stack->sample_count,
						 .weight = stack->weight,
					 },
					 err);
	}
	vec_free(&elements);
	return good;
}

static void summarise(const struct profile_run *run, struct merged_summary *summary)
{
	const struct profile *profile = run->profile;

	summary->capture_count = 1;
	summary->partial_count = run->options->is_partial;
	summary->lacks_sample_counts = profile->lacks_sample_counts;
	memcpy(summary->losses, profile->losses, sizeof(summary->losses));
	for (size_t i = 0; i < FACT_COUNT; i++)
		merged_summary_set_fact(summary, (enum fact)i, profile->facts[i]);
}

static void list_stacks(struct profile_run *run)
{
	for (size_t i = 0; i < run->profile->frames.count; i++)
		add_frame(run, &run->profile->frames.at[i]);
	add_stacks(run);
	rank_texts(&run->all);
}

bool profile_run_write(const struct profile *profile, const struct profile_run_options *options,
		       struct sink *sink, struct error *err)
{
	struct profile_run run = { .profile = profile, .options = options };
	struct merged_summary summary;
	struct merged_writer writer;
	bool good;

	arena_init(&run.arena);
	sink_init_memory(&run.text);
	merged_summary_init(&summary);
	summarise(&run, &summary);
	merged_writer_init(&writer, sink, &summary);
	good = list_events(&run, err);
	if (good) {
		list_stacks(&run);
		good = write_stacks(&run, &writer, err);
	}
	if (good)
		merged_writer_finish(&writer);
	merged_writer_deinit(&writer);
	merged_summary_deinit(&summary);
	vec_free(&run.all.rows);
	vec_free(&run.path);
	vec_free(&run.is_sample);
	vec_free(&run.stacks);
	vec_free(&run.events);
	memory_free(run.all.ranks);
	sink_deinit(&run.text);
	arena_deinit(&run.arena);
	return good;
}
