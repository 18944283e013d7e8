/* SPDX-License-Identifier: MIT */
/*
 * Writes profile.proto of pprof, in the wire format of protocol buffers: a field is a number,
 * shifted left by 3, with the type of its value in the lowest bits, and then the value.
 *
 *     a location   mapping 1, lines: scan (inlined), parse     frames of inlined functions are lines
 *     a sample     locations from the leaf on; values: samples, weight; labels: the groups
 */
#include "compress/codec.h"
#include "render/escape.h"
#include "render/export/export.h"
#include "render/number.h"

#include "base/hash.h"
#include "base/leb128.h"

/* The numbers of fields in profile.proto. */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,
	PROFILE_TIME = 9,
	PROFILE_DURATION = 10,
	PROFILE_PERIOD_TYPE = 11,
	PROFILE_DEFAULT_TYPE = 14,
	TYPE_NAME = 1,
	TYPE_UNIT = 2,
	SAMPLE_LOCATION = 1,
	SAMPLE_VALUE = 2,
	SAMPLE_LABEL = 3,
	LABEL_KEY = 1,
	LABEL_TEXT = 2,
	LABEL_NUMBER = 3,
	MAPPING_ID = 1,
	MAPPING_FILE = 5,
	MAPPING_BUILD_ID = 6,
	MAPPING_HAS_FUNCTIONS = 7,
	LOCATION_ID = 1,
	LOCATION_MAPPING = 2,
	LOCATION_LINE = 4,
	LINE_FUNCTION = 1,
	LINE_NUMBER = 2,
	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
	FUNCTION_SYSTEM_NAME = 3,
	FUNCTION_FILE = 4,
};

enum {
	WIRE_VARINT = 0,
	WIRE_BYTES = 2
};

/* A frame, and the location of the frame into which it is inlined. */
struct exported_location {
	uint32_t frame, outer; /* outer: an index, or NONE */
};

#define NONE UINT32_MAX

struct pprof {
	const struct profile *profile;
	const struct export_options *options;
	uint32_t group_depth;
	uint64_t divisor; /* of weights */
	bool has_counts;  /* the first value of a sample is the number of samples */
	/* Sinks for the file, for a message in it, and for a message in that message. */
	struct sink out, message, part;
	struct strings strings;
	VEC(struct exported_location) locations; /* by id - 1 */
	struct idtable location_ids;
	uint32_t *location_of_row;
	VEC(uint32_t) mapping_modules; /* by id - 1 */
	uint32_t *mapping_of_module;   /* 0 if none yet */
};

static void write_number(struct sink *sink, unsigned field, uint64_t value)
{
	if (!value)
		return;
	leb128_write(sink, field << 3 | WIRE_VARINT);
	leb128_write(sink, value);
}

static void write_bytes(struct sink *sink, unsigned field, struct text bytes)
{
	leb128_write(sink, field << 3 | WIRE_BYTES);
	leb128_write(sink, bytes.length);
	sink_text(sink, bytes);
}

/* Appends a message to an enclosing message, and empties it. */
static void write_message(struct sink *to, unsigned field, struct sink *message)
{
	write_bytes(to, field, sink_memory(message));
	message->used = 0;
}

/* Text must be UTF-8. */
static uint32_t intern(struct pprof *pprof, struct text text)
{
	struct sink sink;
	str_id id;

	sink_init_memory(&sink);
	escape_terminal(&sink, text);
	id = strings_intern(&pprof->strings, sink.buffer, sink.used);
	sink_deinit(&sink);
	return id.i;
}

static uint32_t intern_path(struct pprof *pprof, struct text path)
{
	struct sink sink;
	uint32_t id;

	sink_init_memory(&sink);
	export_write_path(pprof->options, path, &sink);
	id = intern(pprof, sink_memory(&sink));
	sink_deinit(&sink);
	return id;
}

static uint32_t location_of(struct pprof *pprof, uint32_t frame, uint32_t outer)
{
	uint64_t hash = hash_pair(frame, outer);
	struct idtable_probe probe = idtable_find(&pprof->location_ids, hash);
	uint32_t id;

	while ((id = idtable_next(&pprof->location_ids, &probe)) != IDTABLE_NONE)
		if (pprof->locations.at[id].frame == frame &&
		    pprof->locations.at[id].outer == outer)
			return id;
	id = (uint32_t)pprof->locations.count;
	vec_push(&pprof->locations, (struct exported_location){ frame, outer });
	idtable_add(&pprof->location_ids, hash, id);
	return id;
}

/* Whether a row is inlined into the row above it. */
static bool is_inlined(const struct pprof *pprof, uint32_t row)
{
	const struct stack *stack = &pprof->profile->stacks.at[row];

	return pprof->profile->frames.at[stack->frame.i].kind == FRAME_INLINED &&
	       stack->depth > pprof->group_depth + 1;
}

