/* SPDX-License-Identifier: MIT */
#include "cli/health.h"

#include <inttypes.h>

#include "profile/missing.h"
#include "render/text/caveats.h"
#include "render/text/info_advice.h"
#include "cli/notices.h"

static void say(const struct settings *settings, double weight, struct sink *line)
{
	command_notice(settings, weight, "%.*s", (int)sink_memory(line).length,
		       sink_memory(line).at);
	sink_deinit(line);
}

static void begin(struct sink *line, const char *input)
{
	sink_init_memory(line);
	sink_printf(line, "%s: ", input);
}

/* "47% has frames without a name, mostly perf-5862.map (44%): copy /tmp/perf-5862.map from db1" */
static void tell_of_names(const struct settings *settings, const char *input,
			  const struct profile *profile, const struct caveats *caveats, size_t i)
{
	struct sink line;
	struct sink advice;

	begin(&line, input);
	caveats_write(profile, caveats, i, &line);
	sink_init_memory(&advice);
	if (caveats->at[i].problem == NAME_UNKNOWN)
		info_advice_write_short(profile, caveats_worst_module(profile, caveats, i), &advice);
	if (advice.used) {
		sink_puts(&line, ": ");
		sink_text(&line, sink_memory(&advice));
	}
	sink_deinit(&advice);
	sink_puts(&line, "; see kiln info --why");
	say(settings, caveats->at[i].share, &line);
}

static void tell_of_losses(const struct settings *settings, const char *input,
			   const struct profile *profile, const struct caveats *caveats)
{
	const char *separator = "";
	double weight = 0;
	struct sink line;

	begin(&line, input);
	for (size_t i = 0; i < caveats->count; i++) {
		double share = caveats->at[i].share;

		if (caveats->at[i].kind != CAVEAT_LOSS)
			continue;
		sink_puts(&line, separator);
		caveats_write(profile, caveats, i, &line);
		separator = "; ";
		share = share < 0 ? NOTICE_UNKNOWN : share;
		weight = share > weight ? share : weight;
	}
	if (weight > 0 && profile->first_skipped_line)
		sink_printf(&line, " (%sline %" PRIu64 ")",
			    profile->losses[LOSS_SKIPPED_LINES] == 1 ? "" : "the first is ",
			    profile->first_skipped_line);
	if (weight > 0)
		say(settings, weight, &line);
	else
		sink_deinit(&line);
}

static void tell_of_doubts(const struct settings *settings, const char *input,
			   const struct profile *profile)
{
	struct caveats caveats = caveats_of(profile, CAVEAT_SHARE_MIN);

	for (size_t i = 0; i < caveats.count; i++)
		if (caveats.at[i].kind == CAVEAT_NAMES)
			tell_of_names(settings, input, profile, &caveats, i);
	tell_of_losses(settings, input, profile, &caveats);
}

/* Which other events there are: what is shown was a choice. */
static void tell_of_other_events(const struct settings *settings, const char *input,
				 const struct profile *profile)
{
	bool has_others = false;
	struct sink line;

	begin(&line, input);
	sink_printf(&line, "shown is %s; also in it, by --event: ",
		    strings_text(profile->strings, profile->event_name));
	for (size_t i = 0; i < profile->events.count; i++) {
		const struct profile_event *event = &profile->events.at[i];

		if (!event->sample_count || event->is_shown)
			continue;
		sink_puts(&line, has_others ? ", " : "");
		sink_text(&line, strings_get(profile->strings, event->name));
		has_others = true;
	}
	if (has_others)
		say(settings, NOTICE_ASIDE, &line);
	else
		sink_deinit(&line);
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
		command_notice(
			settings, percent / 100,
			"%s: at least %.3g%% of the weight is in stacks that were too narrow to be "
			"drawn: functions may have more than is shown",
			input, percent);
	else if (profile->exact.functions.count)
		command_notice(
			settings, percent / 100,
			"%s: %.3g%% of the weight is in stacks that are left out of this SVG: functions "
			"have all of theirs, but callers and callees may lack as much",
			input, percent);
	else
		command_notice(
			settings, percent / 100,
			"%s: %.3g%% of the weight is in stacks that are left out of this SVG: functions, "
			"callers and callees may lack as much",
			input, percent);
}

/* An empty answer is easily taken for a good one. That nothing is selected is said by who found it. */
static void tell_of_emptiness(const struct settings *settings, const struct session *session)
{
	const struct profile *profile = &session->profile;
	const char *input = session->capture.input.name;
	bool has_none = !profile->sample_count && !session->tally.sample_count;

	if (session->windows.is_limited && has_none)
		command_notice(settings, NOTICE_WRONG, "%s: nothing that counts is in --time",
			       input);
	else if (has_none || (selection_is_empty(&settings->selection) && profile->stacks.count &&
			      !profile->view_sample_count))
		command_notice(settings, NOTICE_WRONG, "%s: there are no samples in it", input);
}

void health_warn(const struct settings *settings, const struct session *session)
{
	const struct profile *profile = &session->profile;
	const char *input = session->capture.input.name;
	bool shows_all = profile->is_counted && settings->shows_counters;

	warn_of_symbols(settings, profile);
	/* Which of them count is a guess. */
	if (profile->facts[FACT_SNAPSHOTS].at && !settings->printing)
		command_notice(settings, NOTICE_GUESSED,
			       "%s: printed %.*s; --interval says otherwise", input,
			       (int)profile->facts[FACT_SNAPSHOTS].length,
			       profile->facts[FACT_SNAPSHOTS].at);
	tell_of_doubts(settings, input, profile);
	warn_of_missing(settings, input, profile);
	tell_of_emptiness(settings, session);
	/* Only what shows a single event has chosen one, and who shows counters shows all. */
	if (profile->event_name.i && !shows_all && !session->options.event_pattern &&
	    !grouping_has(&settings->grouping, GROUP_EVENT))
		tell_of_other_events(settings, input, profile);
}
