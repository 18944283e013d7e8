/* SPDX-License-Identifier: MIT */
#include "render/page/page_data.h"

#include "base/arithmetic.h"
#include "base/base64.h"
#include "compress/codec.h"
#include "libparse/event.h"
#include "profile/tree/function_sums.h"
#include "render/json.h"
#include "render/numbering.h"
#include "render/page/page_parts.h"
#include "render/page/page_columns.h"

/* The string table, to whose strings frames refer by number. */
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

static void add_sums(struct page_columns *columns, const char *name, const uint64_t *sums,
		     size_t count)
{
	page_columns_begin(columns, name, false);
	for (size_t i = 0; i < count; i++)
		page_columns_number(columns, sums[i]);
	page_columns_end(columns);
}

/* Uses the function sums of the comparison, which are exact even if an input lacks stacks. */
static void find_compared(const diff_functions *functions, int side, uint64_t *self,
			  uint64_t *total)
{
	for (size_t i = 0; i < functions->count; i++) {
		const struct diff_function *function = &functions->at[i];

		self[function->frame] = function->self.weight[side];
		total[function->frame] = function->total.weight[side];
	}
}

static void find_sums(const struct profile *profile, uint64_t *self, uint64_t *total)
{
	struct function_sums sums;

	function_sums_init(&sums, profile, NULL);
	for (size_t i = 0; i < profile->frames.count; i++) {
		self[i] = sums.of_frame[i].self;
		total[i] = sums.of_frame[i].total;
	}
	function_sums_deinit(&sums);
}

/* count: the number of frames, including the one that represents left-out rows. */
static void add_functions(struct page_columns *columns, const struct page_tree *tree, size_t count)
{
	uint64_t *self = memory_zalloc(count, sizeof(*self));
	uint64_t *total = memory_zalloc(count, sizeof(*total));
	const struct diff *diff = tree->diff;

	if (!diff)
		find_sums(tree->profile, self, total);
	for (int side = DIFF_SIDES; diff && side-- > 0;) {
		memset(self, 0, count * sizeof(*self));
		memset(total, 0, count * sizeof(*total));
		find_compared(&diff->functions, side, self, total);
		find_compared(&diff->groups, side, self, total);
		if (side == DIFF_AFTER) {
			add_sums(columns, "function.self", self, count);
			add_sums(columns, "function.total", total, count);
		}
	}
	add_sums(columns, diff ? "function.self_before" : "function.self", self, count);
	add_sums(columns, diff ? "function.total_before" : "function.total", total, count);
	memory_free(self);
	memory_free(total);
}

static void add_weights(struct page_columns *columns, const struct page_tree *tree,
			const char *name, enum diff_side side)
{
	uint64_t scale = 0;

	for (size_t row = 1; row < tree->count; row++)
		scale = common_divisor(scale, tree->rows[row].self[side]);
	scale = scale ? scale : 1;
	page_columns_begin_scaled(columns, name, scale);
	for (size_t row = 1; row < tree->count; row++)
		page_columns_number(columns, tree->rows[row].self[side] / scale);
	page_columns_end(columns);
}

static void add_rows(struct page_columns *columns, const struct page_tree *tree)
{
	const struct page_row *rows = tree->rows;

	page_columns_begin(columns, "row.up", false);
	for (size_t row = 1; row < tree->count; row++)
		page_columns_number(columns, rows[row - 1].depth + 1 - rows[row].depth);
	page_columns_end(columns);
	page_columns_begin(columns, "row.frame", false);
	for (size_t row = 1; row < tree->count; row++)
		page_columns_number(columns, rows[row].frame);
	page_columns_end(columns);
	add_weights(columns, tree, "row.self", DIFF_AFTER);
	if (tree->diff)
		add_weights(columns, tree, "row.before", DIFF_BEFORE);
}

static const struct {
	const char *row, *bin, *weight;
} cell_names[] = {
	[DIFF_BEFORE] = { "row.cells_before", "cell.bin_before", "cell.weight_before" },
	[DIFF_AFTER] = { "row.cells", "cell.bin", "cell.weight" },
};

