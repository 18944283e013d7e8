/* SPDX-License-Identifier: MIT */
#include "session/flame_chart.h"

#include "base/arithmetic.h"
#include "profile/selection/choose_event.h"
#include "profile/selection/time_windows.h"
#include "profile/tree/lane_chart.h"
#include "profile/tree/stack_tree.h"
#include "session/visited_stack.h"

/*
 * Maximum number of rectangles in all lanes together. By default, the embedded profile of an SVG
 * has space for about ten times as many rows, but a window shows fewer.
 */
#define BOXES_MAX 32768

struct chart {
	struct session *session;
	struct visited_stack stack; /* the stack of the sample */
	struct stack_tree_chart tree;
	bool has_lanes;
	struct lane_chart lanes; /* instead of the tree */
	struct time_windows windows;
	uint64_t timeless_count, idle_count; /* samples that are not in a lane */
	struct sink name;                    /* the name of a lane */
};

static void write_group(const struct visited_sample *visited, enum group_by by, struct sink *sink)
{
	const struct event_sample *sample = visited->sample;

	if (by == GROUP_COMM)
		sink_text(sink, visited->comm);
	else if (by == GROUP_PID)
		sink_printf(sink, "pid %d", (int32_t)sample->pid);
	else if (by == GROUP_TID)
		sink_printf(sink, "tid %d", (int32_t)sample->tid);
	else
		sink_printf(sink, "cpu %d", (int32_t)sample->cpu);
}

/* Adds a frame for each group. */
static void push_groups(struct chart *chart, const struct visited_sample *visited)
{
	const struct grouping *grouping = &chart->session->view.grouping;

	for (uint32_t i = 0; i < grouping->count; i++) {
		chart->name.used = 0;
		write_group(visited, grouping->by[i], &chart->name);
		vec_push(&chart->stack.frames,
			 frames_of_value(&chart->stack.names, sink_memory(&chart->name)));
	}
}

/* Returns the frame that names the lane of a sample, which consists of all groups. */
static uint32_t lane_of(struct chart *chart, const struct visited_sample *visited)
{
	const struct grouping *grouping = &chart->session->view.grouping;

	chart->name.used = 0;
	for (uint32_t i = 0; i < grouping->count; i++) {
		if (i)
			sink_char(&chart->name, ' ');
		write_group(visited, grouping->by[i], &chart->name);
	}
	return frames_of_value(&chart->stack.names, sink_memory(&chart->name));
}

/* Collects the frames of a sample, root first. Returns false if the stack is not shown. */
static bool collect(struct chart *chart, const struct visited_sample *visited)
{
	chart->stack.frames.count = 0;
	if (!chart->has_lanes)
		push_groups(chart, visited);
	return visited_stack_append(&chart->stack, visited);
}

static uint64_t weight_of(const struct chart *chart, const struct visited_sample *visited)
{
	const struct event_sample *sample = visited->sample;

	if (chart->session->profile.unit == UNIT_SAMPLES)
		return sample->text ? sample->text->sample_count : 1;
	return sample->period ? sample->period : 1;
}

/* Returns the beginning of the window that contains this time, or 0 if there are no windows. */
static uint64_t window_begin(const struct time_windows *windows, uint64_t time_ns)
{
	size_t i = vec_count_first(&windows->rows, window, window->begin_ns <= time_ns);

	return i ? windows->rows.at[i - 1].begin_ns : 0;
}

static bool is_grouped_by(const struct view *view, enum group_by by)
{
	for (uint32_t i = 0; i < view->grouping.count; i++)
		if (view->grouping.by[i] == by)
			return true;
	return false;
}

static void add_to_lane(struct chart *chart, const struct visited_sample *visited)
{
	const struct event_sample *sample = visited->sample;

	if (!visited->has_time) {
		chart->timeless_count++;
		return;
	}
	/* The idle tasks of all CPUs have the same id, and run at the same time. */
	if (!sample->tid && !is_grouped_by(&chart->session->view, GROUP_CPU)) {
		chart->idle_count++;
		return;
	}
	lane_chart_add(&chart->lanes, lane_of(chart, visited), chart->stack.frames.at,
		       (uint32_t)chart->stack.frames.count,
		       &(struct lane_sample){
			       .time_ns = visited->time_ns,
			       .duration_ns = visited_sample_duration_ns(visited),
			       .window_ns = window_begin(&chart->windows, visited->time_ns),
			       .count = sample->text ? sample->text->sample_count : 1,
		       });
}

