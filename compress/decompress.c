/* SPDX-License-Identifier: MIT */
#include "compress/decompress.h"

#include "base/memory.h"
#include "compress/section_inflate.h"
#include "compress/unzstd.h"
#include "compress/xz.h"

#define OUTPUT_BYTES_MIN ((size_t)64 << 10)

enum packing packing_of(const void *head, size_t size_bytes)
{
	static const struct {
		enum packing packing;
		struct text mark;
	} marks[] = {
		{ PACKING_XZ, { "\3757zXZ\0", 6 } },
		{ PACKING_GZIP, { "\037\213", 2 } },
		{ PACKING_ZSTD, { "\050\265\057\375", 4 } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
		if (size_bytes >= marks[i].mark.length &&
		    memcmp(head, marks[i].mark.at, marks[i].mark.length) == 0)
			return marks[i].packing;
	return PACKING_NONE;
}

bool decompress(enum packing packing, struct span packed, size_t cap_bytes,
		unsigned char **memory_ret, size_t *size_ret, struct error *err)
{
	switch (packing) {
	case PACKING_XZ:
		return xz_unpack(packed, cap_bytes, memory_ret, size_ret, err);
	case PACKING_GZIP:
	case PACKING_ZLIB:
		return inflate_unpack(packed, packing == PACKING_GZIP, cap_bytes, memory_ret,
				      size_ret, err);
	case PACKING_ZSTD:
		return unzstd_unpack(packed, cap_bytes, memory_ret, size_ret, err);
	case PACKING_NONE:
		break;
	}
	return error_set(err, ERROR_UNSUPPORTED, "unknown compression");
}

/* Twice as much each time, as far as cap_bytes. */
bool decompress_output_grow(struct decompress_output *output)
{
	size_t wanted =
		output->size_bytes < OUTPUT_BYTES_MIN ? OUTPUT_BYTES_MIN : output->size_bytes * 2;

	if (output->used_bytes < output->size_bytes)
		return true;
	if (output->size_bytes == output->cap_bytes)
		return false;
	output->size_bytes = wanted < output->cap_bytes ? wanted : output->cap_bytes;
	output->memory = memory_realloc(output->memory, output->size_bytes, 1);
	return true;
}
