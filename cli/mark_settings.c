/* SPDX-License-Identifier: MIT */
#include "cli/mark_settings.h"

#include <inttypes.h>

#include "cli/command.h"
#include "cli/duration.h"
#include "cli/notices.h"
#include "cli/text_file.h"
#include "render/number.h"
#include "session/time_span.h"

static const struct option mark_options[] = {
	{ .name = "mark",
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct settings, mark_file),
	  .argument = "FILE",
	  .help = "draw the marks in FILE: times as lines, ranges as bands, with labels",
	  .more = "Marks are written as for --around. "
		  "The JSON output of kiln heatmap also contains the marks" },
	{ .name = NULL },
};

const struct option_group mark_settings = { "Marks", mark_options };

static bool read_marks(const char *path, struct marks *ret, struct error *err)
{
	struct sink file;
	bool good;

	sink_init_memory(&file);
	good = text_file_read(path, &file, err) && marks_parse(ret, sink_memory(&file), path, err);
	sink_deinit(&file);
	return good;
}

/* Splits FILE:±TIME at the last colon. The path is kept for messages. */
static bool finish_around(struct settings *settings, struct error *err)
{
	struct selection *selection = &settings->view.selection;
	char *colon = strrchr(settings->around, ':');
	const char *time = colon ? colon + 1 : "";

	if (strncmp(time, "±", strlen("±")) == 0)
		time += strlen("±");
	else if (strncmp(time, "+-", 2) == 0)
		time += 2;
	if (!colon || colon == settings->around || !*time ||
	    !duration_parse("around", time, &selection->around_ns, err))
		return error_set(err, ERROR_USAGE,
				 "--around requires a file and a time, such as alarms.csv:±20ms or "
				 "alarms.csv:20ms, not \"%s\"",
				 settings->around);
	for (size_t i = 0; i < settings->times.count; i++)
		if (strchr(settings->times.at[i], '%'))
			return error_set(
				err, ERROR_USAGE,
				"--around cannot be combined with percentages in --time; use times");
	settings->around_path =
		memory_duplicate(settings->around, (size_t)(colon - settings->around));
	selection->around = &settings->around_marks;
	return true;
}

bool mark_settings_finish(struct settings *settings, struct error *err)
{
	return !settings->around || finish_around(settings, err);
}

bool mark_settings_read(struct settings *settings, struct error *err)
{
	return (!settings->around_path ||
		read_marks(settings->around_path, &settings->around_marks, err)) &&
	       (!settings->mark_file || read_marks(settings->mark_file, &settings->marks, err));
}

/* Warns of lines that are not marks, and of marks that are outside the capture. */
static void warn_of_marks(const struct settings *settings, const struct marks *marks,
			  const struct placed_marks *placed, const char *input)
{
	double all = (double)(marks->rows.count + marks->unknown_count);

	if (marks->unknown_count)
		command_notice(settings, (double)marks->unknown_count / all,
			       "%s: %" PRIu64 " of %.0f lines %s ignored; the first is line %u: "
			       "%s",
			       marks->file_name, marks->unknown_count, all,
			       marks->unknown_count == 1 ? "is not a mark and is"
							 : "are not marks and are",
			       marks->unknown_line, marks->unknown_text);
	if (placed->outside_count)
		command_notice(settings, (double)placed->outside_count / all,
			       "%s: %" PRIu64 " of %zu marks %s outside the capture %s, and %s "
			       "ignored; the first is in line %u",
			       marks->file_name, placed->outside_count, marks->rows.count,
			       placed->outside_count == 1 ? "is" : "are", input,
			       placed->outside_count == 1 ? "is" : "are", placed->outside_line);
}

bool mark_settings_place(const struct settings *settings, const struct session *session,
			 mark_filter is_shown, const void *context, size_t drawn_max,
			 struct placed_marks *ret, struct error *err)
{
	size_t shown_count = 0;

	if (!time_span_place_marks(&session->capture, session->options.thread_count,
				   &session->profile.clock, &settings->marks, 0, ret, err))
		return false;
	warn_of_marks(settings, &settings->marks, ret, session->capture.input.name);
	for (size_t i = 0; i < ret->rows.count; i++)
		shown_count += is_shown(context, &ret->rows.at[i]);
	if (shown_count < ret->rows.count)
		command_warn(settings,
			     "%zu of %zu marks %s in parts of the capture that are not shown",
			     ret->rows.count - shown_count, ret->rows.count,
			     ret->rows.count - shown_count == 1 ? "is" : "are");
	if (shown_count > drawn_max)
		command_warn(settings, "only the first %zu of %zu marks are drawn", drawn_max,
			     shown_count);
	return true;
}

/* Does nothing for off-CPU intervals, whose windows are not part of the selection. */
static void warn_of_empty_windows(const struct settings *settings, const struct session *session)
{
	const selection_ranges *windows = &session->view.selection.times_ns;
	const struct selection_tally *tally = &session->tally;
	size_t empty_count = 0;
	size_t first = 0;
	struct sink range;

	if (!tally->taken_count)
		return;
	for (size_t i = windows->count; i-- > 0;)
		if (i >= tally->has_sample.count || !tally->has_sample.at[i]) {
			empty_count++;
			first = i;
		}
	if (!empty_count)
		return;
	sink_init_memory(&range);
	number_seconds(&range, windows->at[first].first);
	sink_char(&range, ',');
	number_seconds(&range, windows->at[first].last);
	command_notice(settings, (double)empty_count / (double)windows->count,
		       "%s: %zu of %zu windows %s no selected sample; the first is --time %.*s",
		       settings->around ? settings->around_marks.file_name
					: session->capture.input.name,
		       empty_count, windows->count, empty_count == 1 ? "has" : "have",
		       (int)sink_memory(&range).length, sink_memory(&range).at);
	sink_deinit(&range);
}

/* Windows that limit off-CPU intervals or lanes are stored outside the selection. */
static size_t window_count_of(const struct session *session)
{
	if (session->offcpu.windows.is_limited)
		return session->offcpu.windows.rows.count;
	if (session->lane_windows.is_limited)
		return session->lane_windows.rows.count;
	return session->view.selection.times_ns.count;
}

void mark_settings_warn_around(const struct settings *settings, const struct session *session)
{
	const struct placed_marks *placed = &session->around;
	size_t window_count = window_count_of(session);

	if (!settings->around) {
		if (session->view.selection.times_ns.count > 1)
			warn_of_empty_windows(settings, session);
		return;
	}
	warn_of_marks(settings, &settings->around_marks, placed, session->capture.input.name);
	warn_of_empty_windows(settings, session);
	if (window_count < placed->rows.count)
		command_notice(settings, NOTICE_ASIDE,
			       "%s: %zu %s of %zu marks, because windows overlap%s; each sample "
			       "counts once",
			       settings->around_marks.file_name, window_count,
			       window_count == 1 ? "window remains" : "windows remain",
			       placed->rows.count,
			       settings->times.count ? " or are outside --time" : "");
}
