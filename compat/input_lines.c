/* SPDX-License-Identifier: MIT */
#include "compat/input_lines.h"

#include "base/input.h"
#include "libparse/text.h"

#define CHUNK_BYTES ((size_t)256 << 10)

void input_lines_init(struct input_lines *lines, input_line_callback *on_line, void *context)
{
	*lines = (struct input_lines){ .on_line = on_line, .context = context, .number = 1 };
}

void input_lines_deinit(struct input_lines *lines)
{
	vec_free(&lines->line);
}

static void end_line(struct input_lines *lines, const char *at, size_t length)
{
	if (lines->is_too_long) {
		if (!lines->skipped_count++)
			lines->first_skipped_number = lines->number;
	} else {
		lines->on_line(lines->context, (struct text){ at, (uint32_t)length });
	}
	lines->is_too_long = false;
	lines->line.count = 0;
	lines->number++;
}

static void append(struct input_lines *lines, const char *at, size_t length)
{
	if (lines->line.count + length > LIMIT_TEXT_RECORD_BYTES)
		lines->is_too_long = true;
	if (lines->is_too_long || !length)
		return;
	vec_reserve(&lines->line, lines->line.count + length);
	memcpy(lines->line.at + lines->line.count, at, length);
	lines->line.count += length;
}

static bool has_partial_line(const struct input_lines *lines)
{
	return lines->line.count || lines->is_too_long;
}

static void read_chunk(struct input_lines *lines, const char *at, size_t size_bytes)
{
	const char *end = at + size_bytes;
	const char *stop;

	while (at < end && (stop = memchr(at, '\n', (size_t)(end - at)))) {
		if (has_partial_line(lines)) {
			append(lines, at, (size_t)(stop - at));
			end_line(lines, lines->line.at, lines->line.count);
		} else {
			end_line(lines, at, (size_t)(stop - at));
		}
		at = stop + 1;
	}
	append(lines, at, (size_t)(end - at));
}

static bool read_input(struct input_lines *lines, const struct input *input, struct error *err)
{
	char *chunk = memory_alloc(CHUNK_BYTES, 1);
	uint64_t offset = 0;
	size_t got = CHUNK_BYTES;
	bool good = true;

	while (good && got == CHUNK_BYTES) {
		good = input_read(input, offset, chunk, CHUNK_BYTES, &got, err);
		if (good)
			read_chunk(lines, chunk, got);
		offset += got;
	}
	if (has_partial_line(lines))
		end_line(lines, lines->line.at, lines->line.count);
	memory_free(chunk);
	return good;
}

bool input_lines_read(struct input_lines *lines, const char *path, struct error *err)
{
	struct input input;
	bool good = input_open(&input, path, err);

	if (!good)
		return false;
	good = read_input(lines, &input, err);
	input_close(&input);
	return good;
}
