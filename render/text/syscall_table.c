/* SPDX-License-Identifier: MIT */
#include "render/text/syscall_table.h"

#include <inttypes.h>

#include "base/quantile.h"
#include "render/number.h"
#include "syscalls/syscall_names.h"

struct syscall_writer {
	const struct syscall_stats *stats;
	const struct profile *profile;
	struct table *table;
};

static const struct table_column value_columns[] = {
	{ .title = "calls", .key = "calls", .kind = TABLE_COUNT },
	{ .title = "timed",
	  .key = "timed_calls",
	  .kind = TABLE_COUNT,
	  .is_for_programs_only = true },
	{ .title = "errors", .key = "errors", .kind = TABLE_COUNT },
	{ .title = "total", .key = "total_ns", .kind = TABLE_DURATION },
	{ .title = "mean", .key = "mean_ns", .kind = TABLE_DURATION },
	{ .title = "p50", .key = "p50_ns", .kind = TABLE_DURATION },
	{ .title = "p99", .key = "p99_ns", .kind = TABLE_DURATION },
	{ .title = "max", .key = "max_ns", .kind = TABLE_DURATION },
	{ .title = "max at", .key = "max_at_ns", .kind = TABLE_TIME },
};

static const struct key_column {
	enum syscall_key key;
	struct table_column column;
} key_columns[] = {
	{ SYSCALL_KEY_NAME, { .title = "syscall", .key = "syscall", .kind = TABLE_TEXT } },
	{ SYSCALL_KEY_THREAD, { .title = "comm", .key = "comm", .kind = TABLE_TEXT } },
	{ SYSCALL_KEY_THREAD, { .title = "tid", .key = "tid", .kind = TABLE_ID } },
	{ SYSCALL_KEY_COMM, { .title = "comm", .key = "comm", .kind = TABLE_TEXT } },
	{ SYSCALL_KEY_PROCESS, { .title = "process", .key = "process", .kind = TABLE_TEXT } },
	{ SYSCALL_KEY_PROCESS, { .title = "pid", .key = "pid", .kind = TABLE_ID } },
	{ SYSCALL_KEY_ERROR, { .title = "error", .key = "error", .kind = TABLE_TEXT } },
};

static void add_columns(struct syscall_writer *writer)
{
	const struct syscall_keys *keys = &writer->stats->keys;

	for (size_t i = 0; i < ARRAY_SIZE(value_columns); i++)
		table_add_column(writer->table, value_columns[i]);
	for (uint32_t i = 0; i < keys->count; i++)
		for (size_t j = 0; j < ARRAY_SIZE(key_columns); j++)
			if (key_columns[j].key == keys->at[i])
				table_add_column(writer->table, key_columns[j].column);
}

static void add_if(struct table *table, bool is_known, uint64_t number)
{
	if (is_known)
		table_add_number(table, number);
	else
		table_add_empty(table);
}

static void add_values(struct syscall_writer *writer, const struct syscall_row *row)
{
	struct table *table = writer->table;
	const uint64_t *durations_ns = row->durations_ns.at;
	size_t count = row->durations_ns.count;

	table_add_number(table, row->call_count);
	table_add_number(table, row->timed_count);
	if (writer->stats->has_exits)
		table_add_number(table, row->error_count);
	else
		table_add_empty(table);
	add_if(table, row->timed_count, row->total_ns);
	add_if(table, row->timed_count, row->timed_count ? row->total_ns / row->timed_count : 0);
	add_if(table, count, quantile_of(durations_ns, count, 0.5));
	add_if(table, count, quantile_of(durations_ns, count, 0.99));
	add_if(table, row->has_longest, row->longest_ns);
	add_if(table, row->has_longest_at, row->longest_at_ns);
}

static void add_tid(struct syscall_writer *writer, const struct syscall_thread *thread,
		    uint32_t tid)
{
	if (thread->is_unknown)
		table_add_empty(writer->table);
	else
		table_add_id(writer->table, tid);
}

static void add_string(struct syscall_writer *writer, uint32_t id)
{
	table_add_text(writer->table, strings_get(writer->profile->strings, (str_id){ id }));
}

static void add_error(struct syscall_writer *writer, uint32_t error)
{
	struct text name = syscall_error_name(error);

	if (error == SYSCALL_ERROR_MAX)
		table_add_text(writer->table, text_of("[other]"));
	else if (error && !name.at)
		table_add_id(writer->table, error);
	else if (error)
		table_add_text(writer->table, name);
	else
		table_add_empty(writer->table);
}

