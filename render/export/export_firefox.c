/* SPDX-License-Identifier: MIT */
/*
 * Writes the processed profile format of Firefox Profiler, version 60, as described in
 * docs-developer and src/types/profile.ts of firefox-devtools/profiler: tables whose columns are
 * arrays of equal length. All threads share the tables of stacks, frames, functions, resources and
 * strings.
 *
 *     samples.stack ─▶ stackTable.frame ─▶ frameTable.func ─▶ funcTable.resource ─▶ resourceTable.lib
 *                      stackTable.prefix: the caller
 */
#include "render/export/export.h"

#include "base/hash.h"
#include "render/json.h"

#define FORMAT_VERSION 60
/*
 * The version of profiles that Firefox itself records; it matters only for upgrading such profiles.
 */
#define GECKO_VERSION 31

#define RESOURCE_LIBRARY 1

#define NONE UINT32_MAX

/* Indexes of the categories. Firefox Profiler requires a grey category. */
enum category {
	CATEGORY_OTHER,
	CATEGORY_USER,
	CATEGORY_KERNEL,
	CATEGORY_JIT,
};

static const struct {
	const char *name, *color;
} categories[] = {
	[CATEGORY_OTHER] = { "Other", "grey" },
	[CATEGORY_USER] = { "User", "yellow" },
	[CATEGORY_KERNEL] = { "Kernel", "orange" },
	[CATEGORY_JIT] = { "JIT", "blue" },
};

struct firefox_function {
	uint32_t name, source; /* strings; source NONE: not known */
	uint32_t resource;     /* NONE: none */
	uint64_t line;         /* of one of its frames */
};

struct firefox {
	const struct profile *profile;
	const struct tracks *tracks;
	const struct export_options *options;
	struct json json;
	struct strings strings;
	VEC(struct firefox_function) functions;
	struct idtable function_ids;
	uint32_t *function_of_frame;
	VEC(uint32_t) modules;        /* by resource */
	uint32_t *resource_of_module; /* NONE: none yet */
	VEC(uint32_t) sources;        /* strings */
	uint64_t origin_ns;           /* of times */
};

static uint32_t intern_path(struct firefox *firefox, struct text path)
{
	struct sink sink;
	str_id id;

	sink_init_memory(&sink);
	export_write_path(firefox->options, path, &sink);
	id = strings_intern(&firefox->strings, sink.used ? sink.buffer : "", sink.used);
	sink_deinit(&sink);
	return id.i;
}

static uint32_t resource_of(struct firefox *firefox, module_id module)
{
	uint32_t *resource = &firefox->resource_of_module[module.i];

	if (*resource == NONE && modules_get(firefox->profile->modules, module)->path.i) {
		*resource = (uint32_t)firefox->modules.count;
		vec_push(&firefox->modules, module.i);
	}
	return *resource;
}

/* Frames that differ only in their lines belong to one function. */
static uint32_t function_of(struct firefox *firefox, const struct firefox_function *function)
{
	uint64_t hash = hash_pair(function->name, function->resource);
	struct idtable_probe probe = idtable_find(&firefox->function_ids, hash);
	uint32_t id;

	while ((id = idtable_next(&firefox->function_ids, &probe)) != IDTABLE_NONE)
		if (firefox->functions.at[id].name == function->name &&
		    firefox->functions.at[id].resource == function->resource)
			return id;
	id = (uint32_t)firefox->functions.count;
	vec_push(&firefox->functions, *function);
	idtable_add(&firefox->function_ids, hash, id);
	return id;
}

/*
 * A linear search suffices, because there are few sources: only files of functions with lines are
 * sources.
 */
static uint32_t source_of(struct firefox *firefox, struct text file)
{
	uint32_t string = intern_path(firefox, file);

	for (uint32_t i = 0; i < firefox->sources.count; i++)
		if (firefox->sources.at[i] == string)
			return i;
	vec_push(&firefox->sources, string);
	return (uint32_t)firefox->sources.count - 1;
}

