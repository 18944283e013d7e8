/* SPDX-License-Identifier: MIT */
#include "session/no_match.h"

#include <inttypes.h>

#include "base/near_name.h"
#include "base/sink.h"
#include "profile/frame_table.h"
#include "profile/selection/selection_tally.h"
#include "session/time_span.h"

/* Longer names and lists are truncated, because the length of the message is limited. */
#define NAME_BYTES   64
#define WANTED_BYTES 96

static const struct {
	const char *option;
	const char *noun, *nouns; /* singular and plural */
	const char *hint;
	const char *unknown; /* shown if samples lack the field */
} criteria[SELECTION_CRITERIA] = {
	[SELECTION_IDLE] = { "no-idle", NULL, NULL, NULL, NULL },
	[SELECTION_TIME] = { "time", NULL, NULL, NULL, NULL },
	[SELECTION_CPU] = { "cpu", "CPU", "CPUs", "; --by cpu lists them",
			    "the samples have no "
			    "CPU number" },
	[SELECTION_PID] = { "pid", "process", "processes", "; --by pid lists them",
			    "the samples have no process id" },
	[SELECTION_TID] = { "tid", "thread", "threads", "; --by tid lists them",
			    "the samples have no thread id" },
	[SELECTION_PROCESS] = { "process", "process name", "process names", "", "" },
	[SELECTION_COMM] = { "comm", "comm", "comms", "; --by comm lists them", "" },
	[SELECTION_LABEL] = { "where", "value", "values", "", "" },
};

static void write_truncated(struct text text, uint32_t length_max, struct sink *sink)
{
	bool is_truncated = text.length > length_max;

	if (is_truncated)
		text.length = length_max;
	sink_text(sink, text);
	if (is_truncated)
		sink_puts(sink, "...");
}

static void write_patterns(const name_patterns *patterns, struct sink *sink)
{
	struct sink line;

	sink_init_memory(&line);
	for (size_t i = 0; i < patterns->count && line.used <= WANTED_BYTES; i++) {
		sink_puts(&line, i ? "," : "");
		sink_text(&line, patterns->at[i].text);
	}
	sink_char(sink, '"');
	write_truncated(sink_memory(&line), WANTED_BYTES, sink);
	sink_char(sink, '"');
	sink_deinit(&line);
}

static void write_ranges(const selection_ranges *ranges, struct sink *sink)
{
	struct sink line;

	sink_init_memory(&line);
	for (size_t i = 0; i < ranges->count && line.used <= WANTED_BYTES; i++) {
		const struct selection_range *range = &ranges->at[i];

		sink_printf(&line, "%s%" PRIu64, i ? "," : "", range->first);
		if (range->last != range->first)
			sink_printf(&line, "-%" PRIu64, range->last);
	}
	write_truncated(sink_memory(&line), WANTED_BYTES, sink);
	sink_deinit(&line);
}

static const name_patterns *patterns_of(const struct selection *selection,
					enum selection_criterion criterion)
{
	return criterion == SELECTION_PROCESS ? &selection->processes
	       : criterion == SELECTION_LABEL ? &selection->labels.at[0].values
					      : &selection->comms;
}

static const selection_ranges *ranges_of(const struct selection *selection,
					 enum selection_criterion criterion)
{
	return criterion == SELECTION_CPU   ? &selection->cpus
	       : criterion == SELECTION_PID ? &selection->pids
					    : &selection->tids;
}

static bool is_of_names(enum selection_criterion criterion)
{
	return criterion == SELECTION_PROCESS || criterion == SELECTION_COMM ||
	       criterion == SELECTION_LABEL;
}

/* The text of a pattern without its metacharacters. */
static struct text plain_text(const struct name_pattern *pattern, char buffer[NAME_BYTES])
{
	uint32_t length = 0;

	if (pattern->kind == NAME_LITERAL)
		return pattern->text;
	for (uint32_t i = 0; i < pattern->text.length && length < NAME_BYTES; i++)
		if (!strchr("*?[]^$/\\()+|.{}", pattern->text.at[i]))
			buffer[length++] = pattern->text.at[i];
	return (struct text){ buffer, length };
}

