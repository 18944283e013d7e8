/* SPDX-License-Identifier: MIT */
#include "object/xz.h"

#include "base/memory.h"

#ifdef HAVE_LZMA

#include <lzma.h>

/* What the dictionary of a stream may ask for; xz's highest level needs as much. */
#define DICTIONARY_BYTES_MAX ((uint64_t)72 << 20)
#define OUTPUT_BYTES_MIN     ((size_t)64 << 10)

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

/* Room for more output: twice as much each time, as far as cap_bytes. */
static bool grow(lzma_stream *stream, unsigned char **memory, size_t *size_bytes, size_t cap_bytes)
{
	size_t used = (size_t)stream->total_out;

	if (*size_bytes == cap_bytes)
		return false;
	*size_bytes = *size_bytes < OUTPUT_BYTES_MIN ? OUTPUT_BYTES_MIN : *size_bytes * 2;
	if (*size_bytes > cap_bytes)
		*size_bytes = cap_bytes;
	*memory = memory_realloc(*memory, *size_bytes, 1);
	stream->next_out = *memory + used;
	stream->avail_out = *size_bytes - used;
	return true;
}

bool xz_unpack(struct span packed, size_t cap_bytes, unsigned char **memory_ret, size_t *size_ret,
	       struct error *err)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	unsigned char *memory = NULL;
	size_t size_bytes = 0;
	lzma_ret result = lzma_stream_decoder(&stream, DICTIONARY_BYTES_MAX, 0);
	bool has_room = true;

	stream.next_in = packed.at;
	stream.avail_in = span_left(&packed);
	while (result == LZMA_OK) {
		if (!stream.avail_out && !grow(&stream, &memory, &size_bytes, cap_bytes)) {
			has_room = false;
			break;
		}
		result = lzma_code(&stream, LZMA_FINISH);
	}
	*size_ret = (size_t)stream.total_out;
	lzma_end(&stream);
	if (result == LZMA_STREAM_END) {
		*memory_ret = memory;
		return true;
	}
	memory_free(memory);
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
