/* SPDX-License-Identifier: MIT */
#include "compress/deflate.h"

#ifdef HAVE_ZLIB
#include <zlib.h>

#include "base/memory.h"

#define CHUNK_BYTES 65536
#define LEVEL       6
/* Of what is large: a tenth longer, in a quarter of the time. */
#define LEVEL_LARGE 4
#define LARGE_BYTES (1u << 20)
/* No header and no checksum: what is packed stands in a file of ours. */
#define RAW_WINDOW (-15)
#define MEMORY     9

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

bool deflate_write(struct sink *sink, struct text bytes)
{
	z_stream stream = {
		.next_in = (unsigned char *)(uintptr_t)bytes.at,
		.avail_in = bytes.length,
		.zalloc = allocate,
		.zfree = release,
	};
	unsigned char chunk[CHUNK_BYTES];
	int level = bytes.length < LARGE_BYTES ? LEVEL : LEVEL_LARGE;
	int status;

	if (deflateInit2(&stream, level, Z_DEFLATED, RAW_WINDOW, MEMORY, Z_DEFAULT_STRATEGY) !=
	    Z_OK)
		return false;
	do {
		stream.next_out = chunk;
		stream.avail_out = sizeof(chunk);
		status = deflate(&stream, Z_FINISH);
		sink_bytes(sink, chunk, sizeof(chunk) - stream.avail_out);
	} while (status == Z_OK);
	deflateEnd(&stream);
	return status == Z_STREAM_END;
}

#else

bool deflate_write(struct sink *sink, struct text bytes)
{
	(void)sink;
	(void)bytes;
	return false;
}

#endif

void base64_write(struct sink *sink, struct text bytes)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (uint32_t i = 0; i < bytes.length; i += 3) {
		uint32_t left = bytes.length - i;
		uint32_t word = (uint32_t)(unsigned char)bytes.at[i] << 16;
		char text[4];

		word |= left > 1 ? (uint32_t)(unsigned char)bytes.at[i + 1] << 8 : 0;
		word |= left > 2 ? (unsigned char)bytes.at[i + 2] : 0;
		text[0] = digits[word >> 18];
		text[1] = digits[word >> 12 & 63];
		text[2] = left > 1 ? digits[word >> 6 & 63] : '=';
		text[3] = left > 2 ? digits[word & 63] : '=';
		sink_bytes(sink, text, sizeof(text));
	}
}