static void find_functions(struct firefox *firefox)
{
	const struct profile *profile = firefox->profile;

	for (uint32_t i = 0; i < profile->frames.count; i++) {
		struct export_place place = export_place_of(profile, (frame_id){ i });
		struct text name = profile_function_name(profile, (frame_id){ i });
		struct firefox_function function = {
			.name = strings_intern(&firefox->strings, name.at, name.length).i,
			.source = place.line ? source_of(firefox, place.file) : NONE,
			.resource = resource_of(firefox, profile->frames.at[i].module),
			.line = place.line,
		};

		firefox->function_of_frame[i] = function_of(firefox, &function);
	}
}

/* ---- Columns ---- */

static void write_same(struct json *json, const char *key, size_t count, const char *literal)
{
	json_open_array(json, key);
	for (size_t i = 0; i < count; i++)
		json_literal(json, NULL, literal);
	json_close_array(json);
}

static void write_index(struct json *json, uint32_t index, const char *none)
{
	if (index == NONE)
		json_literal(json, NULL, none);
	else
		json_u64(json, NULL, index);
}

static void write_stack_table(struct firefox *firefox)
{
	struct json *json = &firefox->json;
	const struct track_stack *stacks = firefox->tracks->stacks.at;
	size_t count = firefox->tracks->stacks.count;

	json_open_object(json, "stackTable");
	json_open_array(json, "frame");
	for (size_t i = 1; i < count; i++)
		json_u64(json, NULL, stacks[i].frame);
	json_close_array(json);
	json_open_array(json, "prefix");
	for (size_t i = 1; i < count; i++)
		write_index(json, stacks[i].parent ? stacks[i].parent - 1 : NONE, "null");
	json_close_array(json);
	json_u64(json, "length", count - 1);
	json_close_object(json);
}

static enum category category_of(enum frame_kind kind)
{
	switch (kind) {
	case FRAME_USER:
	case FRAME_INLINED:
		return CATEGORY_USER;
	case FRAME_KERNEL:
		return CATEGORY_KERNEL;
	case FRAME_JIT:
		return CATEGORY_JIT;
	default:
		return CATEGORY_OTHER;
	}
}

static void write_frame_table(struct firefox *firefox)
{
	const struct profile *profile = firefox->profile;
	struct json *json = &firefox->json;
	size_t count = profile->frames.count;

	json_open_object(json, "frameTable");
	write_same(json, "address", count, "-1");
	write_same(json, "inlineDepth", count, "0");
	json_open_array(json, "category");
	for (size_t i = 0; i < count; i++)
		json_u64(json, NULL, category_of(profile->frames.at[i].kind));
	json_close_array(json);
	write_same(json, "subcategory", count, "0");
	json_open_array(json, "func");
	for (size_t i = 0; i < count; i++)
		json_u64(json, NULL, firefox->function_of_frame[i]);
	json_close_array(json);
	write_same(json, "nativeSymbol", count, "null");
	write_same(json, "innerWindowID", count, "0");
	json_open_array(json, "line");
	for (uint32_t i = 0; i < count; i++) {
		uint64_t line = export_place_of(profile, (frame_id){ i }).line;

		write_index(json, line < NONE && line ? (uint32_t)line : NONE, "null");
	}
	json_close_array(json);
	write_same(json, "column", count, "null");
	json_u64(json, "length", count);
	json_close_object(json);
}

static void write_function_table(struct firefox *firefox)
{
	struct json *json = &firefox->json;
	size_t count = firefox->functions.count;

	json_open_object(json, "funcTable");
	json_open_array(json, "name");
	for (size_t i = 0; i < count; i++)
		json_u64(json, NULL, firefox->functions.at[i].name);
	json_close_array(json);
	write_same(json, "isJS", count, "false");
	write_same(json, "relevantForJS", count, "false");
	json_open_array(json, "resource");
	for (size_t i = 0; i < count; i++)
		write_index(json, firefox->functions.at[i].resource, "-1");
	json_close_array(json);
	json_open_array(json, "source");
	for (size_t i = 0; i < count; i++)
		write_index(json, firefox->functions.at[i].source, "null");
	json_close_array(json);
	write_same(json, "lineNumber", count, "null");
	write_same(json, "columnNumber", count, "null");
	json_u64(json, "length", count);
	json_close_object(json);
}

