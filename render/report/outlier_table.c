/* SPDX-License-Identifier: MIT */
#include "render/report/outlier_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/hash.h"
#include "base/idtable.h"
#include "diff/outlier.h"
#include "render/number.h"

/* Rows with a larger p-value are omitted. */
#define P_VALUE_MAX 0.05
/* With fewer samples in all groups together, a function is not tested. */
#define SAMPLES_MIN 10
/*
 * Maximum number of comparisons to find outliers: one for each function and value of the key, which
 * takes about 20 ns.
 */
#define LIMIT_OUTLIER_COMPARISONS 200000000u
/* Smaller p-values are printed as "<0.0001". */
#define P_VALUE_PRINTED_MIN 0.0001

/* Distinct texts, in the order in which they are found. */
struct label_set {
	VEC(const struct report_cell *) cells;
	struct idtable ids;
};

/* The weight and the samples of a function in one group. */
struct share_entry {
	uint32_t function, member;
	uint64_t weight, samples;
};

struct outlier_row {
	uint32_t function, member;
	double share;
	struct outlier outlier;
	double p_value; /* for all comparisons */
};

/* The samples of a group. */
struct member_sum {
	uint64_t weight, samples;
};

struct outlier_search {
	struct report_rows rows;
	const struct report_options *options;
	struct label_set members, functions;
	VEC(struct member_sum) sums; /* by member */
	VEC(struct share_entry) entries;
	VEC(struct outlier_row) found;
	uint64_t function_count, comparisons; /* those that are tested */
	double least_t;                       /* a difference with a smaller t is not significant */
};

static struct text dso_of(const struct report_cell *cell)
{
	return cell->dso.at ? cell->dso : (struct text){ .at = "" };
}

/* Captures from different hosts have separate modules, so names are compared, not ids. */
static uint32_t label_of(struct label_set *set, const struct report_cell *cell)
{
	struct text dso = dso_of(cell);
	uint64_t hash =
		hash_bytes(cell->text.at, cell->text.length, hash_bytes(dso.at, dso.length, 0));
	struct idtable_probe probe = idtable_find(&set->ids, hash);
	uint32_t id;

	while ((id = idtable_next(&set->ids, &probe)) != IDTABLE_NONE)
		if (text_equal(set->cells.at[id]->text, cell->text) &&
		    text_equal(dso_of(set->cells.at[id]), dso))
			return id;
	id = (uint32_t)set->cells.count;
	vec_push(&set->cells, cell);
	idtable_add(&set->ids, hash, id);
	return id;
}

static void label_set_deinit(struct label_set *set)
{
	vec_free(&set->cells);
	idtable_deinit(&set->ids);
}

static void add_row(struct outlier_search *search, const struct report_row *row)
{
	uint32_t member = label_of(&search->members, report_rows_cell(&search->rows, row, 0));
	bool by_total = search->options->order == REPORT_TOTAL_FIRST;
	struct share_entry entry = {
		.function = label_of(&search->functions, report_rows_cell(&search->rows, row, 1)),
		.member = member,
		.weight = by_total ? row->total : row->self,
		.samples = by_total ? row->total_samples : row->self_samples,
	};

	if (member == search->sums.count)
		vec_push(&search->sums, (struct member_sum){ 0 });
	search->sums.at[member].weight = saturate_add(search->sums.at[member].weight, row->self);
	search->sums.at[member].samples += row->self_samples;
	if (entry.weight)
		vec_push(&search->entries, entry);
}

static int compare_entries(const void *a, const void *b)
{
	const struct share_entry *left = a;
	const struct share_entry *right = b;

	if (left->function != right->function)
		return left->function < right->function ? -1 : 1;
	return (left->member > right->member) - (left->member < right->member);
}

/* The entries of one function. */
struct entry_run {
	const struct share_entry *at;
	size_t count;
};

static bool next_run(const struct outlier_search *search, struct entry_run *run)
{
	const struct share_entry *end = search->entries.at + search->entries.count;

	run->at = run->at ? run->at + run->count : search->entries.at;
	for (run->count = 0;
	     run->at + run->count < end && run->at[run->count].function == run->at->function;)
		run->count++;
	return run->count;
}

static double share_of(const struct outlier_search *search, const struct share_entry *entry)
{
	return (double)entry->weight / fmax(1, (double)search->sums.at[entry->member].weight);
}

