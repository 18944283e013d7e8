/* SPDX-License-Identifier: MIT */
#include "render/text/annotation_text.h"

#include <inttypes.h>

#include "annotate/hot_lines.h"
#include "annotate/jumps.h"
#include "render/escape.h"
#include "render/number.h"

/* Maximum number of hot lines, and of hot loops, that are listed before the instructions. */
#define LINES_LISTED 10
#define LOOPS_LISTED 5
/* Maximum length of an inlined function's name, in characters. */
#define INLINED_WIDTH 40

struct annotation_writer {
	const struct annotation *annotation;
	const struct profile *profile;
	const struct annotated_function *function;
	enum table_format format;
	struct table table;
	struct sink text; /* scratch buffer */
};

static struct text string_of(const struct annotation_writer *writer, str_id id)
{
	return strings_get(writer->profile->strings, id);
}

static const struct profile_event *event_of(const struct annotation_writer *writer, uint32_t column)
{
	return &writer->profile->events.at[writer->annotation->events[column]];
}

static struct text dso_of(const struct annotation_writer *writer)
{
	const struct profile *profile = writer->profile;

	return string_of(writer, modules_get(profile->modules, writer->function->module)->path);
}

/* Returns the scratch text, copied for the table. */
static struct text take_text(struct annotation_writer *writer)
{
	return table_copy(&writer->table, sink_memory(&writer->text));
}

/* "NAME in DSO: 34.12% of cycles, 1,234 of 4,321 samples" */
static struct text heading_of(struct annotation_writer *writer)
{
	const struct annotation *annotation = writer->annotation;
	struct sink *sink = &writer->text;

	sink->used = 0;
	sink_text(sink, string_of(writer, writer->function->name));
	sink_puts(sink, " in ");
	sink_text(sink, dso_of(writer));
	for (uint32_t i = 0; i < annotation->event_count; i++) {
		const struct annotation_count *count = &writer->function->counts[i];

		sink_puts(sink, i ? "; " : ": ");
		number_percent(sink, count->weight, annotation->totals[i].weight);
		sink_puts(sink, " of ");
		sink_text(sink, string_of(writer, event_of(writer, i)->name));
		sink_puts(sink, ", ");
		number_grouped(sink, count->sample_count);
		sink_puts(sink, " of ");
		number_grouped(sink, annotation->totals[i].sample_count);
		sink_puts(sink, annotation->totals[i].sample_count == 1 ? " sample" : " samples");
	}
	return take_text(writer);
}

/* The heading of an event's column: the event's name, if there are several events. */
static const char *column_name(struct annotation_writer *writer, uint32_t event, const char *name)
{
	if (writer->annotation->event_count == 1)
		return name;
	writer->text.used = 0;
	sink_text(&writer->text, string_of(writer, event_of(writer, event)->name));
	if (*name)
		sink_printf(&writer->text, " %s", name);
	return take_text(writer).at;
}

/* The name of an event's column in CSV and JSON. */
static const char *column_key(struct annotation_writer *writer, uint32_t event, const char *name)
{
	if (writer->annotation->event_count == 1)
		return name;
	writer->text.used = 0;
	sink_text(&writer->text, string_of(writer, event_of(writer, event)->name));
	sink_printf(&writer->text, "_%s", name);
	return take_text(writer).at;
}

static void add_event_columns(struct annotation_writer *writer)
{
	uint32_t event_count = writer->annotation->event_count;

	for (uint32_t i = 0; i < event_count; i++) {
		const struct table_column columns[] = {
			{ .title = event_count == 1 ? "share" : column_name(writer, i, ""),
			  .key = column_key(writer, i, "percent"),
			  .kind = TABLE_SHARE },
			{ .title = "samples",
			  .key = column_key(writer, i, "samples"),
			  .kind = TABLE_COUNT,
			  .is_for_programs_only = event_count > 1 },
			{ .title = "weight",
			  .key = column_key(writer, i, "weight"),
			  .kind = TABLE_WEIGHT,
			  .unit = event_of(writer, i)->unit,
			  .is_for_programs_only = true },
		};

		for (size_t k = 0; k < ARRAY_SIZE(columns); k++)
			table_add_column(&writer->table, columns[k]);
	}
}