static void write_resource_table(struct firefox *firefox)
{
	const struct profile *profile = firefox->profile;
	struct json *json = &firefox->json;
	size_t count = firefox->modules.count;

	json_open_object(json, "resourceTable");
	json_open_array(json, "lib");
	for (size_t i = 0; i < count; i++)
		json_u64(json, NULL, i);
	json_close_array(json);
	json_open_array(json, "name");
	for (size_t i = 0; i < count; i++) {
		const struct module *module =
			modules_get(profile->modules, (module_id){ firefox->modules.at[i] });
		struct text name = text_basename(strings_get(profile->strings, module->path));

		json_u64(json, NULL, strings_intern(&firefox->strings, name.at, name.length).i);
	}
	json_close_array(json);
	write_same(json, "host", count, "null");
	json_open_array(json, "type");
	for (size_t i = 0; i < count; i++)
		json_u64(json, NULL, RESOURCE_LIBRARY);
	json_close_array(json);
	json_u64(json, "length", count);
	json_close_object(json);
}

static void write_source_table(struct firefox *firefox)
{
	struct json *json = &firefox->json;

	json_open_object(json, "sources");
	write_same(json, "uuid", firefox->sources.count, "null");
	json_open_array(json, "filename");
	for (size_t i = 0; i < firefox->sources.count; i++)
		json_u64(json, NULL, firefox->sources.at[i]);
	json_close_array(json);
	json_u64(json, "length", firefox->sources.count);
	json_close_object(json);
}

static void write_shared(struct firefox *firefox)
{
	static const char *const columns[] = { "libIndex", "address", "name", "functionSize" };
	struct json *json = &firefox->json;

	json_open_object(json, "shared");
	write_stack_table(firefox);
	write_frame_table(firefox);
	write_function_table(firefox);
	write_resource_table(firefox);
	json_open_object(json, "nativeSymbols");
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		write_same(json, columns[i], 0, "null");
	json_u64(json, "length", 0);
	json_close_object(json);
	write_source_table(firefox);
	json_open_array(json, "stringArray");
	for (uint32_t i = 0; i < firefox->strings.rows.count; i++)
		json_text(json, NULL, strings_get(&firefox->strings, (str_id){ i }));
	json_close_array(json);
	json_close_object(json);
}

/* ---- Threads ---- */

static void write_weights(struct firefox *firefox, const struct track *track)
{
	struct json *json = &firefox->json;

	json_open_array(json, "weight");
	for (size_t i = 0; i < track->samples.count; i++)
		if (track->unit == UNIT_NANOSECONDS)
			json_decimal(json, NULL, track->samples.at[i].weight, 6);
		else
			json_weight(json, NULL, track->samples.at[i].weight, track->unit);
	json_close_array(json);
	json_text(json, "weightType",
		  text_of(track->unit == UNIT_NANOSECONDS ? "tracing-ms"
			  : track->unit == UNIT_BYTES     ? "bytes"
							  : "samples"));
}

static void write_samples(struct firefox *firefox, const struct track *track)
{
	struct json *json = &firefox->json;
	size_t count = track->samples.count;

	json_open_object(json, "samples");
	json_open_array(json, "stack");
	for (size_t i = 0; i < count; i++)
		write_index(json,
			    track->samples.at[i].stack ? track->samples.at[i].stack - 1 : NONE,
			    "null");
	json_close_array(json);
	json_open_array(json, "time");
	for (size_t i = 0; i < count; i++)
		json_decimal(json, NULL, track->samples.at[i].time_ns - firefox->origin_ns, 6);
	json_close_array(json);
	write_weights(firefox, track);
	if (track->has_durations) {
		json_open_array(json, "threadCPUDelta");
		for (size_t i = 0; i < count; i++)
			json_u64(json, NULL,
				 track->samples.at[i].time_ns - track_begin_ns(track, i));
		json_close_array(json);
	}
	json_u64(json, "length", count);
	json_close_object(json);
}

