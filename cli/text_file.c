/* SPDX-License-Identifier: MIT */
#include "cli/text_file.h"

#include "base/input.h"

/*
 * Maximum size of a file that an option names, such as --nameattr. Such files have one line for
 * each function, mark or input.
 */
#define LIMIT_OPTION_FILE_BYTES (64u << 20)

#define CHUNK_BYTES ((size_t)64 << 10)

/*
 * Reads from a position. Pipes and devices are only read sequentially, so that an endless input is
 * not spooled.
 */
static bool read_chunk(struct input *input, uint64_t at, struct sink *ret, size_t *got,
		       struct error *err)
{
	char *room = sink_room(ret, CHUNK_BYTES);

	return input_is_streamed(input) ? input_read_next(input, room, CHUNK_BYTES, got, err)
					: input_read(input, at, room, CHUNK_BYTES, got, err);
}

bool text_file_read(const char *path, struct sink *ret, struct error *err)
{
	struct input input;
	uint64_t at = 0;
	size_t got = CHUNK_BYTES;
	bool good = true;

	if (!input_open_streamed(&input, path, err))
		return false;
	if (input_is_streamed(&input)) {
		sink_bytes(ret, input.window.at, input.window.count);
		at = input.window.count;
	}
	while (good && got == CHUNK_BYTES && at <= LIMIT_OPTION_FILE_BYTES) {
		good = read_chunk(&input, at, ret, &got, err);
		ret->used += good ? got : 0;
		at += good ? got : 0;
	}
	if (good && at > LIMIT_OPTION_FILE_BYTES)
		good = error_set(err, ERROR_LIMIT,
				 "%s: the file is larger than the limit of %u "
				 "bytes",
				 path, LIMIT_OPTION_FILE_BYTES);
	input_close(&input);
	return good;
}
