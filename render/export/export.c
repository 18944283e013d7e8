/* SPDX-License-Identifier: MIT */
#include "render/export/export.h"

#include "base/scan.h"
#include "render/escape.h"

const struct export_format export_formats[] = {
	{ "pprof", ".pb.gz", export_write_pprof, NULL, false },
	{ "speedscope", ".speedscope.json", export_write_speedscope, export_write_speedscope_tracks,
	  false },
	{ "firefox", ".firefox.json", NULL, export_write_firefox, false },
	{ "chrome", ".trace.json", NULL, export_write_chrome, false },
	{ "callgrind", ".callgrind", export_write_callgrind, NULL, false },
	{ "d3", ".d3.json", export_write_d3, NULL, false },
	{ "collapsed", ".collapsed", export_write_collapsed, NULL, false },
	{ "tsv", ".tsv", export_write_tsv, NULL, true },
	{ "jsonl", ".jsonl", export_write_jsonl, NULL, true },
	{ NULL, NULL, NULL, NULL, false },
};

struct export_place export_place_of(const struct profile *profile, frame_id frame)
{
	struct text source = strings_get(profile->strings, profile->frames.at[frame.i].source);
	const char *colon = source.length ? memrchr(source.at, ':', source.length) : NULL;
	struct export_place place = { .file = source };
	struct text digits;

	if (!colon)
		return place;
	digits = (struct text){ colon + 1, source.length - (uint32_t)(colon + 1 - source.at) };
	if (text_to_u64(digits, &place.line))
		place.file.length = (uint32_t)(colon - source.at);
	return place;
}

uint32_t export_group_depth(const struct profile *profile, const struct export_options *options)
{
	return profile->is_counted ? 0 : options->grouping->count;
}

static bool is_same_thread(const struct track *a, const struct track *b)
{
	return a->pid == b->pid && a->tid == b->tid && a->cpu == b->cpu;
}

static bool shows_events(const struct profile *profile)
{
	size_t count = 0;

	for (size_t i = 0; i < profile->events.count; i++)
		count += profile->events.at[i].is_shown && profile->events.at[i].sample_count;
	return count > 1;
}

bool export_track_name(const struct profile *profile, const struct tracks *tracks, size_t track,
		       struct sink *sink)
{
	const struct track *row = &tracks->rows.at[track];

	sink_text(sink, strings_get(profile->strings, row->comm));
	if (row->cpu != EVENT_NO_CPU)
		sink_printf(sink, " cpu %u", row->cpu);
	if (shows_events(profile)) {
		sink_puts(sink, " ");
		sink_text(sink, strings_get(profile->strings, profile->events.at[row->event].name));
	}
	return track && is_same_thread(row, row - 1);
}

uint32_t export_track_tid(const struct track *track)
{
	return track->cpu != EVENT_NO_CPU ? track->cpu : track->tid;
}

void export_write_path(const struct export_options *options, struct text path, struct sink *sink)
{
	if (options->shows_homes)
		sink_text(sink, path);
	else
		escape_home_path(sink, path);
}
