/* SPDX-License-Identifier: MIT */
#include "libparse/folded/folded_reader.h"

#include "libparse/banner.h"
#include "libparse/folded/folded_line.h"
#include "libparse/text.h"

/* The number of bytes that are read to find out how counts are written. */
#define HEAD_BYTES ((size_t)64 << 10)

static const char escapes[] = "# escapes: \\xHH";
static const char sample_counts[] = "# sample counts: before each stack of several";
/* The comment that austin writes if lines end in three numbers. */
static const char austin_full[] = "# mode: full";

struct folded_reader {
	struct text event; /* points into head */
	enum weight_unit unit;
	bool has_two_counts;
	bool has_one_event;
	bool counts_samples; /* counts are numbers of samples, or each line is one sample */
	bool has_metrics;    /* lines end in "300,0,1024": time, whether idle, and memory */
	uint32_t decimals;
	bool is_escaped;
	bool has_sample_counts; /* "# 3 samples" precedes a stack of three samples */
	bool keeps_table_rows;  /* every line is a stack, by header or --input-format */
	char *head;
	size_t head_bytes;
};

struct folded_parser {
	const struct event_sink *sink;
	const struct folded_reader *reader;
	struct event event;
	struct event_text_sample text; /* of the event */
	struct folded_stack stack;
	uint32_t shared_count; /* frames that the current stack shares with the last one sent */
	VEC(char) unescaped;   /* unescaped names of the current line */
	struct text_skips skips;
	uint64_t rounded_count, negative_count;
	uint64_t sample_count; /* samples of the next line, from the comment before it; or 0 */
};

/* Whether the line ends in a negative count. */
static bool is_negative(struct text line)
{
	const char *blank = memrchr(line.at, ' ', line.length);
	const char *end = line.at + line.length;

	if (!blank || end - blank < 3 || blank[1] != '-')
		return false;
	for (const char *at = blank + 2; at < end; at++)
		if (!is_digit(*at) && *at != '.')
			return false;
	return true;
}

/* The value of a lower-case hex digit, as `kiln fold` writes it; -1 for any other character. */
static int escape_digit(char c)
{
	return is_upper(c) ? -1 : hex_value(c);
}

/* Replaces each \xHH with its byte. buffer must have at least the length of name. */
static struct text unescape(struct text name, char *buffer)
{
	struct text result = { buffer, 0 };

	for (uint32_t i = 0; i < name.length; i++) {
		char c = name.at[i];

		if (c == '\\' && name.length - i >= 4 && name.at[i + 1] == 'x' &&
		    escape_digit(name.at[i + 2]) >= 0 && escape_digit(name.at[i + 3]) >= 0) {
			c = (char)(escape_digit(name.at[i + 2]) << 4 |
				   escape_digit(name.at[i + 3]));
			i += 3;
		}
		buffer[result.length++] = c;
	}
	return result;
}

static void unescape_frames(struct folded_parser *parser, struct text stack)
{
	char *at;

	vec_reserve(&parser->unescaped, stack.length);
	at = parser->unescaped.at;
	for (size_t i = 0; i < parser->stack.frames.count; i++) {
		parser->stack.frames.at[i] = unescape(parser->stack.frames.at[i], at);
		at += parser->stack.frames.at[i].length;
	}
}

static void split(struct folded_parser *parser, struct text stack)
{
	bool has_escapes;

	/* heaptrack ends stacks in a semicolon, behind which flamegraph.pl expects no frame. */
	while (stack.length && stack.at[stack.length - 1] == ';')
		stack.length--;
	has_escapes =
		parser->reader->is_escaped && stack.length && memchr(stack.at, '\\', stack.length);
	if (has_escapes)
		folded_stack_forget(&parser->stack);
	parser->shared_count = folded_stack_split(&parser->stack, stack);
	if (!has_escapes)
		return;
	unescape_frames(parser, stack);
	/* The next line will overwrite these names. */
	parser->stack.last.at = NULL;
}

