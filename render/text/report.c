/* SPDX-License-Identifier: MIT */
#include "render/text/report.h"

#include "base/arithmetic.h"
#include "base/hash.h"
#include "base/idtable.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "profile/frame_table.h"
#include "profile/grouping.h"
#include "profile/profile.h"
#include "profile/tree/function_sums.h"
#include "render/escape.h"
#include "render/json.h"
#include "render/number.h"

/*
 * The rows of a report: one for each distinct tuple of column values.
 *
 *     stack                       columns comm,dso,symbol
 *     make;main;parse  3          make  /bin/make  main   self 0  total 3
 *                                 make  /bin/make  parse  self 3  total 3
 *
 * Sample columns are the groups of a stack, from the root on and in column order
 * (grouping_of_samples). Frame columns are evaluated for each frame below these.
 */

struct report_cell {
	struct text text;
	struct text dso; /* DSO of a symbol, if there is no DSO column; at NULL: not set */
	uint64_t id;     /* equal values in a column have equal ids */
};

struct report_row {
	uint64_t self, total;
	size_t cell_first; /* first of columns->count cells */
	uint32_t end;      /* of the subtree counted last */
};

struct report_rows {
	const struct profile *profile;
	const struct grouping *columns;
	VEC(struct report_row) at;
	VEC(struct report_cell) cells;
	struct strings names; /* function names without source lines, which have their own column */
};

static inline const struct report_cell *
report_rows_cell(const struct report_rows *rows, const struct report_row *row, uint32_t column)
{
	return &rows->cells.at[row->cell_first + column];
}

/* The walk over the tree. */
struct row_counter {
	struct report_rows *rows;
	struct idtable ids;                   /* of rows, by their cells */
	bool has_frames;                      /* some columns are of frames */
	uint32_t level_count;                 /* number of sample columns */
	frame_id levels[GROUPING_LEVELS_MAX]; /* the groups of the current stack */
	/* By frame: its row within the current groups; valid if era is the current one. */
	struct known_row {
		uint32_t row, era;
	} * known;
	uint32_t era;
};

/* "parse" of "parse:scan.c:40", if that is its source line. */
static str_id function_name(struct report_rows *rows, const struct frame *frame)
{
	const struct strings *strings = rows->profile->strings;
	struct text name = strings_get(strings, frame->name);
	struct text line = text_basename(strings_get(strings, frame->source));
	size_t added = line.length + 1;

	if (line.length && name.length > added && name.at[name.length - added] == ':' &&
	    memcmp(name.at + name.length - line.length, line.at, line.length) == 0)
		name.length -= (uint32_t)added;
	return strings_intern(&rows->names, name.at, name.length);
}

static struct report_cell symbol_cell(struct report_rows *rows, const struct frame *frame)
{
	const struct profile *profile = rows->profile;
	const struct module *module = modules_get(profile->modules, frame->module);
	str_id name = function_name(rows, frame);
	struct report_cell cell = {
		.text = strings_get(&rows->names, name),
		.id = (uint64_t)frame->module.i << 32 | name.i,
	};

	/* A function has one row per file, whether inlined or not. */
	if (!grouping_has(rows->columns, GROUP_DSO))
		cell.dso = strings_get(profile->strings, module->path);
	return cell;
}

static struct report_cell text_cell(const struct report_rows *rows, str_id text)
{
	return (struct report_cell){
		.text = strings_get(rows->profile->strings, text),
		.id = text.i,
	};
}

static struct report_cell frame_cell(struct report_rows *rows, enum group_by by,
				     const struct frame *frame)
{
	const struct module *module = modules_get(rows->profile->modules, frame->module);

	if (by == GROUP_SYMBOL)
		return symbol_cell(rows, frame);
	if (by == GROUP_SRCLINE)
		return text_cell(rows, frame->source.i ? frame->source : frame->name);
	return text_cell(rows, module->kind == MODULE_NONE ? frame->name : module->path);
}

static struct report_cell level_cell(const struct row_counter *counter, uint32_t column,
				     uint32_t level)
{
	const struct profile *profile = counter->rows->profile;
	str_id name = profile->frames.at[counter->levels[level].i].name;
	struct report_cell cell = text_cell(counter->rows, name);

	cell.text = grouping_column_value(counter->rows->columns, column, cell.text);
	return cell;
}

static struct report_cell cell_of_none(void)
{
	return (struct report_cell){ .text = text_of("[none]"), .id = UINT64_MAX };
}

