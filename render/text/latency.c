/* SPDX-License-Identifier: MIT */
#include "render/text/latency.h"

#include <inttypes.h>

#include "base/arithmetic.h"
#include "base/scan.h"
#include "base/vec.h"
#include "offcpu/single_intervals.h"
#include "profile/interval.h"
#include "render/json.h"
#include "render/number.h"

/* Shares are in thousandths; rows are in the order of columns. */
static const struct {
	const char *name;
	unsigned share;
} percentiles[] = { { "p50", 500 }, { "p90", 900 }, { "p99", 990 }, { "p999", 999 } };

#define PERCENTILE_COUNT ARRAY_SIZE(percentiles)

/* The entry is blocked time or a span, not a delay on the run queue. */
#define MARK_NONE UINT32_MAX

/* The number of times that a duration occurred. */
struct latency_entry {
	uint32_t stack; /* row of the profile */
	uint32_t mark;  /* frame that marks a delay on the run queue, or MARK_NONE */
	uint64_t duration_ns, count;
	const struct single_interval *single; /* NULL if there are several, or it is not known */
};

struct latency_row {
	uint32_t stack;
	uint32_t mark;
	uint64_t count, total_ns, mean_ns, longest_ns;
	uint64_t percentiles_ns[PERCENTILE_COUNT];
	const struct single_interval *longest; /* NULL if not known */
};

typedef VEC(struct latency_row) latency_rows;

struct latency {
	const struct profile *profile;
	const struct latency_options *options;
	VEC(struct latency_entry) entries;
	latency_rows rows;
	latency_rows totals;    /* over all stacks */
	VEC(struct text) names; /* the frames of one row, outermost first */
};

/* Returns the row of the profile for which a leaf counts. */
static uint32_t row_of(const struct latency *latency, uint32_t leaf)
{
	const struct stack *stacks = latency->profile->stacks.at;
	uint32_t row = stacks[leaf].parent;

	while (latency->options->level_count && stacks[row].depth > latency->options->level_count)
		row = stacks[row].parent;
	return row;
}

/*
 * Returns the mark of a leaf, because delays on the run queue are not blocked time, even with the
 * same stack.
 */
static uint32_t mark_of(const struct profile *profile, uint32_t leaf)
{
	frame_id frame = profile->stacks.at[profile->stacks.at[leaf].parent].frame;
	enum frame_kind kind = profile->frames.at[frame.i].kind;

	return kind == FRAME_RUN_QUEUE || kind == FRAME_PREEMPTED ? frame.i : MARK_NONE;
}

static bool duration_of(const struct profile *profile, frame_id frame,
			const struct single_interval *single, uint64_t *ret)
{
	if (!single)
		return text_to_u64(profile_frame_name(profile, frame), ret);
	/* Round the duration like those of intervals without a frame, so that frames do not affect
	 * percentiles. */
	*ret = interval_round_ns(single->duration_ns);
	return true;
}

static void collect(struct latency *latency)
{
	const struct profile *profile = latency->profile;

	for (uint32_t i = 1; i < profile->stacks.count; i++) {
		const struct stack *stack = &profile->stacks.at[i];
		const struct single_interval *single = single_intervals_find(profile, stack->frame);
		uint64_t duration_ns;

		if (stack->self && duration_of(profile, stack->frame, single, &duration_ns))
			vec_push(&latency->entries, (struct latency_entry){
							    .stack = row_of(latency, i),
							    .mark = mark_of(profile, i),
							    .duration_ns = duration_ns,
							    .count = stack->self,
							    .single = single,
						    });
	}
}

static int compare_entries(const void *a, const void *b)
{
	const struct latency_entry *left = a;
	const struct latency_entry *right = b;

	if (left->stack != right->stack)
		return left->stack < right->stack ? -1 : 1;
	if (left->mark != right->mark)
		return left->mark < right->mark ? -1 : 1;
	return (left->duration_ns > right->duration_ns) - (left->duration_ns < right->duration_ns);
}

/*
 * Returns the shortest duration such that at least this share of all durations is not longer.
 * Entries must be ascending.
 */
static uint64_t percentile(const struct latency_entry *entries, size_t count, uint64_t of,
			   unsigned share)
{
	struct ratio part = ratio_of(of, share, 1000);
	uint64_t wanted = part.quotient + (part.remainder != 0);
	uint64_t seen = 0;

	for (size_t i = 0; i < count; i++) {
		seen += entries[i].count;
		if (seen >= wanted)
			return entries[i].duration_ns;
	}
	return 0;
}