static bool knows_cpus(const struct page_cells *cells)
{
	for (size_t i = 0; i < cells->count; i++)
		if (cells->at[i].cpu != EVENT_NO_CPU)
			return true;
	return false;
}

/* Adds the CPU number plus 1; 0 means unknown. */
static void add_cpus(struct page_columns *columns, const struct page_tree *tree,
		     enum diff_side side)
{
	const struct page_cells *cells = &tree->cells[side];

	if (!tree->has_cpus || side != DIFF_AFTER)
		return;
	page_columns_begin(columns, "cell.cpu", false);
	for (size_t i = 0; i < cells->count; i++)
		if (cells->at[i].row)
			page_columns_number(columns, (uint32_t)(cells->at[i].cpu + 1));
	page_columns_end(columns);
}

static void add_cells(struct page_columns *columns, const struct page_tree *tree,
		      enum diff_side side)
{
	const struct stack_bin *cells = tree->cells[side].at;
	size_t count = tree->cells[side].count;
	size_t at = 0;
	uint64_t scale = 0;

	for (size_t i = 0; i < count; i++)
		scale = common_divisor(scale, cells[i].weight);
	scale = scale ? scale : 1;
	page_columns_begin(columns, cell_names[side].row, false);
	/* The columns do not contain the root. */
	while (at < count && !cells[at].row)
		at++;
	for (uint32_t row = 1; row < tree->count; row++) {
		size_t first = at;

		while (at < count && cells[at].row == row)
			at++;
		page_columns_number(columns, at - first);
	}
	page_columns_end(columns);
	page_columns_begin(columns, cell_names[side].bin, false);
	for (size_t i = 0; i < count; i++) {
		bool is_first = !i || cells[i - 1].row != cells[i].row;

		if (cells[i].row)
			page_columns_number(columns,
					    cells[i].time_bin -
						    (is_first ? 0 : cells[i - 1].time_bin));
	}
	page_columns_end(columns);
	add_cpus(columns, tree, side);
	page_columns_begin_scaled(columns, cell_names[side].weight, scale);
	for (size_t i = 0; i < count; i++)
		if (cells[i].row)
			page_columns_number(columns, cells[i].weight / scale);
	page_columns_end(columns);
}

/* Text: a double, as which JavaScript reads numbers, resolves only 256 ns of wall-clock times. */
static void write_first_ns(uint64_t first_ns, struct json *json)
{
	struct sink digits;

	sink_init_memory(&digits);
	sink_u64(&digits, first_ns);
	json_text(json, "first_ns", sink_memory(&digits));
	sink_deinit(&digits);
}

static void write_bins(const struct page_cells *cells, const char *key, struct json *json,
		       bool is_relative)
{
	json_open_object(json, key);
	if (is_relative)
		json_bool(json, "is_relative", true);
	write_first_ns(cells->first_ns, json);
	json_u64(json, "width_ns", cells->bin_ns);
	json_u64(json, "count", cells->bin_count);
	json_close_object(json);
}

/* Returns the reason why a page has no time strip. */
static const char *missing_bins(const struct page_tree *tree, bool has_several_inputs)
{
	if (!tree->diff && has_several_inputs)
		return "Time is not shown, because an input has no timestamps.";
	if (!tree->diff)
		return "The input has no timestamps.";
	if (tree->diff->runs.count != DIFF_SIDES)
		return "Time is not shown, because a side has several captures.";
	return "Time is not shown, because a side has no timestamps.";
}

static bool has_bins(const struct page_tree *tree)
{
	return tree->cells[DIFF_AFTER].bin_ns && (!tree->diff || tree->cells[DIFF_BEFORE].bin_ns);
}

static void write_all_bins(const struct page_tree *tree, bool has_several_inputs, struct json *json)
{
	if (!has_bins(tree)) {
		json_text(json, "bins_missing", text_of(missing_bins(tree, has_several_inputs)));
		return;
	}
	write_bins(&tree->cells[DIFF_AFTER], "bins", json, tree->profile->has_relative_bins);
	if (tree->diff)
		write_bins(&tree->cells[DIFF_BEFORE], "bins_before", json, false);
}

