/* SPDX-License-Identifier: MIT */
#include "libparse/text.h"

#include "base/memory.h"
#include "libparse/text_stream.h"

/* Slices are small, so that each worker has many of them, and no worker is idle at the end. */
#define SLICE_BYTES ((uint64_t)2 << 20)
/*
 * The number of bytes that are read to find a record boundary. Most records begin within a few
 * lines.
 */
#define CUT_BYTES ((size_t)16 << 10)
/* A window is large enough to amortise reads, and small enough for the L2 cache. */
#define WINDOW_BYTES ((size_t)256 << 10)
/* For reading a single record. */
#define WINDOW_BYTES_SMALL ((size_t)8 << 10)

/* A CR without an LF after it is blank space, not a newline. */
static bool is_padding(char c)
{
	return is_blank(c) || c == '\r';
}

struct text text_trim(struct text text)
{
	while (text.length && is_padding(text.at[0])) {
		text.at++;
		text.length--;
	}
	while (text.length && is_padding(text.at[text.length - 1]))
		text.length--;
	return text;
}

bool text_next_word(struct text *text, struct text *ret)
{
	uint32_t length = 0;

	*text = text_trim(*text);
	while (length < text->length && !is_padding(text->at[length]))
		length++;
	*ret = (struct text){ text->at, length };
	text->at += length;
	text->length -= length;
	return length > 0;
}

struct evidence text_probe(struct span head, bool (*is_own)(struct text line), const char *what)
{
	const char *next = (const char *)head.begin;
	const char *end = (const char *)head.end;
	struct text line;

	while (text_next_line(&next, end, true, &line))
		if (is_own(line))
			return evidence_at(CONFIDENCE_LIKELY, head, line.at, what);
	return evidence_none();
}

enum weight_unit text_unit_of_event(struct text event)
{
	return text_has_prefix(event, "cpu-clock") || text_has_prefix(event, "task-clock")
		       ? UNIT_NANOSECONDS
		       : UNIT_EVENTS;
}

/*
 * *ret becomes the offset of the first record at or after offset, or 0 if no record begins within
 * CUT_BYTES.
 */
static bool find_record(const struct capture *capture, uint64_t offset, text_finder *find,
			char *buffer, uint64_t *ret, struct error *err)
{
	const char *line;
	const char *found;
	size_t got;

	/* Also read the byte before offset, because a line may begin exactly at offset. */
	if (!input_read(&capture->input, offset - 1, buffer, CUT_BYTES, &got, err))
		return false;
	line = got ? memchr(buffer, '\n', got) : NULL;
	found = line ? find(line + 1, buffer + got) : NULL;
	*ret = found ? offset - 1 + (uint64_t)(found - buffer) : 0;
	return true;
}

bool text_cut(struct capture *capture, text_finder *find, struct error *err)
{
	if (find && input_is_streamed(&capture->input)) {
		capture->stream = text_stream_create(find);
		return true;
	}
	return input_spool(&capture->input, err) &&
	       text_cut_part(capture, (struct slice){ .end = capture->input.size_bytes }, find,
			     err);
}

bool text_cut_part(struct capture *capture, struct slice part, text_finder *find, struct error *err)
{
	char *buffer = memory_alloc(CUT_BYTES, 1);
	uint64_t begin = part.begin;
	bool good = true;

	for (uint64_t at = begin + SLICE_BYTES; find && good && at < part.end; at += SLICE_BYTES) {
		uint64_t found;

		good = find_record(capture, at, find, buffer, &found, err);
		/* If no record begins nearby, the current slice is extended. */
		if (!good || found <= begin)
			continue;
		vec_push(&capture->slices, (struct slice){ .begin = begin, .end = found });
		begin = found;
	}
	memory_free(buffer);
	vec_push(&capture->slices, (struct slice){ .begin = begin, .end = part.end });
	return good;
}

