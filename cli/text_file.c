/* SPDX-License-Identifier: MIT */
#include "cli/text_file.h"

#include "base/input.h"

/* A file that an option names, such as --nameattr: one line for each function. */
#define LIMIT_OPTION_FILE_BYTES (64u << 20)

#define CHUNK_BYTES ((size_t)64 << 10)

bool text_file_read(const char *path, struct sink *ret, struct error *err)
{
	struct input input;
	uint64_t at = 0;
	size_t got = CHUNK_BYTES;
	bool good = true;

	if (!input_open(&input, path, err))
		return false;
	while (good && got == CHUNK_BYTES && at <= LIMIT_OPTION_FILE_BYTES) {
		good = input_read(&input, at, sink_room(ret, CHUNK_BYTES), CHUNK_BYTES, &got, err);
		ret->used += good ? got : 0;
		at += got;
	}
	if (good && at > LIMIT_OPTION_FILE_BYTES)
		good = error_set(err, ERROR_LIMIT, "%s: is larger than %u bytes", path,
				 LIMIT_OPTION_FILE_BYTES);
	input_close(&input);
	return good;
}