/*
 * Adds the cells of the columns that add_event_columns added. For instructions without samples,
 * these cells are empty except in CSV and JSON.
 */
static void add_counts(struct annotation_writer *writer, const struct annotation_count *counts)
{
	for (uint32_t i = 0; i < writer->annotation->event_count; i++) {
		bool is_empty =
			!counts || (!counts[i].sample_count && writer->format != TABLE_FORMAT_CSV &&
				    writer->format != TABLE_FORMAT_JSON);

		if (is_empty) {
			table_add_empty(&writer->table);
			table_add_empty(&writer->table);
			table_add_empty(&writer->table);
			continue;
		}
		table_add_share(&writer->table, counts[i].weight,
				writer->function->counts[i].weight);
		table_add_number(&writer->table, counts[i].sample_count);
		table_add_number(&writer->table, counts[i].weight);
	}
}

static void begin_table(struct annotation_writer *writer)
{
	table_init(&writer->table);
	writer->table.title = "Annotation";
}

static void end_table(struct annotation_writer *writer, struct sink *sink)
{
	/* Markdown would remove the blanks that show the levels. */
	table_write(&writer->table,
		    writer->format == TABLE_FORMAT_MARKDOWN ? TABLE_FORMAT_TEXT : writer->format,
		    sink);
	table_deinit(&writer->table);
}

static void write_line_name(struct sink *sink, struct text file, uint32_t line)
{
	sink_text(sink, text_basename(file));
	sink_printf(sink, ":%" PRIu32, line);
}

/*
 * Writes the name of an inlined function, truncated, because long template names would hide the
 * code.
 */
static void write_inlined(struct sink *sink, struct text name)
{
	struct text shown = escape_first_characters(name, INLINED_WIDTH);

	sink_text(sink, shown);
	if (shown.length < name.length)
		sink_puts(sink, "...");
}

/* "parse.c:40 [skip_blanks]  while (*at)", without the text if it was not found. */
static struct text source_of(struct annotation_writer *writer, struct source_line at,
			     str_id inlined)
{
	struct text line = annotation_line_text(writer->annotation, at);
	struct sink *sink = &writer->text;

	sink->used = 0;
	write_line_name(sink, string_of(writer, at.file), at.line);
	if (inlined.i != STR_EMPTY.i) {
		sink_puts(sink, " [");
		write_inlined(sink, string_of(writer, inlined));
		sink_char(sink, ']');
	}
	if (line.length) {
		sink_puts(sink, "  ");
		sink_text(sink, line);
	}
	return take_text(writer);
}

/*
 * Begins a list of hot places: in HTML, a heading within the single table; in other formats, a
 * separate table.
 */
static void begin_list(struct annotation_writer *writer, const char *title)
{
	if (writer->format == TABLE_FORMAT_HTML) {
		add_counts(writer, NULL);
		table_add_empty(&writer->table);
		table_add_text(&writer->table, text_of(title));
		return;
	}
	begin_table(writer);
	add_event_columns(writer);
	table_add_column(&writer->table,
			 (struct table_column){ .title = title, .kind = TABLE_TEXT });
}

static void add_hot(struct annotation_writer *writer, const struct annotation_count *counts,
		    struct text place)
{
	add_counts(writer, counts);
	if (writer->format == TABLE_FORMAT_HTML)
		table_add_empty(&writer->table);
	table_add_text(&writer->table, place);
}

static void end_list(struct annotation_writer *writer, struct sink *sink)
{
	if (writer->format == TABLE_FORMAT_HTML)
		return;
	end_table(writer, sink);
	sink_char(sink, '\n');
}

