/* SPDX-License-Identifier: MIT */
#include "compress/xz.h"

#include "base/memory.h"

#ifdef HAVE_LZMA

#include <lzma.h>

/* What the dictionary of a stream may ask for; xz's highest level needs as much. */
#define DICTIONARY_BYTES_MAX ((uint64_t)72 << 20)

static const char *reason_of(lzma_ret result)
{
	switch (result) {
	case LZMA_MEMLIMIT_ERROR:
		return "xz data that asks for too much memory";
	case LZMA_MEM_ERROR:
		return "no memory for xz data";
	case LZMA_BUF_ERROR:
		return "xz data that is cut";
	default:
		return "damaged xz data";
	}
}

bool xz_unpack(struct span packed, size_t cap_bytes, unsigned char **memory_ret, size_t *size_ret,
	       struct error *err)
{
	struct decompress_output output = { .cap_bytes = cap_bytes };
	lzma_stream stream = LZMA_STREAM_INIT;
	lzma_ret result = lzma_stream_decoder(&stream, DICTIONARY_BYTES_MAX, 0);
	bool has_room = true;

	stream.next_in = packed.at;
	stream.avail_in = span_left(&packed);
	while (result == LZMA_OK) {
		output.used_bytes = (size_t)stream.total_out;
		if (!stream.avail_out && !decompress_output_grow(&output)) {
			has_room = false;
			break;
		}
		stream.next_out = output.memory + output.used_bytes;
		stream.avail_out = output.size_bytes - output.used_bytes;
		result = lzma_code(&stream, LZMA_FINISH);
	}
	*size_ret = (size_t)stream.total_out;
	lzma_end(&stream);
	if (result == LZMA_STREAM_END) {
		*memory_ret = output.memory;
		return true;
	}
	memory_free(output.memory);
	if (!has_room)
		return error_set(err, ERROR_LIMIT, "xz data of more than %zu bytes", cap_bytes);
	return error_set(err, ERROR_DAMAGED, "%s", reason_of(result));
}

#else

bool xz_unpack(struct span packed, size_t cap_bytes, unsigned char **memory_ret, size_t *size_ret,
	       struct error *err)
{
	(void)packed;
	(void)cap_bytes;
	(void)memory_ret;
	(void)size_ret;
	return error_set(err, ERROR_UNSUPPORTED, "kiln was built without liblzma");
}

#endif