static uint64_t distance_to_patterns(const name_patterns *patterns, struct text name)
{
	uint64_t least = UINT64_MAX;

	for (size_t i = 0; i < patterns->count; i++) {
		char buffer[NAME_BYTES];
		uint64_t distance = nearest_distance(plain_text(&patterns->at[i], buffer), name);

		if (distance < least)
			least = distance;
	}
	return least;
}

static uint64_t distance_to_ranges(const selection_ranges *ranges, struct text digits)
{
	uint64_t number = strtoull(digits.at, NULL, 10);
	uint64_t least = UINT64_MAX;

	for (size_t i = 0; i < ranges->count; i++) {
		const struct selection_range *range = &ranges->at[i];
		uint64_t distance =
			number < range->first ? range->first - number : number - range->last;

		if (distance < least)
			least = distance;
	}
	return least;
}

/* Writes "; nearest: a, b (of 14 comms; --by comm lists them)". */
static void write_nearest(const struct nearest *nearest, size_t count, const char *noun,
			  const char *nouns, const char *hint, struct sink *sink)
{
	bool are_many = count > LIMIT_SELECTION_CANDIDATES;

	for (size_t i = 0; i < nearest->count; i++) {
		sink_puts(sink, i ? ", " : "; nearest: ");
		write_truncated(nearest->at[i].name, NAME_BYTES, sink);
	}
	if (count)
		sink_printf(sink, " (of %s%zu %s%s)", are_many ? "more than " : "",
			    are_many ? (size_t)LIMIT_SELECTION_CANDIDATES : count,
			    count == 1 ? noun : nouns, hint);
}

static void write_seconds(uint64_t time_ns, struct sink *sink)
{
	sink_printf(sink, "%" PRIu64 ".%06" PRIu64, time_ns / 1000000000,
		    time_ns % 1000000000 / 1000);
}

static void write_period(const selection_ranges *times, struct sink *sink)
{
	const struct selection_range *range = times->at;

	if (times->count != 1) {
		sink_puts(sink, "in any of the time ranges");
		return;
	}
	if (range->last == UINT64_MAX) {
		sink_puts(sink, "from ");
		write_seconds(range->first, sink);
		sink_puts(sink, " s on");
		return;
	}
	sink_puts(sink, "from ");
	write_seconds(range->first, sink);
	sink_puts(sink, " to ");
	write_seconds(range->last, sink);
	sink_puts(sink, " s");
}

static void write_span(const struct session *session, const struct time_span *span,
		       struct sink *sink)
{
	const struct wall_clock *clock = &session->profile.clock;

	sink_puts(sink, "; the samples are from ");
	write_seconds(span->first_ns, sink);
	sink_puts(sink, " to ");
	write_seconds(span->last_ns, sink);
	sink_puts(sink, " s");
	if (!clock->is_known)
		return;
	sink_puts(sink, ", ");
	wall_clock_write(clock, span->first_ns, false, sink);
	sink_puts(sink, " to ");
	wall_clock_write(clock, span->last_ns, false, sink);
}

static void explain_time(const struct session *session, struct sink *sink)
{
	const struct time_span span = { session->tally.first_time_ns, session->tally.last_time_ns };

	if (span.first_ns > span.last_ns) {
		sink_puts(sink, "--time: the samples have no timestamps");
		return;
	}
	sink_puts(sink, "no sample is ");
	write_period(&session->view.selection.times_ns, sink);
	write_span(session, &span, sink);
}

/*
 * Explains an empty result for off-CPU intervals, which are clipped to --time. If the range is
 * inside the capture, it may really be empty. If it is outside, nothing is known about it.
 */
