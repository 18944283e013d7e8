/* SPDX-License-Identifier: MIT */
#include "libparse/perl_script.h"

#include "base/limits.h"
#include "libparse/perl_line.h"
#include "libparse/text.h"

/* Frames of a process called java... begin with the line end before them: they are other texts. */
#define JAVA_MARK '\n'
/* So does the frame that is the comm. */
#define COMM_MARK '\001'

struct perl_reader {
	struct perl_script_options options;
	struct sink event; /* the only one that is taken */
	bool has_event;
};

struct parser {
	const struct event_sink *sink;
	const struct perl_reader *reader;
	struct sink comm; /* of the sample under way, its mark before it */
	bool has_comm;
	uint64_t period;
	uint64_t offset;
	VEC(struct text) frames; /* the first place is the comm's */
	struct text_skips skips;
	bool drops_block; /* it is too long: up to an empty line nothing is taken */
};

static bool is_java(const struct parser *parser)
{
	struct text comm = sink_memory(&parser->comm);

	return comm.length > 4 && memcmp(comm.at + 1, "java", 4) == 0;
}

static void reset(struct parser *parser)
{
	parser->has_comm = false;
	parser->frames.count = 0;
	vec_push(&parser->frames, (struct text){ "", 0 });
}

/* The period as a number: where there is none, or "0", it is one. */
static uint64_t period_of(struct text text)
{
	uint64_t value;

	if (!text.length || text_is(text, "0"))
		return 1;
	return text_is_decimal(text, &value) ? value : UINT64_MAX;
}

static void write_comm(struct parser *parser, const struct perl_event *event)
{
	const struct perl_script_options *options = &parser->reader->options;
	bool has_both = event->second.length && !text_is(event->second, "0");
	struct text pid = has_both ? event->first : text_of("?");
	struct text tid = has_both ? event->second : event->first;

	parser->comm.used = 0;
	sink_char(&parser->comm, COMM_MARK);
	sink_text(&parser->comm, event->comm);
	if (options->with_tid || options->with_pid) {
		sink_char(&parser->comm, '-');
		sink_text(&parser->comm, pid);
	}
	if (options->with_tid) {
		sink_char(&parser->comm, '/');
		sink_text(&parser->comm, tid);
	}
	for (size_t i = 1; i < parser->comm.used; i++)
		if (parser->comm.buffer[i] == ' ')
			parser->comm.buffer[i] = '_';
}

static void take_event(struct parser *parser, const struct perl_event *event)
{
	const struct perl_reader *reader = parser->reader;

	if (event->event.at && reader->has_event &&
	    !text_equal(event->event, sink_memory(&reader->event)))
		return;
	write_comm(parser, event);
	parser->has_comm = true;
	parser->period = event->event.at ? period_of(event->period) : 1;
}

static void send(struct parser *parser)
{
	struct event_text text = {
		.comm = { "", 0 },
		.event = text_of("samples"),
		.unit = UNIT_EVENTS,
		.sample_count = 1,
		.frames = parser->frames.at,
		.frame_count = (uint32_t)parser->frames.count,
	};
	struct event event = { .kind = EVENT_SAMPLE, .offset = parser->offset };

	parser->frames.at[0] = sink_memory(&parser->comm);
	/* Frames came innermost first, and the comm is outermost. */
	vec_push(&parser->frames, parser->frames.at[0]);
	text.frames = parser->frames.at + 1;
	event.sample = (struct event_sample){
		.present = FIELD_PERIOD | FIELD_CALLCHAIN,
		.period = parser->period,
		.text = &text,
	};
	event_send(parser->sink, &event);
}

/* As text_next_line, but Perl takes the CR for a part of the line. */
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

static void push_frame(struct parser *parser, const struct text_window *window, struct text raw)
{
	/* There is a byte before: that of the event's line. */
	if (is_java(parser) && raw.at > window->begin)
		raw = (struct text){ raw.at - 1, raw.length + 1 };
	vec_push(&parser->frames, raw);
}

/* Takes a line that is no event, and those behind it that are a part of it. */
static bool take_frame(struct parser *parser, const struct text_window *window, struct text line,
		       const char **next)
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

/* Takes lines up to an empty one. False: it is not in the window. */
static bool take_block(struct parser *parser, struct text_window *window)
{
	const char *next = window->at;
	struct perl_event event;
	struct text line;

	reset(parser);
	parser->offset = text_offset(window, window->at);
	while (next_line(&next, window, &line)) {
		if (line.length == 0) {
			if (parser->has_comm && !parser->drops_block)
				send(parser);
			parser->drops_block = false;
			window->at = next;
			return true;
		}
		if (line.at[0] == '#')
			continue;
		if (perl_line_event(line, &event))
			take_event(parser, &event);
		else if (!take_frame(parser, window, line, &next))
			return false;
	}
	return false;
}

static void take_blocks(void *context, struct text_window *window)
{
	struct parser *parser = context;

	while (window->at < window->stop) {
		struct text_skips skips = parser->skips;

		if (take_block(parser, window))
			continue;
		if (window->is_last) {
			window->at = window->end;
		} else if ((size_t)(window->end - window->at) >= LIMIT_TEXT_RECORD_BYTES / 2) {
			parser->drops_block = true;
			window->at = window->end;
		} else {
			parser->skips = skips;
		}
		return;
	}
}

