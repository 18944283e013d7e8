/* SPDX-License-Identifier: MIT */
/*
 * Output: a buffer in front of a file descriptor, or a growing block of memory. After a failed
 * write, later writes do nothing, and sink_flush reports the failure.
 */
#ifndef BASE_SINK_H
#define BASE_SINK_H

#include "base/error.h"
#include "base/strings.h"

struct sink;

/*
 * Filters bytes on their way to a descriptor. A filter writes to a different sink, and returns how
 * many bytes it consumed. The sink passes the bytes that the filter did not consume, an incomplete
 * character, again before the next bytes. At the end of the output, the filter consumes all bytes.
 */
typedef size_t sink_filter(struct sink *to, struct text bytes, bool is_end);

struct sink {
	char *buffer;
	size_t used;
	size_t capacity;
	int fd;              /* -1 means memory */
	int failed_errno;    /* 0 if all writes succeeded so far */
	uint64_t written;    /* bytes that reached fd */
	sink_filter *filter; /* if NULL, bytes are written unchanged */
};

/* Initialises a sink that writes to fd, which the caller closes. */
void sink_init_fd(struct sink *sink, int fd);
void sink_init_memory(struct sink *sink);

/* Frees the buffer. Bytes that were not flushed are lost. */
void sink_deinit(struct sink *sink);

/* Writes buffered bytes. Returns false, with err, if this or any earlier write failed. */
bool sink_flush(struct sink *sink, struct error *err) WARN_UNUSED;

/* The bytes written to a memory sink so far. The text is valid until the next write. */
struct text sink_memory(const struct sink *sink);

/*
 * Makes room for a few bytes, and returns where to write them. The caller writes bytes there, and
 * then adds their number to `used`.
 */
char *sink_room(struct sink *sink, size_t size_bytes);

void sink_bytes(struct sink *sink, const void *bytes, size_t size_bytes);
/* Writes a number of several digits. */
void sink_long_u64(struct sink *sink, uint64_t value);
void sink_printf(struct sink *sink, const char *format, ...) PRINTF_LIKE(2, 3);

static inline void sink_char(struct sink *sink, char c)
{
	if (UNLIKELY(sink->used == sink->capacity)) {
		sink_bytes(sink, &c, 1);
		return;
	}
	sink->buffer[sink->used++] = c;
}

/* Many numbers have only one digit. */
static inline void sink_u64(struct sink *sink, uint64_t value)
{
	if (value < 10)
		sink_char(sink, (char)('0' + value));
	else
		sink_long_u64(sink, value);
}

static inline void sink_text(struct sink *sink, struct text text)
{
	sink_bytes(sink, text.at, text.length);
}

/* Writes NUL-terminated text. The length of a literal is computed at compile time. */
static inline void sink_puts(struct sink *sink, const char *text)
{
	sink_bytes(sink, text, strlen(text));
}

#endif
