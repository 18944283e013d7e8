/* SPDX-License-Identifier: MIT */
#include "render/text/info_next.h"

#include "base/saturate.h"
#include "render/escape.h"

#define NEXT_COUNT 3
/* Where the words on a command begin, unless it is longer. */
#define WORDS_COLUMN 48

struct next_command {
	const char *command, *options, *words;
};

static const struct next_command flame = { "flame", " -o flame.svg", "draw a flame graph" };
static const struct next_command report = { "report", "", "list the hottest functions" };
static const struct next_command fold = { "fold", "", "print folded stacks" };
static const struct next_command why = { "info --why", "", "why some frames have no name" };
static const struct next_command script = { "script", "", "print every sample" };
static const struct next_command offcpu = { "offcpu", " -o offcpu.svg",
					    "draw where threads were blocked" };
static const struct next_command latency = { "report --latency", "",
					     "list how long threads were blocked" };
static const struct next_command counters = { "report", "", "list the counters" };
static const struct next_command counters_json = { "report --json", "", "the same as JSON" };
static const struct next_command change = { "diff", " AFTER", "compare with a capture made later" };

/* Unnamed code below this share of the weight is not worth a command: one in so many. */
#define UNNAMED_WORTH 100

/* Of names ending so, with the PMU before them: "sched:sched_switch". */
static bool is_switch(const struct profile *profile, const struct profile_event *event)
{
	return event->is_off_cpu ||
	       text_is(strings_get(profile->strings, event->name), "sched:sched_switch");
}

/* Samples of switches or of anything else. */
static bool has_samples(const struct profile *profile, bool of_switches)
{
	for (size_t i = 0; i < profile->events.count; i++) {
		const struct profile_event *event = &profile->events.at[i];

		if (event->sample_count && is_switch(profile, event) == of_switches)
			return true;
	}
	return false;
}

static bool has_switch_records(const struct profile *profile)
{
	for (size_t i = 0; i < profile->records.count; i++)
		if (profile->records.at[i].name.at && profile->records.at[i].count &&
		    text_has_prefix(profile->records.at[i].name, "SWITCH"))
			return true;
	return false;
}

static bool has_unnamed(const struct profile *profile)
{
	uint64_t unnamed = 0;

	for (size_t i = 1; i < profile->stacks.count; i++)
		if (!profile->frames.at[profile->stacks.at[i].frame.i].is_named)
			unnamed = saturate_add(unnamed, profile->stacks.at[i].self);
	return profile->stacks.count && unnamed > profile->stacks.at[0].total / UNNAMED_WORTH;
}

static void choose(const struct profile *profile, const struct next_command *ret[NEXT_COUNT])
{
	bool has_switches = has_samples(profile, true);

	ret[0] = &flame;
	ret[1] = &report;
	ret[2] = has_unnamed(profile) ? &why : &fold;
	if (profile->is_counted) {
		ret[0] = &counters;
		ret[1] = &counters_json;
		ret[2] = &change;
	} else if (has_switches && !has_samples(profile, false)) {
		ret[0] = &offcpu;
		ret[1] = &latency;
		ret[2] = &script;
	} else if (has_switches || has_switch_records(profile)) {
		ret[2] = &offcpu;
	}
}

static bool can_be_typed(struct text path)
{
	for (uint32_t i = 0; i < path.length; i++)
		if ((unsigned char)path.at[i] < ' ' || path.at[i] == 0x7f)
			return false;
	return true;
}

static void write_command(const struct next_command *next, struct text input, struct sink *sink)
{
	struct sink line;

	sink_init_memory(&line);
	sink_printf(&line, "  kiln %s ", next->command);
	escape_shell(&line, input);
	sink_puts(&line, next->options);
	sink_text(sink, sink_memory(&line));
	sink_printf(sink, "%*s  %s\n", line.used < WORDS_COLUMN ? WORDS_COLUMN - (int)line.used : 0,
		    "", next->words);
	sink_deinit(&line);
}

void info_next_write(const struct profile *profile, struct text input, struct sink *sink)
{
	const struct next_command *chosen[NEXT_COUNT];

	if (!can_be_typed(input))
		return;
	choose(profile, chosen);
	sink_puts(sink, "\nnext\n");
	for (size_t i = 0; i < NEXT_COUNT; i++)
		write_command(chosen[i], input, sink);
}
