/* SPDX-License-Identifier: MIT */
/*
 * Reads `perf script` text like inferno-collapse-perf. A sample is either a comm line followed by
 * frames, up to an empty line or the end of the text, or a single comm line with one frame after
 * the event.
 */
#include "base/utf8.h"
#include "compat/inferno_line.h"

struct inferno_parser {
	const struct event_sink *sink;
	const struct collapse_reader *reader;
	struct collapse_sample sample;
	bool is_cut;        /* --skip-after applied: the callers of the last frame are dropped */
	struct sink comm;   /* as valid UTF-8 */
	struct sink symbol; /* scratch */
	struct sink single; /* the frame of a sample on a single line */
	struct text_skips skips;
	bool drops_sample;    /* the line is too long: skip to the next empty line */
	uint64_t next_offset; /* where the next window begins, unless lines were skipped */
};

static bool is_comment(struct text line)
{
	return line.length && line.at[0] == '#';
}

static bool cuts_stack(struct inferno_parser *parser, const struct inferno_frame *frame)
{
	const struct collapse_options *options = &parser->reader->options;

	if (!options->skip_after_count)
		return false;
	parser->symbol.used = 0;
	inferno_line_write_symbol(frame, &parser->symbol);
	for (size_t i = 0; i < options->skip_after_count; i++)
		if (text_is(sink_memory(&parser->symbol), options->skip_after[i]))
			return true;
	return false;
}

/* Adds the frame in a line; `marked` is the line with a line feed in front, for Java. */
static void add_frame(struct inferno_parser *parser, const struct text_window *window,
		      struct text line, struct text marked)
{
	struct inferno_frame frame;

	if (parser->is_cut)
		return;
	if (!inferno_line_frame(line, &frame)) {
		text_skip(&parser->skips, text_offset(window, line.at));
		return;
	}
	if (inferno_line_is_no_function(&frame))
		return;
	vec_push(&parser->sample.frames, collapse_sample_is_java(&parser->sample) ? marked : line);
	parser->is_cut = cuts_stack(parser, &frame);
}

static void send(struct inferno_parser *parser)
{
	if (parser->sample.frames.count)
		collapse_sample_send(&parser->sample, !parser->is_cut, parser->sink);
}

static void set_comm(struct inferno_parser *parser, const struct inferno_event *event)
{
	parser->comm.used = 0;
	utf8_write_repaired(&parser->comm, event->comm);
	collapse_sample_set_comm(&parser->sample, sink_memory(&parser->comm), event->pid,
				 event->tid, &parser->reader->options);
}

/*
 * Reads the frames after an event line, up to an empty line. Returns false if the empty line is not
 * in the window.
 */
static bool read_frames(struct inferno_parser *parser, const struct text_window *window,
			const char **next, bool is_wanted)
{
	struct text line;

	while (text_next_line(next, window->end, window->is_last, &line)) {
		if (is_comment(line))
			continue;
		line = inferno_line_trim(line);
		if (!line.length)
			return true;
		if (is_wanted)
			add_frame(parser, window, line,
				  (struct text){ line.at - 1, line.length + 1 });
	}
	return window->is_last;
}

static void add_single(struct inferno_parser *parser, const struct text_window *window,
		       struct text line)
{
	parser->single.used = 0;
	sink_char(&parser->single, '\n');
	sink_text(&parser->single, line);
	add_frame(parser, window, line, sink_memory(&parser->single));
}

/*
 * Reads a sample whose first line begins at window->at. Returns false if its end is not in the
 * window.
 */
static bool read_sample(struct inferno_parser *parser, struct text_window *window,
			const char **next, const struct inferno_event *event)
{
	const struct collapse_reader *reader = parser->reader;
	struct text_skips skips = parser->skips;
	bool is_wanted = !event->event.at || !reader->has_event ||
			 text_equal(event->event, sink_memory(&reader->event));

	parser->sample.frames.count = 0;
	parser->sample.offset = text_offset(window, window->at);
	parser->sample.period = event->period;
	parser->is_cut = false;
	set_comm(parser, event);
	if (is_wanted && event->frame.length) {
		add_single(parser, window, event->frame);
	} else if (!read_frames(parser, window, next, is_wanted)) {
		parser->skips = skips;
		return false;
	}
	send(parser);
	return true;
}

