/* SPDX-License-Identifier: MIT */
#include "render/text/task_table.h"

#include <inttypes.h>

#include "base/arithmetic.h"
#include "render/number.h"

struct task_writer {
	const struct task_stats *stats;
	const struct profile *profile;
	struct table *table;
};

/* The columns that a kind of row has. */
enum column_set {
	HAS_RUNS = 1,
	HAS_DELAYS = 2,
	HAS_CAUSES = 4, /* preemptions and migrations */
	HAS_IDLE = 8,
};

static unsigned columns_of(enum task_by by)
{
	if (by == TASK_BY_PREEMPTION || by == TASK_BY_WAKER)
		return HAS_DELAYS;
	if (by == TASK_BY_CPU)
		return HAS_RUNS | HAS_DELAYS | HAS_IDLE;
	return HAS_RUNS | HAS_DELAYS | HAS_CAUSES;
}

static const struct value_column {
	unsigned set;
	struct table_column column;
} value_columns[] = {
	{ HAS_RUNS, { .title = "run", .key = "run_ns", .kind = TABLE_DURATION } },
	{ HAS_RUNS, { .title = "CPU", .key = "cpu_percent", .kind = TABLE_SHARE } },
	{ HAS_IDLE, { .title = "idle", .key = "idle_ns", .kind = TABLE_DURATION } },
	{ HAS_RUNS, { .title = "runs", .key = "runs", .kind = TABLE_COUNT } },
	{ HAS_CAUSES, { .title = "longest", .key = "longest_run_ns", .kind = TABLE_DURATION } },
	{ HAS_CAUSES, { .title = "blocked", .key = "blocked_ns", .kind = TABLE_DURATION } },
	{ HAS_CAUSES,
	  { .title = "unknown",
	    .key = "unknown_ns",
	    .kind = TABLE_DURATION,
	    .is_for_programs_only = true } },
	{ HAS_DELAYS, { .title = "delays", .key = "delays", .kind = TABLE_COUNT } },
	{ HAS_DELAYS, { .title = "total", .key = "delay_ns", .kind = TABLE_DURATION } },
	{ HAS_DELAYS, { .title = "mean", .key = "delay_mean_ns", .kind = TABLE_DURATION } },
	{ HAS_DELAYS, { .title = "p50", .key = "delay_p50_ns", .kind = TABLE_DURATION } },
	{ HAS_DELAYS, { .title = "p99", .key = "delay_p99_ns", .kind = TABLE_DURATION } },
	{ HAS_DELAYS, { .title = "max", .key = "delay_max_ns", .kind = TABLE_DURATION } },
	{ HAS_DELAYS, { .title = "max at", .key = "delay_max_at_ns", .kind = TABLE_TIME } },
	{ HAS_CAUSES, { .title = "preempted", .key = "preempted", .kind = TABLE_COUNT } },
	{ HAS_CAUSES, { .title = "migrations", .key = "migrations", .kind = TABLE_COUNT } },
};

static const struct key_column {
	unsigned by; /* bits of enum task_by */
	struct table_column column;
} key_columns[] = {
	{ 1u << TASK_BY_CPU, { .title = "CPU", .key = "cpu", .kind = TABLE_ID } },
	{ 1u << TASK_BY_THREAD | 1u << TASK_BY_COMM,
	  { .title = "comm", .key = "comm", .kind = TABLE_TEXT } },
	{ 1u << TASK_BY_THREAD, { .title = "tid", .key = "tid", .kind = TABLE_ID } },
	{ 1u << TASK_BY_PROCESS, { .title = "process", .key = "process", .kind = TABLE_TEXT } },
	{ 1u << TASK_BY_THREAD | 1u << TASK_BY_PROCESS,
	  { .title = "pid", .key = "pid", .kind = TABLE_ID } },
	{ 1u << TASK_BY_PREEMPTION,
	  { .title = "preempted", .key = "preempted", .kind = TABLE_TEXT } },
	{ 1u << TASK_BY_PREEMPTION, { .title = "by", .key = "by", .kind = TABLE_TEXT } },
	{ 1u << TASK_BY_WAKER, { .title = "woken", .key = "woken", .kind = TABLE_TEXT } },
	{ 1u << TASK_BY_WAKER, { .title = "by", .key = "by", .kind = TABLE_TEXT } },
};

static void add_columns(struct task_writer *writer)
{
	enum task_by by = writer->stats->by;

	for (size_t i = 0; i < ARRAY_SIZE(value_columns); i++)
		if (value_columns[i].set & columns_of(by))
			table_add_column(writer->table, value_columns[i].column);
	for (size_t i = 0; i < ARRAY_SIZE(key_columns); i++)
		if (key_columns[i].by & 1u << by)
			table_add_column(writer->table, key_columns[i].column);
}

