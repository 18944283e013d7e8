/* SPDX-License-Identifier: MIT */
#include "render/report/report.h"

#include "diff/significance.h"
#include "render/number.h"

/* Standard deviations of a 95% confidence interval. */
#define INTERVAL_DEVIATIONS 1.96

bool report_shown_parse(const char *text, struct report_shown *ret, struct error *err)
{
	const struct {
		const char *name;
		bool *is_shown;
	} words[] = {
		{ "weight", &ret->weights },
		{ "samples", &ret->samples },
		{ "interval", &ret->intervals },
	};
	const char *next = text;

	while (*next) {
		size_t length = strcspn(next, ",");
		bool is_known = false;

		for (size_t i = 0; i < ARRAY_SIZE(words); i++)
			if (strlen(words[i].name) == length &&
			    memcmp(words[i].name, next, length) == 0)
				is_known = *words[i].is_shown = true;
		if (!is_known)
			return error_set(err, ERROR_USAGE,
					 "--show must be a list of weight, samples and interval, "
					 "not \"%s\"",
					 text);
		next += length + (next[length] == ',');
	}
	return true;
}

static uint64_t total_of(const struct profile *profile)
{
	return profile->stacks.count ? profile->stacks.at[0].total : 0;
}

/* The name of the weight, in the form that --weight accepts. */
static struct text weighed_by(const struct profile *profile)
{
	if (profile->weight_name.i != STR_EMPTY.i)
		return strings_get(profile->strings, profile->weight_name);
	return text_of(profile->unit == UNIT_SAMPLES ? "samples" : "period");
}

static void set_heading(struct table *table, const struct profile *profile)
{
	struct sink sink;

	sink_init_memory(&sink);
	sink_puts(&sink, "event ");
	sink_text(&sink, strings_get(profile->strings, profile->event_name));
	sink_puts(&sink, ", ");
	/* With fractional weights of folded lines, the number of samples is unknown. */
	if (profile->unit != UNIT_MILLIONTHS) {
		number_grouped(&sink, profile->view_sample_count);
		sink_puts(&sink, profile->view_sample_count == 1 ? " sample, " : " samples, ");
	}
	sink_puts(&sink, "total ");
	number_weight(&sink, total_of(profile), profile->unit);
	if (profile->weight_name.i != STR_EMPTY.i) {
		sink_puts(&sink, " of ");
		sink_text(&sink, strings_get(profile->strings, profile->weight_name));
	}
	table_set_heading(table, table_copy(table, sink_memory(&sink)));
	sink_deinit(&sink);
}

static void add_facts(struct table *table, const struct profile *profile)
{
	table_add_fact_text(table, "event", strings_get(profile->strings, profile->event_name));
	table_add_fact_text(table, "weighed_by", weighed_by(profile));
	table_add_fact_text(table, "unit", text_of(number_shown_unit(profile->unit)));
	table_add_fact_number(table, "samples", profile->view_sample_count);
	table_add_fact_weight(table, "total", total_of(profile), profile->unit);
}

/* The table that is made, and what its columns show. */
struct report {
	struct table *table;
	const struct report_rows *rows;
	const struct report_options *options;
	bool joins_dsos;     /* symbol and DSO share a column */
	bool has_dsos;       /* symbols have DSOs, which do not have their own column */
	bool keys_are_first; /* in machine-readable output, a row begins with its keys */
	size_t key_count;    /* columns before the values */
};

static const char *key_of(struct report *report, uint32_t column)
{
	return table_copy(report->table, grouping_column_name(report->rows->columns, column)).at;
}

static void add_key_columns(struct report *report)
{
	const struct grouping *columns = report->rows->columns;

	for (uint32_t k = 0; k < columns->count; k++) {
		const char *key = key_of(report, k);
		bool is_number = grouping_is_number(columns->by[k]);

		table_add_column(report->table, (struct table_column){
							.title = key,
							.key = key,
							.kind = is_number ? TABLE_ID : TABLE_TEXT,
						});
		if (columns->by[k] == GROUP_SYMBOL && report->has_dsos && !report->joins_dsos)
			table_add_column(report->table,
					 (struct table_column){ .title = "dso",
								.key = "dso",
								.kind = TABLE_TEXT });
	}
}

