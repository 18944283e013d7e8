/* SPDX-License-Identifier: MIT */
#include "session/flame_chart.h"

#include "base/arithmetic.h"
#include "profile/frames.h"
#include "profile/selection/choose_event.h"
#include "profile/tree/stack_transform.h"
#include "profile/tree/stack_tree.h"
#include "session/visit.h"

struct chart {
	struct session *session;
	struct frames frames;
	struct stack_transform transform;
	VEC(bool) is_base; /* by frame; only if bases were requested */
	struct stack_tree_chart tree;
	VEC(uint32_t) stack; /* frames of the sample, root first */
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

/* Checks which of the frames made since the last call can be a base. */
static void find_bases(struct chart *chart, const name_patterns *bases)
{
	const struct frame_table *table = &chart->frames.table;

	while (chart->is_base.count < table->rows.count) {
		str_id name = table->rows.at[chart->is_base.count].name;

		vec_push(&chart->is_base,
			 frame_name_fits(strings_get(chart->frames.strings, name), bases));
	}
	chart->transform.is_base = chart->is_base.at;
}

/* Collects the frames of a sample, root first. Returns false if the stack is not shown. */
static bool collect(struct chart *chart, const struct visited_sample *visited)
{
	const struct view *view = &chart->session->view;
	const struct frame_variant variant = { .is_java = false };
	uint32_t count;

	chart->stack.count = 0;
	for (uint32_t i = 0; i < view->grouping.count; i++)
		vec_push(&chart->stack, group_of(chart, visited, view->grouping.by[i]));
	for (size_t i = visited->frame_count; i-- > 0;) {
		struct frame_run run =
			frames_of_location(&chart->frames, visited->frames[i], variant);

		for (uint32_t k = 0; k < run.count; k++)
			vec_push(&chart->stack, chart->frames.in_runs.at[run.first + k]);
	}
	count = (uint32_t)chart->stack.count;
	if (view->selection.bases.count)
		find_bases(chart, &view->selection.bases);
	if (!stack_transform_apply(&chart->transform, chart->stack.at, &count,
				   view->grouping.count))
		return false;
	chart->stack.count = count;
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

	if (!visited->event->is_shown || !collect(chart, visited))
		return;
	stack_tree_chart_add(&chart->tree, chart->stack.at, (uint32_t)chart->stack.count,
			     weight_of(chart, visited));
	profile->view_sample_count =
		saturate_add(profile->view_sample_count,
			     visited->sample->text ? visited->sample->text->sample_count : 1);
}

static bool check(const struct view *view, struct error *err)
{
	const struct weighing *weighing = &view->weighing;
	const struct grouping *grouping = &view->grouping;

	if (weighing->kind != WEIGHING_PERIOD && weighing->kind != WEIGHING_SAMPLES)
		return error_set(err, ERROR_USAGE,
				 "--flamechart supports only the weights period and samples");
	if (view->has_branch_history)
		return error_set(err, ERROR_USAGE,
				 "--flamechart cannot be combined with --branch-history");
	for (uint32_t i = 0; i < grouping->count; i++)
		if (grouping->by[i] != GROUP_COMM && grouping->by[i] != GROUP_PID &&
		    grouping->by[i] != GROUP_TID && grouping->by[i] != GROUP_CPU)
			return error_set(
				err, ERROR_USAGE,
				"--flamechart can only be grouped by comm, pid, tid and cpu");
	return true;
}

bool session_build_chart(struct session *session, struct error *err)
{
	struct profile *profile = &session->profile;
	const struct view *view = &session->view;
	struct chart chart = { .session = session };
	bool good;

	if (!check(view, err) || !session_index_samples(session, err))
		return false;
	if (!choose_event(profile, view, err))
		return error_prefix(err, "%s", session->capture.input.name);
	frames_init(&chart.frames, profile->strings, profile->modules, &session->locations,
		    &view->naming);
	chart.transform = (struct stack_transform){
		.frames = &chart.frames,
		.is_reversed = view->is_reversed,
		.depth_max = view->selection.depth_max,
	};
	stack_tree_chart_init(&chart.tree, profile);
	good = session_visit_samples(session, add_sample, &chart, err);
	stack_tree_finish(profile);
	frame_table_finish(&chart.frames.table, profile);
	frames_deinit(&chart.frames);
	vec_free(&chart.stack);
	vec_free(&chart.is_base);
	stack_tree_chart_deinit(&chart.tree);
	return good;
}
