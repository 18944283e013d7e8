/* SPDX-License-Identifier: MIT */
#include "render/export/export.h"

#include "base/arithmetic.h"
#include "base/scan.h"
#include "render/escape.h"

const struct export_format export_formats[] = {
	{ .name = "pprof",
	  .suffix = ".pb.gz",
	  .write = export_write_pprof,
	  .has_groups = true,
	  .is_whole = true },
	{ .name = "speedscope",
	  .suffix = ".speedscope.json",
	  .write = export_write_speedscope,
	  .has_groups = true,
	  .write_tracks = export_write_speedscope_tracks },
	{ .name = "firefox", .suffix = ".firefox.json", .write_tracks = export_write_firefox },
	{ .name = "chrome", .suffix = ".trace.json", .write_tracks = export_write_chrome },
	{ .name = "callgrind",
	  .suffix = ".callgrind",
	  .write = export_write_callgrind,
	  .is_whole = true },
	{ .name = "d3", .suffix = ".d3.json", .write = export_write_d3 },
	{ .name = "collapsed",
	  .suffix = ".collapsed",
	  .write = export_write_collapsed,
	  .is_whole = true },
	{ .name = "tsv",
	  .suffix = ".tsv",
	  .write = export_write_tsv,
	  .has_groups = true,
	  .is_table = true },
	{ .name = "jsonl",
	  .suffix = ".jsonl",
	  .write = export_write_jsonl,
	  .has_groups = true,
	  .is_table = true },
	{ .name = NULL },
};

uint64_t export_weight_of_one(const struct profile *profile)
{
	return profile->unit == UNIT_MILLIONTHS ? 1000000 : 1;
}

/* pprof and jfrconv read and add up counts as signed numbers of 64 bits. */
static bool fits(const struct profile *profile, uint64_t divisor)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < profile->stacks.count; i++)
		sum = saturate_add(sum, profile->stacks.at[i].self / divisor);
	return sum <= INT64_MAX;
}

uint64_t export_divisor(const struct profile *profile)
{
	uint64_t divisor = export_weight_of_one(profile);

	for (uint32_t i = 0; i < profile->stacks.count; i++)
		while (profile->stacks.at[i].self % divisor)
			divisor /= 10;
	while (!fits(profile, divisor))
		divisor *= 10;
	return divisor;
}

bool export_is_exact(const struct profile *profile, uint64_t divisor)
{
	for (uint32_t i = 0; i < profile->stacks.count; i++)
		if (profile->stacks.at[i].self % divisor)
			return false;
	return true;
}

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