static void explain_windows(const struct session *session, struct sink *sink)
{
	struct time_span span;
	struct error ignored;

	if (!time_span_find(&session->capture, session->options.thread_count, &span, &ignored) ||
	    span.first_ns > span.last_ns)
		return;
	for (size_t i = 0; i < session->offcpu.windows.rows.count; i++)
		if (session->offcpu.windows.rows.at[i].begin_ns <= span.last_ns &&
		    session->offcpu.windows.rows.at[i].end_ns >= span.first_ns)
			return;
	sink_puts(sink, "the range given by --time is outside the capture");
	write_span(session, &span, sink);
}

/* The candidates are only values of the first label. */
static void explain_labels(const struct selection *selection, size_t candidate_count,
			   struct sink *sink)
{
	const struct selection_label *first = &selection->labels.at[0];

	if (selection->labels.count == 1 && !candidate_count && !first->selects_rest) {
		sink_printf(sink,
			    "no sample has a label %.*s; label captures with kiln merge --label",
			    (int)first->key.length, first->key.at);
		return;
	}
	sink_puts(sink, "no sample has ");
	for (size_t i = 0; i < selection->labels.count; i++) {
		const struct selection_label *label = &selection->labels.at[i];

		sink_printf(sink, "%slabel %.*s %s", i ? " and " : "", (int)label->key.length,
			    label->key.at, label->selects_rest ? "other than " : "");
		write_patterns(&label->values, sink);
	}
}

/* Explains a criterion that no sample meets. */
static void explain_criterion(const struct session *session, enum selection_criterion criterion,
			      struct sink *sink)
{
	const struct selection *selection = &session->view.selection;
	const struct strings *candidates = session->tally.candidates[criterion];
	struct nearest nearest = { .count = 0 };
	size_t count = candidates ? candidates->rows.count - 1 : 0;

	if (criterion == SELECTION_TIME) {
		explain_time(session, sink);
		return;
	}
	if (criterion == SELECTION_IDLE) {
		sink_puts(sink, "--no-idle excludes all samples, because all are samples of the "
				"idle task");
		return;
	}
	if (criterion == SELECTION_LABEL &&
	    (!count || selection->labels.count > 1 || selection->labels.at[0].selects_rest)) {
		explain_labels(selection, count, sink);
		return;
	}
	if (!count) {
		sink_printf(sink, "--%s: %s", criteria[criterion].option,
			    criteria[criterion].unknown);
		return;
	}
	if (criterion == SELECTION_LABEL)
		sink_printf(sink, "no sample has label %.*s ",
			    (int)selection->labels.at[0].key.length,
			    selection->labels.at[0].key.at);
	else
		sink_printf(sink, "no sample has %s ", criteria[criterion].option);
	if (is_of_names(criterion))
		write_patterns(patterns_of(selection, criterion), sink);
	else
		write_ranges(ranges_of(selection, criterion), sink);
	for (size_t i = 1; i <= count; i++) {
		struct text name = candidates->rows.at[i];

		nearest_offer(
			&nearest, name,
			is_of_names(criterion)
				? distance_to_patterns(patterns_of(selection, criterion), name)
				: distance_to_ranges(ranges_of(selection, criterion), name));
	}
	write_nearest(&nearest, count, criteria[criterion].noun, criteria[criterion].nouns,
		      criteria[criterion].hint, sink);
}

/* Explains that each criterion is met by some samples, but that no sample meets all of them. */
static void explain_all(const struct session *session, struct sink *sink)
{
	const struct selection *selection = &session->view.selection;
	bool is_first = true;

	sink_puts(sink, "no sample meets all conditions; each alone is met by: ");
	for (int i = 0; i < SELECTION_CRITERIA; i++) {
		enum selection_criterion criterion = (enum selection_criterion)i;
		uint64_t count = session->tally.met_counts[i];

		if (!selection_has(selection, criterion))
			continue;
		sink_puts(sink, is_first ? "" : ", ");
		is_first = false;
		sink_printf(sink, "--%s%s", criteria[i].option, criteria[i].noun ? " " : "");
		if (is_of_names(criterion))
			write_patterns(patterns_of(selection, criterion), sink);
		else if (criteria[i].noun)
			write_ranges(ranges_of(selection, criterion), sink);
		sink_printf(sink, " (%" PRIu64 " sample%s)", count, count == 1 ? "" : "s");
	}
}

