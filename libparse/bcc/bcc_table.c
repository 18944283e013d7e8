/* SPDX-License-Identifier: MIT */
/*
 * Reads tables of BCC's tools that count by key: funccount, syscount, argdist -C, hardirqs,
 * softirqs, kvmexit, ucalls, uobjnew and others. A row has a key instead of a stack.
 *
 *     PID    COMM     COUNT
 *     4711   app          3            app;4711  3   (event COUNT)
 *
 * Tables printed at intervals cover only their interval, so they are added up. Only argdist -c
 * prints totals. If no row ever shrinks, only the last of these tables is used.
 */
#include "base/hash.h"
#include "base/scan.h"
#include "libparse/banner.h"
#include "libparse/bcc/bcc.h"
#include "libparse/bcc/bcc_frame.h"
#include "libparse/bcc/bcc_intervals.h"
#include "libparse/event.h"
#include "libparse/text.h"

/*
 * The columns of a table that counts by key, as BCC's tools print them, and its rows:
 *
 *     SYSCALL      COUNT   TIME (us)         PID    COMM      COUNT         COUNT      EVENT
 *     futex           16 3415860.022         4711   app x         3         3          size = 16
 *     key          count         sum         id     key       count         count      key
 *
 * Only tables with a known header are read. The weight is the time or bytes column or, if there is
 * none, the count.
 */

#define BCC_COLUMNS_MAX 8
#define BCC_IDS_MAX     2

struct bcc_column;

struct bcc_columns {
	const struct bcc_column *at[BCC_COLUMNS_MAX];
	uint32_t count;
	uint32_t key;      /* the key's column; all other columns are single words */
	bool has_section;  /* the line before the header names the table */
	struct text event; /* what the table counts */
	enum weight_unit unit;
};

struct bcc_row {
	struct text key;
	struct text ids[BCC_IDS_MAX]; /* ids of processes and threads, parts of the key */
	uint32_t id_count;
	uint64_t sample_count, weight;
};

enum role {
	ROLE_KEY,
	ROLE_ID,
	ROLE_OTHER, /* neither counted nor part of the key */
	ROLE_COUNT,
	ROLE_SUM,
};

struct bcc_column {
	const char *header;
	enum role role;
	const char *event; /* the event that is counted */
	enum weight_unit unit;
	uint64_t factor; /* each count stands for this number of units */
};

/* If a header is a prefix of another header, the longer one comes first. */
static const struct bcc_column known[] = {
	{ .header = "SYSCALL", .role = ROLE_KEY },
	{ .header = "PPC HCALL", .role = ROLE_KEY },
	{ .header = "FUNC", .role = ROLE_KEY },
	{ .header = "METHOD", .role = ROLE_KEY },
	{ .header = "NAME/TYPE", .role = ROLE_KEY },
	{ .header = "TYPE", .role = ROLE_KEY },
	{ .header = "HARDIRQ", .role = ROLE_KEY },
	{ .header = "SOFTIRQ", .role = ROLE_KEY },
	{ .header = "KVM_EXIT_REASON", .role = ROLE_KEY },
	{ .header = "COMM", .role = ROLE_KEY },
	{ .header = "EVENT", .role = ROLE_KEY },
	{ .header = "PID", .role = ROLE_ID },
	{ .header = "TID", .role = ROLE_ID },
	{ .header = "TIDS", .role = ROLE_ID }, /* the thread ids of kvmexit -T */
	{ .header = "ADDR", .role = ROLE_OTHER },
	{ .header = "MIN (us)", .role = ROLE_OTHER },
	{ .header = "MAX (us)", .role = ROLE_OTHER },
	{ .header = "AVG (us)", .role = ROLE_OTHER },
	{ .header = "COUNT", .role = ROLE_COUNT, .event = "COUNT" },
	{ .header = "# CALLS", .role = ROLE_COUNT, .event = "CALLS" },
	{ .header = "# ALLOCS", .role = ROLE_COUNT, .event = "ALLOCS" },
	{ .header = "TOTAL_count", .role = ROLE_COUNT, .event = "TOTAL_count" },
	{ "TOTAL_usecs", ROLE_SUM, "TOTAL_usecs", UNIT_NANOSECONDS, 1000 },
	{ "TOTAL_nsecs", ROLE_SUM, "TOTAL_nsecs", UNIT_NANOSECONDS, 1 },
	{ "TIME (us)", ROLE_SUM, "TIME", UNIT_NANOSECONDS, 1000 },
	{ "TIME (ms)", ROLE_SUM, "TIME", UNIT_NANOSECONDS, 1000000 },
	{ "# BYTES", ROLE_SUM, "BYTES", UNIT_BYTES, 1 },
};

