/* SPDX-License-Identifier: MIT */
/*
 * Reads time and allocation profiles of programs that GHC compiled with -prof. +RTS -p, -P and -pa
 * write these profiles to PROGRAM.prof. The second of two tables contains the stacks of cost
 * centres:
 *
 *             Thu May  2 10:00 2024 Time and Allocation Profiling Report  (Final)
 *
 *                sort +RTS -P -RTS
 *
 *             total time  =        0.02 secs   (20 ticks @ 1000 us, ...)
 *     ...
 *                                                            individual      inherited
 *     COST CENTRE MODULE SRC          no.     entries  %time %alloc   %time %alloc  ticks     bytes
 *
 *     MAIN        MAIN   <built-in>   120           0   10.0    0.1   100.0  100.0      2       800
 *      CAF        Main   <entire...>  239           0    0.0    0.0    90.0   99.9      0        16
 *       main      Main   sort.hs:3:1  240           1   90.0   99.9    90.0   99.9     18    800000
 *
 * Columns are aligned by characters, not by bytes. Names of cost centres and files can contain
 * blanks. Versions before 8.0 lack the column SRC; only -P and -pa write ticks and bytes.
 */
#include "base/arithmetic.h"
#include "base/scan.h"
#include "libparse/text.h"
#include "libparse/tree/tree_path.h"
#include "libparse/tree/trees.h"

#define REPORT_HEADING " Time and Allocation Profiling Report "
#define TIME_HEADING   "total time "

/*
 * The number of numbers at the end of a row: no. entries %time %alloc %time %alloc, and ticks
 * bytes.
 */
#define NUMBERS_MAX 8
/*
 * The number of decimals to which percentages are extended, as in UNIT_MILLIONTHS. In the file,
 * percentages have one decimal.
 */
#define MILLIONTH_DECIMALS 6

/* Each row has two values: a time and an amount of memory. */
enum ghc_value {
	GHC_TIME,
	GHC_MEMORY,
	GHC_VALUE_COUNT
};

struct ghc_columns {
	size_t module;       /* where the column begins, in characters */
	size_t number_count; /* number of numbers at the end of each row */
	bool has_counts;     /* rows have ticks and bytes, not only percentages */
};

struct ghc_row {
	size_t depth;
	struct text name, module;
	uint64_t values[GHC_VALUE_COUNT];
};

struct ghc_parser {
	const struct event_sink *sink;
	bool is_state_pass;   /* sends facts, not samples */
	enum ghc_value value; /* the value to send */
	struct text_skips skips;
	struct tree_path path; /* texts: "MODULE NAME" */
	struct sink program;   /* empty: unknown */
	struct sink scratch;
	struct ghc_columns columns;
	uint64_t heading_ticks; /* ticks in the heading of the current report */
	/*
	 * Sums over all reports with the column "ticks": ticks in the rows, and ticks in the
	 * headings.
	 */
	uint64_t tick_count, total_tick_count;
	bool is_after_heading; /* the next line is the command line */
	bool is_in_table, has_rows, is_after_blank;
};

/* Reads the heading of the table of stacks. */
static bool parse_heading(struct text line, struct ghc_columns *ret)
{
	static const char *const words[] = {
		"COST",  "CENTRE", "MODULE", "SRC",    "no.",   "entries",
		"%time", "%alloc", "%time",  "%alloc", "ticks", "bytes",
	};
	enum {
		SRC = 3,
		TICKS = 10
	};
	struct text rest = line;
	struct text word;
	size_t count = 0;

	*ret = (struct ghc_columns){ .number_count = NUMBERS_MAX - 2 };
	while (text_next_word(&rest, &word)) {
		if (count == SRC && !text_is(word, words[SRC]))
			count++;
		if (count == ARRAY_SIZE(words) || !text_is(word, words[count]))
			return false;
		if (count == SRC - 1)
			ret->module = (size_t)(word.at - line.at);
		count++;
	}
	ret->has_counts = count == ARRAY_SIZE(words);
	if (ret->has_counts)
		ret->number_count = NUMBERS_MAX;
	return ret->has_counts || count == TICKS;
}

/* Returns the text after the first character_count characters, in UTF-8. */
static struct text text_after(struct text text, size_t character_count)
{
	uint32_t at = 0;

	for (; at < text.length; at++)
		if (((unsigned char)text.at[at] & 0xc0) != 0x80 && !character_count--)
			break;
	return text_from(text, at);
}

static bool parse_values(const struct ghc_columns *columns, const struct text *words, size_t first,
			 struct ghc_row *ret)
{
	size_t at = columns->has_counts ? columns->number_count - GHC_VALUE_COUNT : 2;

