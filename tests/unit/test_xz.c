/* SPDX-License-Identifier: MIT */
#include "compress/codec.h"

#include <criterion/criterion.h>

#include "base/memory.h"
#include "tests/support/leaks.h"
#include "tests/support/random.h"
#include "tests/support/xz_pack.h"

#ifdef HAVE_LZMA

#define CAP_BYTES ((size_t)1 << 20)

static bool unpack_xz(const unsigned char *packed, size_t size_bytes, size_t cap_bytes,
		      unsigned char **ret, size_t *size_ret, struct error *err)
{
	return codec_decompress(CODEC_XZ, span_of(packed, size_bytes, 0, false), cap_bytes, ret,
				size_ret, err);
}

Test(xz, what_was_packed_comes_out)
{
	static const size_t sizes[] = { 0, 1, 65535, 65536, 65537, 300000, CAP_BYTES };
	struct random random = { 3 };
	struct error err;

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		unsigned char *bytes = memory_alloc(sizes[i], 1);
		unsigned char *unpacked;
		size_t packed_bytes, size_bytes;
		unsigned char *packed;

		for (size_t k = 0; k < sizes[i]; k++)
			bytes[k] = (unsigned char)random_below(&random, 7);
		packed = xz_pack(bytes, sizes[i], &packed_bytes);
		cr_assert(unpack_xz(packed, packed_bytes, CAP_BYTES, &unpacked, &size_bytes, &err),
			  "%zu: %s", sizes[i], err.text);
		cr_assert_eq(size_bytes, sizes[i]);
		cr_expect(sizes[i] == 0 || memcmp(unpacked, bytes, sizes[i]) == 0);
		memory_free(unpacked);
		memory_free(packed);
		memory_free(bytes);
	}
	assert_no_leaks();
}

Test(xz, more_than_is_allowed)
{
	unsigned char *zeros = memory_zalloc(CAP_BYTES + 1, 1);
	unsigned char *unpacked;
	size_t packed_bytes, size_bytes;
	unsigned char *packed = xz_pack(zeros, CAP_BYTES + 1, &packed_bytes);
	struct error err;

	cr_expect_not(unpack_xz(packed, packed_bytes, CAP_BYTES, &unpacked, &size_bytes, &err));
	cr_expect_eq(err.code, ERROR_LIMIT);
	memory_free(packed);
	memory_free(zeros);
	assert_no_leaks();
}

Test(xz, cut_and_damaged)
{
	static const char text[] = "some text, some text, and some more of the same text";
	size_t packed_bytes, size_bytes;
	unsigned char *packed = xz_pack(text, sizeof(text), &packed_bytes);
	unsigned char *unpacked;
	struct error err;

	for (size_t i = 0; i < packed_bytes; i++) {
		cr_expect_not(unpack_xz(packed, i, CAP_BYTES, &unpacked, &size_bytes, &err), "%zu",
			      i);
		cr_expect_eq(err.code, ERROR_CORRUPT, "cut at %zu", i);
		packed[i] ^= 0x40;
		cr_expect_not(
			unpack_xz(packed, packed_bytes, CAP_BYTES, &unpacked, &size_bytes, &err),
			"byte %zu", i);
		packed[i] ^= 0x40;
	}
	memory_free(packed);
	assert_no_leaks();
}

#else

Test(xz, is_not_there)
{
	unsigned char *unpacked;
	size_t size_bytes;
	struct error err;

	cr_expect_not(codec_decompress(CODEC_XZ, span_of("", 0, 0, false), 1, &unpacked,
				       &size_bytes, &err));
	cr_expect_eq(err.code, ERROR_UNSUPPORTED);
}

#endif