/* count: the number of delays, which may be known without the delays themselves. */
static void add_delays(struct table *table, const struct task_row *row, uint64_t count)
{
	table_add_number(table, count);
	table_add_number(table, row->delay_ns);
	if (count)
		table_add_number(table, row->delay_ns / count);
	else
		table_add_empty(table);
	if (!row->delays_ns.count) {
		for (int i = 0; i < 4; i++)
			table_add_empty(table);
		return;
	}
	table_add_number(table, task_row_quantile(row, 0.5));
	table_add_number(table, task_row_quantile(row, 0.99));
	table_add_number(table, row->longest_delay_ns);
	if (row->longest_delay_ns)
		table_add_number(table, row->longest_delay_at_ns);
	else
		table_add_empty(table);
}

static uint64_t idle_ns_of(const struct task_stats *stats, const struct task_row *row)
{
	uint64_t duration_ns = stats->last_ns - stats->first_ns;

	return duration_ns > row->run_ns ? duration_ns - row->run_ns : 0;
}

static void add_values(struct task_writer *writer, const struct task_row *row, uint64_t idle_ns,
		       uint64_t delay_count)
{
	const struct task_stats *stats = writer->stats;
	unsigned set = columns_of(stats->by);
	uint64_t duration_ns = stats->last_ns - stats->first_ns;
	struct table *table = writer->table;

	if (set & HAS_RUNS) {
		table_add_number(table, row->run_ns);
		table_add_share(table, row->run_ns, duration_ns);
	}
	if (set & HAS_IDLE)
		table_add_number(table, idle_ns);
	if (set & HAS_RUNS)
		table_add_number(table, row->run_count);
	if (set & HAS_CAUSES) {
		table_add_number(table, row->longest_run_ns);
		table_add_number(table, row->blocked_ns);
		table_add_number(table, row->unknown_ns);
	}
	add_delays(table, row, delay_count);
	if (set & HAS_CAUSES) {
		table_add_number(table, row->preempted_count);
		table_add_number(table, row->migration_count);
	}
}

/* Returns a name, or the text for an unknown thread or for a waker that is not a thread. */
static struct text comm_text(const struct profile *profile, uint32_t comm)
{
	if (comm == TASK_NONE)
		return text_of("[unknown]");
	if (comm == TASK_INTERRUPT)
		return text_of("[interrupt]");
	if (comm == TASK_SOFTIRQ)
		return text_of("[softirq]");
	return strings_get(profile->strings, (str_id){ comm });
}

static void add_comm(struct task_writer *writer, uint32_t comm)
{
	table_add_text(writer->table, comm_text(writer->profile, comm));
}

static void add_keys(struct task_writer *writer, const struct task_row *row)
{
	const struct task_thread *thread;

	switch (writer->stats->by) {
	case TASK_BY_THREAD:
		thread = &writer->stats->threads.at[row->key];
		add_comm(writer, thread->comm.i);
		table_add_id(writer->table, thread->tid);
		table_add_id(writer->table, thread->pid);
		break;
	case TASK_BY_COMM:
		add_comm(writer, row->key);
		break;
	case TASK_BY_PROCESS:
		add_comm(writer, row->other);
		table_add_id(writer->table, row->key);
		break;
	case TASK_BY_CPU:
		if (row->key == EVENT_NO_CPU)
			add_comm(writer, TASK_NONE);
		else
			table_add_id(writer->table, row->key);
		break;
	case TASK_BY_PREEMPTION:
	case TASK_BY_WAKER:
		add_comm(writer, row->key);
		add_comm(writer, row->other);
		break;
	}
}

/*
 * Writes the keys of a row: "nginx 1234" for a thread or process, "nginx;make" for a pair of names.
 */
static void write_row_name(const struct task_stats *stats, const struct profile *profile,
			   const struct task_row *row, struct sink *name)
{
	const struct task_thread *thread;

	switch (stats->by) {
	case TASK_BY_THREAD:
		thread = &stats->threads.at[row->key];
		sink_text(name, comm_text(profile, thread->comm.i));
		sink_printf(name, " %" PRId32, (int32_t)thread->tid);
		break;
	case TASK_BY_COMM:
		sink_text(name, comm_text(profile, row->key));
		break;
	case TASK_BY_PROCESS:
		sink_text(name, comm_text(profile, row->other));
		sink_printf(name, " %" PRId32, (int32_t)row->key);
		break;
	case TASK_BY_CPU:
		if (row->key == EVENT_NO_CPU)
			sink_text(name, comm_text(profile, TASK_NONE));
		else
			sink_printf(name, "%" PRIu32, row->key);
		break;
	case TASK_BY_PREEMPTION:
	case TASK_BY_WAKER:
		sink_text(name, comm_text(profile, row->key));
		sink_char(name, ';');
		sink_text(name, comm_text(profile, row->other));
		break;
	}
}

static void name_row(struct task_writer *writer, const struct task_row *row)
{
	struct sink name;

	sink_init_memory(&name);
	write_row_name(writer->stats, writer->profile, row, &name);
	table_name_row(writer->table, sink_memory(&name));
	sink_deinit(&name);
}

