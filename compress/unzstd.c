/* SPDX-License-Identifier: MIT */
#include "compress/unzstd.h"

#include "base/memory.h"

#ifdef HAVE_ZSTD

#include <zstd.h>

/* How far back a frame may refer, which is memory too; what zstd -22 asks for. */
#define WINDOW_LOG_MAX 27

static bool unpack_all(ZSTD_DStream *stream, struct span packed, struct decompress_output *output,
		       struct error *err)
{
	ZSTD_inBuffer in = { packed.at, span_left(&packed), 0 };
	size_t left = 1; /* 0: a frame has ended */

	while (in.pos < in.size || left) {
		ZSTD_outBuffer out;
		size_t in_before = in.pos;

		if (!decompress_output_grow(output))
			return error_set(err, ERROR_LIMIT, "zstd data of more than %zu bytes",
					 output->cap_bytes);
		out = (ZSTD_outBuffer){ output->memory + output->used_bytes,
					output->size_bytes - output->used_bytes, 0 };
		left = ZSTD_decompressStream(stream, &out, &in);
		if (ZSTD_isError(left))
			return error_set(err, ERROR_DAMAGED, "damaged zstd data: %s",
					 ZSTD_getErrorName(left));
		output->used_bytes += out.pos;
		if (left && in.pos == in_before && !out.pos)
			return error_set(err, ERROR_DAMAGED, "zstd data that is cut");
	}
	return true;
}

bool unzstd_unpack(struct span packed, size_t cap_bytes, unsigned char **memory_ret,
		   size_t *size_ret, struct error *err)
{
	struct decompress_output output = { .cap_bytes = cap_bytes };
	ZSTD_DStream *stream = ZSTD_createDStream();
	bool good;

	if (!stream)
		return error_set(err, ERROR_LIMIT, "no memory for zstd data");
	ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
	good = unpack_all(stream, packed, &output, err);
	ZSTD_freeDStream(stream);
	if (!good) {
		memory_free(output.memory);
		return false;
	}
	*memory_ret = output.memory;
	*size_ret = output.used_bytes;
	return true;
}

#else

bool unzstd_unpack(struct span packed, size_t cap_bytes, unsigned char **memory_ret,
		   size_t *size_ret, struct error *err)
{
	(void)packed;
	(void)cap_bytes;
	(void)memory_ret;
	(void)size_ret;
	return error_set(err, ERROR_UNSUPPORTED,
			 "is compressed, and kiln was built without libzstd");
}

#endif
