/* SPDX-License-Identifier: MIT */
/*
 * The functions of each library that compress/codec.c calls. The streams of a library begin with a
 * struct codec_stream:
 *
 *     struct zstd_stream { struct codec_stream base; ZSTD_DStream *state; }
 */
#ifndef COMPRESS_CODEC_LIBRARY_H
#define COMPRESS_CODEC_LIBRARY_H

#include "compress/codec.h"

struct codec_library {
	struct codec_stream *(*create)(enum codec codec); /* ends the program if memory runs out */
	void (*destroy)(struct codec_stream *stream);
	void (*reset)(struct codec_stream *stream);
	enum codec_status (*step)(struct codec_stream *stream, struct span *in,
				  struct codec_output *out);
};

struct codec_stream {
	const struct codec_library *library;
	enum codec codec;
	const char *reason; /* reason for CODEC_CORRUPT */
};

extern const struct codec_library codec_zlib;
extern const struct codec_library codec_lzma;
extern const struct codec_library codec_zstd;

/* Implements codec_decompress_exact for one codec. */
typedef bool codec_exact(struct span compressed, unsigned char *to, size_t size_bytes);

codec_exact libdeflate_exact; /* zlib */
codec_exact zstd_exact;

/* codec_write_deflate and codec_write_gzip for large data, without a limit. */
bool libdeflate_write(struct sink *sink, struct text bytes, bool is_gzip);

#endif
