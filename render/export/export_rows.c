/* SPDX-License-Identifier: MIT */
/*
 * Writes rows for databases, as TSV or JSON Lines: a row for each stack of each group. The keys of
 * --by are columns. The event is also a column; if it is not one of the keys, it is the first
 * column.
 *
 *     event      comm  unit         weight   samples  leaf   frames      dsos
 *     cpu-clock  make  nanoseconds  3000000  3        parse  main;parse  /bin/make;/bin/make
 *
 * Lists contain an element for each frame, root first. Lists are arrays in JSON, and separated by
 * semicolons in TSV, as in folded stacks. TSV has the escapes of PostgreSQL's COPY (text format)
 * and of ClickHouse's TabSeparated.
 */
#include "base/idmap.h"
#include "base/scan.h"
#include "profile/frame_name.h"
#include "render/escape.h"
#include "render/export/export.h"
#include "render/json.h"
#include "render/number.h"

enum row_list {
	LIST_FRAMES,
	LIST_DSOS,
	LIST_LINES,
	LIST_COUNT,
};

static const char *const list_names[LIST_COUNT] = { "frames", "dsos", "lines" };
static const char *const column_names[] = { "unit", "weight", "samples", "leaf" };

/* The elements of a list from the root to the current row of the tree, in their written form. */
struct open_list {
	struct sink text;
	VEC(size_t) ends; /* by element: where it ends in the text */
};

struct table_writer {
	const struct profile *profile;
	const struct export_options *options;
	struct json json; /* of the row that is being written; TSV uses its sink and has_element */
	bool is_json;
	struct strings keys;  /* the names of the columns of groups */
	struct idmap units;   /* of events, by the names of their group frames */
	uint32_t group_depth; /* the number of group frames at the root of each stack */
	frame_id groups[GROUPING_LEVELS_MAX]; /* of the current row */
	enum weight_unit unit;                /* of the current event */
	uint32_t list_count;
	struct open_list lists[LIST_COUNT];
	struct sink element; /* scratch buffer */
};

bool export_rows_check(const struct grouping *grouping, struct error *err)
{
	for (uint32_t i = 0; i < grouping->count; i++) {
		struct text name = grouping_column_name(grouping, i);
		bool is_taken = false;

		for (size_t k = 0; k < ARRAY_SIZE(column_names); k++)
			is_taken |= text_is(name, column_names[k]);
		for (size_t k = 0; k < LIST_COUNT; k++)
			is_taken |= text_is(name, list_names[k]);
		if (is_taken)
			return error_set(
				err, ERROR_USAGE,
				"--by %.*s: this format already has a column of this name; "
				"use another key",
				(int)name.length, name.at);
	}
	return true;
}

/* Begins a cell of a TSV row. */
static struct sink *begin_cell(struct table_writer *writer)
{
	if (writer->json.has_element)
		sink_char(writer->json.sink, '\t');
	writer->json.has_element = true;
	return writer->json.sink;
}

static void write_null(struct table_writer *writer, const char *key)
{
	if (writer->is_json)
		json_literal(&writer->json, key, "null");
	else
		sink_puts(begin_cell(writer), "\\N");
}

static void write_text(struct table_writer *writer, const char *key, struct text text)
{
	if (writer->is_json)
		json_text(&writer->json, key, text);
	else
		escape_tsv(begin_cell(writer), text);
}

static void write_number(struct table_writer *writer, const char *key, uint64_t value,
			 enum weight_unit unit)
{
	if (writer->is_json)
		json_weight(&writer->json, key, value, unit);
	else
		number_plain(begin_cell(writer), value, unit);
}

static void write_list(struct table_writer *writer, enum row_list list)
{
	struct text elements = sink_memory(&writer->lists[list].text);

	if (!writer->is_json) {
		sink_text(begin_cell(writer), elements);
		return;
	}
	json_open_array(&writer->json, list_names[list]);
	sink_text(writer->json.sink, elements);
	json_close_array(&writer->json);
}

