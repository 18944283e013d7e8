/* SPDX-License-Identifier: MIT */
#include "render/timeline/lanes_colour.h"

#include <inttypes.h>

/* Colours of functions and comms, by rank. No colour is similar to those of waiting threads. */
static const struct lane_colour ranks[LANES_RUNNING_KINDS] = {
	{ "#1b7f5c", "#3fb68b" }, { "#2c64b8", "#6ea2f0" }, { "#93359f", "#cf83da" },
	{ "#0b8ea3", "#3cc3d8" }, { "#b1305a", "#ee7fa3" }, { "#6c7a16", "#aebc50" },
	{ "#7b4a26", "#c8926a" }, { "#4a48b5", "#9a98f2" },
};
static const struct lane_colour other_running = { "#6b7785", "#98a3b0" };
static const struct lane_colour unlabelled_running = { "#3b9a6d", "#57b98b" };

static const struct lane_colour states[SCHEDULE_STATE_COUNT] = {
	[SCHEDULE_RUNNABLE] = { "#f2a516", "#f5b83d" },
	[SCHEDULE_PREEMPTED] = { "#e4692a", "#f08650" },
	[SCHEDULE_UNKNOWN] = { "#aab1b9", "#5b646e" },
};

static const struct {
	const char *reason;
	struct lane_colour colour;
} reasons[] = {
	{ "futex lock", { "#cdbdf0", "#463a6b" } },
	{ "kernel lock", { "#b8a2e8", "#58478a" } },
	{ "file lock", { "#d9c9f2", "#4b3f66" } },
	{ "disk", { "#f4aeb2", "#7a3540" } },
	{ "page fault", { "#f6c9dd", "#6b3a52" } },
	{ "poll", { "#d5e5f3", "#24384b" } },
	{ "pipe", { "#b7d2ee", "#2b4a69" } },
	{ "network", { "#a9dce2", "#22525a" } },
	{ "eventfd", { "#c5dbe9", "#2d4554" } },
	{ "io_uring", { "#bfe3d3", "#28513f" } },
	{ "sleep", { "#e6e9ec", "#22272d" } },
	{ "child process", { "#eadfc4", "#4b4226" } },
	{ "signal", { "#e9e6cf", "#434128" } },
	{ "terminal", { "#dfe6d3", "#394330" } },
	{ "idle kernel thread", { "#edf0f3", "#1d232a" } },
};

/* Colours of other reasons, by rank. */
static const struct lane_colour other_reasons[] = {
	{ "#d9dee4", "#2d343c" }, { "#cfe0d8", "#2a3f35" }, { "#e5d8cf", "#43362d" },
	{ "#d4d6ea", "#30324d" }, { "#e3e0d0", "#3d3a2a" },
};

static struct lane_colour colour_of_wait(const struct lanes *lanes, uint32_t kind)
{
	const struct lane_kind *row = &lanes->kinds.at[kind];
	struct text label = strings_get(&lanes->names, (str_id){ row->label });
	uint32_t rank = 0;

	if (row->task_state == 'D')
		return (struct lane_colour){ "#f1bcb4", "#6e3b36" };
	if (row->task_state == 'I')
		return (struct lane_colour){ "#edf0f3", "#1d232a" };
	if (row->task_state)
		return (struct lane_colour){ "#dfe5eb", "#2a3038" };
	for (size_t i = 0; i < ARRAY_SIZE(reasons) && !row->other_count; i++)
		if (text_is(label, reasons[i].reason))
			return reasons[i].colour;
	while (rank < kind && lanes->kinds.at[kind - 1 - rank].state == row->state)
		rank++;
	return other_reasons[rank % ARRAY_SIZE(other_reasons)];
}

struct lane_colour lanes_colour(const struct lanes *lanes, uint32_t kind)
{
	const struct lane_kind *row = &lanes->kinds.at[kind];

	if (row->state == SCHEDULE_BLOCKED)
		return colour_of_wait(lanes, kind);
	if (row->state != SCHEDULE_RUNNING)
		return states[row->state];
	if (row->other_count)
		return other_running;
	return row->label ? ranks[kind % ARRAY_SIZE(ranks)] : unlabelled_running;
}

static const char *name_of_task_state(char task_state)
{
	switch (task_state) {
	case 'S':
		return "sleep (S)";
	case 'D':
		return "uninterruptible (D)";
	case 'I':
		return "idle kernel thread (I)";
	case 'T':
	case 't':
		return "stopped (T)";
	case 'P':
		return "parked (P)";
	case '?':
		return "state not recorded";
	default:
		return "other states";
	}
}

/*
 * Whether some running threads have a label. If so, running threads without a label were not
 * sampled.
 */
static bool has_labels(const struct lanes *lanes)
{
	return lanes->kinds.count && lanes->kinds.at[0].state == SCHEDULE_RUNNING &&
	       lanes->kinds.at[0].label;
}

void lanes_kind_short_name(const struct lanes *lanes, uint32_t kind, struct sink *sink)
{
	static const char *const names[SCHEDULE_STATE_COUNT] = {
		[SCHEDULE_RUNNING] = "running",
		[SCHEDULE_RUNNABLE] = "woken",
		[SCHEDULE_PREEMPTED] = "preempted",
		[SCHEDULE_BLOCKED] = "blocked",
		[SCHEDULE_UNKNOWN] = "switches are missing",
	};
	const struct lane_kind *row = &lanes->kinds.at[kind];

	if (row->other_count)
		sink_printf(sink, "%" PRIu32 " other%s", row->other_count,
			    row->other_count == 1 ? "" : "s");
	else if (row->label)
		sink_text(sink, strings_get(&lanes->names, (str_id){ row->label }));
	else if (row->task_state)
		sink_puts(sink, name_of_task_state(row->task_state));
	else if (row->state == SCHEDULE_RUNNING && has_labels(lanes))
		sink_puts(sink, "not sampled");
	else
		sink_puts(sink, names[row->state]);
}

const char *lanes_group_name(enum schedule_state state)
{
	static const char *const names[SCHEDULE_STATE_COUNT] = {
		[SCHEDULE_RUNNING] = "Running",
		[SCHEDULE_RUNNABLE] = "Waiting for a CPU",
		[SCHEDULE_PREEMPTED] = "Waiting for a CPU",
		[SCHEDULE_BLOCKED] = "Blocked",
		[SCHEDULE_UNKNOWN] = "Not known",
	};

	return names[state];
}

void lanes_kind_name(const struct lanes *lanes, uint32_t kind, struct sink *sink)
{
	const struct lane_kind *row = &lanes->kinds.at[kind];

	if (row->state == SCHEDULE_RUNNABLE) {
		sink_puts(sink, "woken, waiting for a CPU");
	} else if (row->state == SCHEDULE_PREEMPTED) {
		sink_puts(sink, "preempted, waiting for a CPU");
	} else if (row->state == SCHEDULE_UNKNOWN) {
		sink_puts(sink, "not known: switches are missing");
	} else {
		sink_puts(sink, row->state == SCHEDULE_RUNNING ? "running" : "blocked");
		if (row->label || row->task_state || row->other_count) {
			sink_puts(sink, ": ");
			lanes_kind_short_name(lanes, kind, sink);
		}
	}
}