/* Returns the longer of two intervals or, if they are equally long, the earlier one. */
static const struct single_interval *longer(const struct single_interval *a,
					    const struct single_interval *b)
{
	if (!a || !b)
		return a ? a : b;
	if (a->duration_ns != b->duration_ns)
		return a->duration_ns > b->duration_ns ? a : b;
	if (a->begin_ns != b->begin_ns)
		return a->begin_ns < b->begin_ns ? a : b;
	return a->interval < b->interval ? a : b;
}

/* Makes a row from its entries, which are sorted by duration. */
static struct latency_row make_row(const struct latency_entry *entries, size_t count)
{
	struct latency_row row = {
		.stack = entries[0].stack,
		.mark = entries[0].mark,
		.longest_ns = entries[count - 1].duration_ns,
	};

	for (size_t i = 0; i < count; i++) {
		row.count = saturate_add(row.count, entries[i].count);
		row.total_ns = saturate_add(
			row.total_ns, saturate_multiply(entries[i].duration_ns, entries[i].count));
		row.longest = longer(row.longest, entries[i].single);
	}
	if (row.longest)
		row.longest_ns = row.longest->duration_ns;
	row.mean_ns = saturate_add(row.total_ns, row.count / 2) / row.count;
	for (size_t i = 0; i < PERCENTILE_COUNT; i++) {
		uint64_t rounded_ns = percentile(entries, count, row.count, percentiles[i].share);

		/* The maximum is not rounded. */
		row.percentiles_ns[i] = rounded_ns < row.longest_ns ? rounded_ns : row.longest_ns;
	}
	return row;
}

/* Rows of the profile are sorted by name. */
static int compare_rows(const void *a, const void *b)
{
	const struct latency_row *left = a;
	const struct latency_row *right = b;

	if (left->total_ns != right->total_ns)
		return left->total_ns > right->total_ns ? -1 : 1;
	if (left->stack != right->stack)
		return left->stack < right->stack ? -1 : 1;
	return (left->mark < right->mark) - (left->mark > right->mark);
}

/* Makes a row for each stack and mark, by total time, largest first. */
static void make_rows(struct latency *latency, latency_rows *ret)
{
	const struct latency_entry *entries = latency->entries.at;
	size_t end;

	if (latency->entries.count > 1)
		qsort(latency->entries.at, latency->entries.count, sizeof(*entries),
		      compare_entries);
	for (size_t i = 0; i < latency->entries.count; i = end) {
		for (end = i + 1; end < latency->entries.count; end++)
			if (entries[end].stack != entries[i].stack ||
			    entries[end].mark != entries[i].mark)
				break;
		vec_push(ret, make_row(entries + i, end - i));
	}
	if (ret->count > 1)
		qsort(ret->at, ret->count, sizeof(*ret->at), compare_rows);
}

/* Makes the rows for all stacks together. Sets the stacks of all entries to 0. */
static void make_totals(struct latency *latency)
{
	for (size_t i = 0; i < latency->entries.count; i++)
		latency->entries.at[i].stack = 0;
	make_rows(latency, &latency->totals);
}

static void find_names(struct latency *latency, const struct latency_row *of)
{
	const struct profile *profile = latency->profile;
	uint32_t depth = profile->stacks.at[of->stack].depth;

	vec_reserve(&latency->names, depth);
	latency->names.count = depth;
	for (uint32_t row = of->stack; depth; row = profile->stacks.at[row].parent)
		latency->names.at[--depth] =
			profile_frame_name(profile, profile->stacks.at[row].frame);
	/* A whole stack includes its mark. */
	if (of->mark != MARK_NONE && (latency->options->level_count || !of->stack))
		vec_push(&latency->names, profile_frame_name(profile, (frame_id){ of->mark }));
}

static bool shows_longest(const struct latency *latency)
{
	return latency->profile->singles.count;
}