/* Removes the header of one column from the front. Returns NULL if the header is unknown. */
static const struct bcc_column *read_header(struct text *rest)
{
	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		uint32_t length = (uint32_t)strlen(known[i].header);

		if (!text_has_prefix(*rest, known[i].header) ||
		    (length < rest->length && !is_blank(rest->at[length])))
			continue;
		*rest = text_trim((struct text){ rest->at + length, rest->length - length });
		return &known[i];
	}
	return NULL;
}

/* Finds the table's event: time or bytes if the table has them, otherwise the count. */
static bool find_event(struct bcc_columns *columns)
{
	const struct bcc_column *counted = NULL;

	for (uint32_t i = 0; i < columns->count; i++)
		if (columns->at[i]->event && (!counted || columns->at[i]->role == ROLE_SUM))
			counted = columns->at[i];
	if (!counted)
		return false;
	columns->event = text_of(counted->event);
	columns->unit = counted->role == ROLE_SUM ? counted->unit : UNIT_SAMPLES;
	return true;
}

/* Returns false if the line is not a known header. */
static bool bcc_columns_parse(struct text line, struct bcc_columns *ret)
{
	struct text rest = text_trim(line);
	uint32_t key_count = 0;
	uint32_t id_count = 0;

	*ret = (struct bcc_columns){ .count = 0 };
	while (rest.length) {
		const struct bcc_column *column = read_header(&rest);

		if (!column || ret->count == BCC_COLUMNS_MAX)
			return false;
		id_count += column->role == ROLE_ID;
		if (column->role == ROLE_KEY) {
			key_count++;
			ret->key = ret->count;
			ret->has_section = strcmp(column->header, "EVENT") == 0;
		}
		ret->at[ret->count++] = column;
	}
	return key_count == 1 && id_count <= BCC_IDS_MAX && find_event(ret);
}

/* Reads "3415860.022" times factor, a power of ten. Fractions of the result are dropped. */
static bool read_number(struct text word, uint64_t factor, uint64_t *ret)
{
	const char *point = word.length ? memchr(word.at, '.', word.length) : NULL;
	struct text whole = word;
	uint64_t value;

	if (point)
		whole.length = (uint32_t)(point - word.at);
	if (!text_to_u64(whole, &value) || __builtin_mul_overflow(value, factor, &value))
		return false;
	for (const char *at = point; at && ++at < word.at + word.length; factor /= 10) {
		if (*at < '0' || *at > '9' ||
		    __builtin_add_overflow(value, (uint64_t)(*at - '0') * (factor / 10), &value))
			return false;
	}
	*ret = value;
	return true;
}

static bool read_cell(const struct bcc_column *column, struct text word, struct bcc_row *row)
{
	uint64_t ignored;

	switch (column->role) {
	case ROLE_ID:
		row->ids[row->id_count++] = word;
		return text_to_u64(word, &ignored);
	case ROLE_COUNT:
		return text_to_u64(word, &row->sample_count);
	case ROLE_SUM:
		return read_number(word, column->factor, &row->weight);
	case ROLE_KEY:
	case ROLE_OTHER:
		break;
	}
	return true;
}

static bool read_last_word(struct text *rest, struct text *ret)
{
	uint32_t begin;

	*rest = text_trim(*rest);
	begin = rest->length;
	while (begin && !is_blank(rest->at[begin - 1]))
		begin--;
	*ret = (struct text){ rest->at + begin, rest->length - begin };
	rest->length = begin;
	return ret->length > 0;
}

/* Returns false if the line is not a row of the table. */
static bool bcc_columns_read(const struct bcc_columns *columns, struct text line,
			     struct bcc_row *ret)
{
	struct text rest = line;
	struct text word;

