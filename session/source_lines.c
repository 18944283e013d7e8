/* SPDX-License-Identifier: MIT */
#include "session/source_lines.h"

#include <inttypes.h>

static struct text take_line(struct text *file)
{
	const char *end = memchr(file->at, '\n', file->length);
	uint32_t length = end ? (uint32_t)(end - file->at) : file->length;
	struct text line = { file->at, length };

	length += end ? 1 : 0;
	*file = (struct text){ file->at + length, file->length - length };
	return line;
}

static bool is_near(uint64_t number, uint64_t touched)
{
	return number + SOURCE_LINES_MARGIN >= touched && number <= touched + SOURCE_LINES_MARGIN;
}

static void write_near_lines(struct text file, const uint32_t *touched, size_t count,
			     struct sink *sink, uint32_t *ret_line_count)
{
	size_t next = 0;

	for (uint32_t number = 1; file.length && next < count; number++) {
		struct text line = take_line(&file);

		if (is_near(number, touched[next])) {
			sink_printf(sink, "%" PRIu32 "\t", number);
			sink_text(sink, line);
			sink_char(sink, '\n');
			++*ret_line_count;
		}
		/* A line that the next touched one is near to, too, is written once. */
		while (next < count && (uint64_t)touched[next] + SOURCE_LINES_MARGIN <= number)
			next++;
	}
}

static uint32_t count_lines(struct text file)
{
	uint32_t count = 0;

	for (; file.length; count++)
		take_line(&file);
	return count;
}

enum source_match source_lines_write(struct text file, const uint32_t *touched, size_t count,
				     struct sink *sink, uint32_t *ret_line_count)
{
	*ret_line_count = 0;
	if (file.length && memchr(file.at, '\0', file.length))
		return SOURCE_NOT_TEXT;
	if (count && count_lines(file) < touched[count - 1])
		return SOURCE_OTHER_VERSION;
	write_near_lines(file, touched, count, sink, ret_line_count);
	return SOURCE_MATCHES;
}