/* Reads the id of the process or thread from austin's frames "P17" and "T0:18" or "T18". */
static bool parse_task(struct text frame, char letter, uint32_t *ret)
{
	const char *colon;
	uint64_t value;

	if (frame.length < 2 || frame.at[0] != letter)
		return false;
	colon = memchr(frame.at, ':', frame.length);
	if (!colon)
		colon = frame.at;
	if (!text_to_u64(
		    (struct text){ colon + 1, frame.length - (uint32_t)(colon + 1 - frame.at) },
		    &value) ||
	    value > UINT32_MAX)
		return false;
	*ret = (uint32_t)value;
	return true;
}

/* Sends the current stack. Most members of the event are the same in all samples. */
static void send_in(struct folded_parser *parser, struct text event, enum weight_unit unit,
		    uint64_t count, uint64_t offset)
{
	struct event_sample *sample = &parser->event.sample;
	struct event_text_sample *text = &parser->text;
	const struct text *frames = parser->stack.frames.at;
	uint32_t frame_count = (uint32_t)parser->stack.frames.count;

	text->comm = frames[0];
	text->event = event;
	text->unit = unit;
	text->sample_count = parser->sample_count ? parser->sample_count : 1;
	if (unit == UNIT_SAMPLES)
		text->sample_count = count;
	text->frames = frames + 1;
	text->frame_count = frame_count - 1;
	/* The first two frames can be the ids of a process and a thread. */
	text->repeats_head = parser->shared_count > 1 && parser->reader->has_one_event;
	text->shared_count = parser->shared_count ? parser->shared_count - 1 : 0;
	sample->present = SAMPLE_HAS_PERIOD | SAMPLE_HAS_CALLCHAIN;
	sample->period = count;
	sample->pid = sample->tid = 0;
	if (frame_count > 1 && parse_task(frames[0], 'P', &sample->pid) &&
	    parse_task(frames[1], 'T', &sample->tid))
		sample->present |= SAMPLE_HAS_TID;
	parser->event.offset = offset;
	event_send(parser->sink, &parser->event);
	/* The caller can send this stack again, with a different count. */
	parser->shared_count = frame_count;
}

static void send(struct folded_parser *parser, struct text event, uint64_t count, uint64_t offset)
{
	send_in(parser, event, parser->reader->unit, count, offset);
}

/* Reads a line that ends in three numbers. Freed memory has no weight. */
static bool take_metrics(struct folded_parser *parser, struct text line, uint64_t offset)
{
	struct folded_metrics metrics;

	if (!folded_line_take_metrics(&line, &metrics))
		return false;
	split(parser, line);
	send_in(parser, text_of("wall"), UNIT_EVENTS, metrics.time_us, offset);
	if (!metrics.is_idle)
		send_in(parser, text_of("cpu"), UNIT_EVENTS, metrics.time_us, offset);
	if (metrics.allocated_bytes)
		send_in(parser, text_of("memory"), UNIT_BYTES, metrics.allocated_bytes, offset);
	return true;
}

/*
 * Whether the current line is a row of a table. A quick test rules out most lines, which share a
 * frame with the previous stack, or whose first frame has no blank.
 */
static bool is_table_row(const struct folded_parser *parser, struct text name, uint32_t blank_count)
{
	const struct text *first = &parser->stack.frames.at[0];
	bool is_single = parser->stack.frames.count == 1;

	if (parser->reader->keeps_table_rows || (!is_single && parser->shared_count))
		return false;
	if (!is_single && !(first->length && memchr(first->at, ' ', first->length)))
		return false;
	return folded_line_is_table_row(name, blank_count);
}

static bool take_line(struct folded_parser *parser, struct text line, uint64_t offset)
{
	const struct folded_reader *reader = parser->reader;
	struct folded_number last;
	struct folded_number first = { 0 };
	uint32_t behind;

	if (reader->has_metrics)
		return take_metrics(parser, line, offset);
	behind = line.length;
	if (!folded_line_take_number(&line, reader->decimals, &last))
		return false;
	behind -= last.length;
	if (reader->has_two_counts) {
		behind = line.length;
		if (!folded_line_take_number(&line, reader->decimals, &first))
			return false;
		behind -= first.length;
	}
	split(parser, line);
	if (is_table_row(parser, line, behind - line.length)) {
		/* The stack was not sent, so the next one cannot share its frames. */
		folded_stack_forget(&parser->stack);
		return false;
	}
	parser->rounded_count += last.is_rounded + first.is_rounded;
	if (!reader->has_two_counts) {
		send(parser, reader->event, last.value, offset);
		return true;
	}
	send(parser, text_of("after"), last.value, offset);
	send(parser, text_of("before"), first.value, offset);
	return true;
}

