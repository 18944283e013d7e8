/* SPDX-License-Identifier: MIT */
#include "compress/inflate.h"

#ifdef HAVE_ZLIB
#include <zlib.h>

#include "base/memory.h"

#define CHUNK_BYTES 65536
/* No header and no checksum, as compress/deflate.c packs. */
#define RAW_WINDOW (-15)

static void *allocate(void *context, unsigned count, unsigned size_bytes)
{
	(void)context;
	return memory_alloc(count, size_bytes);
}

static void release(void *context, void *memory)
{
	(void)context;
	memory_free(memory);
}

bool inflate_read(struct sink *sink, struct text bytes, size_t limit_bytes)
{
	z_stream stream = {
		.next_in = (unsigned char *)(uintptr_t)bytes.at,
		.avail_in = bytes.length,
		.zalloc = allocate,
		.zfree = release,
	};
	unsigned char chunk[CHUNK_BYTES];
	int status;

	if (inflateInit2(&stream, RAW_WINDOW) != Z_OK)
		return false;
	do {
		size_t got;

		stream.next_out = chunk;
		stream.avail_out = sizeof(chunk);
		status = inflate(&stream, Z_NO_FLUSH);
		got = sizeof(chunk) - stream.avail_out;
		if (got > limit_bytes) {
			status = Z_MEM_ERROR;
			got = limit_bytes;
		}
		sink_bytes(sink, chunk, got);
		limit_bytes -= got;
	} while (status == Z_OK);
	inflateEnd(&stream);
	return status == Z_STREAM_END;
}

#else

bool inflate_read(struct sink *sink, struct text bytes, size_t limit_bytes)
{
	(void)sink;
	(void)bytes;
	(void)limit_bytes;
	return false;
}

#endif

static int base64_value(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

bool base64_read(struct sink *sink, struct text text)
{
	uint32_t word = 0;
	unsigned bit_count = 0;
	uint32_t i;

	for (i = 0; i < text.length && text.at[i] != '='; i++) {
		int value = base64_value(text.at[i]);

		if (text.at[i] == '\n' || text.at[i] == '\r' || text.at[i] == ' ')
			continue;
		if (value < 0)
			return false;
		word = word << 6 | (uint32_t)value;
		bit_count += 6;
		if (bit_count < 8)
			continue;
		bit_count -= 8;
		sink_char(sink, (char)(unsigned char)(word >> bit_count));
	}
	/* What is left are bits that fill up the last digit. */
	return bit_count < 6;
}