	*ret = (struct bcc_row){ .sample_count = 1 };
	for (uint32_t i = 0; i < columns->key; i++)
		if (!text_next_word(&rest, &word) || !read_cell(columns->at[i], word, ret))
			return false;
	for (uint32_t i = columns->count; i-- > columns->key + 1;)
		if (!read_last_word(&rest, &word) || !read_cell(columns->at[i], word, ret))
			return false;
	ret->key = bcc_unquoted(text_trim(rest));
	if (columns->unit == UNIT_SAMPLES)
		ret->weight = ret->sample_count;
	return ret->key.length > 0;
}

/* The table that is being read. */
struct bcc_table {
	struct bcc_columns columns;
	struct text section; /* the line before the header; empty if there is none */
	uint64_t offset;
	const char *rows, *stop; /* the byte range of the rows in the window */
};

static void begin_snapshot(struct snapshots *snapshots, const struct bcc_table *table)
{
	struct sink name;

	sink_init_memory(&name);
	sink_text(&name, table->columns.event);
	sink_puts(&name, table->section.length ? " of " : "");
	sink_text(&name, table->section);
	snapshots_begin(snapshots, sink_memory(&name), table->offset);
	sink_deinit(&name);
}

static void add_to_snapshot(struct snapshots *snapshots, const struct bcc_table *table,
			    const struct bcc_row *row)
{
	uint64_t hash = hash_bytes(row->key.at, row->key.length, 0);

	for (uint32_t i = 0; i < row->id_count; i++)
		hash = hash_bytes(row->ids[i].at, row->ids[i].length, hash);
	snapshots_add(snapshots, &(struct snapshot_entry){
					 .key = hash,
					 .value = row->weight,
					 .unit = table->columns.unit,
					 .only_grows = true,
				 });
}

/* The key serves as the comm, unless the table has a section. */
static void send_row(const struct event_sink *sink, const struct bcc_table *table,
		     const struct bcc_row *row)
{
	struct text frames[BCC_IDS_MAX + 1];
	uint32_t count = 0;
	struct event event = { .kind = EVENT_SAMPLE, .offset = table->offset };
	struct event_text_sample text = {
		.comm = table->section.length ? table->section : row->key,
		.event = table->columns.event,
		.unit = table->columns.unit,
		.is_table = true,
		.sample_count = row->sample_count,
		.frames = frames,
	};

	if (table->section.length)
		frames[count++] = row->key;
	for (uint32_t i = row->id_count; i-- > 0;)
		frames[count++] = row->ids[i];
	text.frame_count = count;
	event.sample = (struct event_sample){
		.present = SAMPLE_HAS_PERIOD | SAMPLE_HAS_CALLCHAIN,
		.period = row->weight,
		.text = &text,
	};
	event_send(sink, &event);
}

/* Whether a line is the section of a table whose header is in the next line. */
static bool is_section(struct text line, struct text next)
{
	struct bcc_columns columns;

	return line.length && !text_is_indented(line) && !banner_is(line) &&
	       bcc_columns_parse(next, &columns) && columns.has_section;
}

/*
 * Reads two lines. The second is empty if the input ends after the first. Returns false if a line
 * does not end in the window; *at is then behind lines of "^C" only.
 */
static bool next_two(const struct text_window *window, const char **at, struct text *line_ret,
		     struct text *next_ret)
{
	const char *begin = *at;
	const char *behind;

	*next_ret = (struct text){ "", 0 };
	if (!banner_next_line(at, window->end, window->is_last, line_ret))
		return false;
	behind = *at;
	if (banner_next_line(&behind, window->end, window->is_last, next_ret) || window->is_last)
		return true;
	*at = begin;
	return false;
}

/*
 * Finds where the rows from `from` end: at a banner, an empty line or another table. Returns NULL
 * if the end of the rows is not in the window.
 */
static const char *find_stop(const struct text_window *window, const char *from)
{
	const char *begin = from;
	const char *at = from;
	struct bcc_columns ignored;
	struct text line;
	struct text next;

	while (next_two(window, &at, &line, &next)) {
		if (banner_is(line) || is_section(line, next) || bcc_columns_parse(line, &ignored))
			return begin;
		begin = at;
	}
	return window->is_last ? window->end : NULL;
}

