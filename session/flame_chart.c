/* SPDX-License-Identifier: MIT */
#include "session/flame_chart.h"

#include "base/saturate.h"
#include "profile/selection/choose_event.h"
#include "profile/frames.h"
#include "profile/tree/tree.h"
#include "session/visit.h"

struct chart {
	struct session *session;
	const struct grouping *grouping;
	struct frames frames;
	struct tree tree;
	VEC(uint32_t) stack; /* frames of the sample, from the root */
	VEC(uint32_t) open;  /* of the one before */
	uint64_t time;       /* the weight of the samples so far */
};

static uint32_t group_of(struct chart *chart, const struct visited_sample *visited,
			 enum group_by by)
{
	const struct event_sample *sample = visited->sample;
	char text[32];

	if (by == GROUP_COMM)
		return frames_of_value(&chart->frames, visited->comm);
	if (by == GROUP_PID)
		snprintf(text, sizeof(text), "pid %d", (int32_t)sample->pid);
	else if (by == GROUP_TID)
		snprintf(text, sizeof(text), "tid %d", (int32_t)sample->tid);
	else
		snprintf(text, sizeof(text), "cpu %d", (int32_t)sample->cpu);
	return frames_of_value(&chart->frames, text_of(text));
}

/* Cuts off what the frame that is to be the base stands on. False: the stack has none. */
static bool cut_to_base(struct chart *chart, const name_patterns *bases)
{
	size_t first = frame_table_find_name(&chart->frames.table, chart->session->profile.strings,
					     chart->stack.at, chart->stack.count, bases);

	if (first == chart->stack.count)
		return false;
	chart->stack.count -= first;
	memmove(chart->stack.at, chart->stack.at + first,
		chart->stack.count * sizeof(*chart->stack.at));
	return true;
}

static void elide_interpreters(struct chart *chart, size_t group_count)
{
	uint32_t *at = chart->stack.at + group_count;

	chart->stack.count =
		group_count + interpreter_elide(&chart->frames, at,
						(uint32_t)(chart->stack.count - group_count), at);
}

/* The sample's frames from the root up, cut where that was asked for; false: nothing is left. */
static bool collect(struct chart *chart, const struct visited_sample *visited)
{
	const struct selection *selection = chart->session->options.selection;
	size_t depth_max = selection ? selection->depth_max : 0;
	const struct frame_variant variant = { .is_java = false };
	size_t group_count = chart->grouping->count;

	chart->stack.count = 0;
	for (uint32_t i = 0; i < group_count; i++)
		vec_push(&chart->stack, group_of(chart, visited, chart->grouping->by[i]));
	for (size_t i = visited->frame_count; i-- > 0;) {
		struct frame_run run =
			frames_of_location(&chart->frames, visited->frames[i], variant);

		for (uint32_t k = 0; k < run.count; k++)
			vec_push(&chart->stack, chart->frames.in_runs.at[run.first + k]);
	}
	if (chart->frames.naming.interpreter != INTERPRETER_SHOWN)
		elide_interpreters(chart, group_count);
	if (selection && selection->bases.count) {
		if (!cut_to_base(chart, &selection->bases))
			return false;
		group_count = 0;
	}
	if (chart->session->options.is_reversed && chart->stack.count > group_count) {
		for (size_t i = group_count, k = chart->stack.count - 1; i < k; i++, k--) {
			uint32_t frame = chart->stack.at[i];

			chart->stack.at[i] = chart->stack.at[k];
			chart->stack.at[k] = frame;
		}
	}
	if (depth_max && chart->stack.count > group_count + depth_max)
		chart->stack.count = group_count + depth_max;
	return true;
}

static uint64_t weight_of(const struct chart *chart, const struct visited_sample *visited)
{
	const struct event_sample *sample = visited->sample;

	if (chart->session->profile.unit == UNIT_SAMPLES)
		return sample->text ? sample->text->sample_count : 1;
	return sample->period ? sample->period : 1;
}

static void add_sample(void *context, const struct visited_sample *visited)
{
	struct chart *chart = context;
	struct profile *profile = &chart->session->profile;
	uint64_t weight = weight_of(chart, visited);
	struct stack *leaf;
	size_t common = 0;

	if (!visited->event->is_shown || !collect(chart, visited))
		return;
	while (common < chart->stack.count && common < chart->open.count &&
	       chart->open.at[common] == chart->stack.at[common])
		common++;
	tree_close(&chart->tree, common + 1);
	chart->open.count = common;
	for (size_t i = common; i < chart->stack.count; i++) {
		tree_open(&chart->tree, chart->stack.at[i]);
		vec_push(&chart->open, chart->stack.at[i]);
		vec_push(&profile->begins, chart->time);
	}
	leaf = &profile->stacks.at[chart->tree.open.at[chart->tree.open.count - 1]];
	leaf->self = saturate_add(leaf->self, weight);
	chart->time = saturate_add(chart->time, weight);
	profile->view_sample_count =
		saturate_add(profile->view_sample_count,
			     visited->sample->text ? visited->sample->text->sample_count : 1);
}

static bool check(const struct session *session, const struct grouping *grouping, struct error *err)
{
	const struct weighing *weighing = session->options.weighing;

	if (weighing && weighing->kind != WEIGHING_PERIOD && weighing->kind != WEIGHING_SAMPLES)
		return error_set(err, ERROR_USAGE,
				 "--flamechart counts periods or samples, and nothing else");
	if (session->options.has_branch_history)
		return error_set(err, ERROR_USAGE,
				 "--flamechart and --branch-history do not go together");
	for (uint32_t i = 0; i < grouping->count; i++)
		if (grouping->by[i] != GROUP_COMM && grouping->by[i] != GROUP_PID &&
		    grouping->by[i] != GROUP_TID && grouping->by[i] != GROUP_CPU)
			return error_set(err, ERROR_USAGE,
					 "--flamechart stands on comm, pid, tid and cpu alone");
	return true;
}

bool session_build_chart(struct session *session, struct error *err)
{
	struct profile *profile = &session->profile;
	struct grouping by_comm;
	struct chart chart = { .session = session, .grouping = session->options.grouping };
	struct event_demands demands = {
		.event_pattern = session->options.event_pattern,
		.weighing = session->options.weighing,
		.grouping = session->options.grouping,
	};
	bool good;

	grouping_init(&by_comm);
	if (!chart.grouping)
		chart.grouping = &by_comm;
	if (!check(session, chart.grouping, err) || !session_index_samples(session, err))
		return false;
	if (!choose_event(profile, &demands, err))
		return error_prefix(err, "%s", session->capture.input.name);
	frames_init(&chart.frames, profile->strings, profile->modules, &session->locations,
		    &session->options.naming);
	tree_init(&chart.tree, profile);
	vec_push(&profile->begins, 0);
	good = session_visit_samples(session, add_sample, &chart, err);
	tree_finish(&chart.tree);
	for (size_t i = 0; i < chart.frames.table.rows.count; i++)
		vec_push(&profile->frames, chart.frames.table.rows.at[i]);
	frames_deinit(&chart.frames);
	vec_free(&chart.stack);
	vec_free(&chart.open);
	return good;
}