static void add_keys(struct syscall_writer *writer, const struct syscall_row *row)
{
	const struct syscall_stats *stats = writer->stats;

	for (uint32_t i = 0; i < stats->keys.count; i++) {
		uint32_t value = row->values[i];

		switch (stats->keys.at[i]) {
		case SYSCALL_KEY_NAME:
		case SYSCALL_KEY_COMM:
			add_string(writer, value);
			break;
		case SYSCALL_KEY_THREAD:
			add_string(writer, stats->threads.at[value].comm.i);
			add_tid(writer, &stats->threads.at[value], stats->threads.at[value].tid);
			break;
		case SYSCALL_KEY_PROCESS:
			add_string(writer, stats->threads.at[row->thread].process.i);
			add_tid(writer, &stats->threads.at[row->thread], value);
			break;
		case SYSCALL_KEY_ERROR:
			add_error(writer, value);
			break;
		case SYSCALL_KEY_COUNT:
			break;
		}
	}
}

static void add_open_note(struct syscall_writer *writer)
{
	const struct syscall_doubts *doubts = &writer->stats->doubts;
	struct sink sink;

	if (!doubts->open_count)
		return;
	sink_init_memory(&sink);
	number_grouped(&sink, doubts->open_count);
	sink_puts(&sink, doubts->open_count == 1
				 ? " call had not returned at the end, and does not count: "
				 : " calls had not returned at the end, and do not count; the "
				   "longest is ");
	sink_text(&sink,
		  strings_get(writer->profile->strings, (str_id){ doubts->longest_open_name }));
	if (doubts->longest_open_ns) {
		sink_puts(&sink, ", for ");
		number_duration(&sink, doubts->longest_open_ns);
	}
	table_add_note(writer->table, sink_memory(&sink));
	sink_deinit(&sink);
}

static void add_notes(struct syscall_writer *writer)
{
	const struct syscall_stats *stats = writer->stats;
	const struct syscall_doubts *doubts = &stats->doubts;
	const uint64_t *losses = writer->profile->losses;
	struct table *table = writer->table;

	if (!stats->has_exits)
		table_add_note(writer->table,
			       text_of("errors and durations are not known; record them with perf "
				       "record -e 'raw_syscalls:*'"));
	else
		table_add_count_note(
			table, doubts->without_duration_count,
			"call has no recorded duration; use strace -T or raw_syscalls:sys_enter",
			"calls have no recorded duration; use strace -T or raw_syscalls:sys_enter");
	if (stats->may_be_cpu_time)
		table_add_note(writer->table,
			       text_of("strace -c measures kernel CPU time, unless -w is also "
				       "used"));
	add_open_note(writer);
	table_add_count_note(table, doubts->without_enter_count,
			     "call has no duration, because its start was not recorded",
			     "calls have no duration, because their starts were not recorded");
	table_add_count_note(table, doubts->without_exit_count,
			     "call was not counted, because its return was not recorded",
			     "calls were not counted, because their returns were not recorded");
	table_add_count_note(
		table, doubts->reused_count,
		"TID was reused by a new thread, which shares a row with the old thread",
		"TIDs were reused by new threads, which share rows with the old threads");
	table_add_count_note(
		table, losses[LOSS_RECORDS] + losses[LOSS_SAMPLES],
		"record was lost while recording; a call that spans the loss may be several calls",
		"records were lost while recording; calls that span the loss may be several calls");
}

/* Whether a thread is unknown, because such an entry can stand for several threads. */
static bool has_unknown_threads(const struct syscall_stats *stats)
{
	for (size_t i = 0; i < stats->threads.count; i++)
		if (stats->threads.at[i].is_unknown)
			return true;
	return false;
}

static void set_heading(struct syscall_writer *writer)
{
	const struct syscall_stats *stats = writer->stats;
	struct table *table = writer->table;
	struct sink sink;

	sink_init_memory(&sink);
	number_grouped(&sink, stats->call_count);
	sink_puts(&sink, stats->call_count == 1 ? " system call" : " system calls");
	if (!has_unknown_threads(stats)) {
		sink_puts(&sink, " of ");
		number_grouped(&sink, stats->thread_count);
		sink_puts(&sink, stats->thread_count == 1 ? " thread" : " threads");
	}
	if (stats->last_ns > stats->first_ns) {
		sink_puts(&sink, " in ");
		number_duration(&sink, stats->last_ns - stats->first_ns);
	}
	sink_puts(&sink, "; ");
	number_grouped(&sink, stats->error_count);
	sink_puts(&sink, stats->error_count == 1 ? " error" : " errors");
	if (stats->timed_count) {
		sink_puts(&sink, "; ");
		number_duration(&sink, stats->total_ns);
		sink_puts(&sink, " in calls");
	}
	table_set_heading(table, table_copy(table, sink_memory(&sink)));
	sink_deinit(&sink);
	table_add_fact_number(table, "duration_ns", stats->last_ns - stats->first_ns);
	table_add_fact_number(table, "calls", stats->call_count);
	table_add_fact_number(table, "errors", stats->error_count);
	table_add_fact_number(table, "total_ns", stats->total_ns);
	table_add_fact_number(table, "threads", stats->thread_count);
	table_add_fact_number(table, "open_calls", stats->doubts.open_count);
}