static void explain_samples(const struct session *session, struct sink *sink)
{
	for (int i = 0; i < SELECTION_CRITERIA; i++) {
		if (!selection_has(&session->view.selection, (enum selection_criterion)i) ||
		    session->tally.met_counts[i])
			continue;
		explain_criterion(session, (enum selection_criterion)i, sink);
		return;
	}
	explain_all(session, sink);
}

/* The distinct names of one kind: symbols, DSOs or frames. */
struct frame_names {
	const name_patterns *wanted;
	struct nearest nearest;
	size_t count;
	bool has_any;  /* a name matches */
	bool *is_seen; /* by str_id */
};

static void add_name(struct frame_names *names, str_id id, struct text shown, bool is_wanted)
{
	if (!shown.length || names->is_seen[id.i])
		return;
	names->is_seen[id.i] = true;
	names->count++;
	names->has_any |= is_wanted;
	nearest_offer(&names->nearest, shown, distance_to_patterns(names->wanted, shown));
}

static void add_symbol(struct frame_names *names, const struct strings *strings, str_id id)
{
	struct text name = strings_get(strings, id);

	add_name(names, id, name, name_patterns_fit(names->wanted, name));
}

static void add_symbols(struct frame_names *names, const struct session *session)
{
	const struct strings *strings = session->profile.strings;
	const struct locations *locations = &session->locations;

	for (uint32_t i = 0; i < locations->rows.count; i++) {
		add_symbol(names, strings, locations->rows.at[i].name);
		add_symbol(names, strings, locations_innermost_name(locations, (location_id){ i }));
	}
}

static void add_dsos(struct frame_names *names, const struct session *session)
{
	const struct strings *strings = session->profile.strings;

	for (size_t i = 0; i < session->locations.rows.count; i++) {
		str_id path =
			modules_get(session->profile.modules, session->locations.rows.at[i].module)
				->path;
		struct text text = strings_get(strings, path);

		add_name(names, path, text_basename(text),
			 name_patterns_fit(names->wanted, text) ||
				 name_patterns_fit(names->wanted, text_basename(text)));
	}
}

static void add_frames(struct frame_names *names, const struct session *session)
{
	const struct profile *profile = &session->profile;

	for (uint32_t i = 0; i < profile->frames.count; i++)
		add_name(names, profile->frames.at[i].name,
			 profile_frame_name(profile, (frame_id){ i }),
			 frame_name_fits(profile_frame_name(profile, (frame_id){ i }),
					 names->wanted));
}

/* Options that select by frame. */
static const struct frame_criterion {
	const char *problem;   /* no such name exists */
	const char *elsewhere; /* the name exists, but in other stacks or positions */
	const char *noun, *nouns, *hint;
	void (*add)(struct frame_names *names, const struct session *session);
} frame_criteria[] = {
	{ "no sample has a leaf function ",
	  " is never the leaf function of a sample, only a caller; use --base for stacks that "
	  "contain it",
	  "function", "functions", "; kiln report lists them", add_symbols },
	{ "no sample has a leaf frame in the DSO ",
	  " never contains the leaf frame of a sample, only callers", "DSO", "DSOs",
	  "; kiln report --by dso lists them", add_dsos },
	{ "no stack contains the frame ", " is only in stacks that are not selected", "frame",
	  "frames", "", add_frames },
};

static const name_patterns *frame_patterns(const struct selection *selection, size_t criterion)
{
	const name_patterns *all[] = { &selection->symbols, &selection->dsos, &selection->bases };

	return all[criterion];
}

/*
 * Explains a criterion that no stack meets, regardless of other criteria. Returns whether there was
 * such a criterion.
 */
static bool explain_names(const struct session *session, size_t number, bool is_only,
			  struct sink *sink)
{
	const struct frame_criterion *criterion = &frame_criteria[number];
	struct frame_names names = { .wanted = frame_patterns(&session->view.selection, number) };
	bool is_explained;