static void write_hot_lines(struct annotation_writer *writer, struct sink *sink)
{
	hot_line_list lines = { .at = NULL };

	hot_lines_find(writer->annotation, writer->function, &lines);
	if (lines.count) {
		begin_list(writer, "hottest lines");
		for (size_t i = 0; i < lines.count && i < LINES_LISTED; i++)
			add_hot(writer, lines.at[i].counts,
				source_of(writer, lines.at[i].at, lines.at[i].inlined));
		end_list(writer, sink);
	}
	vec_free(&lines);
}

static const struct annotated_instruction *instruction_at(const struct annotation_writer *writer,
							  uint32_t row)
{
	return &writer->annotation->instructions.at[writer->function->instruction_first + row];
}

/* "1139-1150  parse.c:40-44", with the lines if they are in one file. */
static struct text loop_text(struct annotation_writer *writer, const struct code_loop *loop)
{
	struct sink *sink = &writer->text;
	struct source_line first = instruction_at(writer, loop->first)->at;
	uint32_t low = first.line, high = first.line;
	bool is_one_file = first.line != 0;

	for (uint32_t i = loop->first; i <= loop->last; i++) {
		struct source_line at = instruction_at(writer, i)->at;

		if (!at.line)
			continue;
		is_one_file &= at.file.i == first.file.i;
		low = at.line < low ? at.line : low;
		high = at.line > high ? at.line : high;
	}
	sink->used = 0;
	sink_printf(sink, "%" PRIx64 "-%" PRIx64, instruction_at(writer, loop->first)->address,
		    instruction_at(writer, loop->last)->address);
	if (!is_one_file)
		return take_text(writer);
	sink_puts(sink, "  ");
	write_line_name(sink, string_of(writer, first.file), low);
	if (high > low)
		sink_printf(sink, "-%" PRIu32, high);
	return take_text(writer);
}

static void write_loops(struct annotation_writer *writer, struct sink *sink)
{
	code_loop_list loops = { .at = NULL };

	code_loops_find(writer->annotation, writer->function, &loops);
	if (loops.count) {
		begin_list(writer, "hottest loops");
		for (size_t i = 0; i < loops.count && i < LOOPS_LISTED; i++)
			add_hot(writer, loops.at[i].counts, loop_text(writer, &loops.at[i]));
		end_list(writer, sink);
	}
	vec_free(&loops);
}

static void add_listing_columns(struct annotation_writer *writer)
{
	add_event_columns(writer);
	table_add_column(&writer->table,
			 (struct table_column){ .title = "address", .kind = TABLE_CODE });
	table_add_column(&writer->table,
			 (struct table_column){ .title = "code", .kind = TABLE_CODE });
}

static void add_address(struct annotation_writer *writer, uint64_t address)
{
	writer->text.used = 0;
	sink_printf(&writer->text, "%" PRIx64, address);
	table_add_text(&writer->table, take_text(writer));
}

static void write_instruction(struct annotation_writer *writer,
			      const struct annotated_instruction *row)
{
	sink_text(&writer->text, row->text);
	if (row->target_name.i == STR_EMPTY.i)
		return;
	sink_puts(&writer->text, " <");
	sink_text(&writer->text, string_of(writer, row->target_name));
	if (row->target_offset)
		sink_printf(&writer->text, "+0x%" PRIx64, row->target_offset);
	sink_char(&writer->text, '>');
}

static bool is_other_line(const struct annotated_instruction *row,
			  const struct annotated_instruction *last)
{
	return row->at.line &&
	       (!last || last->at.line != row->at.line || last->at.file.i != row->at.file.i ||
		last->inlined.i != row->inlined.i);
}

