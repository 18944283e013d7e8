/* SPDX-License-Identifier: MIT */
/*
 * Where output goes: a buffer in front of a file descriptor, or a growing block of memory. A
 * failed write latches: later writes do nothing and sink_close (or sink_flush) reports it once.
 */
#ifndef BASE_SINK_H
#define BASE_SINK_H

#include "base/error.h"
#include "base/strings.h"

struct sink;

/*
 * Rewrites bytes on their way to a descriptor: writes them to another sink, and returns how many bytes it used. Those
 * left, an incomplete character, come again before the next bytes. At the end it uses all.
 */
typedef size_t sink_filter(struct sink *to, struct text bytes, bool is_end);

struct sink {
	char *buffer;
	size_t used;
	size_t capacity;
	int fd;              /* -1: memory */
	int failed_errno;    /* 0: every write so far succeeded */
	uint64_t written;    /* bytes that reached fd */
	sink_filter *filter; /* NULL: bytes are written as they are */
};

/* A sink into fd, which stays the caller's to close, and a sink into memory. */
void sink_init_fd(struct sink *sink, int fd);
void sink_init_memory(struct sink *sink);

/* Frees the buffer and drops unflushed bytes: call sink_flush first. */
void sink_deinit(struct sink *sink);

/* Writes what is buffered; false with the latched failure. */
bool sink_flush(struct sink *sink, struct error *err) WARN_UNUSED;

/* The bytes of a memory sink so far; valid until the next write. */
struct text sink_memory(const struct sink *sink);

/* Makes room for size_bytes (small) and returns where they go; add them to used afterwards. */
char *sink_room(struct sink *sink, size_t size_bytes);

void sink_bytes(struct sink *sink, const void *bytes, size_t size_bytes);
void sink_u64(struct sink *sink, uint64_t value);
void sink_printf(struct sink *sink, const char *format, ...) PRINTF_LIKE(2, 3);

static inline void sink_char(struct sink *sink, char c)
{
	if (UNLIKELY(sink->used == sink->capacity)) {
		sink_bytes(sink, &c, 1);
		return;
	}
	sink->buffer[sink->used++] = c;
}

static inline void sink_text(struct sink *sink, struct text text)
{
	sink_bytes(sink, text.at, text.length);
}

/* For text that ends in a NUL; with a literal the length is known when compiled. */
static inline void sink_puts(struct sink *sink, const char *text)
{
	sink_bytes(sink, text, strlen(text));
}

#endif