/* Reads the number in "# 3 samples". Returns 0 for any other comment. */
static uint64_t read_sample_count(const struct folded_reader *reader, struct text comment)
{
	static const char before[] = "# ";
	static const char behind[] = " samples";
	uint32_t around = sizeof(before) + sizeof(behind) - 2;
	uint64_t count;

	if (!reader->has_sample_counts || comment.length <= around ||
	    !text_has_suffix(comment, behind) ||
	    !text_to_u64((struct text){ comment.at + sizeof(before) - 1, comment.length - around },
			 &count))
		return 0;
	return count;
}

static void skip_line(struct folded_parser *parser, struct text line, uint64_t offset)
{
	if (is_negative(line))
		parser->negative_count++;
	else
		text_skip(&parser->skips, offset);
}

static void take_lines(void *context, struct text_window *window)
{
	struct folded_parser *parser = context;
	const char *next = window->at;
	struct text line;

	/* The bytes of earlier lines may have moved. */
	folded_stack_forget(&parser->stack);
	while (window->at < window->stop &&
	       banner_next_line(&next, window->end, window->is_last, &line)) {
		uint64_t offset = text_offset(window, line.at);

		if (folded_line_is_comment(line)) {
			parser->sample_count = read_sample_count(parser->reader, line);
		} else {
			if (!take_line(parser, line, offset))
				skip_line(parser, line, offset);
			parser->sample_count = 0;
		}
		window->at = next;
	}
}

static const char *find_line(const char *from, const char *end)
{
	(void)end;
	return from;
}

/*
 * A comment must be in the same slice as the line after it. The line at `from` may follow such a
 * comment, so this line is skipped.
 */
static const char *find_line_with_count(const char *from, const char *end)
{
	const char *stop;

	if (from >= end || *from == '#')
		return from < end ? from : NULL;
	stop = memchr(from, '\n', (size_t)(end - from));
	return stop && stop + 1 < end ? stop + 1 : NULL;
}

/* Reads metadata in the comments that kiln and austin write. */
static void read_comment(struct folded_reader *reader, struct text line)
{
	static const struct {
		const char *line;
		enum weight_unit unit;
	} units[] = {
		{ "# unit: samples", UNIT_SAMPLES },
		{ "# unit: events", UNIT_EVENTS },
		{ "# unit: nanoseconds", UNIT_NANOSECONDS },
		{ "# unit: bytes", UNIT_BYTES },
		{ "# mode: wall", UNIT_EVENTS },
		{ "# mode: cpu", UNIT_EVENTS },
		{ "# mode: memory", UNIT_BYTES },
	};
	static const char *const names[] = { "# event: ", "# mode: " };

	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (text_is(line, units[i].line)) {
			reader->unit = units[i].unit;
			reader->counts_samples |= reader->unit == UNIT_SAMPLES;
		}
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		uint32_t length = (uint32_t)strlen(names[i]);

		if (text_has_prefix(line, names[i]) && line.length > length)
			reader->event = (struct text){ line.at + length, line.length - length };
	}
	/* austin writes one line for each sample. */
	reader->counts_samples |= text_has_prefix(line, FOLDED_AUSTIN);
	reader->is_escaped |= text_is(line, escapes);
	reader->has_sample_counts |= text_is(line, sample_counts);
	reader->keeps_table_rows |=
		text_has_prefix(line, FOLDED_PROVENANCE) || text_has_prefix(line, FOLDED_AUSTIN);
	reader->has_metrics |= text_is(line, austin_full);
}

