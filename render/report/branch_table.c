/* SPDX-License-Identifier: MIT */
#include "render/report/branch_table.h"

#include <inttypes.h>

#include "base/hash.h"
#include "profile/frame_name.h"
#include "render/number.h"

static const char *const by_names[] = {
	[BRANCH_BY_FUNCTION] = "function", [BRANCH_BY_FROM] = "from",   [BRANCH_BY_TO] = "to",
	[BRANCH_BY_LINE] = "line",         [BRANCH_BY_BLOCK] = "block",
};

bool branch_by_parse(const char *name, enum branch_by *ret, struct error *err)
{
	*ret = BRANCH_BY_FUNCTION;
	if (!*name)
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(by_names); i++)
		if (strcmp(name, by_names[i]) == 0) {
			*ret = (enum branch_by)i;
			return true;
		}
	return error_set(err, ERROR_USAGE,
			 "--branches must be function, from, to, line or block, not \"%s\"", name);
}

/* The sums of all branches with the same two texts. */
struct branch_row {
	str_id from, to;
	struct branch_sum sum;
};

struct branch_writer {
	const struct profile *profile;
	const struct locations *locations;
	const struct branch_table_options *options;
	struct strings strings; /* of lines and addresses */
	VEC(struct branch_row) rows;
	struct idtable row_table;
	struct branch_sum total;
	struct table *table;
};

static str_id intern(struct branch_writer *writer, struct text text)
{
	return strings_intern(&writer->strings, text.length ? text.at : "", text.length);
}

static str_id function_text(struct branch_writer *writer, location_id id)
{
	str_id name = frame_name_innermost(writer->profile->strings, writer->profile->modules,
					   writer->locations, id, writer->options->naming);

	return intern(writer, strings_get(writer->profile->strings, name));
}

static struct source_line line_of(const struct locations *locations, location_id id)
{
	const struct location *row = &locations->rows.at[id.i];

	return row->inlined_count
		       ? locations->inlined.at[row->inlined_first + row->inlined_count - 1].at
		       : row->at;
}

/* FILE:LINE, or the function if the line is unknown. */
static str_id line_text(struct branch_writer *writer, location_id id)
{
	struct source_line line = line_of(writer->locations, id);
	struct text file = strings_get(writer->profile->strings, line.file);
	struct sink sink;
	str_id ret;

	if (!line.line)
		return function_text(writer, id);
	sink_init_memory(&sink);
	sink_text(&sink, text_basename(file));
	sink_printf(&sink, ":%" PRIu32, line.line);
	ret = intern(writer, sink_memory(&sink));
	sink_deinit(&sink);
	return ret;
}

/* The first and the last instruction of a block. */
static str_id block_text(struct branch_writer *writer, const struct branch_sum *sum)
{
	const struct location *rows = writer->locations->rows.at;
	struct sink sink;
	str_id ret;

	sink_init_memory(&sink);
	sink_printf(&sink, "0x%" PRIx64 "-0x%" PRIx64, rows[sum->from.i].address,
		    rows[sum->to.i].address);
	ret = intern(writer, sink_memory(&sink));
	sink_deinit(&sink);
	return ret;
}

static void name_row(struct branch_writer *writer, const struct branch_sum *sum, str_id *from_ret,
		     str_id *to_ret)
{
	*from_ret = *to_ret = STR_EMPTY;
	switch (writer->options->by) {
	case BRANCH_BY_FUNCTION:
		*from_ret = function_text(writer, sum->from);
		*to_ret = function_text(writer, sum->to);
		break;
	case BRANCH_BY_FROM:
		*from_ret = function_text(writer, sum->from);
		break;
	case BRANCH_BY_TO:
		*to_ret = function_text(writer, sum->to);
		break;
	case BRANCH_BY_LINE:
		*from_ret = line_text(writer, sum->from);
		*to_ret = line_text(writer, sum->to);
		break;
	case BRANCH_BY_BLOCK:
		*from_ret = function_text(writer, sum->from);
		*to_ret = block_text(writer, sum);
		break;
	}
}