static void add_value_columns(struct report *report)
{
	const struct report_shown *shown = &report->options->shown;
	enum weight_unit unit = report->rows->profile->unit;
	const struct {
		bool is_shown;
		struct table_column column;
	} columns[] = {
		{ true, { .title = "self", .key = "self_percent", .kind = TABLE_SHARE } },
		{ shown->intervals,
		  { .title = "95% from",
		    .key = "self_percent_low",
		    .kind = TABLE_SHARE,
		    .decimals = 2 } },
		{ shown->intervals,
		  { .title = "to",
		    .key = "self_percent_high",
		    .kind = TABLE_SHARE,
		    .decimals = 2 } },
		{ !shown->omits_totals,
		  { .title = "total", .key = "total_percent", .kind = TABLE_SHARE } },
		{ true,
		  { .title = "self",
		    .key = "self",
		    .kind = TABLE_WEIGHT,
		    .unit = unit,
		    .is_for_programs_only = !shown->weights } },
		{ !shown->omits_totals,
		  { .title = "total",
		    .key = "total",
		    .kind = TABLE_WEIGHT,
		    .unit = unit,
		    .is_for_programs_only = !shown->weights } },
		{ shown->samples,
		  { .title = "samples", .key = "self_samples", .kind = TABLE_COUNT } },
		{ shown->samples && !shown->omits_totals,
		  { .title = "in total", .key = "total_samples", .kind = TABLE_COUNT } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		if (columns[i].is_shown)
			table_add_column(report->table, columns[i].column);
}

/* A symbol, and its DSO if the two share a column. */
static struct text symbol_of(struct report *report, const struct report_cell *cell)
{
	struct sink sink;
	struct text joined;

	if (!report->joins_dsos || !cell->dso.length)
		return cell->text;
	sink_init_memory(&sink);
	sink_text(&sink, cell->text);
	sink_puts(&sink, "  (");
	sink_text(&sink, cell->dso);
	sink_char(&sink, ')');
	joined = table_copy(report->table, sink_memory(&sink));
	sink_deinit(&sink);
	return joined;
}

/* Samples without frames have no DSO. */
static void add_dso(struct table *table, struct text dso)
{
	if (dso.at)
		table_add_text(table, dso);
	else
		table_add_empty(table);
}

static void add_keys(struct report *report, const struct report_row *row)
{
	const struct report_rows *rows = report->rows;

	for (uint32_t k = 0; k < rows->columns->count; k++) {
		const struct report_cell *cell = report_rows_cell(rows, row, k);

		table_add_text(report->table, symbol_of(report, cell));
		if (rows->columns->by[k] == GROUP_SYMBOL && report->has_dsos && !report->joins_dsos)
			add_dso(report->table, cell->dso);
	}
}

/* is_sum: whether the row is the sum of all rows, whose share is not an estimate. */
static void add_values(struct report *report, const struct report_row *row, bool is_sum)
{
	const struct report_shown *shown = &report->options->shown;
	const struct profile *profile = report->rows->profile;
	struct table *table = report->table;
	uint64_t all = total_of(profile);

	table_add_share(table, row->self, all);
	if (shown->intervals && is_sum) {
		table_add_empty(table);
		table_add_empty(table);
	} else if (shown->intervals) {
		double share = all ? (double)row->self / (double)all : 0;
		double samples = (double)profile->view_sample_count;
		struct significance_interval interval =
			significance_share_interval(share * samples, samples, INTERVAL_DEVIATIONS);

		table_add_real(table, 100 * interval.low);
		table_add_real(table, 100 * interval.high);
	}
	if (!shown->omits_totals)
		table_add_share(table, row->total, all);
	table_add_number(table, row->self);
	if (!shown->omits_totals)
		table_add_number(table, row->total);
	if (shown->samples)
		table_add_number(table, row->self_samples);
	if (shown->samples && !shown->omits_totals)
		table_add_number(table, row->total_samples);
}

/* The number of rows within the limits. */
static size_t shown_count(const struct report_rows *rows, const struct report_options *options)
{
	double least = options->least_percent / 100 * (double)total_of(rows->profile);
	size_t count = 0;

	for (size_t i = 0; i < rows->at.count && (!options->limit || count < options->limit); i++) {
		struct report_row row = rows->at.at[i];

		/* A function without its own samples is only a caller. */
		if (options->shown.omits_totals && !row.self && !row.self_samples)
			continue;
		if ((double)(options->order == REPORT_TOTAL_FIRST ? row.total : row.self) >= least)
			rows->at.at[count++] = row;
	}
	return count;
}

/* The sum of all rows, including those that are not shown. */
static void add_totals(struct report *report)
{
	const struct profile *profile = report->rows->profile;
	const struct report_row all = {
		.self = total_of(profile),
		.total = total_of(profile),
		.self_samples = profile->view_sample_count,
		.total_samples = profile->view_sample_count,
	};

	for (size_t k = 0; report->keys_are_first && k < report->key_count; k++)
		table_add_empty(report->table);
	add_values(report, &all, true);
	if (!report->keys_are_first)
		table_add_text(report->table, text_of("(all)"));
	table_end_totals(report->table);
}

static void add_rows(struct report *report, size_t row_count)
{
	const struct report_rows *rows = report->rows;

	if (report->keys_are_first)
		add_key_columns(report);
	report->key_count = report->table->columns.count;
	add_value_columns(report);
	if (!report->keys_are_first)
		add_key_columns(report);
	for (size_t i = 0; i < row_count; i++) {
		const struct report_row *row = &rows->at.at[i];

		if (report->keys_are_first)
			add_keys(report, row);
		add_values(report, row, false);
		if (!report->keys_are_first)
			add_keys(report, row);
		if (report->options->names_rows)
			report_rows_name(rows, row, UINT32_MAX, report->table);
	}
	/* Without other values, this row is omitted, because its share is always 100%. */
	if (report->options->names_rows || report->options->shown.weights ||
	    report->options->shown.samples)
		add_totals(report);
}

void report_make(const struct profile *profile, const struct report_options *options,
		 struct report_rows *rows, struct table *ret)
{
	struct report report = {
		.table = ret,
		.rows = rows,
		.options = options,
		.joins_dsos = options->format == TABLE_FORMAT_TEXT,
		.has_dsos = !grouping_has(options->columns, GROUP_DSO),
		.keys_are_first =
			options->format == TABLE_FORMAT_JSON || options->format == TABLE_FORMAT_CSV,
	};
	size_t row_count;

	report_rows_init(rows, profile, options->columns);
	report_rows_sort(rows, options->order);
	row_count = shown_count(rows, options);
	if (profile_shows_histogram(profile))
		report_rows_sort_buckets(rows, row_count);
	table_init(ret);
	ret->title = "Report";
	set_heading(ret, profile);
	add_facts(ret, profile);
	add_rows(&report, row_count);
}

void report_write(const struct profile *profile, const struct report_options *options,
		  struct sink *sink)
{
	struct report_rows rows;
	struct table table;

	report_make(profile, options, &rows, &table);
	table_write(&table, options->format, sink);
	table_deinit(&table);
	report_rows_deinit(&rows);
}