static void write_markers(struct json *json)
{
	static const char *const columns[] = { "data",    "name",  "startTime",
					       "endTime", "phase", "category" };

	json_open_object(json, "markers");
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		write_same(json, columns[i], 0, "null");
	json_u64(json, "length", 0);
	json_close_object(json);
}

static void write_thread(struct firefox *firefox, size_t index)
{
	const struct track *track = &firefox->tracks->rows.at[index];
	struct json *json = &firefox->json;
	struct sink text;
	bool is_other;

	sink_init_memory(&text);
	is_other = export_track_name(firefox->profile, firefox->tracks, index, &text);
	json_open_object(json, NULL);
	json_text(json, "name", sink_memory(&text));
	json_text(json, "processName", strings_get(firefox->profile->strings, track->process));
	json_text(json, "processType", text_of("default"));
	json_u64(json, "processStartupTime", 0);
	json_literal(json, "processShutdownTime", "null");
	json_u64(json, "registerTime", 0);
	json_literal(json, "unregisterTime", "null");
	write_same(json, "pausedRanges", 0, "null");
	json_bool(json, "isMainThread", track->pid == track->tid && !is_other);
	text.used = 0;
	sink_printf(&text, "%u", track->pid);
	json_text(json, "pid", sink_memory(&text));
	text.used = 0;
	/* Ids must be unique, even among the events of one thread. */
	sink_printf(&text, is_other ? "%u.%zu" : "%u", export_track_tid(track), index);
	json_text(json, "tid", sink_memory(&text));
	write_samples(firefox, track);
	write_markers(json);
	json_close_object(json);
	sink_deinit(&text);
}

/* ---- The document ---- */

/* Returns the time between samples, in nanoseconds; a millisecond if no event has a rate. */
static uint64_t interval_ns(const struct profile *profile)
{
	for (size_t i = 0; i < profile->events.count; i++) {
		const struct profile_event *event = &profile->events.at[i];

		if (!event->is_shown || !event->sample_period)
			continue;
		if (event->is_frequency)
			return 1000000000 / event->sample_period;
		if (event->unit == UNIT_NANOSECONDS)
			return event->sample_period;
	}
	return 1000000;
}

static void write_fact(struct firefox *firefox, const char *key, enum fact fact)
{
	if (firefox->profile->facts[fact].at)
		json_text(&firefox->json, key, firefox->profile->facts[fact]);
}

static void write_categories(struct json *json)
{
	json_open_array(json, "categories");
	for (size_t i = 0; i < ARRAY_SIZE(categories); i++) {
		json_open_object(json, NULL);
		json_text(json, "name", text_of(categories[i].name));
		json_text(json, "color", text_of(categories[i].color));
		json_open_array(json, "subcategories");
		json_text(json, NULL, text_of("Other"));
		json_close_array(json);
		json_close_object(json);
	}
	json_close_array(json);
}