static void find_locations(struct pprof *pprof)
{
	const struct stack *stacks = pprof->profile->stacks.at;

	for (uint32_t i = 0; i < pprof->profile->stacks.count; i++) {
		pprof->location_of_row[i] = NONE;
		if (stacks[i].depth > pprof->group_depth)
			pprof->location_of_row[i] = location_of(
				pprof, stacks[i].frame.i,
				is_inlined(pprof, i) ? pprof->location_of_row[stacks[i].parent]
						     : NONE);
	}
}

/* Returns the id of a module's mapping, or 0 if it has none. */
static uint32_t mapping_of(struct pprof *pprof, module_id module)
{
	uint32_t *id = &pprof->mapping_of_module[module.i];

	if (!*id && modules_get(pprof->profile->modules, module)->path.i) {
		vec_push(&pprof->mapping_modules, module.i);
		*id = (uint32_t)pprof->mapping_modules.count;
	}
	return *id;
}

/* pprof shows the first mapping as the program: the module in which user code ran longest. */
static void map_program(struct pprof *pprof)
{
	const struct profile *profile = pprof->profile;
	uint64_t *self = memory_zalloc(profile->modules->rows.count, sizeof(*self));
	uint32_t best = 0;

	for (size_t i = 0; i < profile->stacks.count; i++) {
		const struct frame *frame = &profile->frames.at[profile->stacks.at[i].frame.i];

		if (!i || (frame->kind != FRAME_USER && frame->kind != FRAME_INLINED))
			continue;
		self[frame->module.i] += profile->stacks.at[i].self;
		if (self[frame->module.i] > self[best])
			best = frame->module.i;
	}
	if (self[best])
		(void)mapping_of(pprof, (module_id){ best });
	memory_free(self);
}

/* Adds the labels of a row's groups. */
static void add_labels(struct pprof *pprof, uint32_t row)
{
	const struct profile *profile = pprof->profile;
	const struct grouping *grouping = pprof->options->grouping;

	while (profile->stacks.at[row].depth > pprof->group_depth)
		row = profile->stacks.at[row].parent;
	for (; row; row = profile->stacks.at[row].parent) {
		uint32_t level = profile->stacks.at[row].depth - 1;
		struct text value = grouping_column_value(
			grouping, level,
			profile_frame_name(profile, profile->stacks.at[row].frame));

		write_number(&pprof->part, LABEL_KEY,
			     intern(pprof, grouping_column_name(grouping, level)));
		write_number(&pprof->part, LABEL_TEXT, intern(pprof, value));
		write_message(&pprof->message, SAMPLE_LABEL, &pprof->part);
	}
}

static void write_sample(struct pprof *pprof, uint32_t row)
{
	const struct profile *profile = pprof->profile;
	const struct stack *stacks = profile->stacks.at;

	for (uint32_t i = row; stacks[i].depth > pprof->group_depth;) {
		leb128_write(&pprof->part, pprof->location_of_row[i] + 1);
		/* The frames into which this frame is inlined are lines of the same location. */
		while (is_inlined(pprof, i))
			i = stacks[i].parent;
		i = stacks[i].parent;
	}
	write_message(&pprof->message, SAMPLE_LOCATION, &pprof->part);
	if (pprof->has_counts)
		leb128_write(&pprof->part, profile_sample_count(profile, row));
	leb128_write(&pprof->part, stacks[row].self / pprof->divisor);
	write_message(&pprof->message, SAMPLE_VALUE, &pprof->part);
	add_labels(pprof, row);
	write_message(&pprof->out, PROFILE_SAMPLE, &pprof->message);
}

static void write_locations(struct pprof *pprof)
{
	const struct profile *profile = pprof->profile;

	for (uint32_t id = 0; id < pprof->locations.count; id++) {
		uint32_t inner = id;
		module_id module = profile->frames.at[pprof->locations.at[id].frame].module;

		write_number(&pprof->message, LOCATION_ID, id + 1);
		write_number(&pprof->message, LOCATION_MAPPING, mapping_of(pprof, module));
		for (; inner != NONE; inner = pprof->locations.at[inner].outer) {
			uint32_t frame = pprof->locations.at[inner].frame;

			write_number(&pprof->part, LINE_FUNCTION, frame + 1);
			write_number(&pprof->part, LINE_NUMBER,
				     export_place_of(profile, (frame_id){ frame }).line);
			write_message(&pprof->message, LOCATION_LINE, &pprof->part);
		}
		write_message(&pprof->out, PROFILE_LOCATION, &pprof->message);
	}
}

/*
 * Writes a function for each frame, so a function with frames on several lines is written several
 * times.
 */
