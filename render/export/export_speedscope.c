/* SPDX-License-Identifier: MIT */
/*
 * Writes the file format of speedscope, as described in its file-format-spec.ts: frames, and
 * profiles of samples, which are lists of frames from the root on, with weights. speedscope shows
 * the samples in their order ("Time Order"), or added up.
 */
#include "base/arithmetic.h"
#include "render/export/export.h"
#include "render/json.h"
#include "render/number.h"

struct speedscope {
	const struct profile *profile;
	const struct export_options *options;
	struct json json;
	uint32_t depth; /* of the groups */
};

static const char *unit_of(enum weight_unit unit)
{
	if (unit == UNIT_NANOSECONDS)
		return "nanoseconds";
	return unit == UNIT_BYTES ? "bytes" : "none";
}

static void write_file(struct speedscope *speedscope, struct text path)
{
	struct sink sink;

	sink_init_memory(&sink);
	export_write_path(speedscope->options, path, &sink);
	json_text(&speedscope->json, "file", sink_memory(&sink));
	sink_deinit(&sink);
}

static void write_frames(struct speedscope *speedscope)
{
	const struct profile *profile = speedscope->profile;
	struct json *json = &speedscope->json;

	json_open_object(json, "shared");
	json_open_array(json, "frames");
	for (uint32_t i = 0; i < profile->frames.count; i++) {
		frame_id frame = { i };
		struct export_place place = export_place_of(profile, frame);
		const struct module *module =
			modules_get(profile->modules, profile->frames.at[i].module);
		struct text path = strings_get(profile->strings, module->path);

		json_open_object(json, NULL);
		json_text(json, "name", profile_function_name(profile, frame));
		if (place.line || path.length)
			write_file(speedscope, place.line ? place.file : path);
		if (place.line)
			json_u64(json, "line", place.line);
		json_close_object(json);
	}
	json_close_array(json);
	json_close_object(json);
}

/* Writes the frames of a row below its group. */
static void write_stack(struct speedscope *speedscope, uint32_t row)
{
	const struct stack *stacks = speedscope->profile->stacks.at;
	uint32_t count = stacks[row].depth - speedscope->depth;
	uint32_t *frames = memory_alloc(count, sizeof(*frames));

	for (uint32_t i = count; i--; row = stacks[row].parent)
		frames[i] = stacks[row].frame.i;
	json_open_array(&speedscope->json, NULL);
	for (uint32_t i = 0; i < count; i++)
		json_u64(&speedscope->json, NULL, frames[i]);
	json_close_array(&speedscope->json);
	memory_free(frames);
}

/* Writes the names of a row's groups: "make, tid 7". */
static void write_title(struct speedscope *speedscope, uint32_t row)
{
	const struct profile *profile = speedscope->profile;
	struct sink sink, part;

	sink_init_memory(&sink);
	for (; row; row = profile->stacks.at[row].parent) {
		sink_init_memory(&part);
		sink_text(&part, profile_frame_name(profile, profile->stacks.at[row].frame));
		if (sink.used)
			sink_puts(&part, ", ");
		sink_text(&part, sink_memory(&sink));
		sink_deinit(&sink);
		sink = part;
	}
	json_text(&speedscope->json, "name",
		  sink.used ? sink_memory(&sink) : text_of(speedscope->options->title));
	sink_deinit(&sink);
}

static void write_profile(struct speedscope *speedscope, uint32_t group)
{
	const struct profile *profile = speedscope->profile;
	const struct stack *stacks = profile->stacks.at;
	struct json *json = &speedscope->json;

	json_open_object(json, NULL);
	json_text(json, "type", text_of("sampled"));
	write_title(speedscope, group);
	json_text(json, "unit", text_of(unit_of(profile->unit)));
	json_u64(json, "startValue", 0);
	json_weight(json, "endValue", stacks[group].total, profile->unit);
	json_open_array(json, "samples");
	for (uint32_t i = group; i < stacks[group].end; i++)
		if (stacks[i].self)
			write_stack(speedscope, i);
	json_close_array(json);
	json_open_array(json, "weights");
	for (uint32_t i = group; i < stacks[group].end; i++)
		if (stacks[i].self)
			json_weight(json, NULL, stacks[i].self, profile->unit);
	json_close_array(json);
	json_close_object(json);
}

/* active: the index of the profile that is shown first */
static void begin_document(struct speedscope *speedscope, size_t active, struct sink *sink)
{
	struct json *json = &speedscope->json;

	json_init(json, sink);
	json_open_object(json, NULL);
	json_text(json, "$schema", text_of("https://www.speedscope.app/file-format-schema.json"));
	json_text(json, "exporter", text_of("kiln"));
	json_text(json, "name", text_of(speedscope->options->title));
	json_u64(json, "activeProfileIndex", active);
	write_frames(speedscope);
	json_open_array(json, "profiles");
}

static void end_document(struct speedscope *speedscope)
{
	json_close_array(&speedscope->json);
	json_close_object(&speedscope->json);
	json_finish(&speedscope->json);
}

void export_write_speedscope(const struct profile *profile, const struct export_options *options,
			     struct sink *sink)
{
	struct speedscope speedscope = {
		.profile = profile,
		.options = options,
		.depth = export_group_depth(profile, options),
	};

