/* SPDX-License-Identifier: MIT */
#include "cli/inputs.h"

#include <inttypes.h>

#include "cli/mark_settings.h"
#include "cli/notices.h"
#include "profile/missing.h"
#include "render/text/caveats.h"
#include "render/text/info_advice.h"
#include "render/number.h"

/*
 * Smaller steps back in time are not reported, because nested interrupts can reorder samples by a
 * few microseconds.
 */
#define BACKWARD_MIN_NS 1000000u

static void add_notice(const struct settings *settings, double weight, struct sink *line)
{
	command_notice(settings, weight, "%.*s", (int)sink_memory(line).length,
		       sink_memory(line).at);
	sink_deinit(line);
}

static void begin_line(struct sink *line, const char *input)
{
	sink_init_memory(line);
	sink_printf(line, "%s: ", input);
}

/*
 * Warns: "47% of the profile has frames without a name, mostly perf-5862.map (44%): copy
 * /tmp/perf-5862.map from the host db1".
 */
static void warn_of_names(const struct settings *settings, const char *input,
			  const struct profile *profile, const struct caveats *caveats, size_t i)
{
	struct sink line;
	struct sink advice;

	begin_line(&line, input);
	caveats_write(profile, caveats, i, &line);
	sink_init_memory(&advice);
	if (caveats->at[i].problem == NAME_UNKNOWN)
		info_advice_write_short(profile, caveats_worst_module(profile, caveats, i),
					&advice);
	if (advice.used) {
		sink_puts(&line, ": ");
		sink_text(&line, sink_memory(&advice));
	}
	sink_deinit(&advice);
	sink_puts(&line, "; see kiln info --why");
	add_notice(settings, caveats->at[i].share, &line);
}

static void warn_of_losses(const struct settings *settings, const char *input,
			   const struct profile *profile, const struct caveats *caveats)
{
	const char *separator = "";
	double weight = 0;
	struct sink line;

	begin_line(&line, input);
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
		sink_printf(
			&line, " (%sline %" PRIu64 ")",
			profile->losses[LOSS_SKIPPED_LINES] + profile->losses[LOSS_LONG_LINES] == 1
				? ""
				: "the first is ",
			profile->first_skipped_line);
	if (weight > 0)
		add_notice(settings, weight, &line);
	else
		sink_deinit(&line);
}

static void warn_of_caveats(const struct settings *settings, const char *input,
			    const struct profile *profile)
{
	struct caveats caveats = caveats_of(profile, CAVEAT_SHARE_MIN);

	for (size_t i = 0; i < caveats.count; i++)
		if (caveats.at[i].kind == CAVEAT_NAMES)
			warn_of_names(settings, input, profile, &caveats, i);
	warn_of_losses(settings, input, profile, &caveats);
}

/* Maximum number of events that a notice names. */
#define NAMED_MAX 20u

/* Lists the events that are not shown. */
static void warn_of_other_events(const struct settings *settings, const char *input,
				 const struct profile *profile)
{
	size_t count = 0;
	struct sink line;

	begin_line(&line, input);
	sink_printf(&line, "only the event %s is shown; --event selects another: ",
		    strings_text(profile->strings, profile->event_name));
	for (size_t i = 0; i < profile->events.count; i++) {
		const struct profile_event *event = &profile->events.at[i];

		if (!event->sample_count || event->is_shown)
			continue;
		if (count < NAMED_MAX)
			sink_printf(&line, "%s%s", count ? ", " : "",
				    strings_text(profile->strings, event->name));
		count++;
	}
	if (count > NAMED_MAX)
		sink_printf(&line, " and %zu more", count - NAMED_MAX);
	if (count)
		add_notice(settings, NOTICE_ASIDE, &line);
	else
		sink_deinit(&line);
}

/* Warns of symbol files that could not be used, or that this input does not need. */
static void warn_of_symbols(const struct settings *settings, const struct session *session)
{
	const struct profile *profile = &session->profile;

	if (settings->symbol_paths.count && session_is_text(session))
		command_notice(settings, NOTICE_ASIDE,
			       "%s: contains names instead of addresses, so --symbols has no "
			       "effect",
			       session->capture.input.name);
	for (size_t i = 0; i < profile->modules->notes.count; i++)
		command_warn(settings, "%s",
			     strings_text(profile->strings, profile->modules->notes.at[i]));
}

