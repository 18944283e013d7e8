/* SPDX-License-Identifier: MIT */
#include "compress/codec_library.h"

#ifdef HAVE_LZMA
#include <lzma.h>

#include "base/memory.h"

/* Maximum memory for decompressing a stream. Files of xz -9 need 65 MiB. */
#define DICTIONARY_BYTES_MAX ((uint64_t)72 << 20)

struct lzma_codec_stream {
	struct codec_stream base;
	lzma_stream state;
};

static void lzma_codec_reset(struct codec_stream *base)
{
	struct lzma_codec_stream *stream = (struct lzma_codec_stream *)base;

	if (lzma_stream_decoder(&stream->state, DICTIONARY_BYTES_MAX, 0) != LZMA_OK)
		memory_exhausted(sizeof(*stream));
}

static struct codec_stream *lzma_codec_create(enum codec codec)
{
	struct lzma_codec_stream *stream = memory_zalloc(1, sizeof(*stream));

	(void)codec;
	stream->state = (lzma_stream)LZMA_STREAM_INIT;
	lzma_codec_reset(&stream->base);
	return &stream->base;
}

static void lzma_codec_destroy(struct codec_stream *base)
{
	struct lzma_codec_stream *stream = (struct lzma_codec_stream *)base;

	lzma_end(&stream->state);
	memory_free(stream);
}

static enum codec_status lzma_codec_step(struct codec_stream *base, struct span *in,
					 struct codec_output *out)
{
	lzma_stream *state = &((struct lzma_codec_stream *)base)->state;
	size_t in_bytes = span_left(in);
	lzma_ret result;

	state->next_in = in->at;
	state->avail_in = in_bytes;
	state->next_out = out->at + out->used_bytes;
	state->avail_out = out->size_bytes - out->used_bytes;
	result = lzma_code(state, LZMA_RUN);
	in->at += in_bytes - state->avail_in;
	out->used_bytes = out->size_bytes - state->avail_out;
	switch (result) {
	case LZMA_OK:
	case LZMA_BUF_ERROR:
		return CODEC_MORE;
	case LZMA_STREAM_END:
		return CODEC_END;
	case LZMA_MEMLIMIT_ERROR:
	case LZMA_MEM_ERROR:
		base->reason = "its dictionary is too large";
		return CODEC_CORRUPT;
	default:
		return CODEC_CORRUPT;
	}
}

const struct codec_library codec_lzma = {
	.create = lzma_codec_create,
	.destroy = lzma_codec_destroy,
	.reset = lzma_codec_reset,
	.step = lzma_codec_step,
};

#endif
