/* SPDX-License-Identifier: MIT */
/*
 * Reads stacks counted by DTrace, as printed by an aggregation by stack() or ustack():
 *
 *     CPU     ID                    FUNCTION:NAME
 *       0  64091                        :tick-60s
 *
 *       bash                                         other keys of the aggregation
 *                   libc.so.1`read+0xa               the innermost frame first; the module, `,
 *                   bash`main+0x5d                   the function and the offset in it
 *                   0x104d08831
 *                     12                             the count, after keys that follow the stack
 */
#include "base/scan.h"
#include "libparse/text.h"

#define HEADING "CPU     ID                    FUNCTION:NAME"

enum dtrace_line {
	DTRACE_UNKNOWN,
	DTRACE_BLANK, /* a blank line, or a heading of DTrace */
	DTRACE_KEY,
	DTRACE_FRAME,
	DTRACE_COUNT,
	DTRACE_DROPS, /* "dtrace: 12 drops on CPU 0" */
};

struct dtrace_parser {
	struct text_parser text;
	struct text key; /* key of the current stack; .at is NULL if there is none */
	uint64_t lost_count, lost_offset;
};

static bool is_hex(struct text word)
{
	uint64_t ignored;

	return text_has_prefix(word, "0x") && scan_hex(&word, &ignored) && !word.length;
}

/* "  0  64091                        :tick-60s" */
static bool is_probe_line(struct text line)
{
	struct text cpu, id, name;
	uint64_t ignored;

	return text_next_word(&line, &cpu) && text_to_u64(cpu, &ignored) &&
	       text_next_word(&line, &id) && text_to_u64(id, &ignored) &&
	       text_next_word(&line, &name) && text_contains(name, ":");
}

/* number_ret: the number of a DTRACE_COUNT or DTRACE_DROPS */
static enum dtrace_line read_line(struct text line, uint64_t *number_ret)
{
	struct text trimmed = text_trim(line);
	struct text rest = line;

	if (!trimmed.length || text_is(trimmed, HEADING) || is_probe_line(line))
		return DTRACE_BLANK;
	if (scan_prefix(&rest, "dtrace: "))
		return scan_u64(&rest, number_ret) && text_contains(rest, "drop") ? DTRACE_DROPS
										  : DTRACE_BLANK;
	if (!text_is_indented(line))
		return DTRACE_UNKNOWN;
	if (text_to_u64(trimmed, number_ret))
		return DTRACE_COUNT;
	if (text_contains(trimmed, "`") || is_hex(trimmed))
		return DTRACE_FRAME;
	/* The line is a row of a distribution, or its heading. */
	return text_contains(trimmed, "|") || text_contains(trimmed, " Distribution ")
		       ? DTRACE_UNKNOWN
		       : DTRACE_KEY;
}

/* The first key of a line. Keys are padded with blanks. */
static struct text first_key(struct text line)
{
	struct text key = text_trim(line);
	const char *gap = memmem(key.at, key.length, "  ", 2);

	return gap ? text_between(key.at, gap) : key;
}

/* "  bash      12": keys that follow the stack in the aggregation, and the count. */
static bool read_key_and_count(struct text line, struct text *key_ret, uint64_t *count_ret)
{
	struct text trimmed = text_trim(line);
	const char *blank = memrchr(trimmed.at, ' ', trimmed.length);

	if (!blank || !text_to_u64(text_between(blank + 1, trimmed.at + trimmed.length), count_ret))
		return false;
	*key_ret = first_key(text_between(trimmed.at, blank));
	return true;
}

/* "libc.so.1`read+0xa"; without a symbol, the function is an address, and the name is empty. */
static struct event_frame parse_frame(struct text raw)
{
	struct event_frame frame = { .name = raw, .module = { "", 0 } };
	const char *quote = memchr(raw.at, '`', raw.length);
	const char *plus;

	if (quote) {
		frame.module = text_between(raw.at, quote);
		frame.name = text_from(raw, frame.module.length + 1);
	}
	plus = frame.name.length ? memrchr(frame.name.at, '+', frame.name.length) : NULL;
	if (plus && is_hex(text_between(plus + 1, frame.name.at + frame.name.length)))
		frame.name.length = (uint32_t)(plus - frame.name.at);
	if (is_hex(frame.name)) {
		(void)scan_hex(&frame.name, &frame.address);
		frame.name = text_of("");
	}
	return frame;
}

static void read_frame(const void *reader, struct text raw, event_frame_callback *callback,
		       void *context)
{
	struct event_frame frame = parse_frame(raw);

	(void)reader;
	callback(context, &frame);
}

/* Without a key, the outermost function serves as the comm, as in folded stacks. */
static struct text read_outermost(struct dtrace_parser *parser)
{
	struct text raw = parser->text.frames.at[--parser->text.frames.count];
	struct text name = parse_frame(raw).name;

	return name.length ? name : raw;
}

static void send(struct dtrace_parser *parser, uint64_t count, uint64_t offset)
{
	struct event_text_sample text = {
		.comm = parser->key.at ? parser->key : read_outermost(parser),
		.event = text_of("samples"),
		.unit = UNIT_SAMPLES,
		.sample_count = count,
		.frames = parser->text.frames.at,
		.frame_count = (uint32_t)parser->text.frames.count,
	};
	struct event event = { .kind = EVENT_SAMPLE, .offset = offset };

	event.sample = (struct event_sample){
		.present = SAMPLE_HAS_CALLCHAIN | SAMPLE_HAS_PERIOD,
		.period = count,
		.text = &text,
	};
	event_send(parser->text.sink, &event);
}

