/* SPDX-License-Identifier: MIT */
#include "render/report.h"

#include "base/hash.h"
#include "base/idtable.h"
#include "base/saturate.h"
#include "base/vec.h"
#include "profile/function_sums.h"
#include "profile/frame_table.h"
#include "render/escape.h"
#include "render/json.h"
#include "render/number.h"

struct report_row {
	struct text name;
	struct text dso;           /* at NULL: the row is of none in particular */
	const struct frame *frame; /* one of those it is of, by symbol */
	uint64_t self, total;
	uint32_t open; /* rows of the path being walked that count for this one */
};

struct report {
	const struct profile *profile;
	enum report_key key;
	VEC(struct report_row) rows;
	struct idtable symbols; /* rows */
	uint32_t *row_of_frame; /* UINT32_MAX: not made yet */
	uint32_t *row_of_text;  /* by str_id, for keys that several frames share */
};

#define ROW_NONE UINT32_MAX

static uint32_t add_row(struct report *report, struct text name, struct text dso)
{
	vec_push(&report->rows, (struct report_row){ .name = name, .dso = dso });
	return (uint32_t)report->rows.count - 1;
}

static uint32_t row_of_text(struct report *report, str_id name)
{
	uint32_t *row = &report->row_of_text[name.i];

	if (*row == ROW_NONE)
		*row = add_row(report, strings_get(report->profile->strings, name),
			       (struct text){ 0 });
	return *row;
}

/* A function is one row, inlined or not. */
static uint32_t row_of_symbol(struct report *report, const struct frame *frame)
{
	const struct profile *profile = report->profile;
	uint64_t hash = hash_pair(frame->name.i, frame->module.i);
	struct idtable_probe probe = idtable_find(&report->symbols, hash);
	const struct module *module = modules_get(profile->modules, frame->module);
	uint32_t id;

	while ((id = idtable_next(&report->symbols, &probe)) != IDTABLE_NONE) {
		const struct frame *other = report->rows.at[id].frame;

		if (other->name.i == frame->name.i && other->module.i == frame->module.i)
			return id;
	}
	id = add_row(report, strings_get(profile->strings, frame->name),
		     strings_get(profile->strings, module->path));
	report->rows.at[id].frame = frame;
	idtable_add(&report->symbols, hash, id);
	return id;
}

static uint32_t row_of_frame(struct report *report, frame_id id)
{
	const struct profile *profile = report->profile;
	const struct frame *frame = &profile->frames.at[id.i];
	const struct module *module = modules_get(profile->modules, frame->module);
	uint32_t *row = &report->row_of_frame[id.i];

	if (*row != ROW_NONE)
		return *row;
	switch (report->key) {
	case REPORT_BY_SYMBOL:
		*row = row_of_symbol(report, frame);
		break;
	case REPORT_BY_DSO:
		*row = row_of_text(report,
				   module->kind == MODULE_NONE ? frame->name : module->path);
		break;
	case REPORT_BY_SRCLINE:
		*row = row_of_text(report, frame->source.i ? frame->source : frame->name);
		break;
	case REPORT_BY_COMM:
	case REPORT_KEY_COUNT:
		*row = row_of_text(report, frame->name);
		break;
	}
	return *row;
}

/* Whether frames of this kind have rows under the key. */
static bool is_counted(const struct report *report, const struct frame *frame)
{
	return (frame->kind == FRAME_GROUP) == (report->key == REPORT_BY_COMM);
}

/*
 * Visits the tree in its order with the path to the current row at hand. A row counts towards a
 * total only when none above it does already, so recursion is not counted twice.
 */
