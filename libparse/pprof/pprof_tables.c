/* SPDX-License-Identifier: MIT */
#include "libparse/pprof/pprof_tables.h"

#include "libparse/pprof/wire.h"

/* The fields of the messages ValueType, Mapping, Location, Line and Function. */
enum {
	TYPE_NAME = 1,
	TYPE_UNIT = 2,
	MAPPING_ID = 1,
	MAPPING_FILE = 5,
	LOCATION_ID = 1,
	LOCATION_MAPPING = 2,
	LOCATION_ADDRESS = 3,
	LOCATION_LINE = 4,
	LINE_FUNCTION = 1,
	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
};

struct value_type {
	uint64_t name, unit;
};

typedef VEC(struct value_type) value_types;

void pprof_tables_init(struct pprof_tables *tables)
{
	*tables = (struct pprof_tables){ .default_type = 0 };
	idmap_init(&tables->location_ids);
	idmap_init(&tables->function_ids);
	idmap_init(&tables->mapping_ids);
}

void pprof_tables_deinit(struct pprof_tables *tables)
{
	vec_free(&tables->strings);
	vec_free(&tables->types);
	vec_free(&tables->locations);
	vec_free(&tables->lines);
	vec_free(&tables->function_names);
	vec_free(&tables->mapping_files);
	idmap_deinit(&tables->location_ids);
	idmap_deinit(&tables->function_ids);
	idmap_deinit(&tables->mapping_ids);
}

struct text pprof_tables_string(const struct pprof_tables *tables, uint64_t index)
{
	return index < tables->strings.count ? tables->strings.at[index] : text_of("");
}

