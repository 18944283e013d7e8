/* SPDX-License-Identifier: MIT */
#include "render/report/report_rows.h"

#include "base/arithmetic.h"
#include "base/hash.h"
#include "base/idtable.h"
#include "profile/frame_table.h"
#include "profile/tree/function_sums.h"

/* The walk over the tree. */
struct row_counter {
	struct report_rows *rows;
	struct idtable ids;                   /* of rows, by their cells */
	bool has_frames;                      /* some columns show properties of frames */
	uint32_t level_count;                 /* number of sample columns */
	frame_id levels[GROUPING_LEVELS_MAX]; /* the groups of the current stack */
	/* By frame: its row within the current groups; valid only if `era` is the current era. */
	struct known_row {
		uint32_t row, era;
	} * known;
	uint32_t era;
	uint64_t *samples_before; /* by row of the profile: samples of all rows before it */
};

/* Instead of a path, if functions of this name are in several DSOs. */
#define SEVERAL_PATHS ((str_id){ UINT32_MAX })

static str_id name_of(struct report_rows *rows, const struct frame *frame)
{
	const struct profile *profile = rows->profile;
	struct text function = profile_function_name(
		profile, (frame_id){ (uint32_t)(frame - profile->frames.at) });

	return strings_intern(&rows->names, function.at, function.length);
}

static void find_paths(struct report_rows *rows)
{
	const struct profile *profile = rows->profile;

	for (size_t i = 0; i < profile->frames.count; i++) {
		const struct frame *frame = &profile->frames.at[i];
		str_id path = modules_get(profile->modules, frame->module)->path;
		str_id name = name_of(rows, frame);
		str_id *known;

		while (rows->paths.count <= name.i)
			vec_push(&rows->paths, STR_EMPTY);
		known = &rows->paths.at[name.i];
		if (known->i == STR_EMPTY.i)
			*known = path;
		else if (path.i != STR_EMPTY.i && path.i != known->i)
			*known = SEVERAL_PATHS;
	}
}

/* The text of perf script does not tell the DSO of an inlined function, but maybe of other calls. */
static str_id path_of(const struct report_rows *rows, const struct frame *frame, str_id name)
{
	str_id path = modules_get(rows->profile->modules, frame->module)->path;

	if (frame->kind != FRAME_INLINED || path.i != STR_EMPTY.i ||
	    rows->paths.at[name.i].i == SEVERAL_PATHS.i)
		return path;
	return rows->paths.at[name.i];
}

/*
 * A function has one row per DSO, regardless of whether its frames are inlined. Several inputs can
 * have different builds of a DSO. These have the same path, so their rows would look the same.
 */
static struct report_cell symbol_cell(struct report_rows *rows, const struct frame *frame)
{
	str_id name = name_of(rows, frame);
	str_id path = path_of(rows, frame, name);
	struct report_cell cell = {
		.text = strings_get(&rows->names, name),
		.id = (uint64_t)path.i << 32 | name.i,
	};

