/* SPDX-License-Identifier: MIT */
#include "render/page/page_data.h"

#include "base/base64.h"
#include "compress/codec.h"
#include "profile/tree/function_sums.h"
#include "render/json.h"
#include "render/numbering.h"
#include "render/page/page_columns.h"

/* Self weights by row and time bin. */
struct page_cells {
	struct stack_bin *at; /* by row, then by time */
	size_t count;
	uint64_t bin_ns;
	uint32_t bin_count;
};

/* About 4 MB of a page. */
#define CELLS_MAX 3000000u

/* The texts that frames name by number. */
struct page_frames {
	const struct profile *profile;
	const struct page_data_options *options;
	struct numbering names, modules, sources;
};

static uint64_t name_of(struct page_frames *frames, const struct frame *frame)
{
	return numbering_of(&frames->names, frame->name.i);
}

static uint64_t module_of(struct page_frames *frames, const struct frame *frame)
{
	return numbering_of(&frames->modules, frame->module.i);
}

static uint64_t source_of(struct page_frames *frames, const struct frame *frame)
{
	return numbering_of(&frames->sources, frame->source.i);
}

static uint64_t kind_of(struct page_frames *frames, const struct frame *frame)
{
	(void)frames;
	return (uint64_t)frame->kind;
}

static uint64_t colour_of(struct page_frames *frames, const struct frame *frame)
{
	return colour_rgb(palette_colour(frames->options->colouring, frames->profile, frame));
}

static void add_strings(struct page_columns *columns, const char *name,
			const struct strings *strings, const struct numbering *texts)
{
	page_columns_begin(columns, name, true);
	for (size_t i = 0; i < texts->order.count; i++)
		page_columns_text(columns, strings_get(strings, (str_id){ texts->order.at[i] }));
	page_columns_end(columns);
}

static void add_modules(struct page_columns *columns, const struct page_frames *frames)
{
	page_columns_begin(columns, "modules", true);
	for (size_t i = 0; i < frames->modules.order.count; i++) {
		module_id id = { frames->modules.order.at[i] };
		const struct module *module = modules_get(frames->profile->modules, id);

		page_columns_path(columns, strings_get(frames->profile->strings, module->path),
				  frames->options->shows_homes);
	}
	page_columns_end(columns);
}

static void add_sources(struct page_columns *columns, const struct page_frames *frames)
{
	page_columns_begin(columns, "sources", true);
	for (size_t i = 0; i < frames->sources.order.count; i++) {
		str_id id = { frames->sources.order.at[i] };

		page_columns_path(columns, strings_get(frames->profile->strings, id),
				  frames->options->shows_homes);
	}
	page_columns_end(columns);
}

static void add_frames(struct page_columns *columns, const struct profile *profile,
		       const struct page_data_options *options)
{
	static const struct {
		const char *name;
		uint64_t (*value)(struct page_frames *frames, const struct frame *frame);
	} fields[] = {
		{ "frame.name", name_of },     { "frame.module", module_of },
		{ "frame.source", source_of }, { "frame.kind", kind_of },
		{ "frame.colour", colour_of },
	};
	struct page_frames frames = { .profile = profile, .options = options };

	numbering_init(&frames.names, profile->strings->rows.count);
	numbering_init(&frames.sources, profile->strings->rows.count);
	numbering_init(&frames.modules, profile->modules->rows.count);
	for (size_t k = 0; k < ARRAY_SIZE(fields); k++) {
		page_columns_begin(columns, fields[k].name, false);
		for (size_t i = 0; i < profile->frames.count; i++)
			page_columns_number(columns,
					    fields[k].value(&frames, &profile->frames.at[i]));
		page_columns_end(columns);
	}
	add_strings(columns, "names", profile->strings, &frames.names);
	add_modules(columns, &frames);
	add_sources(columns, &frames);
	numbering_deinit(&frames.names);
	numbering_deinit(&frames.sources);
	numbering_deinit(&frames.modules);
}

