/* SPDX-License-Identifier: MIT */
#include "tests/support/xz_pack.h"

#ifdef HAVE_LZMA

#include <lzma.h>

#include "base/memory.h"

unsigned char *xz_pack(const void *bytes, size_t size_bytes, size_t *size_ret)
{
	size_t room_bytes = lzma_stream_buffer_bound(size_bytes);
	unsigned char *packed = memory_alloc(room_bytes, 1);

	*size_ret = 0;
	if (lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, bytes, size_bytes, packed, size_ret,
				    room_bytes) != LZMA_OK)
		abort();
	return packed;
}

#endif
