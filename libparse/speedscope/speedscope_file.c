/* SPDX-License-Identifier: MIT */
#include "libparse/speedscope/speedscope_file.h"

#include "base/json_reader.h"
#include "libparse/text.h"

/* Maximum number of profiles in a speedscope file. Usually, each is the profile of one thread. */
#define LIMIT_SPEEDSCOPE_PROFILES (1u << 20)

void speedscope_file_init(struct speedscope_file *file)
{
	*file = (struct speedscope_file){ .active = 0 };
	strings_init(&file->strings);
}

void speedscope_file_deinit(struct speedscope_file *file)
{
	strings_deinit(&file->strings);
	vec_free(&file->frames);
	vec_free(&file->profiles);
	vec_free(&file->comms);
}

/* Reads a string; skips any other value. */
static str_id read_string(struct speedscope_file *file, struct json_reader *json)
{
	str_id id = STR_EMPTY;
	struct sink text;

	if (!json_read_begins(json, '"')) {
		json_read_skip(json);
		return id;
	}
	sink_init_memory(&text);
	if (json_read_string(json, &text) && text.used)
		id = strings_intern(&file->strings, text.buffer, text.used);
	sink_deinit(&text);
	return id;
}

static void read_frame_names(struct speedscope_file *file, struct json_reader *json)
{
	struct speedscope_frame frame = { STR_EMPTY, STR_EMPTY };
	struct text name;

	if (!json_read_open(json, '{'))
		return;
	while (json_read_next(json, '}') && json_read_name(json, &name)) {
		if (text_is(name, "name"))
			frame.name = read_string(file, json);
		else if (text_is(name, "file"))
			frame.file = read_string(file, json);
		else
			json_read_skip(json);
	}
	if (!json->has_failed)
		vec_push(&file->frames, frame);
}

static void read_shared(struct speedscope_file *file, struct json_reader *json)
{
	struct text name;

	if (!json_read_open(json, '{'))
		return;
	while (json_read_next(json, '}') && json_read_name(json, &name)) {
		if (!text_is(name, "frames"))
			json_read_skip(json);
		else if (json_read_open(json, '['))
			while (json_read_next(json, ']') && !json->has_failed)
				read_frame_names(file, json);
	}
}

