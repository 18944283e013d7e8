/* SPDX-License-Identifier: MIT */
#include "libparse/stat/perf_stat.h"

#include "libparse/text.h"

/* The number of bytes that are read to find the line that names the measured command. */
#define HEAD_BYTES ((size_t)4 << 10)

static const char heading[] = "Performance counter stats for ";

struct stat_reader {
	char *head;
	struct text measured; /* the command, or "system wide" */
	bool has_command;     /* the head names the command */
	uint32_t run_count;   /* value of -r; 0 if unknown */
};

struct perf_stat_parser {
	const struct event_sink *sink;
	const struct stat_reader *reader;
	VEC(char) name; /* name of the last event */
	struct text_skips skips;
};

static bool parse_line(struct text line, struct perf_stat_line *ret)
{
	return perf_stat_parse_json(line, ret) || perf_stat_parse_fields(line, ret) ||
	       perf_stat_parse_text(line, ret);
}

static bool is_decoration(struct text line)
{
	static const char *const prefixes[] = {
		"#",          heading, "Some events weren't", "Try the following", "echo ",
		"perf stat ", "(",
	};
	struct text text = text_trim(line);

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (text_has_prefix(text, prefixes[i]))
			return true;
	return text.length == 0;
}

/* Joins name and unit: "power/energy-pkg/ (Joules)". */
static struct text event_name(struct perf_stat_parser *parser, const struct perf_stat_line *line)
{
	size_t length = line->event.length + line->unit_name.length + 3;
	char *at;

	if (!line->unit_name.length)
		return line->event;
	vec_reserve(&parser->name, length);
	at = parser->name.at;
	memcpy(at, line->event.at, line->event.length);
	at += line->event.length;
	*at++ = ' ';
	*at++ = '(';
	memcpy(at, line->unit_name.at, line->unit_name.length);
	at[line->unit_name.length] = ')';
	return (struct text){ parser->name.at, (uint32_t)length };
}

static void send(struct perf_stat_parser *parser, const struct perf_stat_line *line,
		 uint64_t offset)
{
	struct event_text_sample text = {
		.comm = parser->reader->measured,
		.event = event_name(parser, line),
		.unit = line->unit,
		.sample_count = line->is_counted,
		.has_deviation = line->has_deviation,
		.deviation = line->deviation,
		.run_count = parser->reader->run_count,
	};
	struct event event = { .kind = EVENT_SAMPLE, .offset = offset };

	event.sample = (struct event_sample){
		.present = SAMPLE_HAS_PERIOD,
		.period = line->value,
		.text = &text,
	};
	event_send(parser->sink, &event);
}

static void read_lines(void *context, struct text_window *window)
{
	struct perf_stat_parser *parser = context;
	const char *next = window->at;
	struct perf_stat_line parsed;
	struct text line;

	while (window->at < window->stop &&
	       text_next_line(&next, window->end, window->is_last, &line)) {
		uint64_t offset = text_offset(window, line.at);

		if (!is_decoration(line) && parse_line(line, &parsed))
			send(parser, &parsed, offset);
		else if (!is_decoration(line))
			text_skip(&parser->skips, offset);
		window->at = next;
	}
}

static const char *find_line(const char *from, const char *end)
{
	(void)end;
	return from;
}

/* Reads "(5 runs):" after the measured command. */
static uint32_t find_run_count(struct text line)
{
	const char *bracket = memrchr(line.at, '(', line.length);
	uint64_t count;
	struct text rest;
	struct text word;

	if (!bracket)
		return 0;
	rest = (struct text){ bracket + 1, (uint32_t)(line.at + line.length - bracket) - 1 };
	if (!text_next_word(&rest, &word) || !text_to_u64(word, &count) || count > UINT32_MAX ||
	    !text_next_word(&rest, &word) || !text_has_prefix(word, "runs)"))
		return 0;
	return (uint32_t)count;
}

/* Reads "'make -j2' (5 runs):". Returns false for any other line. */
static bool find_measured(struct text head, struct text *ret, uint32_t *run_count_ret)
{
	const char *at = memmem(head.at, head.length, heading, sizeof(heading) - 1);
	struct text line;
	const char *first;
	const char *last;

	if (!at)
		return false;
	at += sizeof(heading) - 1;
	if (!text_next_line(&at, head.at + head.length, true, &line) || !line.length)
		return false;
	*run_count_ret = find_run_count(line);
	first = memchr(line.at, '\'', line.length);
	last = memrchr(line.at, '\'', line.length);
	*ret = first && last > first + 1 ? (struct text){ first + 1, (uint32_t)(last - first - 1) }
					 : line;
	return true;
}