	if (!grouping_has(rows->columns, GROUP_DSO))
		cell.dso = strings_get(rows->profile->strings, path);
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
 * Appends the cells of a frame within the current groups; frame is NULL for a sample without
 * frames.
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
 * Finds or adds the row with the cells at cell_first. If the row already exists, these cells are
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

/* Handles a group frame, whose descendants do not belong to the groups of the rows before it. */
static void enter_level(struct row_counter *counter, const struct stack *stack)
{
	if (stack->depth > counter->level_count)
		return;
	counter->levels[stack->depth - 1] = stack->frame;
	counter->era++;
}

/*
 * Whether the stack has a row, because its frame is code or the last group. With sample columns, a
 * frame that is not code is a map key of a text format, and counts as code.
 */
static bool is_counted(const struct row_counter *counter, const struct stack *stack)
{
	const struct frame *frame = &counter->rows->profile->frames.at[stack->frame.i];

	if (!counter->has_frames)
		return stack->depth == counter->level_count;
	return stack->depth > counter->level_count &&
	       (frame->kind != FRAME_GROUP || counter->level_count);
}

/* The samples of the rows [begin, end) of the profile. */
static uint64_t samples_between(const struct row_counter *counter, size_t begin, size_t end)
{
	return counter->samples_before
		       ? counter->samples_before[end] - counter->samples_before[begin]
		       : 0;
}

static void count_stack(struct row_counter *counter, size_t index)
{
	const struct stack *stacks = counter->rows->profile->stacks.at;
	const struct stack *stack = &stacks[index];
	uint32_t id = row_of(counter, stack->frame);
	struct report_row *row = &counter->rows->at.at[id];

	uint64_t self_samples = samples_between(counter, index, index + 1);
	uint64_t total_samples = samples_between(counter, index, stack->end);

	if (stack_is_outermost(stacks, index, &row->end)) {
		row->total = saturate_add(row->total, stack->total);
		row->total_samples += total_samples;
	}
	row->self = saturate_add(row->self, counter->has_frames ? stack->self : stack->total);
	row->self_samples += counter->has_frames ? self_samples : total_samples;
}

/* Samples without frames get a separate row. */
static void count_frameless(struct row_counter *counter, size_t index)
{
	const struct stack *stack = &counter->rows->profile->stacks.at[index];
	uint64_t samples = samples_between(counter, index, index + 1);
	size_t cell_first = counter->rows->cells.count;
	struct report_row *row;
	uint32_t id;

	push_cells(counter, NULL);
	id = intern_row(counter, cell_first);
	row = &counter->rows->at.at[id];
	row->self = saturate_add(row->self, stack->self);
	row->total = saturate_add(row->total, stack->self);
	row->self_samples += samples;
	row->total_samples += samples;
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
			count_frameless(counter, i);
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

/* Returns the row of a frame anywhere in the tree, or NULL if frames of this kind have no rows. */
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
 * For a profile that lacks some stacks, uses the exact function sums in place of the sums of the
 * tree. The marker for missing stacks does not get a row. Totals of files are still those of the
 * tree, which are lower bounds.
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

/* Exact sums exist only for single columns. */
static bool has_exact_sums(const struct report_rows *rows)
{
	return rows->profile->exact.functions.count && rows->columns->count == 1;
}

static void add_up_samples(struct row_counter *counter)
{
	const struct profile *profile = counter->rows->profile;
	uint64_t *before;

	if (!profile->keeps_sample_counts)
		return;
	before = memory_zalloc(profile->stacks.count + 1, sizeof(*before));
	for (size_t i = 0; i < profile->stacks.count; i++)
		before[i + 1] = before[i] + profile_sample_count(profile, i);
	counter->samples_before = before;
}

void report_rows_init(struct report_rows *rows, const struct profile *profile,
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
	if (grouping_has(columns, GROUP_SYMBOL))
		find_paths(rows);
	counter.has_frames = counter.level_count < columns->count;
	idtable_init(&counter.ids);
	add_up_samples(&counter);
	count(&counter);
	if (has_exact_sums(rows))
		use_exact_sums(&counter);
	idtable_deinit(&counter.ids);
	memory_free(counter.samples_before);
	memory_free(counter.known);
}

void report_rows_deinit(struct report_rows *rows)
{
	vec_free(&rows->at);
	vec_free(&rows->cells);
	strings_deinit(&rows->names);
	vec_free(&rows->paths);
}

struct row_sorting {
	const struct report_rows *rows;
	enum report_order order;
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
	int order = 0;

	if (sorting->order == REPORT_NAMES_FIRST)
		order = compare_cells(sorting->rows, left, right);
	else if (sorting->order == REPORT_SAMPLES_FIRST)
		order = compare_weights(left->self_samples, right->self_samples);
	else if (sorting->order == REPORT_TOTAL_FIRST)
		order = total;
	if (!order)
		order = self ? self : total;
	return order ? order : compare_cells(sorting->rows, left, right);
}

void report_rows_sort(struct report_rows *rows, enum report_order order)
{
	struct row_sorting sorting = { rows, order };

	if (rows->at.count)
		qsort_r(rows->at.at, rows->at.count, sizeof(*rows->at.at), compare_rows, &sorting);
}

static int compare_buckets(const void *a, const void *b, void *context)
{
	const struct report_rows *rows = context;

	return frame_name_compare(report_rows_cell(rows, a, 0)->text,
				  report_rows_cell(rows, b, 0)->text);
}

void report_rows_sort_buckets(struct report_rows *rows, size_t count)
{
	size_t bucket_count = 0;

	while (bucket_count < count && rows->at.at[bucket_count].self)
		bucket_count++;
	if (bucket_count && rows->columns->count == 1 && rows->columns->by[0] == GROUP_SYMBOL)
		qsort_r(rows->at.at, bucket_count, sizeof(*rows->at.at), compare_buckets, rows);
}

void report_rows_name(const struct report_rows *rows, const struct report_row *row, uint32_t except,
		      struct table *table)
{
	const char *separator = "";
	struct sink name;

	sink_init_memory(&name);
	for (uint32_t i = 0; i < rows->columns->count; i++) {
		if (i == except)
			continue;
		sink_puts(&name, separator);
		sink_text(&name, report_rows_cell(rows, row, i)->text);
		separator = ";";
	}
	table_name_row(table, sink_memory(&name));
	sink_deinit(&name);
}