/*
 * The number of rows representing left-out rows that are listed: the heaviest ones, each with the
 * name of its parent.
 */
#define LEFT_OUT_NAMED 5

static void write_left_out(const struct page_tree *tree, struct json *json)
{
	const struct page_row *most[LEFT_OUT_NAMED + 1];
	size_t count = 0;

	if (!tree->left_out.rows)
		return;
	for (size_t i = 1; i < tree->count; i++) {
		const struct page_row *row = &tree->rows[i];
		size_t at = count;

		if (row->frame != tree->profile->frames.count)
			continue;
		for (; at && most[at - 1]->self[DIFF_AFTER] < row->self[DIFF_AFTER]; at--)
			most[at] = most[at - 1];
		most[at] = row;
		count += count < LEFT_OUT_NAMED;
	}
	json_open_object(json, "left_out");
	json_u64(json, "rows", tree->left_out.rows);
	json_u64(json, "weight", tree->left_out.weight[DIFF_AFTER]);
	json_u64(json, "weight_before", tree->left_out.weight[DIFF_BEFORE]);
	json_u64(json, "heaviest", tree->left_out.self_max);
	json_open_array(json, "below");
	for (size_t i = 0; i < count; i++) {
		uint32_t frame = tree->rows[most[i]->parent].frame;

		json_open_object(json, NULL);
		json_text(json, "name",
			  most[i]->parent ? profile_frame_name(tree->profile, (frame_id){ frame })
					  : text_of("all"));
		json_u64(json, "weight", most[i]->self[DIFF_AFTER]);
		json_close_object(json);
	}
	json_close_array(json);
	json_close_object(json);
}

static void write_groups(const struct page_data_options *options, struct json *json)
{
	json_open_array(json, "groups");
	for (uint32_t i = 0; i < options->grouping->count; i++)
		json_text(json, NULL, grouping_column_name(options->grouping, i));
	json_close_array(json);
}

/* Whether the thread, process or CPU of any sample is known; -1 means unknown. */
static bool knows_group(const struct profile *profile, uint32_t level)
{
	for (size_t row = 1; row < profile->stacks.count; row++) {
		const struct stack *stack = &profile->stacks.at[row];
		struct text name = profile_frame_name(profile, stack->frame);

		if (stack->depth == level + 1 &&
		    profile->frames.at[stack->frame.i].kind == FRAME_GROUP &&
		    !(name.length > 2 && memcmp(name.at + name.length - 2, "-1", 2) == 0))
			return true;
	}
	return false;
}

/* Writes the reasons why row choices are missing. */
static void write_missing_groups(const struct page_tree *tree,
				 const struct page_data_options *options, struct json *json)
{
	size_t event_count = 0;
	bool has_cpus = tree->has_cpus;

	for (size_t i = 0; i < tree->profile->events.count; i++)
		event_count += tree->profile->events.at[i].sample_count != 0;
	json_open_object(json, "groups_missing");
	for (uint32_t i = 0; i < options->grouping->count; i++) {
		enum group_by by = options->grouping->by[i];

		has_cpus |= by == GROUP_CPU;
		if (grouping_is_number(by) && !knows_group(tree->profile, i))
			json_text(json, grouping_column_name(options->grouping, i).at,
				  text_of("not recorded"));
	}
	if (!has_cpus)
		json_text(json, "cpu",
			  text_of(tree->diff                    ? "not in comparisons"
				  : options->has_several_inputs ? "not with several inputs"
								: "not recorded"));
	if (event_count < 2)
		json_text(json, "event", text_of("the capture has only one event"));
	else if (!grouping_has(options->grouping, GROUP_EVENT))
		json_text(json, "event", text_of("write with --by comm,pid,tid,event"));
	json_close_object(json);
}

/* The bin of a time. Earlier times are in the first bin, and later times in the last. */
static uint64_t bin_of(const struct page_cells *cells, uint64_t time_ns)
{
	uint64_t bin = time_ns < cells->first_ns ? 0 : (time_ns - cells->first_ns) / cells->bin_ns;

	return bin < cells->bin_count ? bin : cells->bin_count - 1;
}