static void begin_stack(struct dtrace_parser *parser)
{
	parser->text.frames.count = 0;
	parser->key = (struct text){ NULL, 0 };
}

/*
 * Adds a key or a frame, and skips blank lines. Returns false for any other line, which ends the
 * stack.
 */
static bool add_line(struct dtrace_parser *parser, enum dtrace_line kind, struct text line)
{
	if (kind == DTRACE_FRAME)
		vec_push(&parser->text.frames, text_trim(line));
	/* A number before the frames is a key, such as the PID. */
	else if ((kind == DTRACE_KEY || kind == DTRACE_COUNT) && !parser->text.frames.count &&
		 !parser->key.at)
		parser->key = first_key(line);
	else if (kind != DTRACE_BLANK)
		return false;
	return true;
}

static void note_drops(struct dtrace_parser *parser, uint64_t count, uint64_t offset)
{
	if (!parser->lost_count)
		parser->lost_offset = offset;
	parser->lost_count += count < UINT32_MAX ? count : UINT32_MAX;
}

/*
 * Whether a line ends a stack. If the line also has a count, sets the count. If the key is unknown,
 * sets the key as well.
 */
static bool ends_stack(enum dtrace_line kind, struct text line, struct text *key, uint64_t *count)
{
	struct text own;

	if (kind == DTRACE_COUNT)
		return true;
	if (kind != DTRACE_KEY || !read_key_and_count(line, &own, count))
		return false;
	if (!key->at)
		*key = own;
	return true;
}

/*
 * Reads the stack that begins at window->at. Returns false if the stack continues beyond the
 * window.
 */
static bool read_stack(struct dtrace_parser *parser, struct text_window *window)
{
	const char *begin = window->at;
	const char *next = begin;
	struct text line;
	uint64_t number;

	begin_stack(parser);
	while (text_next_line(&next, window->end, window->is_last, &line)) {
		enum dtrace_line kind = read_line(line, &number);
		uint64_t offset = text_offset(window, line.at);

		if (kind == DTRACE_DROPS)
			note_drops(parser, number, offset);
		else if (add_line(parser, kind, line))
			continue;
		else if (!parser->text.frames.count ||
			 !ends_stack(kind, line, &parser->key, &number))
			text_skip(&parser->text.skips, offset);
		else
			send(parser, number, text_offset(window, begin));
		if (kind != DTRACE_DROPS || !parser->text.frames.count) {
			window->at = next;
			return true;
		}
	}
	if (!window->is_last)
		return false;
	/* The count is missing. */
	if (parser->text.frames.count)
		text_skip(&parser->text.skips, text_offset(window, begin));
	window->at = window->end;
	return true;
}

/* Skips the rest of an overlong stack. */
static void skip_stack(struct dtrace_parser *parser, struct text_window *window)
{
	struct text line;
	uint64_t ignored;

	while (parser->text.drops_record &&
	       text_next_line(&window->at, window->end, window->is_last, &line))
		parser->text.drops_record = read_line(line, &ignored) != DTRACE_COUNT;
}

static void read_records(void *context, struct text_window *window)
{
	struct dtrace_parser *parser = context;

	skip_stack(parser, window);
	while (!parser->text.drops_record && window->at < window->stop) {
		struct text_skips skips = parser->text.skips;
		uint64_t lost_count = parser->lost_count;

		if (read_stack(parser, window))
			continue;
		parser->text.skips = skips;
		parser->lost_count = lost_count;
		parser->text.drops_record = text_give_up(window, &parser->text.skips);
		return;
	}
}

/* A stack begins after the count of another stack. Numbers not preceded by a frame can be keys. */
static const char *find_stack(const char *from, const char *end)
{
	const char *next = from;
	bool has_frames = false;
	struct text line, key = { NULL, 0 };
	uint64_t ignored;

	while (text_next_line(&next, end, false, &line)) {
		enum dtrace_line kind = read_line(line, &ignored);

		if (has_frames && ends_stack(kind, line, &key, &ignored))
			return next < end ? next : NULL;
		has_frames |= kind == DTRACE_FRAME;
	}
	return NULL;
}

static bool dtrace_open(struct capture *capture, struct error *err)
{
	return text_cut(capture, find_stack, err);
}

static bool read_samples(const struct capture *capture, struct slice slice,
			 const struct event_sink *sink, struct error *err)
{
	struct dtrace_parser parser = { .text.sink = sink };
	bool good = text_read(capture, slice, read_records, &parser, &parser.text.skips, err);

	text_report_skips(&parser.text.skips, sink);
	text_report_loss(sink, LOSS_RECORDS, parser.lost_count, parser.lost_offset);
	vec_free(&parser.text.frames);
	return good;
}

static bool is_own(struct text line)
{
	struct text trimmed = text_trim(line);
	const char *quote = trimmed.length ? memchr(trimmed.at, '`', trimmed.length) : NULL;

	if (text_is(trimmed, HEADING))
		return true;
	return quote && quote > trimmed.at && text_is_indented(line) &&
	       !memchr(trimmed.at, ' ', (size_t)(quote - trimmed.at)) &&
	       text_contains(text_between(quote, trimmed.at + trimmed.length), "+0x");
}

static struct evidence probe(struct span head)
{
	return text_probe(head, is_own, "a heading or a frame of DTrace");
}

const struct input_format dtrace_format = {
	.name = "dtrace",
	.summary = "stacks counted by DTrace",
	.title = "stacks of DTrace",
	.probe = probe,
	.ends_in = "\n",
	.open = dtrace_open,
	.read_samples = read_samples,
	.read_frame = read_frame,
};
