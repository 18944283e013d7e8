/* SPDX-License-Identifier: MIT */
/* Reads the complete profile that kiln embeds in its SVGs as JSON; see render/svg/embed.h. */
#include "libparse/svg/svg_reader.h"

#include "base/base64.h"
#include "base/json_reader.h"
#include "base/memory.h"
#include "compress/codec.h"

/*
 * Maximum decompressed size of the profile embedded in an SVG. By default, kiln embeds at most 1
 * MB, compressed.
 */
#define LIMIT_SVG_PROFILE_BYTES ((size_t)256 << 20)

#define VERSION_KNOWN 2

typedef VEC(str_id) name_list;

struct embedded_profile {
	struct spooled *stacks;
	struct json_reader json;
	name_list names, modules;
	/* readers, each at the beginning of its list */
	struct json_reader frames, rows, functions, together;
	struct sink scratch;
	uint64_t version;
};

static str_id read_string(struct embedded_profile *reading)
{
	reading->scratch.used = 0;
	if (!json_read_string(&reading->json, &reading->scratch))
		return STR_EMPTY;
	return strings_intern(&reading->stacks->strings,
			      reading->scratch.used ? reading->scratch.buffer : "",
			      reading->scratch.used);
}

static void read_list(struct embedded_profile *reading, name_list *list)
{
	if (!json_read_open(&reading->json, '['))
		return;
	while (json_read_next(&reading->json, ']'))
		vec_push(list, read_string(reading));
}

static void read_unit(struct embedded_profile *reading)
{
	static const char *const names[] = {
		[UNIT_SAMPLES] = "samples",         [UNIT_EVENTS] = "events",
		[UNIT_NANOSECONDS] = "nanoseconds", [UNIT_BYTES] = "bytes",
		[UNIT_MILLIONTHS] = "millionths",
	};
	str_id id = read_string(reading);

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (text_is(strings_get(&reading->stacks->strings, id), names[i]))
			reading->stacks->unit = (enum weight_unit)i;
}

/* Reads the sample counts of both sides of a comparison. */
static void read_sides(struct embedded_profile *reading)
{
	struct json_reader *json = &reading->json;
	struct spooled *stacks = reading->stacks;
	struct text name;

	stacks->has_two_sides = true;
	if (!json_read_open(json, '{'))
		return;
	while (json_read_next(json, '}') && json_read_name(json, &name)) {
		if (text_is(name, "samples") && json_read_open(json, '[')) {
			if (json_read_next(json, ']'))
				json_read_u64(json, &stacks->samples.before);
			if (json_read_next(json, ']'))
				json_read_u64(json, &stacks->samples.after);
			while (json_read_next(json, ']'))
				json_read_skip(json);
		} else {
			json_read_skip(json);
		}
	}
}

static void read_member(struct embedded_profile *reading, struct text name)
{
	struct json_reader *json = &reading->json;
	struct spooled *stacks = reading->stacks;

	if (text_is(name, "version")) {
		json_read_u64(json, &reading->version);
	} else if (text_is(name, "event")) {
		stacks->event = read_string(reading);
	} else if (text_is(name, "unit")) {
		read_unit(reading);
	} else if (text_is(name, "samples")) {
		json_read_u64(json, &stacks->samples.after);
	} else if (text_is(name, "diff")) {
		read_sides(reading);
	} else if (text_is(name, "names")) {
		read_list(reading, &reading->names);
	} else if (text_is(name, "modules")) {
		read_list(reading, &reading->modules);
	} else {
		if (text_is(name, "frames"))
			reading->frames = *json;
		else if (text_is(name, "rows"))
			reading->rows = *json;
		else if (text_is(name, "functions"))
			reading->functions = *json;
		else if (text_is(name, "together"))
			reading->together = *json;
		json_read_skip(json);
	}
}

/*
 * Reads the next `count` numbers of a list. Returns false at the end of the list, or if has_failed
 * is set.
 */
static bool read_numbers(struct json_reader *json, uint64_t *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!json_read_next(json, ']')) {
			json->has_failed |= i > 0;
			return false;
		}
		if (!json_read_u64(json, &numbers[i]))
			return false;
	}
	return true;
}

static str_id name_at(const name_list *list, uint64_t index)
{
	return index < list->count ? list->at[index] : STR_EMPTY;
}

/* Opens a list. Profiles that have all stacks lack this list. */
static bool open_list(struct json_reader *json)
{
	return json->at && json_read_open(json, '[');
}

/* Numbers of a function: self and total, for each side of a comparison. */
static size_t function_numbers(const struct embedded_profile *reading)
{
	return reading->stacks->has_two_sides ? 4 : 2;
}

static uint64_t count_functions(const struct embedded_profile *reading)
{
	struct json_reader json = reading->functions;
	uint64_t count = 0;

	if (!open_list(&json))
		return 0;
	for (; json_read_next(&json, ']'); count++)
		json_read_skip(&json);
	return count / function_numbers(reading);
}

/*
 * Reads the frames. kiln embeds only frames that a row or the list of functions uses, so further
 * frames would only cost memory.
 */