/*
 * Appends the cells of a frame within the current groups; frame NULL: of a sample without frames.
 */
static void push_cells(struct row_counter *counter, const struct frame *frame)
{
	const struct grouping *columns = counter->rows->columns;
	struct report_cell cell;
	uint32_t level = 0;

	for (uint32_t i = 0; i < columns->count; i++) {
		if (!grouping_is_of_frames(columns->by[i]))
			cell = level_cell(counter, i, level++);
		else
			cell = frame ? frame_cell(counter->rows, columns->by[i], frame)
				     : cell_of_none();
		vec_push(&counter->rows->cells, cell);
	}
}

static bool has_cells(const struct report_rows *rows, const struct report_row *row,
		      const struct report_cell *cells)
{
	for (uint32_t i = 0; i < rows->columns->count; i++)
		if (report_rows_cell(rows, row, i)->id != cells[i].id)
			return false;
	return true;
}

/*
 * Finds or adds the row with the cells at cell_first. If the row exists already, these cells are
 * dropped.
 */
static uint32_t intern_row(struct row_counter *counter, size_t cell_first)
{
	struct report_rows *rows = counter->rows;
	uint64_t hash = 0;
	struct idtable_probe probe;
	uint32_t id;

	for (uint32_t i = 0; i < rows->columns->count; i++)
		hash = hash_pair(hash, rows->cells.at[cell_first + i].id);
	probe = idtable_find(&counter->ids, hash);
	while ((id = idtable_next(&counter->ids, &probe)) != IDTABLE_NONE) {
		if (!has_cells(rows, &rows->at.at[id], &rows->cells.at[cell_first]))
			continue;
		rows->cells.count = cell_first;
		return id;
	}
	id = (uint32_t)rows->at.count;
	vec_push(&rows->at, (struct report_row){ .cell_first = cell_first });
	idtable_add(&counter->ids, hash, id);
	return id;
}

static uint32_t row_of(struct row_counter *counter, frame_id id)
{
	struct known_row *known = &counter->known[id.i];
	size_t cell_first = counter->rows->cells.count;

	if (known->era == counter->era)
		return known->row;
	push_cells(counter, &counter->rows->profile->frames.at[id.i]);
	*known = (struct known_row){ intern_row(counter, cell_first), counter->era };
	return known->row;
}

/* A group frame: its descendants belong to other groups than those before. */
static void enter_level(struct row_counter *counter, const struct stack *stack)
{
	if (stack->depth > counter->level_count)
		return;
	counter->levels[stack->depth - 1] = stack->frame;
	counter->era++;
}

/*
 * Whether the stack has a row: its frame is code, or the last group. With sample columns, a frame
 * that is not code is a map key of a text format, and counts as code.
 */
static bool is_counted(const struct row_counter *counter, const struct stack *stack)
{
	const struct frame *frame = &counter->rows->profile->frames.at[stack->frame.i];

	if (!counter->has_frames)
		return stack->depth == counter->level_count;
	return stack->depth > counter->level_count &&
	       (frame->kind != FRAME_GROUP || counter->level_count);
}

static void count_stack(struct row_counter *counter, size_t index)
{
	const struct stack *stacks = counter->rows->profile->stacks.at;
	const struct stack *stack = &stacks[index];
	uint32_t id = row_of(counter, stack->frame);
	struct report_row *row = &counter->rows->at.at[id];

	if (stack_is_outermost(stacks, index, &row->end))
		row->total = saturate_add(row->total, stack->total);
	row->self = saturate_add(row->self, counter->has_frames ? stack->self : stack->total);
}

/* Samples without frames get a row of their own. */
static void count_frameless(struct row_counter *counter, const struct stack *stack)
{
	size_t cell_first = counter->rows->cells.count;
	struct report_row *row;
	uint32_t id;

	push_cells(counter, NULL);
	id = intern_row(counter, cell_first);
	row = &counter->rows->at.at[id];
	row->self = saturate_add(row->self, stack->self);
	row->total = saturate_add(row->total, stack->self);
}

static bool is_frameless(const struct row_counter *counter, const struct stack *stack)
{
	return counter->has_frames && stack->depth == counter->level_count && stack->self;
}