/* Finds out from the first lines how counts are written. */
static void read_head(struct folded_reader *reader)
{
	const char *end = reader->head + reader->head_bytes;
	const char *next = reader->head;
	bool has_two_counts = true;
	bool has_decimals = false;
	bool has_lines = false;
	struct text line;

	while (text_next_line(&next, end, reader->head_bytes < HEAD_BYTES, &line)) {
		struct folded_number last;
		struct folded_number first;

		if (folded_line_is_comment(line)) {
			read_comment(reader, line);
			continue;
		}
		if (!folded_line_take_number(&line, 0, &last))
			continue;
		has_lines = true;
		has_decimals |= last.decimals > 0;
		if (!has_two_counts || !folded_line_take_number(&line, 0, &first))
			has_two_counts = false;
		else
			has_decimals |= first.decimals > 0;
	}
	reader->has_two_counts = has_lines && has_two_counts;
	reader->has_one_event = !reader->has_two_counts && !reader->has_metrics;
	if (has_decimals) {
		reader->decimals = FOLDED_DECIMALS;
		reader->unit = UNIT_MILLIONTHS;
	}
}

static bool folded_open(struct capture *capture, struct error *err)
{
	struct folded_reader *reader = memory_zalloc(1, sizeof(*reader));

	capture->reader = reader;
	reader->event = text_of("samples");
	reader->keeps_table_rows = capture->is_format_given;
	reader->head = memory_alloc(HEAD_BYTES, 1);
	if (!input_read(&capture->input, 0, reader->head, HEAD_BYTES, &reader->head_bytes, err))
		return false;
	read_head(reader);
	capture->lacks_sample_counts = !reader->counts_samples && !reader->has_sample_counts;
	/* Two counts result in two profiles, and the input is read once for each profile. */
	if (reader->has_two_counts && !input_spool(&capture->input, err))
		return false;
	return text_cut(capture, reader->has_sample_counts ? find_line_with_count : find_line, err);
}

static void folded_close(struct capture *capture)
{
	struct folded_reader *reader = capture->reader;

	memory_free(reader->head);
	memory_free(reader);
}

static bool read_state(struct capture *capture, const struct event_sink *sink, struct error *err)
{
	(void)capture;
	(void)err;
	text_report_fact(sink, FACT_FORMAT, text_of("folded stacks"));
	return true;
}

static bool read_samples(const struct capture *capture, struct slice slice,
			 const struct event_sink *sink, struct error *err)
{
	struct folded_parser parser = {
		.sink = sink,
		.reader = capture->reader,
		.event = { .kind = EVENT_SAMPLE, .sample.text = &parser.text },
		.text.is_outermost_first = true,
	};
	bool good = text_read(capture, slice, take_lines, &parser, &parser.skips, err);

	text_report_skips(&parser.skips, sink);
	text_report_loss(sink, LOSS_ROUNDED_COUNTS, parser.rounded_count, slice.begin);
	text_report_loss(sink, LOSS_NEGATIVE_COUNTS, parser.negative_count, slice.begin);
	folded_stack_deinit(&parser.stack);
	vec_free(&parser.unescaped);
	return good;
}

static void read_frame(const void *reader, struct text raw, event_frame_callback *take,
		       void *context)
{
	(void)reader;
	take(context,
	     &(struct event_frame){
		     .name = raw,
		     .module = { "", 0 },
		     .is_exact = raw.length > 0,
		     .is_kernel = text_has_suffix(raw, "_[k]"),
		     .is_inlined = text_has_suffix(raw, "_[i]"),
		     .is_jit = text_has_suffix(raw, "_[j]") || text_has_suffix(raw, "_[0]") ||
			       text_has_suffix(raw, "_[1]"),
	     });
}

const struct input_format folded_format = {
	.name = "folded",
	.summary = "folded stacks",
	.probe = folded_probe,
	.ends_in = "\n",
	.open = folded_open,
	.close = folded_close,
	.read_state = read_state,
	.read_samples = read_samples,
	.read_frame = read_frame,
	.has_exact_comms = true,
	.can_stream = true,
	.has_shared_frames = true,
	.sum_name = "off-CPU time",
	.plain_sum_ns = 1000,
};