static void read_frames(struct embedded_profile *reading)
{
	struct json_reader *json = &reading->frames;
	uint64_t left = svg_rows_count(reading->rows) + count_functions(reading);
	uint64_t numbers[4];

	if (!json_read_open(json, '['))
		return;
	for (; read_numbers(json, numbers, ARRAY_SIZE(numbers)); left--) {
		if (!left) {
			json->has_failed = true;
			return;
		}
		vec_push(&reading->stacks->frames,
			 (struct spooled_frame){
				 .name = name_at(&reading->names, numbers[0]),
				 .module = name_at(&reading->modules, numbers[1]),
				 .kind = numbers[2] < SPOOLED_KIND_COUNT
						 ? (enum spooled_kind)numbers[2]
						 : SPOOLED_USER,
			 });
	}
}

/* Reads the functions, at most one for each frame. */
static void read_functions(struct embedded_profile *reading)
{
	struct json_reader *json = &reading->functions;
	struct spooled *stacks = reading->stacks;
	uint64_t numbers[4] = { 0 };

	if (!open_list(json))
		return;
	while (read_numbers(json, numbers, function_numbers(reading))) {
		if (stacks->functions.count == stacks->frames.count) {
			json->has_failed = true;
			return;
		}
		vec_push(&stacks->functions, (struct spooled_function){
						     .self = { numbers[0], numbers[2] },
						     .total = { numbers[1], numbers[3] },
					     });
	}
}

/* Reads the totals of names that several functions share, at most one for each name. */
static void read_together(struct embedded_profile *reading)
{
	struct json_reader *json = &reading->together;
	struct spooled *stacks = reading->stacks;
	size_t count = stacks->has_two_sides ? 3 : 2;
	uint64_t numbers[3] = { 0 };

	if (!open_list(json))
		return;
	while (read_numbers(json, numbers, count)) {
		if (stacks->names.count == reading->names.count) {
			json->has_failed = true;
			return;
		}
		vec_push(&stacks->names, (struct spooled_name){
						 .name = name_at(&reading->names, numbers[0]),
						 .total = { numbers[1], numbers[2] },
					 });
	}
}

static bool read_json(struct embedded_profile *reading, struct text text, struct error *err)
{
	struct text name;

	reading->json = json_reader_of(text);
	if (json_read_open(&reading->json, '{'))
		while (json_read_next(&reading->json, '}') && json_read_name(&reading->json, &name))
			read_member(reading, name);
	if (reading->json.has_failed)
		return error_set(err, ERROR_CORRUPT, "the embedded profile is corrupt");
	if (reading->version != VERSION_KNOWN)
		return error_set(
			err, ERROR_UNSUPPORTED,
			"the embedded profile has version %llu, which this version of kiln does "
			"not support",
			(unsigned long long)reading->version);
	read_frames(reading);
	read_functions(reading);
	read_together(reading);
	return (!reading->frames.has_failed && !reading->functions.has_failed &&
		!reading->together.has_failed && reading->rows.at &&
		svg_rows_read(reading->stacks, reading->rows)) ||
	       error_set(err, ERROR_CORRUPT, "the embedded profile is corrupt");
}

/* Appends deflate streams in base64, which commas separate. */
static bool read_streams(struct sink *compressed, struct text content)
{
	const char *end = content.at + content.length;
	const char *comma;

	while ((comma = content.length ? memchr(content.at, ',', content.length) : NULL)) {
		if (!base64_read(compressed, text_between(content.at, comma)))
			return false;
		content = text_between(comma + 1, end);
	}
	return base64_read(compressed, content);
}

static bool decompress(struct text content, unsigned char **memory_ret, size_t *size_ret,
		       struct error *err)
{
	struct sink compressed;
	bool good;

	sink_init_memory(&compressed);
	if (read_streams(&compressed, content)) {
		struct text bytes = sink_memory(&compressed);

		good = codec_decompress(CODEC_DEFLATE, span_of(bytes.at, bytes.length, 0, false),
					LIMIT_SVG_PROFILE_BYTES, memory_ret, size_ret, err) ||
		       error_prefix(err, "the embedded profile");
	} else {
		good = error_set(err, ERROR_CORRUPT, "the embedded profile is not base64");
	}
	sink_deinit(&compressed);
	return good;
}

bool svg_profile_read(struct spooled *stacks, struct text content, bool is_compressed,
		      struct error *err)
{
	struct embedded_profile reading = { .stacks = stacks };
	unsigned char *json = NULL;
	size_t json_bytes;
	bool good = true;

	sink_init_memory(&reading.scratch);
	if (is_compressed) {
		good = decompress(content, &json, &json_bytes, err);
		content = (struct text){ (const char *)json, good ? (uint32_t)json_bytes : 0 };
	}
	good = good && read_json(&reading, content, err);
	if (!stacks->event.i)
		stacks->event = strings_intern_text(&stacks->strings, "samples");
	vec_free(&reading.names);
	vec_free(&reading.modules);
	sink_deinit(&reading.scratch);
	memory_free(json);
	return good;
}