	for (int i = 0; i < GHC_VALUE_COUNT; i++) {
		struct text word = words[(first + at + (size_t)i) % columns->number_count];

		if (columns->has_counts
			    ? !text_to_u64(word, &ret->values[i])
			    : !scan_decimal(&word, MILLIONTH_DECIMALS, &ret->values[i]) ||
				      word.length)
			return false;
	}
	return true;
}

/* Returns false if the line is not a row. Even then, sets the depth of the line. */
static bool parse_row(const struct ghc_columns *columns, struct text line, struct ghc_row *ret)
{
	struct text rest = text_after(line, columns->module);
	/* The last words of the row. Word N is at index N modulo the number of numbers. */
	struct text words[NUMBERS_MAX];
	struct text word;
	size_t count = 0;

	*ret = (struct ghc_row){ .depth = 0 };
	while (ret->depth < line.length && line.at[ret->depth] == ' ')
		ret->depth++;
	ret->name = text_trim(text_between(line.at, rest.at));
	if (!ret->name.length || text_is_indented(text_from(line, ret->depth)) ||
	    rest.at[-1] != ' ' || text_is_indented(rest) || !text_next_word(&rest, &ret->module))
		return false;
	while (text_next_word(&rest, &word))
		words[count++ % columns->number_count] = word;
	return count >= columns->number_count &&
	       parse_values(columns, words, count % columns->number_count, ret);
}

static void send(struct ghc_parser *parser, uint64_t value)
{
	static const struct kind {
		const char *event;
		enum weight_unit unit;
	} kinds[][GHC_VALUE_COUNT] = {
		{ { "%time", UNIT_MILLIONTHS }, { "%alloc", UNIT_MILLIONTHS } },
		{ { "ticks", UNIT_SAMPLES }, { "bytes", UNIT_BYTES } },
	};
	const struct kind *kind = &kinds[parser->columns.has_counts][parser->value];
	uint32_t shared_count = (uint32_t)parser->path.shared_count;
	struct event_text_sample text = {
		.comm = parser->program.used ? sink_memory(&parser->program) : text_of("[program]"),
		.event = text_of(kind->event),
		.unit = kind->unit,
		.sample_count = kind->unit == UNIT_SAMPLES ? value : 1,
		.frames = tree_path_frames(&parser->path, 0),
		.frame_count = (uint32_t)parser->path.nodes.count,
		.is_outermost_first = true,
		.shared_count = shared_count,
	};
	struct event event = { .kind = EVENT_SAMPLE };

	event.sample = (struct event_sample){
		.present = SAMPLE_HAS_CALLCHAIN | SAMPLE_HAS_PERIOD,
		.period = value,
		.text = &text,
	};
	event_send(parser->sink, &event);
}

/*
 * A row without a parent is skipped, and so are the rows below it, because their parent is missing.
 */
static void read_row(struct ghc_parser *parser, struct text line, uint64_t offset)
{
	struct tree_path *path = &parser->path;
	struct ghc_row row;
	bool is_row = parse_row(&parser->columns, line, &row);

	while (path->nodes.count > row.depth)
		tree_path_pop(path);
	if (!is_row || row.depth > path->nodes.count) {
		text_skip(&parser->skips, offset);
		return;
	}
	parser->scratch.used = 0;
	sink_text(&parser->scratch, row.module);
	sink_char(&parser->scratch, ' ');
	sink_text(&parser->scratch, row.name);
	tree_path_push(path, sink_memory(&parser->scratch), 0);
	if (parser->columns.has_counts)
		parser->tick_count = saturate_add(parser->tick_count, row.values[GHC_TIME]);
	if (!parser->is_state_pass && row.values[parser->value])
		send(parser, row.values[parser->value]);
}

/* "sort +RTS -P -RTS input" */
static void read_command(struct ghc_parser *parser, struct text line)
{
	const char *options = memmem(line.at, line.length, " +RTS", 5);
	struct text program = options ? text_between(line.at, options) : line;

	if (program.length <= LIMIT_TREE_ROOT_BYTES)
		sink_text(&parser->program, program);
	if (parser->is_state_pass)
		text_report_fact(parser->sink, FACT_COMMAND_LINE, line);
}

/* "total time  =        0.02 secs   (20 ticks @ 1000 us, ...)" */
static void read_time(struct ghc_parser *parser, struct text line)
{
	const char *bracket = memchr(line.at, '(', line.length);
	struct text rest;

	if (!bracket)
		return;
	rest = text_from(line, (size_t)(bracket + 1 - line.at));
	if (!scan_u64(&rest, &parser->heading_ticks) || !text_has_prefix(rest, " ticks"))
		parser->heading_ticks = 0;
}

static void begin_table(struct ghc_parser *parser)
{
	while (parser->path.nodes.count)
		tree_path_pop(&parser->path);
	parser->is_in_table = true;
	parser->has_rows = parser->is_after_blank = false;
	if (parser->columns.has_counts)
		parser->total_tick_count =
			saturate_add(parser->total_tick_count, parser->heading_ticks);
}