static void add_functions(struct page_columns *columns, const struct profile *profile)
{
	struct function_sums sums;

	function_sums_init(&sums, profile, NULL);
	page_columns_begin(columns, "function.self", false);
	for (size_t i = 0; i < profile->frames.count; i++)
		page_columns_number(columns, sums.of_frame[i].self);
	page_columns_end(columns);
	page_columns_begin(columns, "function.total", false);
	for (size_t i = 0; i < profile->frames.count; i++)
		page_columns_number(columns, sums.of_frame[i].total);
	page_columns_end(columns);
	function_sums_deinit(&sums);
}

static void add_rows(struct page_columns *columns, const struct profile *profile)
{
	const struct stack *stacks = profile->stacks.at;
	size_t count = profile->stacks.count;
	uint64_t scale = 0;

	for (size_t row = 1; row < count; row++)
		scale = page_columns_common_divisor(scale, stacks[row].self);
	scale = scale ? scale : 1;
	page_columns_begin(columns, "row.up", false);
	for (size_t row = 1; row < count; row++)
		page_columns_number(columns, stacks[row - 1].depth + 1 - stacks[row].depth);
	page_columns_end(columns);
	page_columns_begin(columns, "row.frame", false);
	for (size_t row = 1; row < count; row++)
		page_columns_number(columns, stacks[row].frame.i);
	page_columns_end(columns);
	page_columns_begin_scaled(columns, "row.self", scale);
	for (size_t row = 1; row < count; row++)
		page_columns_number(columns, stacks[row].self / scale);
	page_columns_end(columns);
}

static int compare_cells(const void *a, const void *b)
{
	const struct stack_bin *left = a;
	const struct stack_bin *right = b;

	if (left->row != right->row)
		return left->row < right->row ? -1 : 1;
	return (left->time_bin > right->time_bin) - (left->time_bin < right->time_bin);
}

/* Adds up the cells of one row and time bin, which are neighbours. Returns how many are left. */
static size_t sum_cells(struct stack_bin *cells, size_t cell_count)
{
	size_t count = 0;

	for (size_t i = 0; i < cell_count; i++) {
		if (count && compare_cells(&cells[count - 1], &cells[i]) == 0)
			cells[count - 1].weight += cells[i].weight;
		else if (cells[i].weight)
			cells[count++] = cells[i];
	}
	return count;
}

/*
 * Makes the cells of a profile, by row and time. Merges pairs of time bins until there are at most
 * CELLS_MAX.
 */
static void make_cells(const struct profile *profile, struct page_cells *ret)
{
	size_t count = profile->stack_bins.count;

	*ret = (struct page_cells){ .at = memory_alloc(count + 1, sizeof(*ret->at)),
				    .bin_ns = profile->bin_ns,
				    .bin_count = profile->time_bin_count };
	if (count) {
		memcpy(ret->at, profile->stack_bins.at, count * sizeof(*ret->at));
		qsort(ret->at, count, sizeof(*ret->at), compare_cells);
	}
	ret->count = sum_cells(ret->at, count);
	while (ret->count > CELLS_MAX && ret->bin_count > 1) {
		for (size_t i = 0; i < ret->count; i++)
			ret->at[i].time_bin /= 2;
		ret->count = sum_cells(ret->at, ret->count);
		ret->bin_ns *= 2;
		ret->bin_count = (ret->bin_count + 1) / 2;
	}
}

static void add_cells(struct page_columns *columns, const struct profile *profile,
		      const struct page_cells *list)
{
	const struct stack_bin *cells = list->at;
	size_t count = list->count;
	size_t at = 0;
	uint64_t scale = 0;

	for (size_t i = 0; i < count; i++)
		scale = page_columns_common_divisor(scale, cells[i].weight);
	scale = scale ? scale : 1;
	page_columns_begin(columns, "row.cells", false);
	for (uint32_t row = 1; row < profile->stacks.count; row++) {
		size_t first = at;

		while (at < count && cells[at].row == row)
			at++;
		page_columns_number(columns, at - first);
	}
	page_columns_end(columns);
	page_columns_begin(columns, "cell.bin", false);
	for (size_t i = 0; i < count; i++) {
		bool is_first = !i || cells[i - 1].row != cells[i].row;

		page_columns_number(columns,
				    cells[i].time_bin - (is_first ? 0 : cells[i - 1].time_bin));
	}
	page_columns_end(columns);
	page_columns_begin_scaled(columns, "cell.weight", scale);
	for (size_t i = 0; i < count; i++)
		page_columns_number(columns, cells[i].weight / scale);
	page_columns_end(columns);
}

