/* SPDX-License-Identifier: MIT */
#include "session/exact_functions.h"

#include "base/saturate.h"
#include "profile/tree/function_sums.h"
#include "profile/missing.h"

void exact_functions_deinit(struct exact_functions *functions)
{
	vec_free(&functions->functions);
	vec_free(&functions->names);
}

struct reading {
	struct exact_functions *to;
	struct session *session;
};

static str_id intern(struct session *session, struct text text)
{
	return strings_intern(session->profile.strings, text.length ? text.at : "", text.length);
}

static void take_function(void *context, const struct event_function_total *function)
{
	struct reading *reading = context;
	struct raw_texts *frames = &reading->session->text.frames;
	str_id event = intern(reading->session, function->event);

	if (function->frame.at)
		vec_push(&reading->to->functions,
			 (struct exact_function){
				 .place = raw_texts_intern(frames, function->frame,
							   raw_texts_number(function->frame)),
				 .event = event,
				 .sum = { function->self, function->total },
			 });
	else
		vec_push(&reading->to->names,
			 (struct exact_name){
				 .event = event,
				 .total = { intern(reading->session, function->name),
					    function->total },
			 });
}

/* Whether what is asked for is the whole of the input, as it is. */
static bool is_whole(const struct session *session)
{
	const struct session_options *options = &session->options;
	const struct selection *selection = options->selection;

	return !options->is_reversed && !options->has_branch_history &&
	       (!selection || (selection_is_empty(selection) && !selection->depth_max &&
			       !selection->bases.count));
}

void exact_functions_read(struct exact_functions *functions, struct session *session)
{
	struct reading reading = { functions, session };

	if (session->capture.format->read_functions && is_whole(session))
		session->capture.format->read_functions(&session->capture, take_function, &reading);
}

void exact_functions_locate(struct exact_functions *functions, const struct session *session)
{
	for (size_t i = 0; i < functions->functions.count; i++) {
		struct exact_function *row = &functions->functions.at[i];

		row->place = session->text.of_frames.at[row->place];
	}
}

static bool is_shown(const struct profile *profile, str_id name)
{
	for (size_t i = 0; i < profile->events.count; i++)
		if (profile->events.at[i].name.i == name.i)
			return profile->events.at[i].is_shown;
	return false;
}

/* The frame of a function, added to the profile when none of its stacks is there. */
static uint32_t frame_of(struct session *session, struct frames *frames, struct frame_table *table,
			 location_id location)
{
	struct frame_run run =
		frames_of_location(frames, location, (struct frame_variant){ .is_java = false });
	struct frame frame = frames->table.rows.at[frames->in_runs.at[run.first]];
	uint32_t id = frame_table_intern(table, &frame);

	if (id == session->profile.frames.count)
		vec_push(&session->profile.frames, frame);
	return id;
}

static void take_sums(const struct exact_functions *functions, struct session *session)
{
	struct profile *profile = &session->profile;
	struct frame_table table;
	struct frames frames;

	frames_init(&frames, profile->strings, profile->modules, &session->locations,
		    &session->options.naming);
	frame_table_init(&table);
	for (size_t i = 0; i < profile->frames.count; i++)
		frame_table_intern(&table, &profile->frames.at[i]);
	for (size_t i = 0; i < functions->functions.count; i++) {
		const struct exact_function *row = &functions->functions.at[i];
		struct function_sum *sum;
		uint32_t frame;

		if (!is_shown(profile, row->event))
			continue;
		frame = frame_of(session, &frames, &table, (location_id){ row->place });
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

/* Whether all of the profile's weight is in them, and none has less than its stacks that are there. */
static bool agree(const struct profile *profile)
{
	const struct function_sum *exact = profile->exact.functions.at;
	uint32_t mark = missing_left_out_frame(profile);
	struct function_sums tree;
	uint64_t self = 0;
	bool good = mark < profile->frames.count &&
		    profile->exact.functions.count == profile->frames.count;

	if (!good)
		return false;
	function_sums_of_tree(&tree, profile, NULL);
	for (uint32_t i = 0; i < profile->frames.count; i++) {
		self = saturate_add(self, exact[i].self);
		good &= exact[i].total <= profile->stacks.at[0].total;
		if (i == mark)
			good &= !exact[i].total;
		else
			good &= tree.of_frame[i].self <= exact[i].self &&
				tree.of_frame[i].total <= exact[i].total;
	}
	function_sums_deinit(&tree);
	return good && self == profile->stacks.at[0].total - profile->stacks.at[0].self;
}

void exact_functions_apply(const struct exact_functions *functions, struct session *session)
{
	struct profile *profile = &session->profile;
	size_t frame_count = profile->frames.count;

	if (!functions->functions.count || !profile->stacks.count)
		return;
	take_sums(functions, session);
	if (agree(profile))
		return;
	vec_free(&profile->exact.functions);
	vec_free(&profile->exact.names);
	profile->frames.count = frame_count;
}