static void read_all_samples(struct inferno_parser *parser, struct text_window *window)
{
	const char *next = window->at;
	struct inferno_event event;
	struct text line;

	while (window->at < window->stop &&
	       text_next_line(&next, window->end, window->is_last, &line)) {
		struct text trimmed = inferno_line_trim(line);

		parser->drops_sample &= trimmed.length > 0;
		if (parser->drops_sample || is_comment(line) || !trimmed.length) {
			window->at = next;
			continue;
		}
		if (!inferno_line_event(trimmed, &event)) {
			text_skip(&parser->skips, text_offset(window, line.at));
		} else if (!read_sample(parser, window, &next, &event)) {
			parser->drops_sample = text_give_up(window, &parser->skips);
			return;
		}
		window->at = next;
	}
}

static void read_records(void *context, struct text_window *window)
{
	struct inferno_parser *parser = context;

	/* After an overlong line, the rest of the sample must not be read as a new sample. */
	parser->drops_sample |= text_offset(window, window->at) != parser->next_offset;
	read_all_samples(parser, window);
	parser->next_offset = text_offset(window, window->at);
}

/* A sample begins after an empty line. */
static const char *find_sample(const char *from, const char *end)
{
	const char *next = from;
	struct text line;

	while (text_next_line(&next, end, false, &line))
		if (!inferno_line_trim(line).length && next < end)
			return next;
	return NULL;
}

static void find_first_event(void *context, struct text_window *window)
{
	struct collapse_reader *reader = context;
	struct inferno_event event;
	struct text line;

	while (!reader->has_event &&
	       text_next_line(&window->at, window->end, window->is_last, &line)) {
		if (is_comment(line))
			continue;
		line = inferno_line_trim(line);
		reader->is_in_sample &= line.length > 0;
		if (reader->is_in_sample || !inferno_line_event(line, &event))
			continue;
		reader->is_in_sample = !event.frame.length;
		reader->has_event = event.event.at;
		sink_text(&reader->event, event.event);
	}
	/* Stops reading after the first event. */
	window->is_last |= reader->has_event;
}

static bool inferno_open(struct capture *capture, struct error *err)
{
	return collapse_reader_open(capture, find_first_event, find_sample, err);
}

static bool read_samples(const struct capture *capture, struct slice slice,
			 const struct event_sink *sink, struct error *err)
{
	struct inferno_parser parser = {
		.sink = sink,
		.reader = capture->reader,
		.drops_sample = text_begins_inside(capture, slice),
		.next_offset = slice.begin,
	};
	bool good;

	collapse_sample_init(&parser.sample);
	sink_init_memory(&parser.comm);
	sink_init_memory(&parser.symbol);
	sink_init_memory(&parser.single);
	good = text_read(capture, slice, read_records, &parser, &parser.skips, err);
	text_report_skips(&parser.skips, sink);
	sink_deinit(&parser.single);
	sink_deinit(&parser.symbol);
	sink_deinit(&parser.comm);
	collapse_sample_deinit(&parser.sample);
	return good;
}

static void read_frame(const void *context, struct text raw, event_frame_callback *take,
		       void *take_context)
{
	struct collapse_naming naming;
	struct inferno_frame frame;

	if (!collapse_take_comm(context, &raw, &naming, take, take_context) &&
	    inferno_line_frame(raw, &frame))
		inferno_line_name(&frame, &naming, take, take_context);
}

const struct input_format inferno_format = {
	.name = "inferno-collapse-perf",
	.summary = "perf script output, parsed like inferno-collapse-perf",
	.title = "perf script text",
	.open = inferno_open,
	.close = collapse_reader_close,
	.read_state = collapse_read_state,
	.read_samples = read_samples,
	.read_frame = read_frame,
	.has_exact_comms = true,
	.can_stream = true,
};