/*
 * Whether the table ended before this line: at an empty line that no row follows. Other programs
 * insert empty lines between rows.
 */
static bool ends_table(struct ghc_parser *parser, struct text line)
{
	struct ghc_row ignored;

	parser->is_in_table =
		!parser->is_after_blank || parse_row(&parser->columns, line, &ignored);
	return !parser->is_in_table;
}

static void read_line(struct ghc_parser *parser, struct text line, uint64_t offset)
{
	struct text trimmed = text_trim(line);
	struct ghc_columns columns;

	if (text_contains(line, REPORT_HEADING)) {
		parser->program.used = 0;
		parser->heading_ticks = 0;
		parser->is_after_heading = true;
		parser->is_in_table = false;
	} else if (!trimmed.length) {
		parser->is_after_blank = parser->has_rows;
	} else if (parser->is_after_heading) {
		parser->is_after_heading = false;
		read_command(parser, trimmed);
	} else if (parse_heading(line, &columns)) {
		parser->columns = columns;
		begin_table(parser);
	} else if (parser->is_in_table && !ends_table(parser, line)) {
		parser->is_after_blank = false;
		parser->has_rows = true;
		read_row(parser, line, offset);
	} else if (text_has_prefix(trimmed, TIME_HEADING)) {
		read_time(parser, trimmed);
	}
}

static void read_records(void *context, struct text_window *window)
{
	struct ghc_parser *parser = context;
	struct text line;

	while (text_next_line(&window->at, window->end, window->is_last, &line))
		read_line(parser, line, text_offset(window, line.at));
}

/* Reads the whole input, because a row depends on all rows above it. */
static bool read_reports(const struct capture *capture, struct ghc_parser *parser,
			 struct error *err)
{
	bool good;

	sink_init_memory(&parser->program);
	sink_init_memory(&parser->scratch);
	good = text_read(capture, capture->slices.at[0], read_records, parser, &parser->skips, err);
	tree_path_deinit(&parser->path);
	sink_deinit(&parser->program);
	sink_deinit(&parser->scratch);
	return good;
}

static bool ghc_prof_open(struct capture *capture, struct error *err)
{
	return text_cut(capture, NULL, err);
}

static bool read_state(struct capture *capture, const struct event_sink *sink, struct error *err)
{
	struct ghc_parser parser = { .sink = sink, .is_state_pass = true };

	if (!read_reports(capture, &parser, err))
		return false;
	if (parser.tick_count >= parser.total_tick_count || capture->is_partial)
		return true;
	capture->is_partial = true;
	error_set(&capture->damage, ERROR_CORRUPT,
		  "the stacks have only %llu of the %llu ticks, so rows are missing",
		  (unsigned long long)parser.tick_count,
		  (unsigned long long)parser.total_tick_count);
	return true;
}

/* Sends all times before all amounts of memory, so that consecutive samples share frames. */
static bool read_samples(const struct capture *capture, struct slice slice,
			 const struct event_sink *sink, struct error *err)
{
	struct ghc_parser times = { .sink = sink, .value = GHC_TIME };
	struct ghc_parser memory = { .sink = sink, .value = GHC_MEMORY };

	(void)slice;
	if (!read_reports(capture, &times, err) || !read_reports(capture, &memory, err))
		return false;
	text_report_skips(&times.skips, sink);
	return true;
}

/*
 * "Data.Map insert" is shown as Data.Map.insert, as in Haskell. The module is needed, because many
 * modules have a CAF.
 */
static void read_frame(const void *reader, struct text raw, event_frame_callback *callback,
		       void *context)
{
	const char *blank = memchr(raw.at, ' ', raw.length);
	struct event_frame frame = { .name = raw, .module = { "", 0 }, .is_exact = raw.length > 0 };
	struct sink name;

	(void)reader;
	sink_init_memory(&name);
	if (blank) {
		frame.module = text_between(raw.at, blank);
		sink_text(&name, frame.module);
		sink_char(&name, '.');
		sink_text(&name, text_from(raw, frame.module.length + 1));
		frame.name = sink_memory(&name);
	}
	callback(context, &frame);
	sink_deinit(&name);
}

static bool is_own(struct text line)
{
	struct ghc_columns ignored;

	return text_contains(line, REPORT_HEADING) || parse_heading(line, &ignored);
}

static struct evidence probe(struct span head)
{
	return text_probe(head, is_own, "a heading of a GHC profile");
}

const struct input_format ghc_prof_format = {
	.name = "ghc-prof",
	.summary = "time and allocation profiles of GHC (.prof)",
	.title = "GHC profile",
	.probe = probe,
	.ends_in = "\n",
	.open = ghc_prof_open,
	.read_state = read_state,
	.read_samples = read_samples,
	.read_frame = read_frame,
	.has_shared_frames = true,
};