static void add_listing(struct annotation_writer *writer)
{
	const struct annotated_instruction *last = NULL;
	struct jump_arrows arrows;

	jump_arrows_init(&arrows, writer->annotation, writer->function);
	for (uint32_t i = 0; i < writer->function->instruction_count; i++) {
		const struct annotated_instruction *row = instruction_at(writer, i);

		if (is_other_line(row, last)) {
			add_counts(writer, NULL);
			table_add_empty(&writer->table);
			table_add_text(&writer->table, source_of(writer, row->at, row->inlined));
		}
		last = row;
		add_counts(writer, annotation_counts(writer->annotation,
						     writer->function->instruction_first + i));
		add_address(writer, row->address);
		if (!row->text.at) {
			table_add_empty(&writer->table);
			continue;
		}
		writer->text.used = 0;
		sink_puts(&writer->text, "  ");
		jump_arrows_write(&arrows, i, &writer->text);
		if (arrows.lane_count)
			sink_char(&writer->text, ' ');
		write_instruction(writer, row);
		table_add_text(&writer->table, take_text(writer));
	}
	jump_arrows_deinit(&arrows);
}

static void note_between(struct annotation_writer *writer)
{
	uint64_t count = writer->function->between_count;

	if (!count)
		return;
	writer->text.used = 0;
	number_grouped(&writer->text, count);
	sink_puts(&writer->text, count == 1 ? " sample is" : " samples are");
	sink_puts(&writer->text, " at addresses inside an instruction, which is shown as bytes");
	table_add_note(&writer->table, sink_memory(&writer->text));
}

static void add_notes(struct annotation_writer *writer)
{
	const struct annotated_function *function = writer->function;

	if (function->code_problem.length)
		table_add_note(&writer->table, function->code_problem);
	if (function->line_problem.length)
		table_add_note(&writer->table, function->line_problem);
	note_between(writer);
}

/* Adds notes that concern all functions. */
static void add_general_notes(struct annotation_writer *writer)
{
	const struct annotation *annotation = writer->annotation;
	uint32_t left_out = annotation->matched_count - (uint32_t)annotation->functions.count;

	if (annotation->missing_file_count) {
		writer->text.used = 0;
		sink_text(&writer->text, string_of(writer, annotation->missing_file));
		if (annotation->missing_file_count > 1)
			sink_printf(&writer->text,
				    " and %" PRIu32 " of %" PRIu32 " other source files were",
				    annotation->missing_file_count - 1, annotation->file_count - 1);
		else
			sink_puts(&writer->text, " was");
		sink_puts(&writer->text, " not found; --source-dir names a directory of sources");
		table_add_note(&writer->table, sink_memory(&writer->text));
	}
	if (left_out) {
		writer->text.used = 0;
		number_grouped(&writer->text, left_out);
		sink_printf(&writer->text, " more function%s; -n sets how many are shown",
			    left_out == 1 ? " matches" : "s match");
		table_add_note(&writer->table, sink_memory(&writer->text));
	}
}

static void write_for_people(struct annotation_writer *writer, struct sink *sink)
{
	const struct annotation *annotation = writer->annotation;

	for (size_t i = 0; i < annotation->functions.count; i++) {
		writer->function = &annotation->functions.at[i];
		if (i)
			sink_char(sink, '\n');
		begin_table(writer);
		sink_puts(sink, "# ");
		escape_terminal(sink, heading_of(writer));
		sink_char(sink, '\n');
		table_deinit(&writer->table);
		write_hot_lines(writer, sink);
		write_loops(writer, sink);
		begin_table(writer);
		add_listing_columns(writer);
		add_listing(writer);
		add_notes(writer);
		if (i + 1 == annotation->functions.count)
			add_general_notes(writer);
		end_table(writer, sink);
	}
}

/* A page has a single table, with the listings of all functions. */
static void write_page(struct annotation_writer *writer, struct sink *sink)
{
	const struct annotation *annotation = writer->annotation;

	begin_table(writer);
	add_listing_columns(writer);
	for (size_t i = 0; i < annotation->functions.count; i++) {
		writer->function = &annotation->functions.at[i];
		add_counts(writer, NULL);
		table_add_empty(&writer->table);
		table_add_text(&writer->table, heading_of(writer));
		write_hot_lines(writer, sink);
		write_loops(writer, sink);
		begin_list(writer, "code");
		add_listing(writer);
		add_notes(writer);
	}
	add_general_notes(writer);
	end_table(writer, sink);
}

