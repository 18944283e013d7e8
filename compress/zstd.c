/* SPDX-License-Identifier: MIT */
#include "compress/codec_library.h"

#ifdef HAVE_ZSTD
#include <zstd.h>

#include "base/memory.h"

/*
 * The window of a frame: how far back it may refer, as a power of two. The distance determines the
 * memory for decompression. zstd -22 uses this value.
 */
#define WINDOW_LOG_MAX 27

struct zstd_stream {
	struct codec_stream base;
	ZSTD_DStream *state;
};

static struct codec_stream *zstd_create(enum codec codec)
{
	struct zstd_stream *stream = memory_zalloc(1, sizeof(*stream));

	(void)codec;
	stream->state = ZSTD_createDStream();
	if (!stream->state)
		memory_exhausted(ZSTD_DStreamOutSize());
	ZSTD_DCtx_setParameter(stream->state, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
	return &stream->base;
}

static void zstd_destroy(struct codec_stream *base)
{
	struct zstd_stream *stream = (struct zstd_stream *)base;

	ZSTD_freeDStream(stream->state);
	memory_free(stream);
}

static void zstd_reset(struct codec_stream *base)
{
	/* Resetting only the session never fails. */
	(void)!ZSTD_DCtx_reset(((struct zstd_stream *)base)->state, ZSTD_reset_session_only);
}

static enum codec_status zstd_step(struct codec_stream *base, struct span *in,
				   struct codec_output *out)
{
	ZSTD_inBuffer from = { in->at, span_left(in), 0 };
	ZSTD_outBuffer to = { out->at, out->size_bytes, out->used_bytes };
	size_t left = ZSTD_decompressStream(((struct zstd_stream *)base)->state, &to, &from);

	in->at += from.pos;
	out->used_bytes = to.pos;
	if (!ZSTD_isError(left))
		return left ? CODEC_MORE : CODEC_END;
	base->reason = ZSTD_getErrorName(left);
	return CODEC_CORRUPT;
}

bool zstd_exact(struct span compressed, unsigned char *to, size_t size_bytes)
{
	return ZSTD_decompress(to, size_bytes, compressed.at, span_left(&compressed)) == size_bytes;
}

/*
 * 3 is the default level of the zstd command. Higher levels save a tenth of the size, but take
 * twice as long.
 */
#define LEVEL 3

bool codec_write_zstd(struct sink *sink, struct text bytes)
{
	size_t room_bytes = ZSTD_compressBound(bytes.length);
	size_t size_bytes = ZSTD_compress(sink_room(sink, room_bytes), room_bytes, bytes.at,
					  bytes.length, LEVEL);

	if (ZSTD_isError(size_bytes))
		memory_exhausted(room_bytes);
	sink->used += size_bytes;
	return true;
}

const struct codec_library codec_zstd = {
	.create = zstd_create,
	.destroy = zstd_destroy,
	.reset = zstd_reset,
	.step = zstd_step,
};

#else

bool codec_write_zstd(struct sink *sink, struct text bytes)
{
	(void)sink;
	(void)bytes;
	return false;
}

#endif