/* Whether a group has no value for a key: "[no host]". */
static bool is_missing(struct text value, struct text key)
{
	return value.length == key.length + 5 && text_has_prefix(value, "[no ") &&
	       memcmp(value.at + 4, key.at, key.length) == 0 && value.at[value.length - 1] == ']';
}

static const char *key_name(struct table_writer *writer, uint32_t level)
{
	struct text name = grouping_column_name(writer->options->grouping, level);

	return strings_text(&writer->keys, strings_intern(&writer->keys, name.at, name.length));
}

static void write_key(struct table_writer *writer, uint32_t level, uint32_t depth)
{
	const struct grouping *grouping = writer->options->grouping;
	const char *key = key_name(writer, level);
	bool is_number = grouping_is_number(grouping->by[level]);
	struct text value;
	uint64_t number = 0;

	if (level >= depth) {
		write_null(writer, key);
		return;
	}
	value = grouping_column_value(grouping, level,
				      profile_frame_name(writer->profile, writer->groups[level]));

	/* Ids of -1 are also unknown. */
	if (is_missing(value, text_of(key)) || (is_number && !text_to_u64(value, &number)))
		write_null(writer, key);
	else if (is_number)
		write_number(writer, key, number, UNIT_EVENTS);
	else
		write_text(writer, key, value);
}

static void write_leaf(struct table_writer *writer, uint32_t row)
{
	const struct stack *stacks = writer->profile->stacks.at;

	if (stacks[row].depth <= writer->group_depth) {
		write_null(writer, "leaf");
		return;
	}
	while (writer->profile->is_reversed && stacks[row].depth > writer->group_depth + 1)
		row = stacks[row].parent;
	write_text(writer, "leaf", profile_function_name(writer->profile, stacks[row].frame));
}

static void write_row(struct table_writer *writer, uint32_t row)
{
	const struct profile *profile = writer->profile;

	json_init(&writer->json, writer->json.sink);
	writer->json.is_compact = true;
	if (writer->is_json)
		json_open_object(&writer->json, NULL);
	for (uint32_t i = 0; i < writer->group_depth; i++)
		write_key(writer, i, profile->stacks.at[row].depth);
	write_text(writer, "unit", text_of(number_shown_unit(writer->unit)));
	write_number(writer, "weight", profile->stacks.at[row].self, writer->unit);
	if (profile->lacks_sample_counts)
		write_null(writer, "samples");
	else
		write_number(writer, "samples", profile_sample_count(profile, row), UNIT_SAMPLES);
	write_leaf(writer, row);
	for (uint32_t i = 0; i < writer->list_count; i++)
		write_list(writer, (enum row_list)i);
	if (writer->is_json)
		json_close_object(&writer->json);
	json_finish(&writer->json);
}

static struct text element_of(struct table_writer *writer, enum row_list list, frame_id frame)
{
	const struct profile *profile = writer->profile;
	const struct frame *row = &profile->frames.at[frame.i];
	str_id path =
		list == LIST_DSOS ? modules_get(profile->modules, row->module)->path : row->source;

	if (list == LIST_FRAMES)
		return profile_function_name(profile, frame);
	writer->element.used = 0;
	export_write_path(writer->options, strings_get(profile->strings, path), &writer->element);
	return sink_memory(&writer->element);
}

/* A semicolon would end the element, so it becomes a colon, as in folded stacks. */
static void write_tsv_element(struct sink *sink, struct text element)
{
	while (element.length) {
		const char *semicolon = memchr(element.at, ';', element.length);
		uint32_t length = semicolon ? (uint32_t)(semicolon - element.at) : element.length;

		escape_tsv(sink, (struct text){ element.at, length });
		if (!semicolon)
			return;
		sink_char(sink, ':');
		element = (struct text){ semicolon + 1, element.length - length - 1 };
	}
}