/* Writes when records were lost, as ranges of bins without repetitions: [[from, to], ...]. */
static void write_losses(const struct page_tree *tree, struct json *json)
{
	const struct page_cells *cells = &tree->cells[DIFF_AFTER];
	const struct loss_spans *spans = &tree->profile->loss_spans;
	uint8_t *is_lost;

	if (tree->diff || !has_bins(tree) || !spans->rows.count)
		return;
	is_lost = memory_zalloc(cells->bin_count + 1, sizeof(*is_lost));
	for (size_t i = 0; i < spans->rows.count; i++) {
		const struct loss_span *span = &spans->rows.at[i];
		uint64_t last = bin_of(cells, span->end_ns);

		for (uint64_t bin = bin_of(cells, span->begin_ns); bin <= last; bin++)
			is_lost[bin] = 1;
	}
	json_open_array(json, "losses");
	for (uint32_t from = 0, to; from < cells->bin_count; from = to + 1) {
		for (to = from; is_lost[to];)
			to++;
		if (to == from)
			continue;
		json_open_array(json, NULL);
		json_u64(json, NULL, from);
		json_u64(json, NULL, to);
		json_close_array(json);
	}
	json_close_array(json);
	memory_free(is_lost);
}

static void write_start(const struct page_start *start, struct json *json)
{
	if (!start->view && !start->rows && !start->address)
		return;
	json_open_object(json, "start");
	if (start->view)
		json_text(json, "view", text_of(start->view));
	if (start->rows)
		json_text(json, "rows", text_of(start->rows));
	if (start->address)
		json_text(json, "address", text_of(start->address));
	json_close_object(json);
}

/* Writes what times are of, as SVGs do above their frames, and how long the capture was recorded. */
static void write_durations(const struct page_tree *tree, struct json *json)
{
	const struct profile *profile = tree->profile;
	struct text name = strings_get(profile->strings, profile->weight_name);

	if (profile->unit == UNIT_NANOSECONDS)
		json_text(json, "of", name.length ? name : text_of("CPU time"));
	/* The clocks of several captures say nothing about how long each was recorded. */
	if (profile_has_time(profile) && !tree->diff && !profile->has_relative_bins)
		json_u64(json, "recorded_ns", profile->last_time_ns - profile->first_time_ns);
}

