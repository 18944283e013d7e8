/* SPDX-License-Identifier: MIT */
/*
 * One input, readable at any offset as often as needed. A regular file is read in place; a pipe
 * is first spooled to an unnamed temporary file. It is read with pread into the reader's own
 * buffer rather than mapped: memory then stays flat however large the capture is, and a file
 * that shrinks meanwhile is a short read instead of a SIGBUS. Safe for concurrent reading.
 *
 * Who reads a pipe from its beginning to its end and never again can do without the temporary file: of an
 * input that passes by, only what its window shows can be read.
 *
 *     bytes of the pipe   ......[ window )......
 *                                        └ input_read_next
 */
#ifndef BASE_INPUT_H
#define BASE_INPUT_H

#include "base/error.h"
#include "base/vec.h"

/* Files examined in a folder of symbols, of baselines or of perf data. A whole sysroot has
 * fewer. */
#define LIMIT_FOLDER_FILES (1u << 20)
/* A pipe or decompressed data, stored in a temporary file: larger than any capture. */
#define LIMIT_SPOOL_BYTES ((uint64_t)1 << 40)

/* A file whose bytes follow those of the files before it. */
struct input_piece {
	int fd;
	uint64_t begin; /* of its first byte in the whole */
};

/* Bytes of an input that are in memory. */
struct input_window {
	const char *at;
	size_t count;
	uint64_t offset; /* of the first in the input */
};

struct input {
	char *name; /* as the user gave it; "-" is shown as "standard input" */
	int fd;
	/* Of all pieces together; of what passes by, that of the lines that begin it. */
	uint64_t size_bytes;
	int64_t written_time_ns;        /* of a regular file, since the epoch; 0: unknown */
	VEC(struct input_piece) pieces; /* behind fd; mostly none */
	/* Of a pipe that passes by, what can be read; at NULL: all that there is. Whoever moves it owns the
	 * bytes, but those of head. */
	struct input_window window;
	char *head;
};

/* Opens path, or standard input for "-". Refuses directories and block devices. */
bool input_open(struct input *input, const char *path, struct error *err) WARN_UNUSED;
void input_close(struct input *input);

/* The same, but a pipe passes by: its window shows the first INPUT_HEAD_BYTES. One that has no more is spooled. */
#define INPUT_HEAD_BYTES ((size_t)256 << 10)
bool input_open_streamed(struct input *input, const char *path, struct error *err) WARN_UNUSED;

static inline bool input_is_streamed(const struct input *input)
{
	return input->window.at != NULL;
}

/* Spools a pipe that passes by, of which only the head was read; any other input stays as it is. */
bool input_spool(struct input *input, struct error *err) WARN_UNUSED;

/* Reads what comes next out of a pipe that passes by, size_bytes unless it ends before. */
bool input_read_next(struct input *input, void *buffer, size_t size_bytes, size_t *got,
		     struct error *err) WARN_UNUSED;

/* Opens a regular file of this name in a folder: without waiting, and not through a link. */
bool input_open_in(struct input *input, const char *folder, const char *name,
		   struct error *err) WARN_UNUSED;

/* Puts the bytes of other behind those of input, which owns them then; other is closed. */
void input_join(struct input *input, struct input *other);

/* An unnamed temporary file, empty at first, and adding bytes to its end. */
bool input_create_spool(struct input *input, struct error *err) WARN_UNUSED;
bool input_append_spool(struct input *input, const void *bytes, size_t size_bytes,
			struct error *err) WARN_UNUSED;

/* Reads up to size_bytes at offset; *got is short only at the end of the file. */
bool input_read(const struct input *input, uint64_t offset, void *buffer, size_t size_bytes,
		size_t *got, struct error *err) WARN_UNUSED;

/*
 * Reads size_bytes at offset if they are in memory already. False: they are not, or not all of them are in
 * one file, or the system does not tell.
 */
bool input_peek(const struct input *input, uint64_t offset, void *buffer, size_t size_bytes);

#endif