static void write_functions(struct pprof *pprof)
{
	const struct profile *profile = pprof->profile;

	for (uint32_t i = 0; i < profile->frames.count; i++) {
		struct export_place place = export_place_of(profile, (frame_id){ i });
		uint32_t name = intern(pprof, profile_function_name(profile, (frame_id){ i }));

		write_number(&pprof->message, FUNCTION_ID, i + 1);
		write_number(&pprof->message, FUNCTION_NAME, name);
		write_number(&pprof->message, FUNCTION_SYSTEM_NAME, name);
		if (place.line)
			write_number(&pprof->message, FUNCTION_FILE,
				     intern_path(pprof, place.file));
		write_message(&pprof->out, PROFILE_FUNCTION, &pprof->message);
	}
}

static void write_mappings(struct pprof *pprof)
{
	const struct profile *profile = pprof->profile;

	for (uint32_t i = 0; i < pprof->mapping_modules.count; i++) {
		const struct module *module =
			modules_get(profile->modules, (module_id){ pprof->mapping_modules.at[i] });
		char buffer[BUILD_ID_TEXT_BYTES];
		const char *build_id = build_id_hex(&module->build_id, buffer);

		write_number(&pprof->message, MAPPING_ID, i + 1);
		write_number(&pprof->message, MAPPING_FILE,
			     intern_path(pprof, strings_get(profile->strings, module->path)));
		write_number(&pprof->message, MAPPING_BUILD_ID, intern(pprof, text_of(build_id)));
		write_number(&pprof->message, MAPPING_HAS_FUNCTIONS, 1);
		write_message(&pprof->out, PROFILE_MAPPING, &pprof->message);
	}
}

static void write_type(struct pprof *pprof, unsigned field, struct text name, const char *unit)
{
	write_number(&pprof->message, TYPE_NAME, intern(pprof, name));
	write_number(&pprof->message, TYPE_UNIT, intern(pprof, text_of(unit)));
	write_message(&pprof->out, field, &pprof->message);
}

static void write_types(struct pprof *pprof)
{
	const struct profile *profile = pprof->profile;
	struct text event = strings_get(profile->strings, profile->event_name);
	const char *unit = profile->unit == UNIT_NANOSECONDS || profile->unit == UNIT_BYTES
				   ? number_unit_name(profile->unit)
				   : "count";

	if (pprof->has_counts)
		write_type(pprof, PROFILE_SAMPLE_TYPE, text_of("samples"), "count");
	write_type(pprof, PROFILE_SAMPLE_TYPE, event, unit);
	write_type(pprof, PROFILE_PERIOD_TYPE, event, unit);
	write_number(&pprof->out, PROFILE_DEFAULT_TYPE, intern(pprof, event));
	write_number(&pprof->out, PROFILE_DURATION, profile_duration_ns(profile));
	if (profile->clock.is_known && profile_has_time(profile))
		write_number(&pprof->out, PROFILE_TIME,
			     wall_clock_of(&profile->clock, profile->first_time_ns));
}

static void write_file(struct pprof *pprof)
{
	const struct profile *profile = pprof->profile;

	write_types(pprof);
	map_program(pprof);
	find_locations(pprof);
	for (uint32_t i = 0; i < profile->stacks.count; i++)
		if (profile->stacks.at[i].self)
			write_sample(pprof, i);
	write_locations(pprof);
	write_functions(pprof);
	write_mappings(pprof);
	for (uint32_t i = 0; i < pprof->strings.rows.count; i++)
		write_bytes(&pprof->out, PROFILE_STRING,
			    strings_get(&pprof->strings, (str_id){ i }));
}

/* pprof selects a type by its name, so the weights may not have the same name as the counts. */
static bool has_counts(const struct profile *profile)
{
	return !profile->lacks_sample_counts &&
	       !text_is(strings_get(profile->strings, profile->event_name), "samples");
}

void export_write_pprof(const struct profile *profile, const struct export_options *options,
			struct sink *sink)
{
	struct pprof pprof = {
		.profile = profile,
		.options = options,
		.group_depth = export_group_depth(profile, options),
		.divisor = export_divisor(profile),
		.has_counts = has_counts(profile),
		.location_of_row = memory_alloc(profile->stacks.count, sizeof(uint32_t)),
		.mapping_of_module = memory_zalloc(profile->modules->rows.count, sizeof(uint32_t)),
	};

	strings_init(&pprof.strings);
	idtable_init(&pprof.location_ids);
	sink_init_memory(&pprof.out);
	sink_init_memory(&pprof.message);
	sink_init_memory(&pprof.part);
	write_file(&pprof);
	/* pprof also reads files that are not compressed. */
	if (!codec_write_gzip(sink, sink_memory(&pprof.out)))
		sink_text(sink, sink_memory(&pprof.out));
	sink_deinit(&pprof.out);
	sink_deinit(&pprof.message);
	sink_deinit(&pprof.part);
	strings_deinit(&pprof.strings);
	idtable_deinit(&pprof.location_ids);
	vec_free(&pprof.locations);
	vec_free(&pprof.mapping_modules);
	memory_free(pprof.location_of_row);
	memory_free(pprof.mapping_of_module);
}