static void count(struct row_counter *counter)
{
	const struct profile *profile = counter->rows->profile;

	for (size_t i = 1; i < profile->stacks.count; i++) {
		const struct stack *stack = &profile->stacks.at[i];

		enter_level(counter, stack);
		if (is_counted(counter, stack))
			count_stack(counter, i);
		if (is_frameless(counter, stack))
			count_frameless(counter, stack);
	}
}

static void drop_empty(struct report_rows *rows)
{
	size_t kept = 0;

	for (size_t i = 0; i < rows->at.count; i++)
		if (rows->at.at[i].self || rows->at.at[i].total)
			rows->at.at[kept++] = rows->at.at[i];
	rows->at.count = kept;
}

/* The row of a frame anywhere in the tree; NULL if frames of its kind have none. */
static struct report_row *row_anywhere(struct row_counter *counter, frame_id id)
{
	const struct frame *frame = &counter->rows->profile->frames.at[id.i];
	uint32_t row;

	if ((frame->kind == FRAME_GROUP) == counter->has_frames)
		return NULL;
	if (!counter->has_frames) {
		counter->levels[0] = id;
		counter->era++;
	}
	row = row_of(counter, id);
	return &counter->rows->at.at[row];
}

/*
 * For a profile that lacks some stacks: uses the exact function sums in place of those of the tree.
 * The marker for missing stacks gets no row. Totals of files remain lower bounds from the tree.
 */
static void use_exact_sums(struct row_counter *counter)
{
	struct report_rows *rows = counter->rows;
	const struct profile *profile = rows->profile;
	enum group_by by = rows->columns->by[0];
	struct function_sums sums;

	function_sums_init(&sums, profile, NULL);
	for (size_t i = 0; i < rows->at.count; i++) {
		rows->at.at[i].self = 0;
		if (by != GROUP_DSO)
			rows->at.at[i].total = 0;
	}
	for (uint32_t i = 0; i < profile->frames.count; i++) {
		const struct function_sum *sum = &sums.of_frame[i];
		uint64_t together = sums.total_of_name[profile->frames.at[i].name.i];
		struct report_row *row = sum->total ? row_anywhere(counter, (frame_id){ i }) : NULL;

		if (!row)
			continue;
		row->self = saturate_add(row->self, counter->has_frames ? sum->self : sum->total);
		if (by != GROUP_DSO)
			row->total = saturate_add(row->total, sum->total);
		if (by == GROUP_SYMBOL && row->total > together)
			row->total = together;
		if (row->total < row->self)
			row->total = row->self;
	}
	function_sums_deinit(&sums);
	drop_empty(rows);
}

/* Exact sums exist for single columns only. */
static bool has_exact_sums(const struct report_rows *rows)
{
	return rows->profile->exact.functions.count && rows->columns->count == 1;
}

/* columns and profile are borrowed; the profile is grouped by the sample columns. */
static void report_rows_init(struct report_rows *rows, const struct profile *profile,
			     const struct grouping *columns)
{
	struct row_counter counter = {
		.rows = rows,
		.level_count = grouping_of_samples(columns).count,
		.known = memory_zalloc(profile->frames.count, sizeof(*counter.known)),
		.era = 1,
	};

	*rows = (struct report_rows){ .profile = profile, .columns = columns };
	strings_init(&rows->names);
	counter.has_frames = counter.level_count < columns->count;
	idtable_init(&counter.ids);
	count(&counter);
	if (has_exact_sums(rows))
		use_exact_sums(&counter);
	idtable_deinit(&counter.ids);
	memory_free(counter.known);
}

static void report_rows_deinit(struct report_rows *rows)
{
	vec_free(&rows->at);
	vec_free(&rows->cells);
	strings_deinit(&rows->names);
}

struct row_sorting {
	const struct report_rows *rows;
	bool is_total_first;
};

static int compare_weights(uint64_t left, uint64_t right)
{
	return left == right ? 0 : left > right ? -1 : 1;
}

static int compare_cells(const struct report_rows *rows, const struct report_row *left,
			 const struct report_row *right)
{
	int order = 0;

	for (uint32_t i = 0; !order && i < rows->columns->count; i++) {
		const struct report_cell *a = report_rows_cell(rows, left, i);
		const struct report_cell *b = report_rows_cell(rows, right, i);

		order = text_compare(a->text, b->text);
		if (!order && a->dso.at)
			order = text_compare(a->dso, b->dso);
	}
	return order;
}

