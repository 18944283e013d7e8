/* SPDX-License-Identifier: MIT */
#include "compress/codec_library.h"

#ifdef HAVE_ZLIB
#include <zlib.h>

#include "base/memory.h"

/* zlib's largest window. Adding 16 selects gzip's header; a negative value means no header. */
#define WINDOW_BITS 15

/* zlib's sizes have 32 bits. */
#define STEP_BYTES ((size_t)1 << 30)

#define LEVEL 6
/*
 * The level for large data without libdeflate. Compared with LEVEL, the output is 10% larger, but
 * compression takes a quarter of the time. Small data is always compressed by zlib, whose output
 * rarely differs between versions.
 */
#define LEVEL_LARGE 4
#define MEMORY      9
/*
 * Text rarely shrinks by more than this factor. Input longer than the limit times this factor would
 * exceed the limit even when compressed.
 */
#define FACTOR_MAX  16
#define CHUNK_BYTES 65536

struct zlib_stream {
	struct codec_stream base;
	z_stream state;
};

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

static struct codec_stream *zlib_create(enum codec codec)
{
	struct zlib_stream *stream = memory_zalloc(1, sizeof(*stream));
	int window = codec == CODEC_GZIP   ? WINDOW_BITS + 16
		     : codec == CODEC_ZLIB ? WINDOW_BITS
					   : -WINDOW_BITS;

	stream->state.zalloc = allocate;
	stream->state.zfree = release;
	/* With valid arguments, inflateInit2() fails only if memory is exhausted. */
	if (inflateInit2(&stream->state, window) != Z_OK)
		memory_exhausted(sizeof(*stream));
	return &stream->base;
}

static void zlib_destroy(struct codec_stream *base)
{
	struct zlib_stream *stream = (struct zlib_stream *)base;

	inflateEnd(&stream->state);
	memory_free(stream);
}

static void zlib_reset(struct codec_stream *base)
{
	inflateReset(&((struct zlib_stream *)base)->state);
}

static unsigned step_of(size_t size_bytes)
{
	return (unsigned)(size_bytes < STEP_BYTES ? size_bytes : STEP_BYTES);
}

static enum codec_status zlib_step(struct codec_stream *base, struct span *in,
				   struct codec_output *out)
{
	z_stream *state = &((struct zlib_stream *)base)->state;
	unsigned in_bytes = step_of(span_left(in));
	unsigned out_bytes = step_of(out->size_bytes - out->used_bytes);
	int status;

	state->next_in = (z_const Bytef *)in->at;
	state->avail_in = in_bytes;
	state->next_out = out->at + out->used_bytes;
	state->avail_out = out_bytes;
	status = inflate(state, Z_NO_FLUSH);
	in->at += in_bytes - state->avail_in;
	out->used_bytes += out_bytes - state->avail_out;
	if (status == Z_STREAM_END)
		return CODEC_END;
	if (status == Z_OK || status == Z_BUF_ERROR)
		return CODEC_MORE;
	base->reason = state->msg;
	return CODEC_CORRUPT;
}

const struct codec_library codec_zlib = {
	.create = zlib_create,
	.destroy = zlib_destroy,
	.reset = zlib_reset,
	.step = zlib_step,
};

static bool compress_with_zlib(struct sink *sink, struct text bytes, int window_bits, int level,
			       size_t limit_bytes)
{
	z_stream state = {
		.next_in = (unsigned char *)(uintptr_t)bytes.at,
		.avail_in = bytes.length,
		.zalloc = allocate,
		.zfree = release,
	};
	unsigned char chunk[CHUNK_BYTES];
	size_t begin = sink->used;
	int status;

	if (deflateInit2(&state, level, Z_DEFLATED, window_bits, MEMORY, Z_DEFAULT_STRATEGY) !=
	    Z_OK)
		return false;
	do {
		state.next_out = chunk;
		state.avail_out = sizeof(chunk);
		status = deflate(&state, Z_FINISH);
		sink_bytes(sink, chunk, sizeof(chunk) - state.avail_out);
	} while (status == Z_OK && sink->used - begin <= limit_bytes);
	deflateEnd(&state);
	return status == Z_STREAM_END || status == Z_OK;
}

/* libdeflate is faster, but cannot stop at a limit. */
static bool compress_bytes(struct sink *sink, struct text bytes, bool is_gzip, size_t limit_bytes)
{
#ifdef HAVE_LIBDEFLATE
	if (bytes.length >= CODEC_LARGE_BYTES && bytes.length / FACTOR_MAX <= limit_bytes)
		return libdeflate_write(sink, bytes, is_gzip);
#endif
	return compress_with_zlib(sink, bytes, is_gzip ? WINDOW_BITS + 16 : -WINDOW_BITS,
				  bytes.length < CODEC_LARGE_BYTES ? LEVEL : LEVEL_LARGE,
				  limit_bytes);
}

bool codec_write_deflate(struct sink *sink, struct text bytes, size_t limit_bytes)
{
	return compress_bytes(sink, bytes, false, limit_bytes);
}

bool codec_write_deflate_block(struct sink *sink, struct text bytes)
{
#ifdef HAVE_LIBDEFLATE
	return libdeflate_write(sink, bytes, false);
#else
	return compress_with_zlib(sink, bytes, -WINDOW_BITS, LEVEL_LARGE, SIZE_MAX);
#endif
}

/* Both libraries write the time 0, so the output depends only on the bytes. */
bool codec_write_gzip(struct sink *sink, struct text bytes)
{
	return compress_bytes(sink, bytes, true, SIZE_MAX);
}

#else

bool codec_write_deflate(struct sink *sink, struct text bytes, size_t limit_bytes)
{
	(void)sink;
	(void)bytes;
	(void)limit_bytes;
	return false;
}

bool codec_write_deflate_block(struct sink *sink, struct text bytes)
{
	(void)sink;
	(void)bytes;
	return false;
}

bool codec_write_gzip(struct sink *sink, struct text bytes)
{
	(void)sink;
	(void)bytes;
	return false;
}

#endif