	names.is_seen = memory_zalloc(session->profile.strings->rows.count, sizeof(bool));
	criterion->add(&names, session);
	memory_free(names.is_seen);
	is_explained = !names.has_any || is_only;
	if (!names.has_any) {
		sink_puts(sink, criterion->problem);
		write_patterns(names.wanted, sink);
		sink_puts(sink, names.count ? "" : "; no frame has a name");
		write_nearest(&names.nearest, names.count, criterion->noun, criterion->nouns,
			      criterion->hint, sink);
	} else if (is_only) {
		write_patterns(names.wanted, sink);
		sink_puts(sink, criterion->elsewhere);
	}
	return is_explained;
}

static void explain_frames(const struct session *session, struct sink *sink)
{
	const struct selection *selection = &session->view.selection;
	size_t count = selection->user_only || selection->kernel_only;

	for (size_t i = 0; i < ARRAY_SIZE(frame_criteria); i++)
		count += frame_patterns(selection, i)->count != 0;
	for (size_t i = 0; i < ARRAY_SIZE(frame_criteria); i++)
		if (frame_patterns(selection, i)->count &&
		    explain_names(session, i, count == 1, sink))
			return;
	if (count == 1)
		sink_puts(sink,
			  selection->user_only
				  ? "--user-only excludes all frames, because all are kernel frames"
				  : "--kernel-only excludes all frames, because none is a kernel "
				    "frame");
	else
		sink_puts(sink, "no sample has a frame that meets all conditions");
}

/* Whether samples are selected, but none of them is of the requested event. */
static bool lacks_event(const struct session *session)
{
	const struct profile *profile = &session->profile;
	const char *pattern = session->view.event_pattern;
	enum event_match best = profile_match_events(profile, pattern);

	for (size_t i = 0; i < profile->events.count; i++)
		if (profile_match_event(profile, &profile->events.at[i], pattern) == best &&
		    profile->events.at[i].sample_count)
			return false;
	return pattern && !session->offcpu.has_intervals;
}

static void explain_event(const struct session *session, struct sink *sink)
{
	const struct profile *profile = &session->profile;
	bool is_first = true;

	sink_printf(sink, "no selected sample is of event \"%s\"; the other events are: ",
		    session->view.event_pattern);
	for (size_t i = 0; i < profile->events.count && sink->used < WANTED_BYTES * 4; i++) {
		const struct profile_event *event = &profile->events.at[i];

		if (!event->sample_count)
			continue;
		sink_printf(sink, "%s%s (%" PRIu64 ")", is_first ? "" : ", ",
			    strings_text(profile->strings, event->name), event->sample_count);
		is_first = false;
	}
}

/* Whether the result is known to have no samples. */
static bool has_none_left(const struct session *session)
{
	if (session->profile.stacks.count)
		return !session->profile.view_sample_count;
	return session->has_visited && !session->visited_count;
}

bool session_has_match(const struct session *session, struct error *err)
{
	const struct selection_tally *tally = &session->tally;
	struct sink sink;
	struct text text;

	if (selection_is_empty(&session->view.selection) && !session->offcpu.windows.is_limited)
		return true;
	sink_init_memory(&sink);
	if (session->offcpu.windows.is_limited && !tally->sample_count &&
	    !session->profile.sample_count)
		explain_windows(session, &sink);
	else if (tally->sample_count && !tally->taken_count)
		explain_samples(session, &sink);
	else if (session->profile.sample_count && has_none_left(session) && lacks_event(session))
		explain_event(session, &sink);
	else if (session->profile.sample_count && has_none_left(session) &&
		 selection_asks_of_frames(&session->view.selection))
		explain_frames(session, &sink);
	text = sink_memory(&sink);
	if (text.length)
		error_set(err, ERROR_NO_MATCH, "%.*s", (int)text.length, text.at);
	sink_deinit(&sink);
	return !text.length;
}
