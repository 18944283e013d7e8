/* SPDX-License-Identifier: MIT */
#include "tools/health.h"

#include <inttypes.h>
#include <stdarg.h>

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

static const char *separator(const struct line *line)
{
	return line->length ? ", " : "";
}

static void add_losses(struct line *line, const struct profile *profile)
{
	static const char *const texts[LOSS_KIND_COUNT] = {
		[LOSS_RECORDS] = "records were lost while recording",
		[LOSS_SAMPLES] = "samples were lost while recording",
		[LOSS_DAMAGED_RECORDS] = "damaged records were skipped",
		[LOSS_UNKNOWN_RECORDS] = "records of unknown types were skipped",
		[LOSS_UNKNOWN_IDS] = "samples belong to no event of this capture",
		[LOSS_AUX_TRUNCATED] = "hardware traces were cut",
		[LOSS_TRACES] = "runs of hardware trace are not decoded",
		[LOSS_MAPS_TRUNCATED] = "processes have incomplete mappings",
	};

	for (size_t i = 0; i < LOSS_KIND_COUNT; i++)
		if (profile->losses[i] && texts[i])
			add(line, "%s%" PRIu64 " %s", separator(line), profile->losses[i],
			    texts[i]);
}

/* Files that would have named frames, had they been there and been the right ones. */
static void add_unnamed(struct line *line, const struct profile *profile)
{
	uint32_t missing = 0;
	uint32_t refused = 0;

	for (size_t i = 0; i < profile->modules->rows.count; i++) {
		const struct module *module = &profile->modules->rows.at[i];
		bool is_file = module->kind == MODULE_FILE || module->kind == MODULE_KERNEL;

		if (!is_file || !module->location_count)
			continue;
		missing += module->verdict == VERDICT_MISSING;
		refused += module->verdict == VERDICT_MISMATCH ||
			   module->verdict == VERDICT_DAMAGED;
	}
	if (missing)
		add(line, "%s%" PRIu32 " %s not found", separator(line), missing,
		    missing == 1 ? "file was" : "files were");
	if (refused)
		add(line, "%s%" PRIu32 " %s not the captured one%s", separator(line), refused,
		    refused == 1 ? "file is" : "files are", refused == 1 ? "" : "s");
	if (missing || refused)
		add(line, " (kiln info says which)");
}

static void add_other_events(struct line *line, const struct profile *profile)
{
	for (size_t i = 0; i < profile->events.count; i++) {
		const struct profile_event *event = &profile->events.at[i];

		if (!event->sample_count || event->name.i == profile->event_name.i)
			continue;
		add(line, "%s%s", separator(line), strings_text(profile->strings, event->name));
	}
}

void health_warn(const struct settings *settings, const struct session *session)
{
	const struct profile *profile = &session->profile;
	const char *input = session->capture.input.name;
	struct line line = { .length = 0 };
	struct line events = { .length = 0 };

	add_losses(&line, profile);
	add_unnamed(&line, profile);
	if (line.length)
		command_warn(settings, "%s: %s", input, line.text);
	/* Only what shows a single event has chosen one. */
	if (profile->event_name.i && !settings->event_name &&
	    !grouping_has(&settings->grouping, GROUP_EVENT))
		add_other_events(&events, profile);
	if (events.length)
		command_warn(settings, "%s: shown is %s; also in it, by --event: %s", input,
			     strings_text(profile->strings, profile->event_name), events.text);
}
