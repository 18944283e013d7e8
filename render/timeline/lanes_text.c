/* SPDX-License-Identifier: MIT */
/*
 * Writes lanes for a terminal. Each character shows the state that lasted longest in its time.
 *
 *     sched.data · 1,234 context switches over 48.8 s · 3 threads · ...
 *     worker 412  ██▒▒·····██████····   1.23 s
 *     worker 413  ··██▒▒▒▒▒▒██   ????   812 ms
 *                 9297.400000000 to 9346.200000000 s, a character is 2.71 s
 *                 █ running  ▒ waiting for a CPU  · blocked  ? not known
 */
#include "base/arithmetic.h"
#include "render/escape.h"
#include "render/number.h"
#include "render/timeline/heat_map_output.h"
#include "render/timeline/row_label.h"
#include "render/timeline/lanes_output.h"

#define SUM_WIDTH 12u
#define BARS_MIN  10u

/* The characters. Several states share one. */
enum look {
	LOOK_RUNNING,
	LOOK_WAITING,
	LOOK_BLOCKED,
	LOOK_UNKNOWN,
	LOOK_COUNT,
};

static const struct {
	const char *character, *name;
} looks[LOOK_COUNT] = {
	[LOOK_RUNNING] = { "█", "running" },
	[LOOK_WAITING] = { "▒", "waiting for a CPU" },
	[LOOK_BLOCKED] = { "·", "blocked" },
	[LOOK_UNKNOWN] = { "?", "not known" },
};

static const enum look look_of[SCHEDULE_STATE_COUNT] = {
	[SCHEDULE_RUNNING] = LOOK_RUNNING,   [SCHEDULE_RUNNABLE] = LOOK_WAITING,
	[SCHEDULE_PREEMPTED] = LOOK_WAITING, [SCHEDULE_BLOCKED] = LOOK_BLOCKED,
	[SCHEDULE_UNKNOWN] = LOOK_UNKNOWN,
};

struct lane_bars {
	const struct lanes *lanes;
	uint32_t count;
	uint64_t bar_ns;
	uint64_t *sums; /* by bar, then by look */
};

static void add_part(struct lane_bars *bars, uint32_t kind, uint64_t from_ns, uint64_t total_ns)
{
	uint64_t bar = (from_ns - bars->lanes->first_ns) / bars->bar_ns;
	uint64_t *sum = &bars->sums[bar * LOOK_COUNT + look_of[bars->lanes->kinds.at[kind].state]];

	*sum = saturate_add(*sum, total_ns);
}

/*
 * A cell is in the bar in which it begins, because a column is usually only a small part of a bar.
 */
static void add_lane(struct lane_bars *bars, const struct lane *lane)
{
	const struct lanes *lanes = bars->lanes;

	memset(bars->sums, 0, (size_t)bars->count * LOOK_COUNT * sizeof(*bars->sums));
	for (size_t i = 0; i < lane->cells.count; i++)
		add_part(bars, lane->cells.at[i].kind,
			 lanes->first_ns + lane->cells.at[i].column * lanes->column_ns,
			 lane->cells.at[i].total_ns);
	for (size_t i = 0; i < lane->spans.count; i++) {
		const struct lane_span *span = &lane->spans.at[i];

		for (uint64_t from_ns = span->from_ns; from_ns < span->to_ns;) {
			uint64_t bar = (from_ns - lanes->first_ns) / bars->bar_ns;
			uint64_t end_ns = saturate_add(lanes->first_ns,
						       saturate_multiply(bar + 1, bars->bar_ns));

			end_ns = end_ns < span->to_ns ? end_ns : span->to_ns;
			add_part(bars, span->kind, from_ns, end_ns - from_ns);
			from_ns = end_ns;
		}
	}
}

/*
 * Writes the share of a bar in which the lane ran. If there are only samples, nothing else is
 * known.
 */