/* Finds the unit of a type, and the factor for its values. */
static struct pprof_type type_of(struct text name, struct text unit)
{
	static const struct {
		const char *name;
		enum weight_unit unit;
		uint64_t factor;
	} units[] = {
		{ "nanoseconds", UNIT_NANOSECONDS, 1 },
		{ "microseconds", UNIT_NANOSECONDS, 1000 },
		{ "milliseconds", UNIT_NANOSECONDS, 1000000 },
		{ "seconds", UNIT_NANOSECONDS, 1000000000 },
		{ "bytes", UNIT_BYTES, 1 },
		{ "kilobytes", UNIT_BYTES, 1024 },
		{ "megabytes", UNIT_BYTES, 1 << 20 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (text_is(unit, units[i].name))
			return (struct pprof_type){ name, units[i].unit, units[i].factor };
	return (struct pprof_type){
		name,
		text_is(name, "samples") || text_is(name, "sample") ? UNIT_SAMPLES : UNIT_EVENTS, 1
	};
}

static bool read_type(struct span message, value_types *types)
{
	struct value_type type = { 0, 0 };
	struct wire_field field;

	while (wire_next(&message, &field)) {
		if (field.number == TYPE_NAME)
			type.name = field.value;
		else if (field.number == TYPE_UNIT)
			type.unit = field.value;
	}
	vec_push(types, type);
	return !span_left(&message);
}

/* Reads a message with an id and another number, and adds the id. */
static bool read_pair(struct span message, uint64_t id_field, uint64_t value_field,
		      struct idmap *ids, uint32_t row, uint64_t *value_ret)
{
	struct wire_field field;
	uint64_t id = 0;

	*value_ret = 0;
	while (wire_next(&message, &field)) {
		if (field.number == id_field)
			id = field.value;
		else if (field.number == value_field)
			*value_ret = field.value;
	}
	idmap_add(ids, id, row);
	return !span_left(&message);
}

static bool read_mapping(struct pprof_tables *tables, struct span message)
{
	uint64_t file;
	bool good = read_pair(message, MAPPING_ID, MAPPING_FILE, &tables->mapping_ids,
			      (uint32_t)tables->mapping_files.count, &file);

	vec_push(&tables->mapping_files, file);
	return good;
}

static bool read_function(struct pprof_tables *tables, struct span message)
{
	uint64_t name;
	bool good = read_pair(message, FUNCTION_ID, FUNCTION_NAME, &tables->function_ids,
			      (uint32_t)tables->function_names.count, &name);

	vec_push(&tables->function_names, name);
	return good;
}

static bool read_line(struct pprof_tables *tables, struct span message)
{
	struct wire_field field;
	uint64_t function = 0;

	while (wire_next(&message, &field))
		if (field.number == LINE_FUNCTION)
			function = field.value;
	vec_push(&tables->lines, function);
	return !span_left(&message);
}

static bool read_location(struct pprof_tables *tables, struct span message)
{
	struct pprof_location location = { .first_line = tables->lines.count };
	struct wire_field field;
	uint64_t id = 0;
	bool good = true;

	while (wire_next(&message, &field)) {
		if (field.number == LOCATION_ID)
			id = field.value;
		else if (field.number == LOCATION_MAPPING)
			location.mapping = field.value;
		else if (field.number == LOCATION_ADDRESS)
			location.address = field.value;
		else if (field.number == LOCATION_LINE && location.line_count++ < LIMIT_PPROF_LINES)
			good &= read_line(tables, field.bytes);
	}
	good &= location.line_count <= LIMIT_PPROF_LINES;
	if (location.line_count > LIMIT_PPROF_LINES)
		location.line_count = LIMIT_PPROF_LINES;
	idmap_add(&tables->location_ids, id, (uint32_t)tables->locations.count);
	vec_push(&tables->locations, location);
	return good && !span_left(&message);
}

static bool read_field(struct pprof_tables *tables, const struct wire_field *field,
		       value_types *types, uint64_t *default_type)
{
	struct span bytes = field->bytes;

	switch (field->number) {
	case PPROF_SAMPLE_TYPE:
		return read_type(bytes, types);
	case PPROF_MAPPING:
		return read_mapping(tables, bytes);
	case PPROF_LOCATION:
		return read_location(tables, bytes);
	case PPROF_FUNCTION:
		return read_function(tables, bytes);
	case PPROF_STRING:
		vec_push(&tables->strings,
			 (struct text){ (const char *)bytes.at, (uint32_t)span_left(&bytes) });
		return true;
	case PPROF_DEFAULT_TYPE:
		*default_type = field->value;
		return true;
	default:
		return true;
	}
}

/* As in pprof, the last type is the default unless the profile names one. */
static void name_types(struct pprof_tables *tables, const value_types *types, uint64_t default_type)
{
	struct text wanted = pprof_tables_string(tables, default_type);

	tables->default_type = types->count ? (uint32_t)types->count - 1 : 0;
	for (uint32_t i = 0; i < types->count; i++) {
		struct text name = pprof_tables_string(tables, types->at[i].name);

		vec_push(&tables->types,
			 type_of(name, pprof_tables_string(tables, types->at[i].unit)));
		if (wanted.length && text_equal(name, wanted))
			tables->default_type = i;
	}
}

size_t pprof_tables_read(struct pprof_tables *tables, struct span message)
{
	value_types types = { .at = NULL };
	uint64_t default_type = 0;
	struct wire_field field;

	while (wire_next(&message, &field))
		tables->corrupt_count += !read_field(tables, &field, &types, &default_type);
	idmap_sort(&tables->location_ids);
	idmap_sort(&tables->function_ids);
	idmap_sort(&tables->mapping_ids);
	name_types(tables, &types, default_type);
	vec_free(&types);
	return span_left(&message);
}

struct text pprof_tables_program(const struct pprof_tables *tables)
{
	struct text name = { "", 0 };

	if (tables->mapping_files.count)
		name = text_basename(pprof_tables_string(tables, tables->mapping_files.at[0]));
	return name.length ? name : text_of("[unknown]");
}

static struct text file_of(const struct pprof_tables *tables, uint64_t mapping)
{
	uint32_t row = idmap_find(&tables->mapping_ids, mapping);

	return row == IDMAP_NONE ? text_of("")
				 : pprof_tables_string(tables, tables->mapping_files.at[row]);
}

static struct text function_of(const struct pprof_tables *tables, uint64_t function)
{
	uint32_t row = idmap_find(&tables->function_ids, function);

	return row == IDMAP_NONE ? text_of("")
				 : pprof_tables_string(tables, tables->function_names.at[row]);
}

void pprof_tables_read_frame(const struct pprof_tables *tables, uint32_t location,
			     event_frame_callback *callback, void *context)
{
	const struct pprof_location *row = &tables->locations.at[location];
	struct event_frame frame = {
		.name = { "", 0 },
		.module = file_of(tables, row->mapping),
		.address = row->address,
	};

	if (!row->line_count)
		callback(context, &frame);
	for (uint32_t i = row->line_count; i-- > 0;) {
		frame.name = function_of(tables, tables->lines.at[row->first_line + i]);
		frame.is_exact = frame.name.length > 0;
		frame.is_inlined = i + 1 < row->line_count;
		callback(context, &frame);
	}
}