static void write_facts(const struct page_tree *tree, const struct page_data_options *options,
			const struct page_columns *columns, const struct page_change *change,
			uint64_t embedded_bytes, struct sink *sink)
{
	const struct profile *profile = tree->profile;
	struct json json;

	json_init(&json, sink);
	json_open_object(&json, NULL);
	json_u64(&json, "version", 1);
	json_text(&json, "title", text_of(options->title));
	if (options->command)
		json_text(&json, "command", text_of(options->command));
	write_start(&options->start, &json);
	json_text(&json, "event", strings_get(profile->strings, profile->event_name));
	json_unit(&json, profile->unit);
	write_durations(tree, &json);
	json_u64(&json, "total", tree->count ? tree->rows[0].total[DIFF_AFTER] : 0);
	json_u64(&json, "samples", profile->view_sample_count);
	write_all_bins(tree, options->has_several_inputs, &json);
	write_groups(options, &json);
	write_missing_groups(tree, options, &json);
	write_losses(tree, &json);
	write_left_out(tree, &json);
	if (embedded_bytes > options->embed_limit_bytes && options->embed_limit_bytes)
		json_u64(&json, "embedded_bytes", embedded_bytes);
	if (change)
		page_change_json(change, &json);
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

/* Sets packed to the text that is written for the columns. Returns whether it is compressed. */
static bool pack(const struct page_columns *columns, struct sink *packed)
{
	struct text bytes = sink_memory(&columns->bytes);
	struct sink deflated;
	bool is_packed;

	sink_init_memory(&deflated);
	is_packed = codec_write_deflate(&deflated, bytes, SIZE_MAX);
	packed->used = 0;
	base64_write(packed, is_packed ? sink_memory(&deflated) : bytes);
	sink_deinit(&deflated);
	return is_packed;
}

/* Returns the profile with an additional frame, which represents rows that are left out. */
static struct profile with_marker(const struct profile *profile)
{
	struct profile made = *profile;
	size_t count = profile->frames.count;

	made.frames.at = memory_alloc(count + 1, sizeof(*made.frames.at));
	if (count)
		memcpy(made.frames.at, profile->frames.at, count * sizeof(*made.frames.at));
	made.frames.at[count] = (struct frame){
		.name = strings_intern(profile->strings, FRAME_NAME_LEFT_OUT,
				       strlen(FRAME_NAME_LEFT_OUT)),
		.kind = FRAME_MARK,
	};
	made.frames.count++;
	return made;
}

static void init_tree(struct page_tree *tree, const struct profile *profile,
		      const struct page_data_options *options)
{
	if (options->diff)
		page_tree_init_diff(tree, options->diff);
	else
		page_tree_init(tree, profile);
	tree->has_cpus =
		options->has_cpus && !options->diff && knows_cpus(&tree->cells[DIFF_AFTER]);
}

static void add_tree(struct page_columns *columns, const struct page_tree *tree)
{
	add_rows(columns, tree);
	if (!has_bins(tree))
		return;
	add_cells(columns, tree, DIFF_AFTER);
	if (tree->diff)
		add_cells(columns, tree, DIFF_BEFORE);
}

/*
 * Maximum number of attempts to get below the limit. Even the smallest possible page can exceed the
 * limit.
 */
#define TRIES_MAX 8
#define ROWS_MIN  100u

/* Adds the rows that fit into the limit. Returns whether packed is compressed. */
static bool add_fitting(struct page_columns *columns, struct page_tree *tree,
			const struct profile *profile, const struct page_data_options *options,
			struct sink *packed)
{
	uint64_t limit = options->embed_limit_bytes ? options->embed_limit_bytes : UINT64_MAX;
	uint64_t fixed_bytes = columns->bytes.used;
	size_t fixed_columns = columns->list.count;
	size_t row_count = tree->count;
	bool is_packed;

	for (int tries = 0;; tries++) {
		uint64_t size;

		add_tree(columns, tree);
		is_packed = pack(columns, packed);
		size = packed->used;
		if (size <= limit || row_count <= ROWS_MIN || tries == TRIES_MAX)
			return is_packed;
		row_count = (size_t)((double)row_count * 0.9 * (double)limit / (double)size);
		row_count = row_count > ROWS_MIN ? row_count : ROWS_MIN;
		columns->bytes.used = fixed_bytes;
		columns->list.count = fixed_columns;
		page_tree_deinit(tree);
		init_tree(tree, profile, options);
		page_tree_prune(tree, row_count);
	}
}

void page_data_write(const struct profile *profile, const struct page_data_options *options,
		     struct sink *sink)
{
	struct profile marked = with_marker(profile);
	struct page_columns columns;
	struct page_change change;
	struct page_tree tree;
	struct sink facts, packed;
	bool is_packed;

	page_columns_init(&columns);
	sink_init_memory(&facts);
	sink_init_memory(&packed);
	init_tree(&tree, profile, options);
	add_frames(&columns, &marked, options);
	add_functions(&columns, &tree, marked.frames.count);
	if (options->diff)
		page_change_init(&change, options->diff, &columns);
	is_packed = add_fitting(&columns, &tree, profile, options, &packed);
	write_facts(&tree, options, &columns, options->diff ? &change : NULL, packed.used, &facts);
	sink_puts(sink, "<script type=\"application/json\" id=\"facts\">");
	write_script_json(sink_memory(&facts), sink);
	sink_printf(sink,
		    "</script>\n<script type=\"application/octet-stream\" id=\"columns\" "
		    "data-coding=\"%s\">",
		    is_packed ? "deflate" : "plain");
	sink_text(sink, sink_memory(&packed));
	sink_puts(sink, "</script>\n");
	if (options->diff)
		page_change_deinit(&change);
	page_tree_deinit(&tree);
	page_columns_deinit(&columns);
	sink_deinit(&facts);
	sink_deinit(&packed);
	memory_free(marked.frames.at);
}