/* Replaces the elements from `index` on with the element of this frame. */
static void set_element(struct table_writer *writer, enum row_list list, uint32_t index,
			frame_id frame)
{
	struct open_list *open = &writer->lists[list];
	struct text element = element_of(writer, list, frame);

	open->ends.count = index;
	open->text.used = index ? open->ends.at[index - 1] : 0;
	if (index)
		sink_char(&open->text, writer->is_json ? ',' : ';');
	if (writer->is_json) {
		sink_char(&open->text, '"');
		escape_json(&open->text, element);
		sink_char(&open->text, '"');
	} else {
		write_tsv_element(&open->text, element);
	}
	vec_push(&open->ends, open->text.used);
}

static void set_group(struct table_writer *writer, uint32_t level, frame_id frame)
{
	uint32_t unit;

	writer->groups[level] = frame;
	if (writer->options->grouping->by[level] != GROUP_EVENT)
		return;
	unit = idmap_find(&writer->units, writer->profile->frames.at[frame.i].name.i);
	writer->unit = unit == IDMAP_NONE ? writer->profile->unit : (enum weight_unit)unit;
}

static void write_rows(struct table_writer *writer)
{
	const struct profile *profile = writer->profile;

	for (uint32_t i = 0; i < profile->stacks.count; i++) {
		const struct stack *row = &profile->stacks.at[i];
		uint32_t level = row->depth - 1;

		if (i && level < writer->group_depth)
			set_group(writer, level, row->frame);
		for (uint32_t k = 0; k < writer->list_count; k++) {
			if (i && level >= writer->group_depth) {
				set_element(writer, (enum row_list)k, level - writer->group_depth,
					    row->frame);
				continue;
			}
			writer->lists[k].text.used = 0;
			writer->lists[k].ends.count = 0;
		}
		if (row->self)
			write_row(writer, i);
	}
}

static void write_header(struct table_writer *writer)
{
	for (uint32_t i = 0; i < writer->group_depth; i++)
		write_text(writer, NULL, text_of(key_name(writer, i)));
	for (size_t i = 0; i < ARRAY_SIZE(column_names); i++)
		write_text(writer, NULL, text_of(column_names[i]));
	for (uint32_t i = 0; i < writer->list_count; i++)
		write_text(writer, NULL, text_of(list_names[i]));
	sink_char(writer->json.sink, '\n');
}

static void find_units(struct table_writer *writer)
{
	const struct profile *profile = writer->profile;

	for (size_t i = 0; i < profile->events.count; i++) {
		const struct profile_event *event = &profile->events.at[i];
		struct text name = strings_get(profile->strings, event->name);

		if (event->is_shown)
			idmap_add(&writer->units, frame_name_of_value(profile->strings, name).i,
				  profile_event_unit(profile, event));
	}
	idmap_sort(&writer->units);
}

static void write_table(const struct profile *profile, const struct export_options *options,
			bool is_json, struct sink *sink)
{
	struct table_writer writer = {
		.profile = profile,
		.options = options,
		.json.sink = sink,
		.is_json = is_json,
		.group_depth = export_group_depth(profile, options),
		.unit = profile->unit,
		.list_count = options->has_lines ? LIST_COUNT : LIST_LINES,
	};

	strings_init(&writer.keys);
	idmap_init(&writer.units);
	sink_init_memory(&writer.element);
	for (uint32_t i = 0; i < LIST_COUNT; i++)
		sink_init_memory(&writer.lists[i].text);
	find_units(&writer);
	if (!is_json)
		write_header(&writer);
	write_rows(&writer);
	for (uint32_t i = 0; i < LIST_COUNT; i++) {
		sink_deinit(&writer.lists[i].text);
		vec_free(&writer.lists[i].ends);
	}
	sink_deinit(&writer.element);
	idmap_deinit(&writer.units);
	strings_deinit(&writer.keys);
}

void export_write_tsv(const struct profile *profile, const struct export_options *options,
		      struct sink *sink)
{
	write_table(profile, options, false, sink);
}

void export_write_jsonl(const struct profile *profile, const struct export_options *options,
			struct sink *sink)
{
	write_table(profile, options, true, sink);
}