/* Behind an empty line. */
static const char *find_block(const char *from, const char *end)
{
	const char *empty = memmem(from, (size_t)(end - from), "\n\n", 2);

	return empty && empty + 2 < end ? empty + 2 : NULL;
}

/* The event that is the only one taken is the first whose line says it. */
static void take_first_event(void *context, struct text_window *window)
{
	struct perl_reader *reader = context;
	struct perl_event event;
	struct text line;

	while (!reader->has_event && next_line(&window->at, window, &line))
		if (line.length && line.at[0] != '\t' && line.at[0] != '#' &&
		    perl_line_event(line, &event) && event.event.at) {
			sink_text(&reader->event, event.event);
			reader->has_event = true;
		}
	/* The rest need not be read. */
	window->is_last |= reader->has_event;
}

static bool find_event(struct capture *capture, struct perl_reader *reader, struct error *err)
{
	struct slice whole = { .end = capture->input.size_bytes };
	struct text_skips skips = { 0 };

	return text_read(capture, whole, take_first_event, reader, &skips, err);
}

static bool open(struct capture *capture, struct error *err)
{
	struct perl_reader *reader = memory_zalloc(1, sizeof(*reader));

	capture->reader = reader;
	sink_init_memory(&reader->event);
	reader->options = *(const struct perl_script_options *)capture->format_options;
	if (reader->options.event_filter && *reader->options.event_filter) {
		sink_puts(&reader->event, reader->options.event_filter);
		reader->has_event = true;
	}
	if (!reader->has_event && !find_event(capture, reader, err))
		return false;
	/* The head of what passes by may have none. */
	if (!reader->has_event && input_is_passing(&capture->input) &&
	    (!input_spool(&capture->input, err) || !find_event(capture, reader, err)))
		return false;
	/* Where a frame is two lines, an empty one can be the second of them. */
	return text_cut(capture, reader->options.has_source_lines ? NULL : find_block, err);
}

static void close(struct capture *capture)
{
	struct perl_reader *reader = capture->reader;

	sink_deinit(&reader->event);
	memory_free(reader);
}

static bool read_state(struct capture *capture, const struct event_sink *sink, struct error *err)
{
	(void)capture;
	(void)err;
	text_tell_fact(sink, FACT_FORMAT, text_of("perf script text"));
	event_send(sink, &(struct event){
				 .kind = EVENT_ATTR,
				 .attr = { .name = text_of("samples"), .unit = UNIT_EVENTS },
			 });
	return true;
}

static bool read_samples(const struct capture *capture, struct slice slice,
			 const struct event_sink *sink, struct error *err)
{
	struct parser parser = { .sink = sink, .reader = capture->reader };
	bool good;

	sink_init_memory(&parser.comm);
	good = text_read(capture, slice, take_blocks, &parser, &parser.skips, err);
	text_tell_skips(&parser.skips, sink);
	sink_deinit(&parser.comm);
	vec_free(&parser.frames);
	return good;
}

static void tell_comm(struct text comm, event_frame_taker *take, void *context)
{
	const char *at = comm.at;
	const char *end = comm.at + comm.length;

	for (;;) {
		const char *stop = memchr(at, ';', (size_t)(end - at));

		take(context, &(struct event_frame){
				      .name = { at, (uint32_t)((stop ? stop : end) - at) },
				      .module = { "", 0 },
				      .is_exact = true,
			      });
		if (!stop)
			return;
		at = stop + 1;
	}
}

static void read_frame(const void *context, struct text raw, event_frame_taker *take,
		       void *take_context)
{
	const struct perl_reader *reader = context;
	struct perl_naming naming = {
		.marks_kernel = reader->options.marks_kernel,
		.marks_jit = reader->options.marks_jit,
		.shows_addresses = reader->options.shows_addresses,
	};
	struct perl_frame frame;
	const char *second;

	if (raw.length && raw.at[0] == COMM_MARK) {
		tell_comm((struct text){ raw.at + 1, raw.length - 1 }, take, take_context);
		return;
	}
	naming.is_java = raw.length && raw.at[0] == JAVA_MARK;
	if (naming.is_java)
		raw = (struct text){ raw.at + 1, raw.length - 1 };
	second = raw.length ? memchr(raw.at, '\n', raw.length) : NULL;
	if (second) {
		naming.sources =
			(struct text){ second + 1, (uint32_t)(raw.at + raw.length - second - 1) };
		raw.length = (uint32_t)(second - raw.at);
	}
	if (perl_line_frame(raw, &frame))
		perl_line_name(&frame, &naming, take, take_context);
}

const struct input_format perl_script_format = {
	.name = "stackcollapse-perf",
	.summary = "text of perf script, as stackcollapse-perf.pl reads it",
	.open = open,
	.close = close,
	.read_state = read_state,
	.read_samples = read_samples,
	.read_frame = read_frame,
	.has_exact_comms = true,
	.takes_passing = true,
};