/* Whether a function has enough samples, and a share that --percent-limit does not omit. */
static bool is_tested(const struct outlier_search *search, const struct entry_run *run)
{
	double largest = 0;
	uint64_t samples = 0;

	for (size_t i = 0; i < run->count; i++) {
		samples = saturate_add(samples, run->at[i].samples);
		largest = fmax(largest, share_of(search, &run->at[i]));
	}
	return samples >= SAMPLES_MIN && 100 * largest >= search->options->least_percent;
}

/*
 * Tests a function in all groups. members: one for each group; their shares are overwritten.
 * p-values are multiplied by the number of comparisons (Bonferroni).
 */
static void test_function(struct outlier_search *search, const struct entry_run *run,
			  struct outlier_member *members)
{
	size_t count = search->sums.count;
	struct outlier_group group;

	for (size_t i = 0; i < count; i++)
		members[i].share = 0;
	for (size_t i = 0; i < run->count; i++)
		members[run->at[i].member].share += share_of(search, &run->at[i]);
	outlier_group_init(&group, members, count);
	for (size_t i = 0; i < count; i++) {
		struct outlier_row row = {
			.function = run->at->function,
			.member = (uint32_t)i,
			.share = members[i].share,
			.outlier = outlier_of(&group, &members[i]),
		};

		if (fabs(row.outlier.t) < search->least_t)
			continue;
		row.p_value = outlier_p_value(&group, &members[i], &row.outlier) *
			      (double)search->comparisons;
		if (row.p_value < P_VALUE_MAX)
			vec_push(&search->found, row);
	}
}

static bool count_comparisons(struct outlier_search *search, struct error *err)
{
	struct entry_run run = { 0 };

	while (next_run(search, &run))
		search->function_count += is_tested(search, &run);
	if (search->function_count > LIMIT_OUTLIER_COMPARISONS / search->sums.count)
		return error_set(
			err, ERROR_LIMIT,
			"--outliers would compare %" PRIu64 " functions for %zu values, more than "
			"the limit of %u comparisons; --percent-limit leaves out functions that "
			"are small everywhere",
			search->function_count, search->sums.count, LIMIT_OUTLIER_COMPARISONS);
	search->comparisons = search->function_count * search->sums.count;
	if (search->comparisons)
		search->least_t = outlier_least_t(search->sums.count,
						  P_VALUE_MAX / (double)search->comparisons);
	return true;
}

static bool test_all(struct outlier_search *search, struct error *err)
{
	size_t count = search->sums.count;
	struct outlier_member *members;
	struct entry_run run = { 0 };

	if (!count_comparisons(search, err))
		return false;
	members = memory_zalloc(count, sizeof(*members));
	for (size_t i = 0; i < count; i++)
		members[i].samples = fmax(1, (double)search->sums.at[i].samples);
	while (next_run(search, &run))
		if (is_tested(search, &run))
			test_function(search, &run, members);
	memory_free(members);
	return true;
}

static double distance_of(const struct outlier_row *row)
{
	return fabs(row->share - row->outlier.others_mean);
}

/* The largest difference first. */
static int compare_found(const void *a, const void *b, void *context)
{
	const struct outlier_search *search = context;
	const struct outlier_row *left = a;
	const struct outlier_row *right = b;
	double distances = distance_of(right) - distance_of(left);
	const struct report_cell *l = search->functions.cells.at[left->function];
	const struct report_cell *r = search->functions.cells.at[right->function];
	int order;

	if (distances < 0 || distances > 0)
		return distances < 0 ? -1 : 1;
	order = text_compare(search->members.cells.at[left->member]->text,
			     search->members.cells.at[right->member]->text);
	if (!order)
		order = text_compare(l->text, r->text);
	return order ? order : text_compare(dso_of(l), dso_of(r));
}

static void set_heading(const struct outlier_search *search, struct table *table)
{
	const struct profile *profile = search->rows.profile;
	struct text event = strings_get(profile->strings, profile->event_name);
	struct sink sink;

	sink_init_memory(&sink);
	sink_puts(&sink, "event ");
	sink_text(&sink, event);
	sink_puts(&sink, ", ");
	number_grouped(&sink, search->sums.count);
	sink_puts(&sink, " values of ");
	sink_text(&sink, grouping_column_name(search->rows.columns, 0));
	sink_puts(&sink, ", ");
	number_grouped(&sink, search->function_count);
	sink_puts(&sink, search->function_count == 1 ? " function" : " functions");
	sink_puts(&sink, ", p-values are for ");
	number_grouped(&sink, search->comparisons);
	sink_puts(&sink, " comparisons");
	table_set_heading(table, table_copy(table, sink_memory(&sink)));
	sink_deinit(&sink);
	table_add_fact_text(table, "event", event);
	table_add_fact_text(table, "key", grouping_column_name(search->rows.columns, 0));
	table_add_fact_number(table, "values", search->sums.count);
	table_add_fact_number(table, "functions", search->function_count);
	table_add_fact_number(table, "comparisons", search->comparisons);
}

