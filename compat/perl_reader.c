/* SPDX-License-Identifier: MIT */
/*
 * Reads `perf script` text like stackcollapse-perf.pl. A comm line, frames, and an empty line make
 * one sample. Like the script, this drops a last sample that has no empty line after it.
 */
#include "compat/perl_line.h"

struct perl_parser {
	const struct event_sink *sink;
	const struct collapse_reader *reader;
	struct collapse_sample sample;
	bool has_comm;
	struct text_skips skips;
	bool drops_block; /* the sample is too long: skip to the next empty line */
};

/* The period; 1 if it is missing or "0". */
static uint64_t period_of(struct text text)
{
	uint64_t value;

	if (!text.length || text_is(text, "0"))
		return 1;
	return text_to_u64(text, &value) ? value : UINT64_MAX;
}

static void start_sample(struct perl_parser *parser, const struct perl_event *event)
{
	const struct collapse_reader *reader = parser->reader;
	bool has_both = event->second.length && !text_is(event->second, "0");

	if (event->event.at && reader->has_event &&
	    !text_equal(event->event, sink_memory(&reader->event)))
		return;
	collapse_sample_set_comm(&parser->sample, event->comm,
				 has_both ? event->first : text_of("?"),
				 has_both ? event->second : event->first, &reader->options);
	parser->has_comm = true;
	parser->sample.period = event->event.at ? period_of(event->period) : 1;
}

/* Like text_next_line, but, as in Perl, a CR is part of the line. */
static bool next_line(const char **at, const struct text_window *window, struct text *ret)
{
	const char *begin = *at;

	if (!text_next_line(at, window->end, window->is_last, ret))
		return false;
	ret->length = (uint32_t)(*at - begin);
	if (ret->length && begin[ret->length - 1] == '\n')
		ret->length--;
	return true;
}

static void push_frame(struct perl_parser *parser, const struct text_window *window,
		       struct text raw)
{
	/* The byte before this line is the line feed that ends the previous line. */
	if (collapse_sample_is_java(&parser->sample) && raw.at > window->begin)
		raw = (struct text){ raw.at - 1, raw.length + 1 };
	vec_push(&parser->sample.frames, raw);
}

/* Reads a frame and its source lines. Returns false if they are not completely in the window. */
static bool read_frame_lines(struct perl_parser *parser, const struct text_window *window,
			     struct text line, const char **next)
{
	bool has_source = parser->reader->options.has_source_lines;
	struct perl_frame frame;
	struct text raw = line;

	if (LIKELY(!has_source && perl_line_is_plain_frame(line))) {
		if (parser->has_comm)
			push_frame(parser, window, raw);
		return true;
	}
	if (!perl_line_frame(line, &frame)) {
		text_skip(&parser->skips, text_offset(window, line.at));
		return true;
	}
	if (!parser->has_comm)
		return true;
	for (uint32_t i = has_source ? perl_line_source_count(&frame) : 0; i > 0; i--) {
		if (!next_line(next, window, &line))
			return window->is_last;
		raw.length = (uint32_t)(line.at + line.length - raw.at);
	}
	push_frame(parser, window, raw);
	return true;
}

/*
 * Reads the lines of a sample up to the empty line. Returns false if the empty line is not in the
 * window.
 */
static bool read_block(struct perl_parser *parser, struct text_window *window)
{
	const char *next = window->at;
	struct perl_event event;
	struct text line;

	parser->has_comm = false;
	parser->sample.frames.count = 0;
	parser->sample.offset = text_offset(window, window->at);
	while (next_line(&next, window, &line)) {
		if (line.length == 0) {
			if (parser->has_comm)
				collapse_sample_send(&parser->sample, true, parser->sink);
			window->at = next;
			return true;
		}
		if (line.at[0] == '#')
			continue;
		if (perl_line_event(line, &event))
			start_sample(parser, &event);
		else if (!read_frame_lines(parser, window, line, &next))
			return false;
	}
	return false;
}

/* Skips lines up to an empty line. Returns false if no empty line is in the window. */
static bool drop_block(struct perl_parser *parser, struct text_window *window)
{
	struct text line;

	while (parser->drops_block && next_line(&window->at, window, &line))
		parser->drops_block = line.length > 0;
	return !parser->drops_block;
}

static void read_blocks(void *context, struct text_window *window)
{
	struct perl_parser *parser = context;

	while (window->at < window->stop) {
		struct text_skips skips = parser->skips;

		if (parser->drops_block ? drop_block(parser, window) : read_block(parser, window))
			continue;
		if (window->is_last) {
			window->at = window->end;
		} else if (!parser->drops_block) {
			parser->skips = skips;
			parser->drops_block = text_give_up(window, &parser->skips);
		}
		return;
	}
}

/* A sample begins after an empty line. */
static const char *find_block(const char *from, const char *end)
{
	const char *empty = memmem(from, (size_t)(end - from), "\n\n", 2);

	return empty && empty + 2 < end ? empty + 2 : NULL;
}

/* Without an event filter, only samples of the first event in the text are kept. */
static void find_first_event(void *context, struct text_window *window)
{
	struct collapse_reader *reader = context;
	struct perl_event event;
	struct text line;

	while (!reader->has_event && next_line(&window->at, window, &line))
		if (line.length && line.at[0] != '\t' && line.at[0] != '#' &&
		    perl_line_event(line, &event) && event.event.at) {
			sink_text(&reader->event, event.event);
			reader->has_event = true;
		}
	/* Stops reading after the first event. */
	window->is_last |= reader->has_event;
}

static bool perl_open(struct capture *capture, struct error *err)
{
	const struct collapse_options *options = capture->format_options;

	/*
	 * If frames have source lines, an empty line may be a source line, so the input cannot be
	 * divided.
	 */
	return collapse_reader_open(capture, find_first_event,
				    options->has_source_lines ? NULL : find_block, err);
}

static bool read_samples(const struct capture *capture, struct slice slice,
			 const struct event_sink *sink, struct error *err)
{
	struct perl_parser parser = {
		.sink = sink,
		.reader = capture->reader,
		.drops_block = text_begins_inside(capture, slice),
	};
	bool good;

	collapse_sample_init(&parser.sample);
	good = text_read(capture, slice, read_blocks, &parser, &parser.skips, err);
	text_report_skips(&parser.skips, sink);
	collapse_sample_deinit(&parser.sample);
	return good;
}

static void read_frame(const void *context, struct text raw, event_frame_callback *take,
		       void *take_context)
{
	struct collapse_naming naming;
	struct perl_frame frame;
	const char *second;

	if (collapse_take_comm(context, &raw, &naming, take, take_context))
		return;
	second = raw.length ? memchr(raw.at, '\n', raw.length) : NULL;
	if (second) {
		naming.sources =
			(struct text){ second + 1, (uint32_t)(raw.at + raw.length - second - 1) };
		raw.length = (uint32_t)(second - raw.at);
	}
	if (perl_line_frame(raw, &frame))
		perl_line_name(&frame, &naming, take, take_context);
}

const struct input_format perl_format = {
	.name = "stackcollapse-perf",
	.summary = "perf script output, parsed like stackcollapse-perf.pl",
	.title = "perf script text",
	.open = perl_open,
	.close = collapse_reader_close,
	.read_state = collapse_read_state,
	.read_samples = read_samples,
	.read_frame = read_frame,
	.has_exact_comms = true,
	.can_stream = true,
};
