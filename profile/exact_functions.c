/* SPDX-License-Identifier: MIT */
#include "profile/exact_functions.h"

#include "base/arithmetic.h"
#include "profile/missing.h"
#include "profile/tree/function_sums.h"

void exact_functions_deinit(struct exact_functions *functions)
{
	vec_free(&functions->functions);
	vec_free(&functions->names);
}

static void add_function(void *context, const struct event_function_total *function)
{
	struct exact_functions *functions = context;
	struct text event = function->event;
	struct text name = function->name;
	str_id event_id =
		strings_intern(functions->strings, event.length ? event.at : "", event.length);

	if (function->frame.at)
		vec_push(&functions->functions,
			 (struct exact_function){
				 .row = raw_texts_intern(functions->texts, function->frame,
							 raw_texts_number(function->frame)),
				 .event = event_id,
				 .sum = { function->self, function->total },
			 });
	else
		vec_push(&functions->names,
			 (struct exact_name){
				 .event = event_id,
				 .total = { strings_intern(functions->strings,
							   name.length ? name.at : "", name.length),
					    function->total },
			 });
}

void exact_functions_read(struct exact_functions *functions, const struct capture *capture,
			  struct strings *strings, struct raw_texts *texts)
{
	functions->strings = strings;
	functions->texts = texts;
	if (capture->format->read_functions)
		capture->format->read_functions(capture, add_function, functions);
}

void exact_functions_locate(struct exact_functions *functions, const uint32_t *locations)
{
	for (size_t i = 0; i < functions->functions.count; i++)
		functions->functions.at[i].row = locations[functions->functions.at[i].row];
}

static bool is_shown(const struct profile *profile, str_id name)
{
	for (size_t i = 0; i < profile->events.count; i++)
		if (profile->events.at[i].name.i == name.i)
			return profile->events.at[i].is_shown;
	return false;
}

/* Returns the frame of a function. Adds the frame if no stack of the profile contains it. */
static uint32_t frame_of(struct profile *profile, struct frames *frames, struct frame_table *table,
			 location_id location)
{
	struct frame_run run =
		frames_of_location(frames, location, (struct frame_variant){ .is_java = false });
	struct frame frame = frames->table.rows.at[frames->in_runs.at[run.first]];
	uint32_t id = frame_table_intern(table, &frame);

	if (id == profile->frames.count)
		vec_push(&profile->frames, frame);
	return id;
}

static void add_sums(const struct exact_functions *functions, struct profile *profile,
		     const struct locations *locations, const struct frame_naming *naming)
{
	struct frame_table table;
	struct frames frames;

	frames_init(&frames, profile->strings, profile->modules, locations, naming);
	frame_table_init(&table);
	for (size_t i = 0; i < profile->frames.count; i++)
		frame_table_intern(&table, &profile->frames.at[i]);
	for (size_t i = 0; i < functions->functions.count; i++) {
		const struct exact_function *row = &functions->functions.at[i];
		struct function_sum *sum;
		uint32_t frame;

		if (!is_shown(profile, row->event))
			continue;
		frame = frame_of(profile, &frames, &table, (location_id){ row->row });
		while (profile->exact.functions.count < profile->frames.count)
			vec_push(&profile->exact.functions, (struct function_sum){ 0 });
		sum = &profile->exact.functions.at[frame];
		sum->self = saturate_add(sum->self, row->sum.self);
		sum->total = saturate_add(sum->total, row->sum.total);
	}
	for (size_t i = 0; i < functions->names.count; i++)
		if (is_shown(profile, functions->names.at[i].event))
			vec_push(&profile->exact.names, functions->names.at[i].total);
	frame_table_deinit(&table);
	frames_deinit(&frames);
}

/*
 * Whether the self weights add up to the profile's total, and no sum is smaller than the sum of the
 * function's rows in the tree.
 */
static bool agree_with_tree(const struct profile *profile)
{
	const struct function_sum *exact = profile->exact.functions.at;
	uint32_t left_out = missing_left_out_frame(profile);
	struct function_sums tree;
	uint64_t self = 0;
	bool good = left_out < profile->frames.count &&
		    profile->exact.functions.count == profile->frames.count;

	if (!good)
		return false;
	function_sums_of_tree(&tree, profile, NULL);
	for (uint32_t i = 0; i < profile->frames.count; i++) {
		self = saturate_add(self, exact[i].self);
		good &= exact[i].total <= profile->stacks.at[0].total;
		if (i == left_out)
			good &= !exact[i].total;
		else
			good &= tree.of_frame[i].self <= exact[i].self &&
				tree.of_frame[i].total <= exact[i].total;
	}
	function_sums_deinit(&tree);
	return good && self == profile->stacks.at[0].total - profile->stacks.at[0].self;
}

void exact_functions_apply(const struct exact_functions *functions, struct profile *profile,
			   const struct locations *locations, const struct frame_naming *naming)
{
	size_t frame_count = profile->frames.count;

	if (!functions->functions.count || !profile->stacks.count)
		return;
	add_sums(functions, profile, locations, naming);
	if (agree_with_tree(profile))
		return;
	vec_free(&profile->exact.functions);
	vec_free(&profile->exact.names);
	profile->frames.count = frame_count;
}