static void count(struct report *report)
{
	const struct stack *stacks = report->profile->stacks.at;
	size_t stack_count = report->profile->stacks.count;
	VEC(uint32_t) path = { 0 };

	for (uint32_t i = 1; i < stack_count; i++) {
		const struct frame *frame = &report->profile->frames.at[stacks[i].frame.i];
		struct report_row *row;
		uint32_t id;

		while (path.count >= stacks[i].depth)
			if (path.at[--path.count] != ROW_NONE)
				report->rows.at[path.at[path.count]].open--;
		if (!is_counted(report, frame)) {
			vec_push(&path, ROW_NONE);
			continue;
		}
		id = row_of_frame(report, stacks[i].frame);
		row = &report->rows.at[id];
		if (!row->open++)
			row->total = saturate_add(row->total, stacks[i].total);
		row->self = saturate_add(row->self, report->key == REPORT_BY_COMM ? stacks[i].total
										  : stacks[i].self);
		vec_push(&path, id);
	}
	vec_free(&path);
}

static void drop_empty(struct report *report)
{
	size_t kept = 0;

	for (size_t i = 0; i < report->rows.count; i++)
		if (report->rows.at[i].self || report->rows.at[i].total)
			report->rows.at[kept++] = report->rows.at[i];
	report->rows.count = kept;
}

/*
 * Of a profile that lacks some of its stacks: what is known of functions takes the place of what the tree
 * has. What stands for the missing stacks is no row then. Totals of files are what the tree has, at least.
 */
static void take_exact(struct report *report)
{
	const struct profile *profile = report->profile;
	struct function_sums sums;

	function_sums_init(&sums, profile, NULL);
	for (size_t i = 0; i < report->rows.count; i++) {
		report->rows.at[i].self = 0;
		if (report->key != REPORT_BY_DSO)
			report->rows.at[i].total = 0;
	}
	for (uint32_t i = 0; i < profile->frames.count; i++) {
		const struct function_sum *sum = &sums.of_frame[i];
		uint64_t together = sums.total_of_name[profile->frames.at[i].name.i];
		struct report_row *row;

		if (!sum->total || !is_counted(report, &profile->frames.at[i]))
			continue;
		row = &report->rows.at[row_of_frame(report, (frame_id){ i })];
		row->self = saturate_add(row->self,
					 report->key == REPORT_BY_COMM ? sum->total : sum->self);
		if (report->key != REPORT_BY_DSO)
			row->total = saturate_add(row->total, sum->total);
		if (report->key == REPORT_BY_SYMBOL && row->total > together)
			row->total = together;
		if (row->total < row->self)
			row->total = row->self;
	}
	function_sums_deinit(&sums);
	drop_empty(report);
}

static int compare_rows(const void *a, const void *b)
{
	const struct report_row *left = a;
	const struct report_row *right = b;
	int order;

	if (left->self != right->self)
		return left->self > right->self ? -1 : 1;
	if (left->total != right->total)
		return left->total > right->total ? -1 : 1;
	order = text_compare(left->name, right->name);
	if (order || !left->dso.at)
		return order;
	return text_compare(left->dso, right->dso);
}

static int compare_buckets(const void *a, const void *b)
{
	const struct report_row *left = a;
	const struct report_row *right = b;

	return frame_name_compare(left->name, right->name);
}

/* The heaviest rows first; of a histogram those that are kept in the order of its buckets, which only they
 * end in. Returns how many are kept. */
static size_t sort_rows(struct report *report, uint64_t limit)
{
	size_t count = report->rows.count;
	size_t bucket_count = 0;

	if (count)
		qsort(report->rows.at, count, sizeof(*report->rows.at), compare_rows);
	if (limit && count > limit)
		count = (size_t)limit;
	while (bucket_count < count && report->rows.at[bucket_count].self)
		bucket_count++;
	if (bucket_count && report->key == REPORT_BY_SYMBOL &&
	    profile_shows_histogram(report->profile))
		qsort(report->rows.at, bucket_count, sizeof(*report->rows.at), compare_buckets);
	return count;
}

const char *const report_key_names[] = {
	[REPORT_BY_SYMBOL] = "symbol",   [REPORT_BY_DSO] = "dso",   [REPORT_BY_COMM] = "comm",
	[REPORT_BY_SRCLINE] = "srcline", [REPORT_KEY_COUNT] = NULL,
};

