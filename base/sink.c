/* SPDX-License-Identifier: MIT */
#include "base/sink.h"

#include <errno.h>
#include <stdarg.h>
#include <unistd.h>

#include "base/memory.h"

#define BUFFER_BYTES ((size_t)256 << 10)
/* Most texts in memory are names or lines, so memory sinks start small. */
#define MEMORY_BYTES ((size_t)1 << 10)

static void init(struct sink *sink, int fd, size_t capacity)
{
	*sink = (struct sink){ .fd = fd, .capacity = capacity };
	sink->buffer = memory_alloc(capacity, 1);
}

void sink_init_fd(struct sink *sink, int fd)
{
	init(sink, fd, BUFFER_BYTES);
}

void sink_init_memory(struct sink *sink)
{
	init(sink, -1, MEMORY_BYTES);
}

void sink_deinit(struct sink *sink)
{
	memory_free(sink->buffer);
	*sink = (struct sink){ .fd = -1 };
}

struct text sink_memory(const struct sink *sink)
{
	return (struct text){ .at = sink->buffer, .length = (uint32_t)sink->used };
}

static void write_all(struct sink *sink, const char *bytes, size_t size_bytes)
{
	while (size_bytes && !sink->failed_errno) {
		ssize_t done = write(sink->fd, bytes, size_bytes);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0) {
			sink->failed_errno = done < 0 ? errno : EIO;
			return;
		}
		bytes += done;
		size_bytes -= (size_t)done;
		sink->written += (uint64_t)done;
	}
}

/* Writes the buffer, except bytes that the filter keeps for later. */
static void drain(struct sink *sink, bool is_end)
{
	size_t used = sink->used;
	struct sink filtered;

	if (sink->filter) {
		sink_init_memory(&filtered);
		used = sink->filter(&filtered, sink_memory(sink), is_end);
		if (filtered.failed_errno && !sink->failed_errno)
			sink->failed_errno = filtered.failed_errno;
		write_all(sink, filtered.buffer, filtered.used);
		sink_deinit(&filtered);
	} else {
		write_all(sink, sink->buffer, sink->used);
	}
	sink->used -= used;
	memmove(sink->buffer, sink->buffer + used, sink->used);
}

static void make_room(struct sink *sink, size_t size_bytes)
{
	if (sink->fd >= 0)
		drain(sink, false);
	if (sink->capacity - sink->used < size_bytes) {
		sink->capacity = (sink->used + size_bytes) * 2;
		sink->buffer = memory_realloc(sink->buffer, sink->capacity, 1);
	}
}

char *sink_room(struct sink *sink, size_t size_bytes)
{
	if (UNLIKELY(sink->capacity - sink->used < size_bytes))
		make_room(sink, size_bytes);
	return sink->buffer + sink->used;
}

/* Writes whole buffers, so that the file grows by whole pages. */
static void pour(struct sink *sink, const char *bytes, size_t size_bytes)
{
	while (sink->used + size_bytes > sink->capacity) {
		size_t room = sink->capacity - sink->used;

		memcpy(sink->buffer + sink->used, bytes, room);
		sink->used = sink->capacity;
		drain(sink, false);
		bytes += room;
		size_bytes -= room;
	}
	memcpy(sink->buffer + sink->used, bytes, size_bytes);
	sink->used += size_bytes;
}

void sink_bytes(struct sink *sink, const void *bytes, size_t size_bytes)
{
	/* memcpy does not accept NULL, which an empty text may contain. */
	if (size_bytes == 0)
		return;
	if (UNLIKELY(sink->capacity - sink->used < size_bytes)) {
		if (sink->fd >= 0) {
			pour(sink, bytes, size_bytes);
			return;
		}
		make_room(sink, size_bytes);
	}
	memcpy(sink->buffer + sink->used, bytes, size_bytes);
	sink->used += size_bytes;
}

void sink_long_u64(struct sink *sink, uint64_t value)
{
	char digits[20];
	size_t at = sizeof(digits);

	do
		digits[--at] = (char)('0' + value % 10);
	while (value /= 10);
	sink_bytes(sink, digits + at, sizeof(digits) - at);
}

void sink_printf(struct sink *sink, const char *format, ...)
{
	char small[512];
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(small, sizeof(small), format, args);
	va_end(args);
	if (length < 0)
		return;
	if ((size_t)length < sizeof(small)) {
		sink_bytes(sink, small, (size_t)length);
		return;
	}
	va_start(args, format);
	vsnprintf(sink_room(sink, (size_t)length + 1), (size_t)length + 1, format, args);
	va_end(args);
	sink->used += (size_t)length;
}

bool sink_flush(struct sink *sink, struct error *err)
{
	if (sink->fd >= 0)
		drain(sink, true);
	if (!sink->failed_errno)
		return true;
	errno = sink->failed_errno;
	return error_set_errno(err, "cannot write");
}