static void read_rows(struct bcc_parser *parser, const struct text_window *window,
		      const struct bcc_table *table)
{
	bool is_kept = !parser->snapshots && snapshots_keeps(parser->decided, table->offset);
	const char *at = table->rows;
	struct text line;
	struct bcc_row row;

	while (banner_next_line(&at, table->stop, true, &line))
		if (!bcc_columns_read(&table->columns, line, &row))
			text_skip(&parser->skips, text_offset(window, line.at));
		else if (parser->snapshots)
			add_to_snapshot(parser->snapshots, table, &row);
		else if (is_kept)
			send_row(parser->sink, table, &row);
}

/*
 * Reads the table that begins with line, which is its section or its header. `at` is the start of
 * the next line.
 */
static enum bcc_result read_table(struct bcc_parser *parser, struct text_window *window,
				  struct text line, struct text next, const char *at)
{
	struct bcc_table table = { .section = { "", 0 }, .offset = text_offset(window, line.at) };

	if (is_section(line, next)) {
		table.section = line;
		banner_next_line(&at, window->end, window->is_last, &line);
	}
	if (!bcc_columns_parse(line, &table.columns))
		return BCC_NOT_READ;
	table.rows = at;
	table.stop = find_stop(window, at);
	if (!table.stop)
		return BCC_TRUNCATED;
	parser->is_of_argdist |= table.columns.has_section;
	if (parser->snapshots)
		begin_snapshot(parser->snapshots, &table);
	read_rows(parser, window, &table);
	window->at = table.stop;
	return BCC_READ;
}

static void read_lines(void *context, struct text_window *window)
{
	struct bcc_parser *parser = context;
	struct text line;
	struct text next;

	while (window->at < window->stop) {
		const char *at = window->at;

		if (!next_two(window, &at, &line, &next)) {
			window->at = at;
			return;
		}
		switch (read_table(parser, window, line, next, at)) {
		case BCC_READ:
			break;
		case BCC_TRUNCATED:
			text_give_up(window, &parser->skips);
			return;
		case BCC_NOT_READ:
			if (!banner_is(line))
				text_skip(&parser->skips, text_offset(window, line.at));
			window->at = at;
		}
	}
}

/*
 * If other lines precede the table, confidence is lower: the table may be part of a report with
 * stacks.
 */
static struct evidence probe(struct span head)
{
	const char *next = (const char *)head.begin;
	const char *end = (const char *)head.end;
	enum confidence confidence = CONFIDENCE_LIKELY;
	struct bcc_columns columns;
	struct text line;

	while (banner_next_line(&next, end, true, &line)) {
		const char *behind = next;
		struct text second = { "", 0 };

		if (bcc_columns_parse(line, &columns))
			return evidence_at(confidence, head, line.at,
					   "the heading of a table of counts");
		banner_next_line(&behind, end, true, &second);
		if (!banner_is(line) && !is_section(line, second))
			confidence = CONFIDENCE_PERHAPS;
	}
	return evidence_none();
}

static bool open_bcc_table(struct capture *capture, struct error *err)
{
	return bcc_intervals_open(capture, read_lines, err);
}

static bool read_samples(const struct capture *capture, struct slice slice,
			 const struct event_sink *sink, struct error *err)
{
	return bcc_intervals_read_samples(capture, slice, read_lines, sink, err);
}

/* A part of a key is not code, so the frame has only a name. */
static void read_frame(const void *reader, struct text raw, event_frame_callback *callback,
		       void *context)
{
	(void)reader;
	callback(context, &(struct event_frame){
				  .name = raw,
				  .module = { "", 0 },
				  .is_exact = raw.length > 0,
			  });
}

const struct input_format bcc_table_format = {
	.name = "bcc-table",
	.summary = "counts by key, printed by BCC tools",
	.title = "counts by key of BCC",
	.ends_in = "\n",
	.probe = probe,
	.open = open_bcc_table,
	.close = bcc_intervals_close,
	.read_state = bcc_intervals_read_state,
	.read_samples = read_samples,
	.read_frame = read_frame,
	.has_exact_comms = true,
};