static void add_program_row(struct annotation_writer *writer, uint32_t i)
{
	const struct annotated_instruction *row = instruction_at(writer, i);
	struct table *table = &writer->table;

	table_add_text(table, string_of(writer, writer->function->name));
	table_add_text(table, dso_of(writer));
	add_address(writer, row->address);
	add_counts(writer,
		   annotation_counts(writer->annotation, writer->function->instruction_first + i));
	writer->text.used = 0;
	write_instruction(writer, row);
	table_add_text(table, take_text(writer));
	if (row->is_jump && row->has_target)
		add_address(writer, row->target);
	else
		table_add_empty(table);
	if (row->inlined.i != STR_EMPTY.i)
		table_add_text(table, string_of(writer, row->inlined));
	else
		table_add_empty(table);
	if (row->at.line) {
		table_add_text(table, string_of(writer, row->at.file));
		table_add_number(table, row->at.line);
	} else {
		table_add_empty(table);
		table_add_empty(table);
	}
}

static void add_facts(struct annotation_writer *writer)
{
	const struct annotation *annotation = writer->annotation;

	for (uint32_t i = 0; i < annotation->event_count; i++) {
		table_add_fact_text(&writer->table, column_key(writer, i, "event"),
				    string_of(writer, event_of(writer, i)->name));
		table_add_fact_number(&writer->table, column_key(writer, i, "total_samples"),
				      annotation->totals[i].sample_count);
		table_add_fact_weight(&writer->table, column_key(writer, i, "total_weight"),
				      annotation->totals[i].weight, event_of(writer, i)->unit);
	}
	table_add_fact_number(&writer->table, "matching_functions", annotation->matched_count);
}

static void write_for_programs(struct annotation_writer *writer, struct sink *sink)
{
	const struct annotation *annotation = writer->annotation;
	const struct table_column columns[] = {
		{ .key = "instruction", .kind = TABLE_TEXT },
		{ .key = "target", .kind = TABLE_TEXT },
		{ .key = "inlined", .kind = TABLE_TEXT },
		{ .key = "file", .kind = TABLE_TEXT },
		{ .key = "line", .kind = TABLE_COUNT },
	};

	begin_table(writer);
	add_facts(writer);
	table_add_column(&writer->table,
			 (struct table_column){ .key = "symbol", .kind = TABLE_TEXT });
	table_add_column(&writer->table, (struct table_column){ .key = "dso", .kind = TABLE_TEXT });
	table_add_column(&writer->table,
			 (struct table_column){ .key = "address", .kind = TABLE_TEXT });
	add_event_columns(writer);
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		table_add_column(&writer->table, columns[i]);
	for (size_t i = 0; i < annotation->functions.count; i++) {
		writer->function = &annotation->functions.at[i];
		for (uint32_t k = 0; k < writer->function->instruction_count; k++)
			add_program_row(writer, k);
		add_notes(writer);
	}
	add_general_notes(writer);
	end_table(writer, sink);
}

void annotation_write(const struct annotation *annotation, const struct profile *profile,
		      enum table_format format, struct sink *sink)
{
	struct annotation_writer writer = {
		.annotation = annotation,
		.profile = profile,
		.format = format,
	};

	sink_init_memory(&writer.text);
	if (format == TABLE_FORMAT_MARKDOWN)
		sink_puts(sink, "```\n");
	if (format == TABLE_FORMAT_CSV || format == TABLE_FORMAT_JSON)
		write_for_programs(&writer, sink);
	else if (format == TABLE_FORMAT_HTML)
		write_page(&writer, sink);
	else
		write_for_people(&writer, sink);
	if (format == TABLE_FORMAT_MARKDOWN)
		sink_puts(sink, "```\n");
	sink_deinit(&writer.text);
}
