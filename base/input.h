/* SPDX-License-Identifier: MIT */
/*
 * One input, readable at any offset. A regular file is read in place; a pipe is first spooled to an
 * unnamed temporary file. Inputs are read with pread(), not mapped, so memory use does not depend
 * on the size of the capture. If a file shrinks, pread() returns fewer bytes, where a mapping would
 * raise SIGBUS. Several threads may read at the same time.
 *
 * A pipe that is read once, from beginning to end, can be streamed without a temporary file. Only
 * the bytes in the window of a streamed pipe can be read.
 *
 *     bytes of the pipe   ......[ window )......
 *                                        └ input_read_next
 */
#ifndef BASE_INPUT_H
#define BASE_INPUT_H

#include "base/error.h"
#include "base/temporary_space.h"
#include "base/vec.h"

/*
 * Maximum number of files examined in a directory of symbols, baselines or perf data. Even a whole
 * sysroot has fewer files.
 */
#define LIMIT_DIRECTORY_FILES (1u << 20)

/* One file of an input that consists of several files. */
struct input_piece {
	int fd;
	uint64_t begin; /* input offset of the piece's first byte */
};

struct input_window {
	const char *at;
	size_t count;
	uint64_t offset; /* input offset of the first byte */
};

struct input {
	char *name; /* the name as the user gave it, or "standard input" */
	int fd;
	/*
	 * The total size of all pieces. For a streamed pipe, the size of the whole lines in its
	 * head.
	 */
	uint64_t size_bytes;
	/* modification time of a regular file, since the epoch; 0 if unknown */
	int64_t written_time_ns;
	VEC(struct input_piece) pieces; /* the files that follow fd; usually none */
	/*
	 * The readable bytes of a streamed pipe. For other inputs, .at is NULL. The first window is
	 * `head`, which the input owns. The code that moves the window owns the bytes of all later
	 * windows.
	 */
	struct input_window window;
	char *head;
	/*
	 * Limits the input's temporary files; borrowed. If NULL, the limit is half of the free
	 * space.
	 */
	struct temporary_space *space;
	bool is_spool; /* fd is a temporary file */
};

/* Opens path, or standard input for "-". Refuses directories and block devices. */
bool input_open(struct input *input, const char *path, struct error *err) WARN_UNUSED;
void input_close(struct input *input);

/*
 * Like input_open, but streams a pipe: at first, the window contains the first INPUT_HEAD_BYTES. A
 * shorter pipe is spooled.
 */
#define INPUT_HEAD_BYTES ((size_t)256 << 10)
bool input_open_streamed(struct input *input, const char *path, struct error *err) WARN_UNUSED;

static inline bool input_is_streamed(const struct input *input)
{
	return input->window.at != NULL;
}

/*
 * Spools a streamed pipe of which only the head was read. The input's `space` must be set before
 * this call. Does nothing for other inputs.
 */
bool input_spool(struct input *input, struct error *err) WARN_UNUSED;

/* Reads the next size_bytes of a streamed pipe, or fewer at its end. */
bool input_read_next(struct input *input, void *buffer, size_t size_bytes, size_t *got,
		     struct error *err) WARN_UNUSED;

/* Opens a regular file in a directory, without blocking and without following links. */
bool input_open_in(struct input *input, const char *directory, const char *name,
		   struct error *err) WARN_UNUSED;

/* Appends the files of `other` to input, which then owns them. Closes `other`. */
void input_join(struct input *input, struct input *other);

/* Creates an empty, unnamed temporary file. space: see struct input. */
bool input_create_spool(struct input *input, struct temporary_space *space,
			struct error *err) WARN_UNUSED;
bool input_append_spool(struct input *input, const void *bytes, size_t size_bytes,
			struct error *err) WARN_UNUSED;

/* Reads up to size_bytes at offset; *got is less than size_bytes only at the end of the file. */
bool input_read(const struct input *input, uint64_t offset, void *buffer, size_t size_bytes,
		size_t *got, struct error *err) WARN_UNUSED;

/*
 * Reads size_bytes at offset if they are in the page cache. Returns false if some bytes are not in
 * the cache, or are in several files. If the system does not report what is in the cache, also
 * returns false.
 */
bool input_peek(const struct input *input, uint64_t offset, void *buffer, size_t size_bytes);

#endif