static bool open_perf_stat(struct capture *capture, struct error *err)
{
	struct stat_reader *reader = memory_zalloc(1, sizeof(*reader));
	size_t got;

	capture->reader = reader;
	reader->head = memory_alloc(HEAD_BYTES, 1);
	if (!input_read(&capture->input, 0, reader->head, HEAD_BYTES, &got, err))
		return false;
	reader->measured = text_of("counters");
	reader->has_command = find_measured((struct text){ reader->head, (uint32_t)got },
					    &reader->measured, &reader->run_count);
	return text_cut(capture, find_line, err);
}

static void close_perf_stat(struct capture *capture)
{
	struct stat_reader *reader = capture->reader;

	memory_free(reader->head);
	memory_free(reader);
}

static bool read_state(struct capture *capture, const struct event_sink *sink, struct error *err)
{
	const struct stat_reader *reader = capture->reader;

	(void)err;
	if (reader->has_command)
		text_report_fact(sink, FACT_COMMAND_LINE, reader->measured);
	return true;
}

static bool read_samples(const struct capture *capture, struct slice slice,
			 const struct event_sink *sink, struct error *err)
{
	struct perf_stat_parser parser = { .sink = sink, .reader = capture->reader };
	bool good = text_read(capture, slice, read_lines, &parser, &parser.skips, err);

	text_report_skips(&parser.skips, sink);
	vec_free(&parser.name);
	return good;
}

/* Counters have no frames. */
static void read_frame(const void *reader, struct text raw, event_frame_callback *callback,
		       void *context)
{
	(void)reader;
	(void)raw;
	(void)callback;
	(void)context;
}

/* Whether a line contains a text that only perf stat prints: derived metrics and the last lines. */
static bool is_known_row(struct text line)
{
	static const char *const events[] = {
		"cycles",       "instructions",   "branches",         "branch-misses",
		"cache-misses", "task-clock",     "cpu-clock",        "context-switches",
		"page-faults",  "cpu-migrations", "cache-references",
	};
	struct perf_stat_line row;
	uint32_t length;

	if (!perf_stat_parse_text(line, &row))
		return false;
	if (text_has_prefix(row.event, "time elapsed"))
		return true;
	/* Ignore the modifiers, so that "cycles" is compared for "cycles:u". */
	for (length = 0; length < row.event.length && row.event.at[length] != ':'; length++)
		;
	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		if (text_is((struct text){ row.event.at, length }, events[i]))
			return true;
	return false;
}

/* Output of the measured program may precede the counters. */
static struct evidence probe(struct span head)
{
	const char *next = (const char *)head.begin;
	const char *end = (const char *)head.end;
	struct evidence evidence = evidence_none();
	struct perf_stat_line ignored;
	struct text line;

	while (text_next_line(&next, end, true, &line)) {
		struct text text = text_trim(line);

		if (text_has_prefix(text, heading) || perf_stat_parse_json(line, &ignored))
			return evidence_at(CONFIDENCE_LIKELY, head, line.at, "of perf stat");
		if (text_has_prefix(text, "#") &&
		    memmem(text.at, text.length, " counts unit events", 19))
			return evidence_at(CONFIDENCE_LIKELY, head, line.at,
					   "the heading of perf stat -I");
		/*
		 * The heading may be missing. A line with a counter is weaker evidence, because
		 * other tables also have separators and numbers.
		 */
		if (!evidence.confidence &&
		    (perf_stat_parse_fields(line, &ignored) || is_known_row(line)))
			evidence = evidence_at(CONFIDENCE_PERHAPS, head, line.at,
					       "a counter as perf stat prints it");
	}
	return evidence;
}

const struct input_format perf_stat_format = {
	.name = "perf-stat",
	.summary = "counters printed by perf stat, as text or with -x or -j",
	.title = "perf stat",
	.probe = probe,
	.ends_in = "\n}",
	.open = open_perf_stat,
	.close = close_perf_stat,
	.read_state = read_state,
	.read_samples = read_samples,
	.read_frame = read_frame,
	.has_exact_comms = true,
	.has_counters = true,
};