static void add_sum(struct branch_sum *to, const struct branch_sum *sum)
{
	to->count += sum->count;
	to->judged_count += sum->judged_count;
	to->mispredicted_count += sum->mispredicted_count;
	to->cycle_count += sum->cycle_count;
	to->cycles += sum->cycles;
}

static struct branch_row *row_of(struct branch_writer *writer, str_id from, str_id to)
{
	uint64_t hash = hash_u64((uint64_t)from.i << 32 | to.i);
	struct idtable_probe probe = idtable_find(&writer->row_table, hash);
	uint32_t id;

	while ((id = idtable_next(&writer->row_table, &probe)) != IDTABLE_NONE)
		if (writer->rows.at[id].from.i == from.i && writer->rows.at[id].to.i == to.i)
			return &writer->rows.at[id];
	idtable_add(&writer->row_table, hash, (uint32_t)writer->rows.count);
	vec_push(&writer->rows, (struct branch_row){ .from = from, .to = to });
	return &writer->rows.at[writer->rows.count - 1];
}

static void add_rows(struct branch_writer *writer, const struct branch_sums *sums)
{
	for (size_t i = 0; i < sums->rows.count; i++) {
		const struct branch_sum *sum = &sums->rows.at[i];
		str_id from, to;

		name_row(writer, sum, &from, &to);
		add_sum(&row_of(writer, from, to)->sum, sum);
		add_sum(&writer->total, sum);
	}
}

/* Rows with equal counts are sorted by name, because the order of samples is meaningless. */
static int compare_rows(const void *a, const void *b, void *context)
{
	const struct branch_writer *writer = context;
	const struct branch_row *left = a;
	const struct branch_row *right = b;
	int order;

	if (left->sum.count != right->sum.count)
		return left->sum.count > right->sum.count ? -1 : 1;
	order = text_compare(strings_get(&writer->strings, left->from),
			     strings_get(&writer->strings, right->from));
	return order ? order
		     : text_compare(strings_get(&writer->strings, left->to),
				    strings_get(&writer->strings, right->to));
}

static void add_columns(struct branch_writer *writer)
{
	enum branch_by by = writer->options->by;
	struct table *table = writer->table;
	bool is_block = by == BRANCH_BY_BLOCK;
	enum table_kind kind = by == BRANCH_BY_LINE ? TABLE_CODE : TABLE_TEXT;

	table_add_column(table, (struct table_column){
					.title = "share", .key = "share", .kind = TABLE_SHARE });
	table_add_column(table, (struct table_column){ .title = is_block ? "run" : "taken",
						       .key = is_block ? "run" : "taken",
						       .kind = TABLE_COUNT });
	if (!is_block) {
		table_add_column(table, (struct table_column){ .title = "mispredicted",
							       .key = "mispredicted",
							       .kind = TABLE_COUNT });
		table_add_column(table, (struct table_column){ .title = "rate",
							       .key = "mispredicted_percent",
							       .kind = TABLE_SHARE });
	}
	if (writer->total.cycle_count)
		table_add_column(table, (struct table_column){ .title = "cycles",
							       .key = "cycles_mean",
							       .kind = TABLE_REAL,
							       .decimals = 1 });
	if (by != BRANCH_BY_TO)
		table_add_column(table,
				 (struct table_column){ .title = is_block ? "function" : "from",
							.key = is_block ? "function" : "from",
							.kind = kind });
	if (is_block)
		table_add_column(table, (struct table_column){ .title = "instructions",
							       .key = "instructions",
							       .kind = TABLE_CODE });
	else if (by != BRANCH_BY_FROM)
		table_add_column(table,
				 (struct table_column){ .title = "to", .key = "to", .kind = kind });
}