/* Reads a slice window by window, with the bytes of one window in memory. */
struct stream {
	char *buffer;
	size_t capacity;
	struct text_window window;
	uint64_t next, end; /* the byte range of the input still to be read */
	uint64_t stop;
	bool skips_line; /* inside an overlong line */
};

/* Keeps the bytes from window->at on, and reads more after them. */
static bool fill(struct stream *stream, const struct input *input, struct error *err)
{
	struct text_window *window = &stream->window;
	size_t kept = (size_t)(window->end - window->at);
	uint64_t wanted;
	size_t got;

	if (kept == stream->capacity) {
		size_t at = (size_t)(window->at - stream->buffer);

		stream->capacity *= 2;
		stream->buffer = memory_realloc(stream->buffer, stream->capacity, 1);
		window->at = stream->buffer + at;
	}
	memmove(stream->buffer, window->at, kept);
	wanted = stream->end - stream->next;
	if (wanted > stream->capacity - kept)
		wanted = stream->capacity - kept;
	if (!input_read(input, stream->next, stream->buffer + kept, (size_t)wanted, &got, err))
		return false;
	*window = (struct text_window){
		.begin = stream->buffer,
		.at = stream->buffer,
		.end = stream->buffer + kept + got,
		.offset = stream->next - kept,
	};
	stream->next += got;
	window->is_last = stream->next == stream->end || got < wanted;
	window->stop = stream->stop < stream->next
			       ? window->begin + (stream->stop > window->offset
							  ? stream->stop - window->offset
							  : 0)
			       : window->end;
	return true;
}

static void skip_long(struct text_skips *skips, uint64_t offset)
{
	if (!skips->count && !skips->long_count)
		skips->first_offset = offset;
	skips->long_count++;
}

/* Drops the part of an overlong line that is in the window. */
static void skip_line(struct stream *stream, struct text_skips *skips)
{
	struct text_window *window = &stream->window;
	const char *stop = memchr(window->at, '\n', (size_t)(window->end - window->at));

	if (!stream->skips_line)
		skip_long(skips, text_offset(window, window->at));
	stream->skips_line = !stop;
	window->at = stop ? stop + 1 : window->end;
}

/*
 * If the window ends in an overlong line, reads the records before the line, as if the input ended
 * there.
 */
static void read_before_line(struct stream *stream, text_record_callback *callback, void *context)
{
	struct text_window *window = &stream->window;
	const char *end = window->end;
	const char *last = memrchr(window->at, '\n', (size_t)(end - window->at));

	if (!last || (size_t)(end - last) <= LIMIT_TEXT_RECORD_BYTES / 2)
		return;
	window->end = last + 1;
	window->is_last = true;
	callback(context, window);
	window->end = end;
	window->is_last = false;
}

/*
 * Reads a small slice of a streamed pipe in one call, because the slice is in memory as a whole.
 * Returns false if the slice must be read window by window.
 */
static bool read_shown(const struct input *input, struct slice slice,
		       text_record_callback *callback, void *context)
{
	const struct input_window *shown = &input->window;
	struct text_window window = { .offset = slice.begin, .is_last = true };

	if (!input_is_streamed(input) || slice.end - slice.begin >= LIMIT_TEXT_RECORD_BYTES)
		return false;
	window.begin = window.at = shown->at + (slice.begin - shown->offset);
	window.stop = window.end = window.begin + (slice.end - slice.begin);
	callback(context, &window);
	return true;
}