/* Warns if the input is a flame graph that lacks some stacks. */
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
			"%s: at least %.3g%% of the weight is missing, because stacks that were "
			"too narrow were not drawn; function weights may be too small",
			input, percent);
	else if (profile->exact.functions.count)
		command_notice(
			settings, percent / 100,
			"%s: this SVG does not contain the stacks of %.3g%% of the weight; "
			"function totals are exact, but callers and callees may lack up to this "
			"share",
			input, percent);
	else
		command_notice(settings, percent / 100,
			       "%s: this SVG does not contain the stacks of %.3g%% of the weight; "
			       "functions, callers and callees may lack up to this share",
			       input, percent);
}

void health_warn_of_overflow(const struct settings *settings, const char *input,
			     const struct profile *profile)
{
	if (profile->stacks.count && profile->stacks.at[0].total == UINT64_MAX)
		command_notice(settings, NOTICE_WRONG,
			       "%s: the weights add up to %" PRIu64
			       " or more, so sums and percentages may be wrong",
			       input, UINT64_MAX);
}

static const char *emptiness(const struct session *session)
{
	if (!session->offcpu.has_intervals)
		return "has no samples";
	return session->options.pairing && session->options.pairing->span
		       ? "the events of --span never occurred during the recording"
		       : "no context switches occurred during the recording";
}

/*
 * Warns if the input has no samples. If no sample is selected, this is an error, which is reported
 * elsewhere.
 */
static void warn_of_emptiness(const struct settings *settings, const struct session *session)
{
	const struct profile *profile = &session->profile;
	const char *input = session->capture.input.name;
	bool has_none = !profile->sample_count && !session->tally.sample_count;

	if (session->offcpu.windows.is_limited && has_none)
		command_notice(settings, NOTICE_WRONG, "%s: no samples in the range given by %s",
			       input, settings->around ? "--around" : "--time");
	else if (has_none || (selection_is_empty(&settings->view.selection) &&
			      profile->stacks.count && !profile->view_sample_count))
		command_notice(settings, NOTICE_WRONG, "%s: %s", input, emptiness(session));
}

/* Whether the result depends on when samples were taken. */
static bool depends_on_times(const struct session *session)
{
	return session->options.timeline || session->options.lanes ||
	       session->offcpu.has_intervals || session->profile.lanes.count ||
	       session->profile.bin_ns || session->view.selection.times_ns.count;
}

/* Warns of impossible times, if they affect the result. */
static void warn_of_times(const struct settings *settings, const struct session *session)
{
	const struct time_faults *faults = &session->profile.time_faults;
	const char *input = session->capture.input.name;
	struct sink duration;

	if (!depends_on_times(session))
		return;
	if (faults->zero_count)
		command_notice(settings, NOTICE_UNKNOWN, "%s: %" PRIu64 " %s the time 0", input,
			       faults->zero_count,
			       faults->zero_count == 1 ? "sample has" : "samples have");
	if (faults->backward_max_ns < BACKWARD_MIN_NS)
		return;
	sink_init_memory(&duration);
	number_duration(&duration, faults->backward_max_ns);
	command_notice(settings, NOTICE_UNKNOWN,
		       "%s: times go backwards %" PRIu64 " %s, by up to %.*s; the clock was set, "
		       "or records are corrupt; times and durations may be wrong",
		       input, faults->backward_count,
		       faults->backward_count == 1 ? "time" : "times",
		       (int)sink_memory(&duration).length, sink_memory(&duration).at);
	sink_deinit(&duration);
}

void health_warn(const struct settings *settings, const struct session *session)
{
	const struct profile *profile = &session->profile;
	const char *input = session->capture.input.name;
	bool shows_all = profile->is_counted && settings->shows_counters;

	warn_of_symbols(settings, session);
	/* Warn, because the choice of the snapshot is a guess. */
	if (profile->facts[FACT_SNAPSHOTS].at && !settings->snapshot)
		command_notice(settings, NOTICE_GUESSED,
			       "%s: the input contains several snapshots (%.*s); --interval "
			       "selects others",
			       input, (int)profile->facts[FACT_SNAPSHOTS].length,
			       profile->facts[FACT_SNAPSHOTS].at);
	warn_of_caveats(settings, input, profile);
	warn_of_missing(settings, input, profile);
	/* inputs_build_profile checks the sum of several inputs. */
	if (settings->inputs.count < 2)
		health_warn_of_overflow(settings, input, profile);
	warn_of_emptiness(settings, session);
	warn_of_times(settings, session);
	mark_settings_warn_around(settings, session);
	/* No warning if all events are shown, or if the user chose one. */
	if (profile->event_name.i && !shows_all && !session->view.event_pattern &&
	    !grouping_has(&settings->view.grouping, GROUP_EVENT))
		warn_of_other_events(settings, input, profile);
}