static void add_to_tree(struct chart *chart, const struct visited_sample *visited)
{
	struct profile *profile = &chart->session->profile;

	stack_tree_chart_add(&chart->tree, chart->stack.frames.at,
			     (uint32_t)chart->stack.frames.count, weight_of(chart, visited));
	profile->view_sample_count =
		saturate_add(profile->view_sample_count,
			     visited->sample->text ? visited->sample->text->sample_count : 1);
}

static void add_sample(void *context, const struct visited_sample *visited)
{
	struct chart *chart = context;

	if (!visited->event->is_shown || !collect(chart, visited))
		return;
	if (chart->has_lanes)
		add_to_lane(chart, visited);
	else
		add_to_tree(chart, visited);
}

/* Whether lanes are requested, and each lane has the samples of at most one thread or CPU. */
static bool has_lanes(const struct session *session)
{
	return session->options.chart_lane_max && (is_grouped_by(&session->view, GROUP_TID) ||
						   is_grouped_by(&session->view, GROUP_CPU));
}

static bool check(const struct view *view, struct error *err)
{
	const struct weighing *weighing = &view->weighing;
	const struct grouping *grouping = &view->grouping;

	if (weighing->kind != WEIGHING_PERIOD && weighing->kind != WEIGHING_SAMPLES)
		return error_set(err, ERROR_USAGE,
				 "--flamechart supports only --weight period and --weight samples");
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

static bool check_lanes(const struct session *session, struct error *err)
{
	if (session->view.weighing.kind == WEIGHING_SAMPLES)
		return error_set(err, ERROR_USAGE,
				 "lanes of a --flamechart are drawn by time; --weight samples "
				 "requires a chart without --by tid or --by cpu");
	return true;
}

/* Makes the rows of lanes. Fails if there are samples, but none has a time. */
static bool finish_lanes(struct chart *chart, struct error *err)
{
	struct session *session = chart->session;
	struct profile *profile = &session->profile;

	if (chart->timeless_count && !chart->lanes.lanes.count)
		return error_set(err, ERROR_FORMAT,
				 "%s: no sample has a time, which the lanes of a --flamechart "
				 "require (folded stacks have none); omit --by to draw samples in "
				 "the order of the input",
				 session->capture.input.name);
	profile->unit = UNIT_NANOSECONDS;
	lane_chart_finish(&chart->lanes, profile, session->options.chart_lane_max, BOXES_MAX);
	profile->weight_name = strings_intern_text(
		profile->strings, profile->lanes.has_instants ? "marks" : "sampled time");
	profile->lanes.timeless_count = chart->timeless_count;
	profile->lanes.idle_count = chart->idle_count;
	return true;
}

static void chart_init(struct chart *chart, struct session *session)
{
	*chart = (struct chart){ .session = session, .has_lanes = has_lanes(session) };
	visited_stack_init(&chart->stack, session);
	sink_init_memory(&chart->name);
	time_windows_init(&chart->windows, &session->view.selection);
	lane_chart_init(&chart->lanes);
	if (!chart->has_lanes)
		stack_tree_chart_init(&chart->tree, &session->profile);
}

static void chart_deinit(struct chart *chart)
{
	stack_tree_chart_deinit(&chart->tree);
	lane_chart_deinit(&chart->lanes);
	time_windows_deinit(&chart->windows);
	sink_deinit(&chart->name);
}

bool session_build_chart(struct session *session, struct error *err)
{
	struct profile *profile = &session->profile;
	const struct view *view = &session->view;
	struct chart chart;
	bool good;

	if (!check(view, err) || !session_index_samples(session, err))
		return false;
	if (!choose_event(profile, view, err) || (has_lanes(session) && !check_lanes(session, err)))
		return error_prefix(err, "%s", session->capture.input.name);
	chart_init(&chart, session);
	good = session_visit_samples(session, add_sample, &chart, err);
	if (chart.has_lanes)
		good = good && finish_lanes(&chart, err);
	else
		stack_tree_finish(profile);
	visited_stack_finish(&chart.stack, profile);
	chart_deinit(&chart);
	return good;
}
