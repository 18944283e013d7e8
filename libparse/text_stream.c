/* SPDX-License-Identifier: MIT */
#include "libparse/text_stream.h"

#include "base/memory.h"
#include "libparse/text.h"

/*
 * The number of bytes at the end that are first searched for the last record. The number is
 * quadrupled until a record is found.
 */
#define CUT_BYTES ((size_t)16 << 10)
/*
 * The number of bytes of an overlong line or record that are kept: enough for readers to notice
 * that it is too long.
 */
#define LONG_BYTES (2 * LIMIT_TEXT_RECORD_BYTES)
/* The rest of an overlong line is read and dropped in pieces of this size. */
#define SKIP_BYTES ((size_t)64 << 10)
/* The read size. The lines of a piece are counted while it is in the L1 or L2 cache. */
#define PIECE_BYTES ((size_t)128 << 10)

struct buffer {
	char *at;
	size_t count, capacity;
	size_t cut; /* size of the whole records at the front */
	uint64_t offset;
	uint64_t line_count; /* newlines in the whole buffer */
	bool is_last;
	bool begins_inside, ends_inside; /* inside an overlong record */
};

struct text_stream {
	text_finder *find;
	struct buffer buffers[2];
	unsigned shown;
	bool has_begun;
	uint64_t lines_before; /* lines before the current buffer */
};

struct text_stream *text_stream_create(text_finder *find)
{
	struct text_stream *stream = memory_zalloc(1, sizeof(*stream));

	stream->find = find;
	return stream;
}

void text_stream_destroy(struct text_stream *stream)
{
	if (!stream)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(stream->buffers); i++)
		memory_free(stream->buffers[i].at);
	memory_free(stream);
}

/* The compiler translates operations on this type to those of the CPU's vectors. */
typedef unsigned char vector __attribute__((vector_size(16)));

static uint64_t count_lines(const char *at, size_t count)
{
	uint64_t lines = 0;

	while (count >= sizeof(vector)) {
		/* The count of a byte would overflow after 255 vectors. */
		size_t vectors = count / sizeof(vector) < 255 ? count / sizeof(vector) : 255;
		vector found = { 0 };

		for (size_t i = 0; i < vectors; i++) {
			vector bytes;

			memcpy(&bytes, at + i * sizeof(bytes), sizeof(bytes));
			/* A comparison sets all bits of a byte, which is -1. */
			found -= (vector)(bytes == '\n');
		}
		for (size_t i = 0; i < sizeof(found); i++)
			lines += found[i];
		at += vectors * sizeof(vector);
		count -= vectors * sizeof(vector);
	}
	for (size_t i = 0; i < count; i++)
		lines += at[i] == '\n';
	return lines;
}

/* The number of lines in the whole records. */
static uint64_t record_line_count(const struct buffer *buffer)
{
	if (buffer->cut == buffer->count)
		return buffer->line_count;
	return buffer->line_count -
	       count_lines(buffer->at + buffer->cut, buffer->count - buffer->cut);
}

static void reserve(struct buffer *buffer, size_t capacity)
{
	if (buffer->capacity >= capacity)
		return;
	buffer->at = memory_realloc(buffer->at, capacity, 1);
	buffer->capacity = capacity;
}

static void append(struct buffer *buffer, const char *bytes, size_t count)
{
	reserve(buffer, buffer->count + count);
	if (count)
		memcpy(buffer->at + buffer->count, bytes, count);
	buffer->count += count;
	buffer->line_count += count_lines(bytes, count);
}

/* Reads until the buffer has size_bytes, or to the end of the input. */
static bool read_on(struct buffer *buffer, struct input *input, size_t size_bytes,
		    struct error *err)
{
	reserve(buffer, size_bytes);
	while (buffer->count < size_bytes && !buffer->is_last) {
		size_t left = size_bytes - buffer->count;
		size_t wanted = left < PIECE_BYTES ? left : PIECE_BYTES;
		size_t got;

		if (!input_read_next(input, buffer->at + buffer->count, wanted, &got, err))
			return false;
		buffer->line_count += count_lines(buffer->at + buffer->count, got);
		buffer->count += got;
		buffer->is_last = got < wanted;
	}
	return true;
}

/* The last record that begins after the line at `at`, or NULL. */
static const char *find_last(const char *at, const char *end, text_finder *find)
{
	const char *last = NULL;

	for (;;) {
		const char *line = memchr(at, '\n', (size_t)(end - at));

		at = line && line + 1 < end ? find(line + 1, end) : NULL;
		if (!at)
			return last;
		last = at;
	}
}