/* "comm" and other kinds of rows are also column names. */
static void add_columns(const struct latency *latency, struct table *table)
{
	static const struct table_column values[] = {
		{ .title = "count", .key = "count", .kind = TABLE_COUNT },
		{ .title = "total",
		  .key = "total_ns",
		  .kind = TABLE_DURATION,
		  .is_for_programs_only = true },
		{ .title = "mean", .key = "mean_ns", .kind = TABLE_DURATION },
		{ .title = "p50", .key = "p50_ns", .kind = TABLE_DURATION },
		{ .title = "p90", .key = "p90_ns", .kind = TABLE_DURATION },
		{ .title = "p99", .key = "p99_ns", .kind = TABLE_DURATION },
		{ .title = "p999", .key = "p999_ns", .kind = TABLE_DURATION },
		{ .title = "max", .key = "max_ns", .kind = TABLE_DURATION },
	};
	static const struct table_column longest[] = {
		{ .title = "time of max", .key = "max_at_ns", .kind = TABLE_TIME },
		{ .title = "thread of max",
		  .key = "max_thread",
		  .kind = TABLE_TEXT,
		  .is_for_people_only = true },
		{ .title = "comm of max",
		  .key = "max_comm",
		  .kind = TABLE_TEXT,
		  .is_for_programs_only = true },
		{ .title = "tid of max",
		  .key = "max_tid",
		  .kind = TABLE_ID,
		  .is_for_programs_only = true },
	};
	const char *name = latency->options->row_name;

	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		table_add_column(table, values[i]);
	for (size_t i = 0; shows_longest(latency) && i < ARRAY_SIZE(longest); i++)
		table_add_column(table, longest[i]);
	table_add_column(table, (struct table_column){ .title = name, .key = name });
}

/* The time and thread of the maximum. */
static void add_longest(const struct latency *latency, const struct single_interval *longest,
			struct table *table)
{
	struct sink thread;
	struct text comm;

	if (!longest) {
		for (int i = 0; i < 4; i++)
			table_add_empty(table);
		return;
	}
	comm = strings_get(latency->profile->strings, longest->comm);
	sink_init_memory(&thread);
	sink_text(&thread, comm);
	sink_printf(&thread, "/%" PRId32, (int32_t)longest->tid);
	table_add_number(table, longest->begin_ns);
	table_add_text(table, table_copy(table, sink_memory(&thread)));
	table_add_text(table, comm);
	table_add_id(table, longest->tid);
	sink_deinit(&thread);
}

static void add_values(const struct latency *latency, const struct latency_row *row,
		       struct table *table)
{
	table_add_number(table, row->count);
	table_add_number(table, row->total_ns);
	table_add_number(table, row->mean_ns);
	for (size_t i = 0; i < PERCENTILE_COUNT; i++)
		table_add_number(table, row->percentiles_ns[i]);
	table_add_number(table, row->longest_ns);
	if (shows_longest(latency))
		add_longest(latency, row->longest, table);
}

/* The frames of a row, or "(all)", joined by semicolons. */
static struct text row_name(struct latency *latency, const struct latency_row *row,
			    struct table *table)
{
	struct sink name;
	struct text ret;

	find_names(latency, row);
	sink_init_memory(&name);
	sink_puts(&name, row->stack ? "" : "(all)");
	for (size_t i = 0; i < latency->names.count; i++) {
		sink_puts(&name, i || !row->stack ? ";" : "");
		sink_text(&name, latency->names.at[i]);
	}
	ret = table_copy(table, sink_memory(&name));
	sink_deinit(&name);
	return ret;
}

static void add_row(struct latency *latency, const struct latency_row *row, struct table *table)
{
	struct text name = row_name(latency, row, table);

	add_values(latency, row, table);
	table_add_text(table, name);
	if (latency->options->names_rows)
		table_name_row(table, name);
}

static void set_heading(const struct latency *latency, struct table *table)
{
	const struct profile *profile = latency->profile;
	struct sink sink;

	sink_init_memory(&sink);
	sink_text(&sink, strings_get(profile->strings, profile->weight_name));
	sink_puts(&sink, ", from ");
	sink_text(&sink, strings_get(profile->strings, profile->event_name));
	sink_puts(&sink, ": ");
	number_grouped(&sink, profile->view_sample_count);
	sink_puts(&sink, profile->view_sample_count == 1 ? " interval" : " intervals");
	if (latency->options->has_windows)
		sink_puts(&sink, "; full durations of intervals that overlap --time");
	table_set_heading(table, table_copy(table, sink_memory(&sink)));
	sink_deinit(&sink);
}

