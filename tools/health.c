/* SPDX-License-Identifier: MIT */
#include "tools/health.h"

#include <inttypes.h>
#include <stdarg.h>

#include "profile/loss.h"
#include "profile/missing.h"

/* Text that grows by pieces, and is cut when it is full. */
struct line {
	char text[1024];
	size_t length;
};

static void add(struct line *line, const char *format, ...) PRINTF_LIKE(2, 3);

static void add(struct line *line, const char *format, ...)
{
	size_t room = sizeof(line->text) - line->length;
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(line->text + line->length, room, format, args);
	va_end(args);
	if (length > 0)
		line->length += (size_t)length < room ? (size_t)length : room - 1;
}

static void add_count(struct line *line, uint64_t count, const char *text)
{
	if (count)
		add(line, "%s%" PRIu64 " %s", line->length ? ", " : "", count, text);
}

static void add_losses(struct line *line, const struct profile *profile)
{
	for (size_t i = 0; i < LOSS_KIND_COUNT; i++) {
		uint64_t count = profile->losses[i];

		if (loss_text_of((enum loss_kind)i)->is_warning)
			add_count(line, count, loss_words((enum loss_kind)i, count));
	}
}

/* Files that would have named frames, had they been there and been the right ones. */
static void add_names(struct line *line, const struct profile *profile)
{
	struct loss_of_names names = loss_of_names(profile);

	for (int i = 0; i < NAME_LOSS_COUNT; i++)
		add_count(line, names.counts[i],
			  loss_of_names_text((enum name_loss)i, names.counts[i]));
	if (names.has_any)
		add(line, "; kiln info lists them, and --symbols says where to look");
}

static void add_other_events(struct line *line, const struct profile *profile)
{
	for (size_t i = 0; i < profile->events.count; i++) {
		const struct profile_event *event = &profile->events.at[i];

		if (!event->sample_count || event->is_shown)
			continue;
		add(line, "%s%s", line->length ? ", " : "",
		    strings_text(profile->strings, event->name));
	}
}

/* What is given to name frames and cannot. */
static void warn_of_symbols(const struct settings *settings, const struct profile *profile)
{
	for (size_t i = 0; i < profile->modules->notes.count; i++)
		command_warn(settings, "%s",
			     strings_text(profile->strings, profile->modules->notes.at[i]));
}

/* Of flame graphs that do not show all stacks. */
static void warn_of_missing(const struct settings *settings, const char *input,
			    const struct profile *profile)
{
	uint64_t missing = missing_weight(profile);
	uint64_t all = profile->stacks.count ? profile->stacks.at[0].total : 0;
	double percent = all ? (double)missing * 100 / (double)all : 0;

	if (!missing)
		return;
	if (profile->lacks_narrow)
		command_warn(
			settings,
			"%s: at least %.3g%% of the weight is in stacks that were too narrow to be "
			"drawn: functions may have more than is shown",
			input, percent);
	else if (profile->exact.functions.count)
		command_warn(
			settings,
			"%s: %.3g%% of the weight is in stacks that are left out of this SVG: functions "
			"have all of theirs, but callers and callees may lack as much",
			input, percent);
	else
		command_warn(
			settings,
			"%s: %.3g%% of the weight is in stacks that are left out of this SVG: functions, "
			"callers and callees may lack as much",
			input, percent);
}

void health_warn(const struct settings *settings, const struct session *session)
{
	const struct profile *profile = &session->profile;
	const char *input = session->capture.input.name;
	struct line line = { .length = 0 };
	struct line events = { .length = 0 };

	warn_of_symbols(settings, profile);
	/* Which of them count is a guess. */
	if (profile->facts[FACT_PRINTINGS].at && !settings->printing)
		command_warn(settings, "%s: printed %.*s; --interval says otherwise", input,
			     (int)profile->facts[FACT_PRINTINGS].length,
			     profile->facts[FACT_PRINTINGS].at);
	add_losses(&line, profile);
	if (profile->first_skipped_line)
		add(&line, " (%sline %" PRIu64 ")",
		    profile->losses[LOSS_LINES] == 1 ? "" : "the first is ",
		    profile->first_skipped_line);
	add_names(&line, profile);
	if (line.length)
		command_warn(settings, "%s: %s", input, line.text);
	warn_of_missing(settings, input, profile);
	/* An empty answer is easily taken for a good one. That nothing is selected is said by who found it. */
	if (session->windows.is_limited && !profile->sample_count && !session->tally.sample_count)
		command_warn(settings, "%s: nothing that counts is in --time", input);
	else if ((!profile->sample_count && !session->tally.sample_count) ||
		 (selection_is_empty(&settings->selection) && profile->stacks.count &&
		  !profile->view_sample_count))
		command_warn(settings, "%s: there are no samples in it", input);
	/* Only what shows a single event has chosen one, and who shows counters shows all. */
	if (profile->event_name.i && !(profile->is_counted && settings->shows_counters) &&
	    !session->options.event_pattern && !grouping_has(&settings->grouping, GROUP_EVENT))
		add_other_events(&events, profile);
	if (events.length)
		command_warn(settings, "%s: shown is %s; also in it, by --event: %s", input,
			     strings_text(profile->strings, profile->event_name), events.text);
}