static void write_meta(struct firefox *firefox)
{
	const struct profile *profile = firefox->profile;
	struct json *json = &firefox->json;

	json_open_object(json, "meta");
	json_decimal(json, "interval", interval_ns(profile), 6);
	json_decimal(json, "startTime",
		     profile->clock.is_known ? wall_clock_of(&profile->clock, firefox->origin_ns)
					     : 0,
		     6);
	json_u64(json, "processType", 0);
	json_text(json, "product", text_of(firefox->options->title));
	json_text(json, "importedFrom", text_of("kiln"));
	json_u64(json, "stackwalk", 1);
	json_u64(json, "version", GECKO_VERSION);
	json_u64(json, "preprocessedProfileVersion", FORMAT_VERSION);
	json_bool(json, "symbolicated", true);
	json_bool(json, "symbolicationNotSupported", true);
	json_bool(json, "usesOnlyOneStackType", true);
	json_bool(json, "sourceCodeIsNotOnSearchfox", true);
	write_fact(firefox, "oscpu", FACT_OS_RELEASE);
	write_fact(firefox, "CPUName", FACT_CPU);
	json_open_object(json, "sampleUnits");
	json_text(json, "time", text_of("ms"));
	json_text(json, "eventDelay", text_of("ms"));
	json_text(json, "threadCPUDelta", text_of("ns"));
	json_close_object(json);
	write_same(json, "markerSchema", 0, "null");
	write_categories(json);
	json_close_object(json);
}

/* Libraries are in the same order as resources. */
static void write_libraries(struct firefox *firefox)
{
	const struct profile *profile = firefox->profile;
	struct json *json = &firefox->json;
	char buffer[BUILD_ID_TEXT_BYTES];

	json_open_array(json, "libs");
	for (size_t i = 0; i < firefox->modules.count; i++) {
		const struct module *module =
			modules_get(profile->modules, (module_id){ firefox->modules.at[i] });
		struct text path = strings_get(profile->strings, module->path);
		uint32_t shown = intern_path(firefox, path);
		struct text shown_path = strings_get(&firefox->strings, (str_id){ shown });

		json_open_object(json, NULL);
		json_text(json, "arch", text_of(""));
		json_text(json, "name", text_basename(path));
		json_text(json, "path", shown_path);
		json_text(json, "debugName", text_basename(path));
		json_text(json, "debugPath", shown_path);
		json_text(json, "breakpadId", text_of(""));
		json_text(json, "codeId", text_of(build_id_hex(&module->build_id, buffer)));
		json_close_object(json);
	}
	json_close_array(json);
}

static uint64_t first_time_ns(const struct tracks *tracks)
{
	uint64_t first_ns = UINT64_MAX;

	for (size_t i = 0; i < tracks->rows.count; i++)
		if (tracks->rows.at[i].samples.at[0].time_ns < first_ns)
			first_ns = tracks->rows.at[i].samples.at[0].time_ns;
	return first_ns;
}

static void write_document(struct firefox *firefox)
{
	struct json *json = &firefox->json;

	json->is_compact = true;
	json_open_object(json, NULL);
	write_meta(firefox);
	write_libraries(firefox);
	write_shared(firefox);
	json_open_array(json, "threads");
	for (size_t i = 0; i < firefox->tracks->rows.count; i++)
		write_thread(firefox, i);
	json_close_array(json);
	json_close_object(json);
	json_finish(json);
}

void export_write_firefox(const struct profile *profile, const struct tracks *tracks,
			  const struct export_options *options, struct sink *sink)
{
	size_t module_count = profile->modules->rows.count;
	struct firefox firefox = {
		.profile = profile,
		.tracks = tracks,
		.options = options,
		.origin_ns = first_time_ns(tracks),
		.function_of_frame = memory_alloc(profile->frames.count, sizeof(uint32_t)),
		.resource_of_module = memory_alloc(module_count, sizeof(uint32_t)),
	};

	for (size_t i = 0; i < module_count; i++)
		firefox.resource_of_module[i] = NONE;
	strings_init(&firefox.strings);
	idtable_init(&firefox.function_ids);
	json_init(&firefox.json, sink);
	find_functions(&firefox);
	write_document(&firefox);
	strings_deinit(&firefox.strings);
	idtable_deinit(&firefox.function_ids);
	vec_free(&firefox.functions);
	vec_free(&firefox.modules);
	vec_free(&firefox.sources);
	memory_free(firefox.function_of_frame);
	memory_free(firefox.resource_of_module);
}