/* CSV does not have total rows ("(all)"), so that programs can add up a column. */
static void fill_table(struct latency *latency, size_t row_count, struct table *table)
{
	const struct latency_options *options = latency->options;
	bool has_totals = options->format != TABLE_FORMAT_CSV && !options->names_rows;

	table->title = "Latencies";
	set_heading(latency, table);
	add_columns(latency, table);
	for (size_t i = 0; has_totals && i < latency->totals.count; i++)
		add_row(latency, &latency->totals.at[i], table);
	for (size_t i = 0; i < row_count; i++)
		add_row(latency, &latency->rows.at[i], table);
	/* Waits are not added to delays on the run queue. */
	if (!options->names_rows || latency->totals.count != 1)
		return;
	add_values(latency, &latency->totals.at[0], table);
	table_end_totals(table);
}

void latency_write_window(struct sink *sink, const struct single_interval *single)
{
	number_seconds(sink, single->begin_ns);
	sink_char(sink, ',');
	/* The end of --time is inclusive. */
	number_seconds(sink, saturate_add(single->begin_ns, single->duration_ns));
}

static void write_json_longest(const struct latency *latency, const struct single_interval *longest,
			       struct json *json)
{
	struct sink window;

	sink_init_memory(&window);
	latency_write_window(&window, longest);
	json_open_object(json, "max");
	json_u64(json, "begin_ns", longest->begin_ns);
	json_u64(json, "duration_ns", longest->duration_ns);
	json_text(json, "time", sink_memory(&window));
	json_text(json, "comm", strings_get(latency->profile->strings, longest->comm));
	json_u64(json, "pid", longest->pid);
	json_u64(json, "tid", longest->tid);
	json_close_object(json);
	sink_deinit(&window);
}

static void write_json_row(struct latency *latency, const struct latency_row *row,
			   struct json *json)
{
	char key[16];

	json_open_object(json, NULL);
	find_names(latency, row);
	json_open_array(json, latency->options->row_name);
	for (size_t i = 0; i < latency->names.count; i++)
		json_text(json, NULL, latency->names.at[i]);
	json_close_array(json);
	json_u64(json, "count", row->count);
	json_u64(json, "total_ns", row->total_ns);
	json_u64(json, "mean_ns", row->mean_ns);
	for (size_t i = 0; i < PERCENTILE_COUNT; i++) {
		snprintf(key, sizeof(key), "%s_ns", percentiles[i].name);
		json_u64(json, key, row->percentiles_ns[i]);
	}
	json_u64(json, "max_ns", row->longest_ns);
	if (row->longest)
		write_json_longest(latency, row->longest, json);
	json_close_object(json);
}

static void write_json(struct latency *latency, size_t row_count, struct sink *sink)
{
	const struct profile *profile = latency->profile;
	struct json json;

	json_init(&json, sink);
	json_open_object(&json, NULL);
	json_text(&json, "event", strings_get(profile->strings, profile->event_name));
	json_text(&json, "of", strings_get(profile->strings, profile->weight_name));
	json_u64(&json, "count", profile->view_sample_count);
	if (latency->options->has_windows)
		json_text(&json, "time",
			  text_of("full durations of intervals that overlap --time"));
	json_open_array(&json, "all");
	for (size_t i = 0; i < latency->totals.count; i++)
		write_json_row(latency, &latency->totals.at[i], &json);
	json_close_array(&json);
	json_open_array(&json, "rows");
	for (size_t i = 0; i < row_count; i++)
		write_json_row(latency, &latency->rows.at[i], &json);
	json_close_array(&json);
	json_close_object(&json);
	json_finish(&json);
}

static size_t init(struct latency *latency)
{
	uint64_t limit = latency->options->limit;

	collect(latency);
	make_rows(latency, &latency->rows);
	make_totals(latency);
	return limit && latency->rows.count > limit ? (size_t)limit : latency->rows.count;
}

static void deinit(struct latency *latency)
{
	vec_free(&latency->entries);
	vec_free(&latency->rows);
	vec_free(&latency->totals);
	vec_free(&latency->names);
}

void latency_make(const struct profile *profile, const struct latency_options *options,
		  struct table *ret)
{
	struct latency latency = { .profile = profile, .options = options };
	size_t row_count = init(&latency);

	table_init(ret);
	fill_table(&latency, row_count, ret);
	deinit(&latency);
}

void latency_write(const struct profile *profile, const struct latency_options *options,
		   struct sink *sink)
{
	struct latency latency = { .profile = profile, .options = options };
	size_t row_count;
	struct table table;

	if (options->format == TABLE_FORMAT_JSON) {
		row_count = init(&latency);
		write_json(&latency, row_count, sink);
		deinit(&latency);
		return;
	}
	latency_make(profile, options, &table);
	table_write(&table, options->format, sink);
	table_deinit(&table);
}