static void write_text(const struct report *report, size_t row_count, struct sink *sink)
{
	const struct profile *profile = report->profile;
	uint64_t all = profile->stacks.count ? profile->stacks.at[0].total : 0;

	sink_puts(sink, "# event ");
	escape_terminal(sink, strings_get(profile->strings, profile->event_name));
	sink_puts(sink, ", ");
	/* A line with a fraction is no sample. */
	if (profile->unit != UNIT_MILLIONTHS) {
		number_grouped(sink, profile->view_sample_count);
		sink_puts(sink, " samples, ");
	}
	sink_puts(sink, "total ");
	number_weight(sink, all, profile->unit);
	if (profile->weight_name.i != STR_EMPTY.i) {
		sink_puts(sink, " of ");
		escape_terminal(sink, strings_get(profile->strings, profile->weight_name));
	}
	sink_printf(sink, "\n#   self    total  %s\n", report_key_names[report->key]);
	for (size_t i = 0; i < row_count; i++) {
		const struct report_row *row = &report->rows.at[i];

		number_percent_padded(sink, row->self, all, 8);
		number_percent_padded(sink, row->total, all, 9);
		sink_puts(sink, "  ");
		escape_terminal(sink, row->name);
		if (row->dso.length) {
			sink_puts(sink, "  (");
			escape_terminal(sink, row->dso);
			sink_char(sink, ')');
		}
		sink_char(sink, '\n');
	}
}

/* As --weight has it. */
static struct text weighed_by(const struct profile *profile)
{
	if (profile->weight_name.i != STR_EMPTY.i)
		return strings_get(profile->strings, profile->weight_name);
	return text_of(profile->unit == UNIT_SAMPLES ? "samples" : "period");
}

static void write_json(const struct report *report, size_t row_count, struct sink *sink)
{
	const struct profile *profile = report->profile;
	struct json json;

	json_init(&json, sink);
	json_open_object(&json, NULL);
	json_text(&json, "event", strings_get(profile->strings, profile->event_name));
	json_text(&json, "weighed_by", weighed_by(profile));
	json_unit(&json, profile->unit);
	json_u64(&json, "samples", profile->view_sample_count);
	json_weight(&json, "total", profile->stacks.count ? profile->stacks.at[0].total : 0,
		    profile->unit);
	json_open_array(&json, "rows");
	for (size_t i = 0; i < row_count; i++) {
		const struct report_row *row = &report->rows.at[i];

		json_open_object(&json, NULL);
		json_text(&json, report_key_names[report->key], row->name);
		if (row->dso.at)
			json_text(&json, "dso", row->dso);
		json_weight(&json, "self", row->self, profile->unit);
		json_weight(&json, "total", row->total, profile->unit);
		json_close_object(&json);
	}
	json_close_array(&json);
	json_close_object(&json);
	json_finish(&json);
}

static uint32_t *new_index(size_t count)
{
	uint32_t *index = memory_alloc(count, sizeof(*index));

	memset(index, 0xff, count * sizeof(*index));
	return index;
}

void report_write(const struct profile *profile, const struct report_options *options,
		  struct sink *sink)
{
	struct report report = { .profile = profile, .key = options->key };
	size_t row_count;

	idtable_init(&report.symbols);
	report.row_of_frame = new_index(profile->frames.count);
	report.row_of_text = new_index(profile->strings->rows.count);
	count(&report);
	if (profile->exact.functions.count)
		take_exact(&report);
	row_count = sort_rows(&report, options->limit);
	if (options->is_json)
		write_json(&report, row_count, sink);
	else
		write_text(&report, row_count, sink);
	idtable_deinit(&report.symbols);
	memory_free(report.row_of_frame);
	memory_free(report.row_of_text);
	vec_free(&report.rows);
}