static bool has_bins(const struct profile *profile)
{
	return profile->time_bin_count && profile->bin_ns;
}

static void write_bins(const struct profile *profile, const struct page_cells *cells,
		       struct json *json)
{
	if (!has_bins(profile)) {
		json_text(json, "bins_missing", text_of("The input has no timestamps."));
		return;
	}
	json_open_object(json, "bins");
	json_u64(json, "first_ns", profile->first_bin_ns);
	json_u64(json, "width_ns", cells->bin_ns);
	json_u64(json, "count", cells->bin_count);
	json_close_object(json);
}

static void write_groups(const struct page_data_options *options, struct json *json)
{
	json_open_array(json, "groups");
	for (uint32_t i = 0; i < options->grouping->count; i++)
		json_text(json, NULL, grouping_column_name(options->grouping, i));
	json_close_array(json);
}

static void write_facts(const struct profile *profile, const struct page_data_options *options,
			const struct page_columns *columns, const struct page_cells *cells,
			struct sink *sink)
{
	struct json json;

	json_init(&json, sink);
	json_open_object(&json, NULL);
	json_u64(&json, "version", 1);
	json_text(&json, "title", text_of(options->title));
	if (options->command)
		json_text(&json, "command", text_of(options->command));
	json_text(&json, "event", strings_get(profile->strings, profile->event_name));
	json_unit(&json, profile->unit);
	json_u64(&json, "total", profile->stacks.count ? profile->stacks.at[0].total : 0);
	json_u64(&json, "samples", profile->view_sample_count);
	write_bins(profile, cells, &json);
	write_groups(options, &json);
	page_columns_json(columns, &json);
	json_close_object(&json);
	json_finish(&json);
}

/* Writes JSON so that no text in it can end the script element. */
static void write_script_json(struct text json, struct sink *sink)
{
	for (uint32_t i = 0; i < json.length; i++)
		if (json.at[i] == '<')
			sink_puts(sink, "\\u003c");
		else
			sink_char(sink, json.at[i]);
}

static void write_stream(struct text bytes, struct sink *sink)
{
	struct sink packed;
	bool is_packed;

	sink_init_memory(&packed);
	is_packed = codec_write_deflate(&packed, bytes, SIZE_MAX);
	sink_printf(sink,
		    "<script type=\"application/octet-stream\" id=\"columns\" "
		    "data-coding=\"%s\">",
		    is_packed ? "deflate" : "plain");
	base64_write(sink, is_packed ? sink_memory(&packed) : bytes);
	sink_puts(sink, "</script>\n");
	sink_deinit(&packed);
}

void page_data_write(const struct profile *profile, const struct page_data_options *options,
		     struct sink *sink)
{
	struct page_columns columns;
	struct page_cells cells = { 0 };
	struct sink facts;

	page_columns_init(&columns);
	sink_init_memory(&facts);
	add_frames(&columns, profile, options);
	add_functions(&columns, profile);
	add_rows(&columns, profile);
	if (has_bins(profile)) {
		make_cells(profile, &cells);
		add_cells(&columns, profile, &cells);
	}
	write_facts(profile, options, &columns, &cells, &facts);
	sink_puts(sink, "<script type=\"application/json\" id=\"facts\">");
	write_script_json(sink_memory(&facts), sink);
	sink_puts(sink, "</script>\n");
	write_stream(sink_memory(&columns.bytes), sink);
	sink_deinit(&facts);
	page_columns_deinit(&columns);
	memory_free(cells.at);
}