	begin_document(&speedscope, 0, sink);
	for (uint32_t i = 0; i < profile->stacks.count; i++)
		if (profile->stacks.at[i].depth == speedscope.depth)
			write_profile(&speedscope, i);
	end_document(&speedscope);
}

/* Writes the frames of each sample, in time order. */
static void write_track_samples(struct speedscope *speedscope, const struct tracks *tracks,
				const struct track *track)
{
	struct json *json = &speedscope->json;
	VEC(uint32_t) frames = { 0 };

	json_open_array(json, "samples");
	for (size_t i = 0; i < track->samples.count; i++) {
		uint32_t stack = track->samples.at[i].stack;
		uint32_t count = tracks_depth(tracks, stack);

		frames.count = 0;
		vec_reserve(&frames, count);
		count = tracks_frames(tracks, stack, frames.at, count);
		json_open_array(json, NULL);
		json->is_compact = true;
		for (uint32_t k = 0; k < count; k++)
			json_u64(json, NULL, frames.at[k]);
		json_close_array(json);
		json->is_compact = false;
	}
	json_close_array(json);
	vec_free(&frames);
}

/* Writes each name of the thread, with the index of the first sample that has this name. */
static void write_comms(struct speedscope *speedscope, const struct track *track)
{
	struct json *json = &speedscope->json;
	str_id comm = { UINT32_MAX };

	json_open_array(json, "comms");
	for (size_t i = 0; i < track->samples.count; i++) {
		if (track->samples.at[i].comm.i == comm.i)
			continue;
		comm = track->samples.at[i].comm;
		json_open_array(json, NULL);
		json->is_compact = true;
		json_u64(json, NULL, i);
		json_text(json, NULL, strings_get(speedscope->profile->strings, comm));
		json_close_array(json);
		json->is_compact = false;
	}
	json_close_array(json);
}

/*
 * Writes members that are not part of the format, so that kiln can read back the original profile
 * (libparse/speedscope/speedscope_reader.c).
 */
static void write_origin(struct speedscope *speedscope, const struct track *track)
{
	const struct profile *profile = speedscope->profile;
	struct json *json = &speedscope->json;

	json_open_object(json, "kiln");
	json_text(json, "event",
		  strings_get(profile->strings, profile->events.at[track->event].name));
	if (!track->comm_key.i) {
		json_u64(json, "pid", track->pid);
		json_u64(json, "tid", track->tid);
	}
	write_comms(speedscope, track);
	json_close_object(json);
}

static void write_track(struct speedscope *speedscope, const struct tracks *tracks, size_t index)
{
	const struct track *track = &tracks->rows.at[index];
	struct json *json = &speedscope->json;
	struct sink name;
	uint64_t total = 0;

	sink_init_memory(&name);
	(void)export_track_name(speedscope->profile, tracks, index, &name);
	if (track->tid && track->cpu == EVENT_NO_CPU)
		sink_printf(&name, ", tid %d", (int32_t)track->tid);
	for (size_t i = 0; i < track->samples.count; i++)
		total = saturate_add(total, track->samples.at[i].weight);
	json_open_object(json, NULL);
	json_text(json, "type", text_of("sampled"));
	json_text(json, "name", sink_memory(&name));
	write_origin(speedscope, track);
	json_text(json, "unit", text_of(unit_of(track->unit)));
	json_u64(json, "startValue", 0);
	json_weight(json, "endValue", total, track->unit);
	write_track_samples(speedscope, tracks, track);
	json_open_array(json, "weights");
	for (size_t i = 0; i < track->samples.count; i++)
		json_weight(json, NULL, track->samples.at[i].weight, track->unit);
	json_close_array(json);
	json_close_object(json);
	sink_deinit(&name);
}

static bool is_of_cpu_time(const struct profile *profile, const struct track *track)
{
	return profile_event_is_of_cpu_time(profile, &profile->events.at[track->event]);
}

static bool is_before(const struct profile *profile, const struct track *track,
		      const struct track *other)
{
	uint64_t time_ns = track->samples.at[0].time_ns;
	uint64_t other_ns = other->samples.at[0].time_ns;

	if (is_of_cpu_time(profile, track) != is_of_cpu_time(profile, other))
		return is_of_cpu_time(profile, track);
	return time_ns < other_ns || (time_ns == other_ns && track->number < other->number);
}

/* Finds the track with the earliest sample of the default event (profile/selection/choose_event.h). */
static size_t find_first_track(const struct profile *profile, const struct tracks *tracks)
{
	size_t first = 0;

	for (size_t i = 1; i < tracks->rows.count; i++)
		if (is_before(profile, &tracks->rows.at[i], &tracks->rows.at[first]))
			first = i;
	return first;
}

void export_write_speedscope_tracks(const struct profile *profile, const struct tracks *tracks,
				    const struct export_options *options, struct sink *sink)
{
	struct speedscope speedscope = { .profile = profile, .options = options };

	begin_document(&speedscope, find_first_track(profile, tracks), sink);
	for (size_t i = 0; i < tracks->rows.count; i++)
		write_track(&speedscope, tracks, i);
	end_document(&speedscope);
}