static void add_columns(const struct outlier_search *search, struct table *table)
{
	const char *key = table_copy(table, grouping_column_name(search->rows.columns, 0)).at;
	const struct table_column columns[] = {
		{ .title = "share", .key = "share_percent", .kind = TABLE_SHARE, .decimals = 2 },
		{ .title = "others", .key = "others_percent", .kind = TABLE_SHARE, .decimals = 2 },
		{ .title = "deviation",
		  .key = "others_deviation_percent",
		  .kind = TABLE_SHARE,
		  .decimals = 2 },
		{ .title = "p", .key = "p", .kind = TABLE_ID, .is_for_people_only = true },
		{ .title = "p",
		  .key = "p_value",
		  .kind = TABLE_REAL,
		  .is_for_programs_only = true },
		{ .title = key, .key = key, .kind = TABLE_TEXT },
		{ .title = "symbol", .key = "symbol", .kind = TABLE_TEXT },
		{ .title = "dso", .key = "dso", .kind = TABLE_TEXT },
	};

	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		table_add_column(table, columns[i]);
}

static void add_p_value(struct table *table, double p_value)
{
	char text[32];

	if (p_value < P_VALUE_PRINTED_MIN)
		snprintf(text, sizeof(text), "<%g", P_VALUE_PRINTED_MIN);
	else
		snprintf(text, sizeof(text), "%.4f", p_value);
	table_add_text(table, table_copy(table, text_of(text)));
	table_add_real(table, p_value);
}

static void write_found(const struct outlier_search *search, struct sink *sink)
{
	const struct report_options *options = search->options;
	struct table table;

	table_init(&table);
	table.title = "Outliers";
	set_heading(search, &table);
	add_columns(search, &table);
	for (size_t i = 0; i < search->found.count && (!options->limit || i < options->limit);
	     i++) {
		const struct outlier_row *row = &search->found.at[i];
		const struct report_cell *function = search->functions.cells.at[row->function];

		table_add_real(&table, 100 * row->share);
		table_add_real(&table, 100 * row->outlier.others_mean);
		table_add_real(&table, 100 * row->outlier.others_deviation);
		add_p_value(&table, row->p_value);
		table_add_text(&table, search->members.cells.at[row->member]->text);
		table_add_text(&table, function->text);
		table_add_text(&table, dso_of(function));
	}
	if (!search->found.count)
		table_add_note(&table, text_of("no value differs significantly from the others"));
	table_write(&table, options->format, sink);
	table_deinit(&table);
}

static bool has_enough(const struct outlier_search *search, struct error *err)
{
	size_t count = search->sums.count;
	struct text key = grouping_column_name(search->rows.columns, 0);

	if (search->rows.profile->lacks_sample_counts && !search->options->assumes_samples)
		return error_set(
			err, ERROR_USAGE,
			"--outliers requires numbers of samples, but the input has only "
			"weights; use --assume-samples if the weights are numbers of samples");
	return count >= OUTLIER_MEMBERS_MIN ||
	       error_set(err, ERROR_NO_MATCH,
			 "--outliers requires at least %d values of %.*s, but the samples have %zu",
			 OUTLIER_MEMBERS_MIN, (int)key.length, key.at, count);
}

bool outlier_table_write(const struct profile *profile, const struct report_options *options,
			 struct sink *sink, struct error *err)
{
	struct outlier_search search = { .options = options };
	bool is_written;

	report_rows_init(&search.rows, profile, options->columns);
	idtable_init(&search.members.ids);
	idtable_init(&search.functions.ids);
	for (size_t i = 0; i < search.rows.at.count; i++)
		add_row(&search, &search.rows.at.at[i]);
	if (search.entries.count)
		qsort(search.entries.at, search.entries.count, sizeof(*search.entries.at),
		      compare_entries);
	is_written = has_enough(&search, err) && test_all(&search, err);
	if (is_written) {
		if (search.found.count)
			qsort_r(search.found.at, search.found.count, sizeof(*search.found.at),
				compare_found, &search);
		write_found(&search, sink);
	}
	label_set_deinit(&search.members);
	label_set_deinit(&search.functions);
	vec_free(&search.sums);
	vec_free(&search.entries);
	vec_free(&search.found);
	report_rows_deinit(&search.rows);
	return is_written;
}
