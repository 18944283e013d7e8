/* SPDX-License-Identifier: MIT */
#include "render/export/export.h"

#include "base/scan.h"

const struct export_format export_formats[] = {
	{ "pprof", ".pb.gz", export_write_pprof },
	{ "speedscope", ".speedscope.json", export_write_speedscope },
	{ "callgrind", ".callgrind", export_write_callgrind },
	{ "d3", ".d3.json", export_write_d3 },
	{ NULL, NULL, NULL },
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
