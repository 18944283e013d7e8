/* SPDX-License-Identifier: MIT */
#include "compress/codec_library.h"

#ifdef HAVE_LIBDEFLATE
#include <libdeflate.h>

/*
 * Reading compressed debug information spends most of its time here. libdeflate takes a third of
 * the time of zlib.
 */
bool libdeflate_exact(struct span compressed, unsigned char *to, size_t size_bytes)
{
	struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
	bool good = decompressor &&
		    libdeflate_zlib_decompress(decompressor, compressed.at, span_left(&compressed),
					       to, size_bytes, NULL) == LIBDEFLATE_SUCCESS;

	libdeflate_free_decompressor(decompressor);
	return good;
}

#endif