static void write_share(uint64_t running_ns, uint64_t bar_ns, struct sink *sink)
{
	static const char *const heights[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	uint64_t level = ratio_of(running_ns, ARRAY_SIZE(heights), bar_ns).quotient;

	if (!running_ns)
		sink_char(sink, ' ');
	else
		sink_puts(sink,
			  heights[level < ARRAY_SIZE(heights) ? level : ARRAY_SIZE(heights) - 1]);
}

static void write_bars(const struct lane_bars *bars, struct sink *sink)
{
	for (uint32_t i = 0; i < bars->count; i++) {
		const uint64_t *sums = &bars->sums[(size_t)i * LOOK_COUNT];
		size_t best = 0;

		if (!bars->lanes->counts.has_switches) {
			write_share(sums[LOOK_RUNNING], bars->bar_ns, sink);
			continue;
		}
		for (size_t k = 1; k < LOOK_COUNT; k++)
			if (sums[k] > sums[best])
				best = k;
		sink_puts(sink, sums[best] ? looks[best].character : " ");
	}
}

/*
 * Replaces label with the name of a lane, escaped and truncated. Returns its width in characters.
 */
static uint32_t make_label(const struct lanes *lanes, uint32_t lane, struct sink *label)
{
	uint32_t width;
	struct sink name;

	sink_init_memory(&name);
	lanes_name(lanes, lane, &name);
	width = row_label_make(sink_memory(&name), ROW_LABEL_WIDTH, label);
	sink_deinit(&name);
	return width;
}

static uint32_t label_width(const struct lanes *lanes)
{
	uint32_t largest = 0;
	struct sink label;

	sink_init_memory(&label);
	for (uint32_t i = 0; i < lanes->lanes.count; i++) {
		uint32_t width = make_label(lanes, i, &label);

		largest = width > largest ? width : largest;
	}
	sink_deinit(&label);
	return largest + 2;
}

static void write_axis(const struct lane_bars *bars, uint32_t indent, struct sink *sink)
{
	sink_printf(sink, "%*s", (int)indent, "");
	heat_map_seconds(bars->lanes->first_ns, sink);
	sink_puts(sink, " to ");
	heat_map_seconds(bars->lanes->last_ns, sink);
	sink_puts(sink, " s, a character is ");
	number_duration(sink, bars->bar_ns);
	sink_printf(sink, "\n%*s", (int)indent, "");
	if (!bars->lanes->counts.has_switches)
		sink_puts(sink, lanes_have_sums(bars->lanes) ? "▁ to █ share of the time on a CPU"
							     : "▁ to █ share covered by marks");
	for (size_t i = 0; i < LOOK_COUNT && bars->lanes->counts.has_switches; i++)
		sink_printf(sink, "%s%s %s", i ? "  " : "", looks[i].character, looks[i].name);
	sink_char(sink, '\n');
}

void lanes_write_text(const struct lanes_view *view, uint32_t width, struct sink *sink)
{
	const struct lanes *lanes = view->lanes;
	uint32_t indent = label_width(lanes);
	uint32_t room =
		width > indent + SUM_WIDTH + BARS_MIN ? width - indent - SUM_WIDTH : BARS_MIN;
	uint64_t duration_ns = lanes->last_ns - lanes->first_ns;
	struct lane_bars bars = { .lanes = lanes, .bar_ns = (duration_ns - 1) / room + 1 };
	struct sink label;

	bars.count = (uint32_t)((duration_ns - 1) / bars.bar_ns + 1);
	bars.sums = memory_zalloc((size_t)bars.count * LOOK_COUNT, sizeof(*bars.sums));
	sink_init_memory(&label);
	lanes_facts(view, &label);
	escape_terminal(sink, sink_memory(&label));
	sink_char(sink, '\n');
	for (uint32_t i = 0; i < lanes->lanes.count; i++) {
		uint32_t used = make_label(lanes, i, &label);

		sink_text(sink, sink_memory(&label));
		sink_printf(sink, "%*s", (int)(indent - used), "");
		add_lane(&bars, &lanes->lanes.at[i]);
		write_bars(&bars, sink);
		if (lanes_have_sums(lanes)) {
			sink_char(sink, ' ');
			number_duration(sink, lanes_running_ns(lanes, &lanes->lanes.at[i]));
		}
		sink_char(sink, '\n');
	}
	write_axis(&bars, indent, sink);
	sink_deinit(&label);
	memory_free(bars.sums);
}
