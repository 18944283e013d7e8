/* SPDX-License-Identifier: MIT */
#include "tests/support/packer.h"

#ifdef HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "base/memory.h"
#include "tests/support/xz_pack.h"

#ifdef HAVE_ZLIB
static unsigned char *deflate_all(bool is_gzip, const void *bytes, size_t size_bytes,
				  size_t *size_ret)
{
	z_stream stream = { .next_in = (z_const Bytef *)bytes, .avail_in = (uInt)size_bytes };
	size_t room_bytes = size_bytes + size_bytes / 100 + 100;
	unsigned char *packed = memory_alloc(room_bytes, 1);

	if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, is_gzip ? 15 + 16 : 15, 8,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		abort();
	stream.next_out = packed;
	stream.avail_out = (uInt)room_bytes;
	if (deflate(&stream, Z_FINISH) != Z_STREAM_END)
		abort();
	*size_ret = stream.total_out;
	deflateEnd(&stream);
	return packed;
}
#endif

#ifdef HAVE_ZSTD
static unsigned char *zstd_all(const void *bytes, size_t size_bytes, size_t *size_ret)
{
	size_t room_bytes = ZSTD_compressBound(size_bytes);
	unsigned char *packed = memory_alloc(room_bytes, 1);

	*size_ret = ZSTD_compress(packed, room_bytes, bytes, size_bytes, 3);
	if (ZSTD_isError(*size_ret))
		abort();
	return packed;
}
#endif

unsigned char *pack(enum codec packing, const void *bytes, size_t size_bytes, size_t *size_ret)
{
	switch (packing) {
#ifdef HAVE_LZMA
	case CODEC_XZ:
		return xz_pack(bytes, size_bytes, size_ret);
#endif
#ifdef HAVE_ZLIB
	case CODEC_GZIP:
	case CODEC_ZLIB:
		return deflate_all(packing == CODEC_GZIP, bytes, size_bytes, size_ret);
#endif
#ifdef HAVE_ZSTD
	case CODEC_ZSTD:
		return zstd_all(bytes, size_bytes, size_ret);
#endif
	default:
		/* Unused if no library is present. */
		(void)bytes;
		(void)size_bytes;
		(void)size_ret;
		abort();
	}
}