static int compare_rows(const void *a, const void *b, void *context)
{
	const struct row_sorting *sorting = context;
	const struct report_row *left = a;
	const struct report_row *right = b;
	int self = compare_weights(left->self, right->self);
	int total = compare_weights(left->total, right->total);
	int first = sorting->is_total_first ? total : self;
	int second = sorting->is_total_first ? self : total;

	if (first || second)
		return first ? first : second;
	return compare_cells(sorting->rows, left, right);
}

/* Sorts by self or total, largest first; then by the other, then by the texts of the cells. */
static void report_rows_sort(struct report_rows *rows, bool is_total_first)
{
	struct row_sorting sorting = { rows, is_total_first };

	if (rows->at.count)
		qsort_r(rows->at.at, rows->at.count, sizeof(*rows->at.at), compare_rows, &sorting);
}

static int compare_buckets(const void *a, const void *b, void *context)
{
	const struct report_rows *rows = context;

	return frame_name_compare(report_rows_cell(rows, a, 0)->text,
				  report_rows_cell(rows, b, 0)->text);
}

/*
 * For a histogram by symbol: sorts the first rows with self weight, which are its buckets, in
 * bucket order.
 */
static void report_rows_sort_buckets(struct report_rows *rows, size_t count)
{
	size_t bucket_count = 0;

	while (bucket_count < count && rows->at.at[bucket_count].self)
		bucket_count++;
	if (bucket_count && rows->columns->count == 1 && rows->columns->by[0] == GROUP_SYMBOL)
		qsort_r(rows->at.at, bucket_count, sizeof(*rows->at.at), compare_buckets, rows);
}

/*
 * Columns are as wide as their contents, up to this limit, so that a long name does not push the
 * others away.
 */
#define COLUMN_WIDTH_MAX 40

static uint64_t total_of(const struct profile *profile)
{
	return profile->stacks.count ? profile->stacks.at[0].total : 0;
}

static void write_cell(const struct report_cell *cell, struct sink *sink)
{
	escape_terminal(sink, cell->text);
	if (!cell->dso.length)
		return;
	sink_puts(sink, "  (");
	escape_terminal(sink, cell->dso);
	sink_char(sink, ')');
}

static size_t character_count(struct text text)
{
	size_t count = 0;

	for (uint32_t i = 0; i < text.length; count++) {
		size_t length = utf8_length((struct text){ text.at + i, text.length - i });

		i += length ? (uint32_t)length : 1;
	}
	return count;
}

/* Writes a cell, padded to the width of the column if another follows. */
static void write_padded(struct text word, size_t width, bool is_last, struct sink *sink)
{
	size_t count = character_count(word);

	sink_puts(sink, "  ");
	sink_text(sink, word);
	if (!is_last && count < width)
		sink_printf(sink, "%*s", (int)(width - count), "");
}

static struct text cell_text(const struct report_cell *cell, struct sink *buffer)
{
	buffer->used = 0;
	write_cell(cell, buffer);
	return sink_memory(buffer);
}

static void measure_columns(const struct report_rows *rows, size_t row_count, size_t *widths)
{
	struct sink buffer;

	sink_init_memory(&buffer);
	for (uint32_t k = 0; k < rows->columns->count; k++) {
		widths[k] = character_count(grouping_column_name(rows->columns, k));
		for (size_t i = 0; i < row_count; i++) {
			const struct report_cell *cell = report_rows_cell(rows, &rows->at.at[i], k);
			size_t count = character_count(cell_text(cell, &buffer));

			if (count > widths[k])
				widths[k] = count;
		}
		if (widths[k] > COLUMN_WIDTH_MAX)
			widths[k] = COLUMN_WIDTH_MAX;
	}
	sink_deinit(&buffer);
}

static void write_head(const struct profile *profile, struct sink *sink)
{
	sink_puts(sink, "# event ");
	escape_terminal(sink, strings_get(profile->strings, profile->event_name));
	sink_puts(sink, ", ");
	/* A folded line with a fractional weight is not a number of samples. */
	if (profile->unit != UNIT_MILLIONTHS) {
		number_grouped(sink, profile->view_sample_count);
		sink_puts(sink, " samples, ");
	}
	sink_puts(sink, "total ");
	number_weight(sink, total_of(profile), profile->unit);
	if (profile->weight_name.i != STR_EMPTY.i) {
		sink_puts(sink, " of ");
		escape_terminal(sink, strings_get(profile->strings, profile->weight_name));
	}
	sink_puts(sink, "\n#   self    total");
}

