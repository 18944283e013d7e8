/* SPDX-License-Identifier: MIT */
#include "libparse/log/log_reader.h"

#include "libparse/banner.h"
#include "libparse/calls/call_line.h"
#include "libparse/text.h"

/* The number of bytes that are searched for the heading. */
#define HEAD_BYTES ((size_t)FORMAT_HEAD_BYTES)

struct log_reader {
	char *head; /* contains the heading, from which names are borrowed */
	struct log_heading heading;
	struct text line; /* the heading itself */
	uint64_t begin;   /* offset of the heading; lines before it are not part of the table */
};

struct log_parser {
	const struct event_sink *sink;
	const struct log_reader *reader;
	struct text_skips skips;
};

/* Returns the line with the heading. */
static bool find_heading(struct text head, struct log_heading *ret, struct text *line_ret)
{
	const char *next = head.at;
	const char *end = head.at + head.length;
	struct text below;

	while (text_next_line(&next, end, true, line_ret)) {
		const char *after = next;

		if (!banner_is(*line_ret) && text_next_line(&after, end, true, &below) &&
		    log_heading_parse(*line_ret, below, ret))
			return true;
	}
	return false;
}

static struct evidence probe(struct span head)
{
	struct text text = { (const char *)head.begin, (uint32_t)span_left(&head) };
	struct log_heading heading;
	struct text line;

	if (!find_heading(text, &heading, &line))
		return evidence_none();
	return evidence_at(CONFIDENCE_LIKELY, head, line.at, "the heading of a table");
}

static void send(const struct log_parser *parser, const struct text *cells, uint64_t offset)
{
	const struct event_row row = { cells, parser->reader->heading.count };
	struct event_text_sample text = {
		.event = text_of("events"),
		.unit = UNIT_SAMPLES,
		.sample_count = 1,
		.row = &row,
	};
	struct event event = { .kind = EVENT_SAMPLE, .offset = offset };

	event.sample = (struct event_sample){
		.present = SAMPLE_HAS_PERIOD,
		.period = 1,
		.text = &text,
	};
	event_send(parser->sink, &event);
}

static void read_lines(void *context, struct text_window *window)
{
	struct log_parser *parser = context;
	const struct log_reader *reader = parser->reader;
	struct text cells[LIMIT_LOG_COLUMNS];
	const char *next = window->at;
	struct text line;

	while (window->at < window->stop &&
	       text_next_line(&next, window->end, window->is_last, &line)) {
		window->at = next;
		/* A tool that is started again repeats its heading. */
		if (text_equal(line, reader->line) || text_offset(window, line.at) < reader->begin)
			continue;
		if (log_heading_split(&reader->heading, line, cells))
			send(parser, cells, text_offset(window, line.at));
		else if (!banner_is(line))
			text_skip(&parser->skips, text_offset(window, line.at));
	}
}

static const char *find_line(const char *from, const char *end)
{
	(void)end;
	return from;
}

static bool open_log(struct capture *capture, struct error *err)
{
	struct log_reader *reader = memory_zalloc(1, sizeof(*reader));
	struct slice rest = { .end = capture->input.size_bytes };
	size_t got;

	capture->reader = reader;
	reader->head = memory_alloc(HEAD_BYTES, 1);
	if (!input_read(&capture->input, 0, reader->head, HEAD_BYTES, &got, err))
		return false;
	if (!find_heading((struct text){ reader->head, (uint32_t)got }, &reader->heading,
			  &reader->line))
		return error_set(
			err, ERROR_FORMAT,
			"contains no table: no column headings precede a row with a number");
	rest.begin = reader->begin = (uint64_t)(reader->line.at - reader->head);
	return text_cut_part(capture, rest, find_line, err);
}

static void close_log(struct capture *capture)
{
	struct log_reader *reader = capture->reader;

	memory_free(reader->head);
	memory_free(reader);
}

static bool read_samples(const struct capture *capture, struct slice slice,
			 const struct event_sink *sink, struct error *err)
{
	struct log_parser parser = { .sink = sink, .reader = capture->reader };
	bool good = text_read(capture, slice, read_lines, &parser, &parser.skips, err);

	text_report_skips(&parser.skips, sink);
	return good;
}

const struct log_heading *log_reader_heading(const struct capture *capture)
{
	const struct log_reader *reader = capture->reader;

	return &reader->heading;
}

const struct input_format log_format = {
	.name = "event-log",
	.summary = "tables with a row for each event, for kiln events",
	.title = "log of events",
	.probe = probe,
	.ends_in = "\n",
	.open = open_log,
	.close = close_log,
	.read_samples = read_samples,
	.read_frame = call_line_read_frame,
	.has_exact_comms = true,
	.only_command = "kiln events",
};