/* unit: as in the file. *event_ret becomes the name of an event that has no name in the file. */
static void set_unit(struct speedscope_profile *profile, struct text unit, const char **event_ret)
{
	static const struct {
		const char *name, *event;
		enum weight_unit unit;
		unsigned decimals;
	} rows[] = {
		{ "nanoseconds", "time", UNIT_NANOSECONDS, 0 },
		{ "microseconds", "time", UNIT_NANOSECONDS, 3 },
		{ "milliseconds", "time", UNIT_NANOSECONDS, 6 },
		{ "seconds", "time", UNIT_NANOSECONDS, 9 },
		{ "bytes", "bytes", UNIT_BYTES, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (!text_is(unit, rows[i].name))
			continue;
		profile->unit = rows[i].unit;
		profile->decimals = rows[i].decimals;
		profile->has_unit = true;
		*event_ret = rows[i].event;
	}
}

/* [[0,"perf-exec"],[12,"app"]] */
static void read_comms(struct speedscope_file *file, struct json_reader *json)
{
	struct speedscope_comm row;

	if (!json_read_open(json, '['))
		return;
	while (json_read_next(json, ']') && json_read_open(json, '[') &&
	       json_read_next(json, ']') && json_read_u64(json, &row.first) &&
	       json_read_next(json, ']')) {
		row.comm = read_string(file, json);
		vec_push(&file->comms, row);
		if (json_read_next(json, ']'))
			json_read_skip(json);
	}
}

/* Reads the thread and the event, which kiln export adds. */
static void read_origin(struct speedscope_file *file, struct json_reader *json,
			struct speedscope_profile *profile)
{
	struct text name;
	uint64_t number = 0;

	profile->comm_begin = file->comms.count;
	if (!json_read_open(json, '{'))
		return;
	while (json_read_next(json, '}') && json_read_name(json, &name)) {
		if (text_is(name, "comms"))
			read_comms(file, json);
		else if (text_is(name, "event"))
			profile->event = read_string(file, json);
		else if (text_is(name, "pid") && json_read_u64(json, &number))
			profile->pid = (uint32_t)number;
		else if (text_is(name, "tid") && json_read_u64(json, &number))
			profile->tid = (uint32_t)number;
		else
			json_read_skip(json);
		profile->has_tid |= text_is(name, "tid");
	}
	profile->comm_count = file->comms.count - profile->comm_begin;
}

/* Skips an array, and returns its text. */
static struct text find_array(struct json_reader *json)
{
	const char *begin;

	if (!json_read_begins(json, '[')) {
		json_read_skip(json);
		return (struct text){ NULL, 0 };
	}
	begin = json->at;
	json_read_skip(json);
	return text_between(begin, json->at);
}

static void finish_profile(struct speedscope_file *file, struct speedscope_profile *profile,
			   str_id name, str_id unit)
{
	const char *event = "samples";

	set_unit(profile, strings_get(&file->strings, unit), &event);
	profile->comm = name;
	if (!profile->event.i)
		profile->event = strings_intern(&file->strings, event, strlen(event));
	else if (!profile->has_unit)
		profile->unit = text_unit_of_event(strings_get(&file->strings, profile->event));
	if (!profile->has_unit && profile->unit == UNIT_NANOSECONDS)
		profile->unit = UNIT_SAMPLES;
	if (profile->samples.at || profile->events.at)
		vec_push(&file->profiles, *profile);
	else
		file->corrupt_count++;
}

static void read_profile(struct speedscope_file *file, struct json_reader *json)
{
	struct speedscope_profile profile = { .unit = UNIT_SAMPLES,
					      .index = file->profile_count++ };
	str_id title = STR_EMPTY;
	str_id unit = STR_EMPTY;
	struct text name;

	if (!json_read_open(json, '{'))
		return;
	while (json_read_next(json, '}') && json_read_name(json, &name)) {
		if (text_is(name, "name"))
			title = read_string(file, json);
		else if (text_is(name, "unit"))
			unit = read_string(file, json);
		else if (text_is(name, "samples"))
			profile.samples = find_array(json);
		else if (text_is(name, "weights"))
			profile.weights = find_array(json);
		else if (text_is(name, "events"))
			profile.events = find_array(json);
		else if (text_is(name, "kiln") && json_read_begins(json, '{'))
			read_origin(file, json, &profile);
		else
			json_read_skip(json);
	}
	finish_profile(file, &profile, title, unit);
}

static bool read_profiles(struct speedscope_file *file, struct json_reader *json, struct error *err)
{
	if (!json_read_open(json, '['))
		return true;
	while (json_read_next(json, ']') && !json->has_failed) {
		read_profile(file, json);
		if (file->profiles.count > LIMIT_SPEEDSCOPE_PROFILES)
			return error_set(
				err, ERROR_LIMIT,
				"is a speedscope file with more profiles than the limit of %u",
				LIMIT_SPEEDSCOPE_PROFILES);
	}
	return true;
}

static void read_active(struct speedscope_file *file, struct json_reader *json)
{
	struct text number;

	if (json_read_begins(json, '{') || json_read_begins(json, '['))
		json_read_skip(json);
	else if (json_read_plain(json, &number))
		text_to_u64(number, &file->active);
}

/* Drops profiles without samples, so the index in the file differs from the index in the vector. */
static void find_active(struct speedscope_file *file)
{
	size_t i = 0;

	while (i < file->profiles.count && file->profiles.at[i].index != file->active)
		i++;
	file->active = i;
}

bool speedscope_file_read(struct speedscope_file *file, const char **failed_at, struct error *err)
{
	struct json_reader json = json_reader_of(file->text);
	struct text name;

	if (json_read_open(&json, '{'))
		while (json_read_next(&json, '}') && json_read_name(&json, &name)) {
			if (text_is(name, "shared")) {
				read_shared(file, &json);
			} else if (text_is(name, "profiles")) {
				if (!read_profiles(file, &json, err))
					return false;
			} else if (text_is(name, "name")) {
				file->name = read_string(file, &json);
			} else if (text_is(name, "activeProfileIndex")) {
				read_active(file, &json);
			} else {
				json_read_skip(&json);
			}
		}
	find_active(file);
	*failed_at = json.failed_at;
	return true;
}
