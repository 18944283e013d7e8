/* SPDX-License-Identifier: MIT */
#include "compress/section_inflate.h"

#include "base/memory.h"

#ifdef HAVE_ZLIB

#include <zlib.h>

/* zlib's largest window; 16 more is its way to ask for gzip's header. */
#define WINDOW_BITS      15
#define WINDOW_BITS_GZIP (15 + 16)

/* zlib counts in 32 bits. */
static unsigned step_of(size_t size_bytes)
{
	return size_bytes < (1u << 30) ? (unsigned)size_bytes : 1u << 30;
}

static bool fail(const z_stream *stream, int status, struct error *err)
{
	if (status == Z_MEM_ERROR)
		return error_set(err, ERROR_LIMIT, "no memory for zlib data");
	if (status == Z_BUF_ERROR || status == Z_OK)
		return error_set(err, ERROR_DAMAGED, "zlib data that is cut");
	return error_set(err, ERROR_DAMAGED, "damaged zlib data: %s",
			 stream->msg ? stream->msg : "not compressed as it says");
}

/* One stream; the position in packed moves behind it. */
static bool unpack_one(z_stream *stream, struct span *packed, struct decompress_output *output,
		       struct error *err)
{
	int status = Z_OK;

	while (status == Z_OK) {
		unsigned in = step_of(span_left(packed));
		unsigned out;

		if (!decompress_output_grow(output))
			return error_set(err, ERROR_LIMIT, "zlib data of more than %zu bytes",
					 output->cap_bytes);
		out = step_of(output->size_bytes - output->used_bytes);
		stream->next_in = (z_const Bytef *)packed->at;
		stream->avail_in = in;
		stream->next_out = output->memory + output->used_bytes;
		stream->avail_out = out;
		status = inflate(stream, Z_NO_FLUSH);
		packed->at += in - stream->avail_in;
		output->used_bytes += out - stream->avail_out;
		if (status == Z_OK && !span_left(packed) && stream->avail_out)
			break;
	}
	return status == Z_STREAM_END || fail(stream, status, err);
}

static bool is_gzip_member(const struct span *packed)
{
	return packing_of(packed->at, span_left(packed)) == PACKING_GZIP;
}

bool inflate_unpack(struct span packed, bool is_gzip, size_t cap_bytes, unsigned char **memory_ret,
		    size_t *size_ret, struct error *err)
{
	struct decompress_output output = { .cap_bytes = cap_bytes };
	z_stream stream = { .next_in = NULL };
	bool good;

	if (inflateInit2(&stream, is_gzip ? WINDOW_BITS_GZIP : WINDOW_BITS) != Z_OK)
		return error_set(err, ERROR_LIMIT, "no memory for zlib data");
	do
		good = inflateReset(&stream) == Z_OK && unpack_one(&stream, &packed, &output, err);
	while (good && is_gzip && is_gzip_member(&packed));
	inflateEnd(&stream);
	if (!good) {
		memory_free(output.memory);
		return false;
	}
	*memory_ret = output.memory;
	*size_ret = output.used_bytes;
	return true;
}

#else

bool inflate_unpack(struct span packed, bool is_gzip, size_t cap_bytes, unsigned char **memory_ret,
		    size_t *size_ret, struct error *err)
{
	(void)packed;
	(void)is_gzip;
	(void)cap_bytes;
	(void)memory_ret;
	(void)size_ret;
	return error_set(err, ERROR_UNSUPPORTED, "is compressed, and kiln was built without zlib");
}

#endif