static void add_values(struct branch_writer *writer, const struct branch_sum *sum)
{
	struct table *table = writer->table;

	table_add_share(table, sum->count, writer->total.count);
	table_add_number(table, sum->count);
	if (writer->options->by != BRANCH_BY_BLOCK) {
		table_add_number(table, sum->mispredicted_count);
		if (sum->judged_count)
			table_add_share(table, sum->mispredicted_count, sum->judged_count);
		else
			table_add_empty(table);
	}
	if (writer->total.cycle_count && sum->cycle_count)
		table_add_real(table, (double)sum->cycles / (double)sum->cycle_count);
	else if (writer->total.cycle_count)
		table_add_empty(table);
}

static void add_name(struct branch_writer *writer, str_id name)
{
	table_add_text(writer->table,
		       table_copy(writer->table, strings_get(&writer->strings, name)));
}

static void add_row(struct branch_writer *writer, const struct branch_row *row)
{
	enum branch_by by = writer->options->by;

	add_values(writer, &row->sum);
	if (by != BRANCH_BY_TO)
		add_name(writer, row->from);
	if (by != BRANCH_BY_FROM)
		add_name(writer, row->to);
	if (writer->options->names_rows)
		table_name_row_by_cells(writer->table,
					(by != BRANCH_BY_TO) + (by != BRANCH_BY_FROM));
}

static void add_facts(struct branch_writer *writer, const struct branch_stats *stats)
{
	bool is_block = writer->options->by == BRANCH_BY_BLOCK;
	struct table *table = writer->table;
	struct sink sink;

	sink_init_memory(&sink);
	number_grouped(&sink, writer->total.count);
	sink_puts(&sink, is_block ? " basic block" : " branch");
	sink_puts(&sink, writer->total.count == 1 ? " in " : is_block ? "s in " : "es in ");
	number_grouped(&sink, stats->sample_count);
	sink_puts(&sink, stats->sample_count == 1 ? " sample" : " samples");
	if (!is_block) {
		sink_puts(&sink, ", ");
		number_grouped(&sink, writer->total.mispredicted_count);
		sink_puts(&sink, " mispredicted");
	}
	table_set_heading(table, table_copy(table, sink_memory(&sink)));
	sink_deinit(&sink);
	table_add_fact_number(table, is_block ? "blocks" : "branches", writer->total.count);
	table_add_fact_number(table, "samples", stats->sample_count);
	table_add_count_note(table, stats->incomplete_count,
			     "branch has no source or no target and is not counted",
			     "branches have no source or no target and are not counted");
	table_add_count_note(table, stats->unresolved_count,
			     "sample is not counted, because some of its branches are in excluded "
			     "code",
			     "samples are not counted, because some of their branches are in "
			     "excluded code");
}

static bool is_shown(const struct branch_writer *writer, size_t row)
{
	return (!writer->options->limit || row < writer->options->limit) &&
	       100 * (double)writer->rows.at[row].sum.count >=
		       writer->options->least_percent * (double)writer->total.count;
}

void branch_table_make(const struct branch_stats *stats, const struct profile *profile,
		       const struct locations *locations,
		       const struct branch_table_options *options, struct table *ret)
{
	struct branch_writer writer = {
		.profile = profile,
		.locations = locations,
		.options = options,
		.table = ret,
	};

	strings_init(&writer.strings);
	idtable_init(&writer.row_table);
	table_init(ret);
	add_rows(&writer, options->by == BRANCH_BY_BLOCK ? &stats->blocks : &stats->branches);
	if (writer.rows.count > 1)
		qsort_r(writer.rows.at, writer.rows.count, sizeof(*writer.rows.at), compare_rows,
			&writer);
	add_columns(&writer);
	add_facts(&writer, stats);
	for (size_t i = 0; i < writer.rows.count && is_shown(&writer, i); i++)
		add_row(&writer, &writer.rows.at[i]);
	if (options->names_rows) {
		add_values(&writer, &writer.total);
		table_end_totals(ret);
	}
	idtable_deinit(&writer.row_table);
	vec_free(&writer.rows);
	strings_deinit(&writer.strings);
}