static void write_text(const struct report_rows *rows, size_t row_count, struct sink *sink)
{
	uint32_t column_count = rows->columns->count;
	uint64_t all = total_of(rows->profile);
	size_t widths[GROUPING_LEVELS_MAX];
	struct sink buffer;

	measure_columns(rows, row_count, widths);
	write_head(rows->profile, sink);
	for (uint32_t k = 0; k < column_count; k++)
		write_padded(grouping_column_name(rows->columns, k), widths[k],
			     k + 1 == column_count, sink);
	sink_char(sink, '\n');
	sink_init_memory(&buffer);
	for (size_t i = 0; i < row_count; i++) {
		const struct report_row *row = &rows->at.at[i];

		number_percent_padded(sink, row->self, all, 8);
		number_percent_padded(sink, row->total, all, 9);
		for (uint32_t k = 0; k < column_count; k++)
			write_padded(cell_text(report_rows_cell(rows, row, k), &buffer), widths[k],
				     k + 1 == column_count, sink);
		sink_char(sink, '\n');
	}
	sink_deinit(&buffer);
}

/* Returns what samples are weighed by, as written for --weight. */
static struct text weighed_by(const struct profile *profile)
{
	if (profile->weight_name.i != STR_EMPTY.i)
		return strings_get(profile->strings, profile->weight_name);
	return text_of(profile->unit == UNIT_SAMPLES ? "samples" : "period");
}

/* Writes a cell: as a JSON number if it is a valid one, else as a string. */
static void json_cell(struct json *json, const struct report_rows *rows, uint32_t column,
		      const struct report_cell *cell)
{
	struct text name = grouping_column_name(rows->columns, column);
	struct text text = cell->text;
	char key[LIMIT_NAME_BYTES];

	snprintf(key, sizeof(key), "%.*s", (int)name.length, name.at);
	if (grouping_is_number(rows->columns->by[column]) && text.length &&
	    strspn(text.at, "0123456789") == text.length)
		json_u64(json, key, strtoull(text.at, NULL, 10));
	else
		json_text(json, key, text);
	if (cell->dso.at)
		json_text(json, "dso", cell->dso);
}

static void json_row(struct json *json, const struct report_rows *rows,
		     const struct report_row *row)
{
	json_open_object(json, NULL);
	for (uint32_t k = 0; k < rows->columns->count; k++)
		json_cell(json, rows, k, report_rows_cell(rows, row, k));
	json_weight(json, "self", row->self, rows->profile->unit);
	json_weight(json, "total", row->total, rows->profile->unit);
	json_close_object(json);
}

static void write_json(const struct report_rows *rows, size_t row_count, struct sink *sink)
{
	const struct profile *profile = rows->profile;
	struct json json;

	json_init(&json, sink);
	json_open_object(&json, NULL);
	json_text(&json, "event", strings_get(profile->strings, profile->event_name));
	json_text(&json, "weighed_by", weighed_by(profile));
	json_unit(&json, profile->unit);
	json_u64(&json, "samples", profile->view_sample_count);
	json_weight(&json, "total", total_of(profile), profile->unit);
	json_open_array(&json, "rows");
	for (size_t i = 0; i < row_count; i++)
		json_row(&json, rows, &rows->at.at[i]);
	json_close_array(&json);
	json_close_object(&json);
	json_finish(&json);
}

/* The number of rows within the limits. Rows are sorted by the limited value. */
static size_t shown_count(const struct report_rows *rows, const struct report_options *options)
{
	double least = options->least_percent / 100 * (double)total_of(rows->profile);
	size_t count = 0;

	while (count < rows->at.count && (!options->limit || count < options->limit)) {
		const struct report_row *row = &rows->at.at[count];

		if ((double)(options->order == REPORT_TOTAL_FIRST ? row->total : row->self) < least)
			break;
		count++;
	}
	return count;
}

void report_write(const struct profile *profile, const struct report_options *options,
		  struct sink *sink)
{
	struct report_rows rows;
	size_t row_count;

	report_rows_init(&rows, profile, options->columns);
	report_rows_sort(&rows, options->order == REPORT_TOTAL_FIRST);
	row_count = shown_count(&rows, options);
	if (profile_shows_histogram(profile))
		report_rows_sort_buckets(&rows, row_count);
	if (options->is_json)
		write_json(&rows, row_count, sink);
	else
		write_text(&rows, row_count, sink);
	report_rows_deinit(&rows);
}