static uint64_t value_of(const struct syscall_row *row, enum syscall_order order)
{
	size_t count = row->durations_ns.count;

	switch (order) {
	case SYSCALL_ORDER_TOTAL:
		return row->total_ns;
	case SYSCALL_ORDER_CALLS:
		return row->call_count;
	case SYSCALL_ORDER_ERRORS:
		return row->error_count;
	case SYSCALL_ORDER_MEAN:
		return row->timed_count ? row->total_ns / row->timed_count : 0;
	case SYSCALL_ORDER_P99:
		return quantile_of(row->durations_ns.at, count, 0.99);
	case SYSCALL_ORDER_MAX:
		return row->longest_ns;
	}
	return 0;
}

static void write_key(const struct syscall_stats *stats, const struct profile *profile,
		      enum syscall_key key, uint32_t value, struct sink *sink)
{
	struct text error;

	switch (key) {
	case SYSCALL_KEY_NAME:
	case SYSCALL_KEY_COMM:
		sink_text(sink, strings_get(profile->strings, (str_id){ value }));
		break;
	case SYSCALL_KEY_THREAD:
		sink_text(sink, strings_get(profile->strings, stats->threads.at[value].comm));
		sink_printf(sink, " %" PRId32, (int32_t)stats->threads.at[value].tid);
		break;
	case SYSCALL_KEY_PROCESS:
		sink_printf(sink, "%" PRId32, (int32_t)value);
		break;
	case SYSCALL_KEY_ERROR:
		error = syscall_error_name(value);
		if (value && value != SYSCALL_ERROR_MAX && !error.at)
			sink_printf(sink, "%" PRIu32, value);
		else
			sink_text(sink,
				  error.at ? error : text_of(value ? "[other]" : "[no error]"));
		break;
	case SYSCALL_KEY_COUNT:
		break;
	}
}

static void write_row_name(const struct syscall_stats *stats, const struct profile *profile,
			   const struct syscall_row *row, struct sink *name)
{
	for (uint32_t k = 0; k < stats->keys.count; k++) {
		sink_puts(name, k ? ";" : "");
		write_key(stats, profile, stats->keys.at[k], row->values[k], name);
	}
}

static void name_row(struct syscall_writer *writer, const struct syscall_row *row)
{
	struct sink name;

	sink_init_memory(&name);
	write_row_name(writer->stats, writer->profile, row, &name);
	table_name_row(writer->table, sink_memory(&name));
	sink_deinit(&name);
}

/* Adds the sum of all rows, without percentiles and maximum. */
static void add_totals(struct syscall_writer *writer)
{
	const struct syscall_stats *stats = writer->stats;
	const struct syscall_row all = { .call_count = stats->call_count,
					 .timed_count = stats->timed_count,
					 .error_count = stats->error_count,
					 .total_ns = stats->total_ns };

	add_values(writer, &all);
	table_end_totals(writer->table);
}

/* Rows of syscall_stats are already sorted; equal rows keep this order. */
static void add_rows(struct syscall_writer *writer, const struct syscall_table_options *options)
{
	const struct syscall_stats *stats = writer->stats;
	size_t count = stats->rows.count;
	struct table_rank *order = memory_alloc(count, sizeof(*order));

	for (size_t i = 0; i < count; i++)
		order[i] = (struct table_rank){ value_of(&stats->rows.at[i], options->order), i };
	table_ranks_sort(order, count);
	for (size_t i = 0; i < count && (!options->limit || i < options->limit); i++) {
		add_values(writer, &stats->rows.at[order[i].index]);
		add_keys(writer, &stats->rows.at[order[i].index]);
		if (options->names_rows)
			name_row(writer, &stats->rows.at[order[i].index]);
	}
	if (options->names_rows)
		add_totals(writer);
	memory_free(order);
}

void syscall_table_make(const struct syscall_stats *stats, const struct profile *profile,
			const struct syscall_table_options *options, struct table *ret)
{
	struct syscall_writer writer = { .stats = stats, .profile = profile, .table = ret };

	table_init(ret);
	ret->title = "System calls";
	set_heading(&writer);
	add_columns(&writer);
	add_rows(&writer, options);
	add_notes(&writer);
}

void syscall_table_write(const struct syscall_stats *stats, const struct profile *profile,
			 const struct syscall_table_options *options, struct sink *sink)
{
	struct table table;

	syscall_table_make(stats, profile, options, &table);
	table_write(&table, options->format, sink);
	table_deinit(&table);
}

void syscall_table_make_histograms(const struct syscall_stats *stats, const struct profile *profile,
				   struct histogram_set *ret)
{
	struct sink name;

	sink_init_memory(&name);
	histogram_set_begin(ret, text_of("durations of system calls"), 1);
	for (size_t i = 0; i < stats->rows.count; i++) {
		const struct syscall_row *row = &stats->rows.at[i];

		name.used = 0;
		write_row_name(stats, profile, row, &name);
		if (row->durations_ns.count)
			histogram_set_add(ret, sink_memory(&name), row->durations_ns.at,
					  row->durations_ns.count, 1);
	}
	histogram_set_end(ret);
	sink_deinit(&name);
}