/* Adds the sum of all rows, without values that are not sums. */
static void add_totals(struct task_writer *writer)
{
	struct task_row all = { 0 };
	uint64_t idle_ns = 0, delay_count = 0;

	for (size_t i = 0; i < writer->stats->rows.count; i++) {
		const struct task_row *row = &writer->stats->rows.at[i];

		idle_ns = saturate_add(idle_ns, idle_ns_of(writer->stats, row));
		all.run_ns = saturate_add(all.run_ns, row->run_ns);
		all.run_count += row->run_count;
		all.blocked_ns = saturate_add(all.blocked_ns, row->blocked_ns);
		all.unknown_ns = saturate_add(all.unknown_ns, row->unknown_ns);
		all.delay_ns = saturate_add(all.delay_ns, row->delay_ns);
		all.preempted_count += row->preempted_count;
		all.migration_count += row->migration_count;
		delay_count += row->delays_ns.count;
		if (row->longest_run_ns > all.longest_run_ns)
			all.longest_run_ns = row->longest_run_ns;
	}
	add_values(writer, &all, idle_ns, delay_count);
	table_end_totals(writer->table);
}

static void set_heading(struct task_writer *writer)
{
	const struct task_stats *stats = writer->stats;
	struct sink sink;

	sink_init_memory(&sink);
	number_duration(&sink, stats->last_ns - stats->first_ns);
	sink_puts(&sink, " of scheduling; a delay is the time from when a thread becomes runnable "
			 "until it runs");
	table_set_heading(writer->table, table_copy(writer->table, sink_memory(&sink)));
	sink_deinit(&sink);
	table_add_fact_number(writer->table, "duration_ns", stats->last_ns - stats->first_ns);
	table_add_fact_number(writer->table, "missing_switches", stats->missing_count);
	table_add_count_note(
		writer->table, stats->missing_count,
		"context switch is missing; the time around it counts as neither running nor "
		"waiting",
		"context switches are missing; the time around them counts as neither running nor "
		"waiting");
	table_add_count_note(
		writer->table, stats->open_delay_count,
		"thread was still waiting for a CPU at the end; its delay is not counted",
		"threads were still waiting for a CPU at the end; their delays are not counted");
	table_add_count_note(
		writer->table, stats->reused_count,
		"TID was reused by a new thread, which shares a row with the old thread",
		"TIDs were reused by new threads, which share rows with the old threads");
}

static uint64_t value_of(const struct task_row *row, enum task_order order)
{
	switch (order) {
	case TASK_ORDER_RUN:
		return row->run_ns;
	case TASK_ORDER_DELAY:
		return row->delay_ns;
	case TASK_ORDER_MAX:
		return row->longest_delay_ns;
	case TASK_ORDER_RUNS:
		return row->run_count;
	}
	return 0;
}

static void add_rows(struct task_writer *writer, const struct task_table_options *options)
{
	const struct task_stats *stats = writer->stats;
	size_t count = stats->rows.count;
	struct table_rank *order = memory_alloc(count, sizeof(*order));

	/* Rows of task_stats are in order of run time; CPUs are in order of their numbers. */
	for (size_t i = 0; i < count; i++)
		order[i] = (struct table_rank){ value_of(&stats->rows.at[i], options->order), i };
	if (options->order != TASK_ORDER_RUN)
		table_ranks_sort(order, count);
	for (size_t i = 0; i < count && (!options->limit || i < options->limit); i++) {
		const struct task_row *row = &stats->rows.at[order[i].index];

		add_values(writer, row, idle_ns_of(writer->stats, row), row->delays_ns.count);
		add_keys(writer, row);
		if (options->names_rows)
			name_row(writer, row);
	}
	if (options->names_rows)
		add_totals(writer);
	memory_free(order);
}

void task_table_make(const struct task_stats *stats, const struct profile *profile,
		     const struct task_table_options *options, struct table *ret)
{
	struct task_writer writer = { .stats = stats, .profile = profile, .table = ret };

	table_init(ret);
	ret->title = "Scheduling";
	set_heading(&writer);
	add_columns(&writer);
	add_rows(&writer, options);
}

void task_table_write(const struct task_stats *stats, const struct profile *profile,
		      const struct task_table_options *options, struct sink *sink)
{
	struct table table;

	task_table_make(stats, profile, options, &table);
	table_write(&table, options->format, sink);
	table_deinit(&table);
}

void task_table_make_histograms(const struct task_stats *stats, const struct profile *profile,
				struct histogram_set *ret)
{
	struct sink name;

	sink_init_memory(&name);
	histogram_set_begin(ret, text_of("scheduling delays"), 1);
	for (size_t i = 0; i < stats->rows.count; i++) {
		const struct task_row *row = &stats->rows.at[i];

		name.used = 0;
		write_row_name(stats, profile, row, &name);
		if (row->delays_ns.count)
			histogram_set_add(ret, sink_memory(&name), row->delays_ns.at,
					  row->delays_ns.count, 1);
	}
	histogram_set_end(ret);
	sink_deinit(&name);
}