bool text_read(const struct capture *capture, struct slice slice, text_record_callback *callback,
	       void *context, struct text_skips *skips, struct error *err)
{
	/* A one-byte slice means one record of unknown length. */
	bool is_single = slice.end - slice.begin == 1;
	struct stream stream = {
		.next = slice.begin,
		.stop = slice.end,
		.end = is_single ? capture->input.size_bytes : slice.end,
		.capacity = is_single ? WINDOW_BYTES_SMALL : WINDOW_BYTES,
	};
	bool good;

	if (read_shown(&capture->input, slice, callback, context))
		return true;
	stream.buffer = memory_alloc(stream.capacity, 1);
	stream.window.at = stream.window.end = stream.buffer;
	while ((good = fill(&stream, &capture->input, err))) {
		if (stream.skips_line)
			skip_line(&stream, skips);
		if (!stream.skips_line)
			callback(context, &stream.window);
		if (stream.window.is_last ||
		    text_offset(&stream.window, stream.window.at) >= stream.stop)
			break;
		if ((size_t)(stream.window.end - stream.window.at) < LIMIT_TEXT_RECORD_BYTES)
			continue;
		read_before_line(&stream, callback, context);
		if (text_offset(&stream.window, stream.window.at) >= stream.stop)
			break;
		skip_line(&stream, skips);
	}
	memory_free(stream.buffer);
	return good;
}

bool text_give_up(struct text_window *window, struct text_skips *skips)
{
	size_t length = (size_t)(window->end - window->at);
	const char *last =
		length >= LIMIT_TEXT_RECORD_BYTES / 2 ? memrchr(window->at, '\n', length) : NULL;

	if (!last)
		return false;
	skip_long(skips, text_offset(window, window->at));
	window->at = last + 1;
	return true;
}

bool text_begins_inside(const struct capture *capture, struct slice slice)
{
	return capture->stream && text_stream_begins_inside(capture->stream, slice.begin);
}

void text_report_skips(const struct text_skips *skips, const struct event_sink *sink)
{
	text_report_loss(sink, LOSS_SKIPPED_LINES, skips->count, skips->first_offset);
	text_report_loss(sink, LOSS_LONG_LINES, skips->long_count, skips->first_offset);
}

void text_report_loss(const struct event_sink *sink, enum loss_kind kind, uint64_t count,
		      uint64_t offset)
{
	if (count)
		event_send(sink, &(struct event){
					 .kind = EVENT_LOSS,
					 .offset = offset,
					 .loss = { kind, count },
				 });
}

bool text_load(const struct capture *capture, uint64_t limit_bytes, const char *what,
	       struct text *ret, struct error *err)
{
	uint64_t size_bytes = capture->input.size_bytes;
	char *bytes;
	size_t got;

	if (size_bytes > limit_bytes)
		return error_set(err, ERROR_LIMIT, "is %s larger than the limit of %llu bytes",
				 what, (unsigned long long)limit_bytes);
	bytes = memory_alloc(size_bytes, 1);
	if (!input_read(&capture->input, 0, bytes, (size_t)size_bytes, &got, err)) {
		memory_free(bytes);
		return false;
	}
	*ret = (struct text){ bytes, (uint32_t)got };
	return true;
}

bool text_read_samples(const struct capture *capture, struct slice slice,
		       text_record_callback *callback, const struct event_sink *sink,
		       struct error *err)
{
	struct text_parser parser = { .sink = sink };
	bool good = text_read(capture, slice, callback, &parser, &parser.skips, err);

	text_report_skips(&parser.skips, sink);
	vec_free(&parser.frames);
	return good;
}

uint64_t text_line_number(const struct input *input, uint64_t offset)
{
	char *buffer = memory_alloc(WINDOW_BYTES, 1);
	uint64_t number = 1;
	struct error ignored;
	uint64_t at = 0;
	size_t got = 1;

	while (at < offset && got) {
		size_t wanted = offset - at < WINDOW_BYTES ? (size_t)(offset - at) : WINDOW_BYTES;

		if (!input_read(input, at, buffer, wanted, &got, &ignored))
			got = 0;
		for (size_t i = 0; i < got; i++)
			number += buffer[i] == '\n';
		at += got;
	}
	memory_free(buffer);
	return at < offset ? 0 : number;
}

void text_report_fact(const struct event_sink *sink, enum fact fact, struct text value)
{
	event_send(sink, &(struct event){
				 .kind = EVENT_FACT,
				 .fact = { .name = fact, .value = value },
			 });
}