/*
 * Returns the offset of the last record that begins in the buffer. Returns 0 if only the first
 * record does.
 */
static size_t find_cut(const struct buffer *buffer, text_finder *find)
{
	const char *end = buffer->at + buffer->count;

	for (size_t span = CUT_BYTES;; span *= 4) {
		size_t from = span < buffer->count ? buffer->count - span : 0;
		const char *last = find_last(buffer->at + from, end, find);

		if (last)
			return (size_t)(last - buffer->at);
		if (!from)
			return 0;
	}
}

/* Drops the rest of an overlong line except its newline, and cuts the buffer after the newline. */
static bool skip_line(struct buffer *buffer, struct input *input, struct error *err)
{
	char *bytes = memory_alloc(SKIP_BYTES, 1);
	const char *end = NULL;
	bool good = true;
	size_t got = SKIP_BYTES;

	while (good && !end && got == SKIP_BYTES) {
		good = input_read_next(input, bytes, SKIP_BYTES, &got, err);
		end = good && got ? memchr(bytes, '\n', got) : NULL;
	}
	buffer->cut = buffer->count + 1;
	if (end)
		append(buffer, end, got - (size_t)(end - bytes));
	buffer->is_last = got < SKIP_BYTES;
	memory_free(bytes);
	return good;
}

/* Cuts a buffer whose content is longer than any record that readers accept. */
static bool cut_long(struct buffer *buffer, struct input *input, struct error *err)
{
	/*
	 * Keep the last line for the next buffer, because readers use it to find the end of the
	 * record.
	 */
	const char *last = memrchr(buffer->at, '\n', buffer->count - 1);

	buffer->ends_inside = true;
	if (!last || (size_t)(buffer->at + buffer->count - last) > LONG_BYTES)
		return skip_line(buffer, input, err);
	buffer->cut = (size_t)(last + 1 - buffer->at);
	return true;
}

/* Reads until the buffer has a whole record, or more bytes than a record may have. */
static bool fill(struct buffer *buffer, text_finder *find, struct input *input, size_t size_bytes,
		 struct error *err)
{
	size_t most = size_bytes + LONG_BYTES;

	for (size_t wanted = size_bytes; !buffer->cut && !buffer->is_last;) {
		if (buffer->count >= most)
			return cut_long(buffer, input, err);
		if (buffer->count >= wanted)
			wanted = buffer->count < most / 2 ? 2 * buffer->count : most;
		if (!read_on(buffer, input, wanted, err))
			return false;
		if (!buffer->is_last)
			buffer->cut = find_cut(buffer, find);
	}
	return true;
}

bool text_stream_fill(struct text_stream *stream, struct input *input, size_t size_bytes,
		      struct error *err)
{
	const struct buffer *shown = &stream->buffers[stream->shown];
	struct buffer *next = &stream->buffers[!stream->shown];

	next->count = 0;
	next->cut = 0;
	next->line_count = 0;
	next->is_last = shown->is_last;
	next->begins_inside = shown->ends_inside;
	next->ends_inside = false;
	next->offset = shown->offset + shown->cut;
	if (!stream->has_begun)
		append(next, input->window.at, input->window.count);
	else
		append(next, shown->at + shown->cut, shown->count - shown->cut);
	if (!fill(next, stream->find, input, size_bytes, err))
		return false;
	if (next->is_last)
		next->cut = next->count;
	return true;
}

bool text_stream_show(struct text_stream *stream, struct capture *capture)
{
	const struct buffer *shown = &stream->buffers[!stream->shown];
	struct slice part = { .begin = shown->offset, .end = shown->offset + shown->cut };
	struct error ignored;

	if (stream->has_begun)
		stream->lines_before += record_line_count(&stream->buffers[stream->shown]);
	stream->shown = !stream->shown;
	stream->has_begun = true;
	capture->input.window = (struct input_window){ shown->at, shown->cut, shown->offset };
	capture->slices.count = 0;
	if (shown->is_last && shown->cut)
		capture_note_end(capture, shown->at[shown->cut - 1]);
	/* Reading from memory cannot fail, so the error is ignored. */
	return shown->cut && text_cut_part(capture, part, stream->find, &ignored);
}

uint64_t text_stream_line_number(const struct text_stream *stream, uint64_t offset)
{
	const struct buffer *shown = &stream->buffers[stream->shown];

	return stream->lines_before + count_lines(shown->at, (size_t)(offset - shown->offset)) + 1;
}

bool text_stream_begins_inside(const struct text_stream *stream, uint64_t offset)
{
	const struct buffer *shown = &stream->buffers[stream->shown];

	return shown->begins_inside && offset == shown->offset;
}
