/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "base/base64.h"
#include "compress/codec.h"

#ifdef HAVE_ZLIB
#include <zlib.h>

static void expect_unpacks(struct text packed, struct text wanted, int window_bits)
{
	z_stream stream = {
		.next_in = (unsigned char *)(uintptr_t)packed.at,
		.avail_in = packed.length,
	};
	unsigned char *got = memory_alloc(wanted.length + 1, 1);

	cr_assert_eq(inflateInit2(&stream, window_bits), Z_OK);
	stream.next_out = got;
	stream.avail_out = wanted.length + 1;
	cr_expect_eq(inflate(&stream, Z_FINISH), Z_STREAM_END);
	cr_assert_eq(stream.total_out, wanted.length);
	cr_expect_eq(memcmp(got, wanted.at, wanted.length), 0);
	inflateEnd(&stream);
	memory_free(got);
}

Test(deflate, packs_what_unpacks)
{
	static const uint32_t lengths[] = { 0, 1, 1000, 300000, 3000000 };

	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		char *bytes = memory_alloc(lengths[i] + 1, 1);
		struct sink sink;

		for (uint32_t k = 0; k < lengths[i]; k++)
			bytes[k] = (char)(k * k >> 7);
		sink_init_memory(&sink);
		cr_assert(codec_write_deflate(&sink, (struct text){ bytes, lengths[i] }, SIZE_MAX));
		expect_unpacks(sink_memory(&sink), (struct text){ bytes, lengths[i] }, -15);
		sink_deinit(&sink);
		sink_init_memory(&sink);
		cr_assert(codec_write_gzip(&sink, (struct text){ bytes, lengths[i] }));
		expect_unpacks(sink_memory(&sink), (struct text){ bytes, lengths[i] }, 15 + 16);
		sink_deinit(&sink);
		memory_free(bytes);
	}
}

Test(deflate, packing_stops_at_the_limit)
{
	size_t length = 4 << 20;
	char *bytes = memory_alloc(length, 1);
	uint32_t random = 1;
	struct sink sink;

	for (size_t i = 0; i < length; i++)
		bytes[i] = (char)((random = random * 1664525 + 1013904223) >> 24);
	sink_init_memory(&sink);
	cr_assert(codec_write_deflate(&sink, (struct text){ bytes, (uint32_t)length }, 100000));
	cr_expect_gt(sink.used, 100000, "the caller sees that it is too much");
	cr_expect_lt(sink.used, 300000, "%zu", sink.used);
	sink_deinit(&sink);
	memory_free(bytes);
}
#endif

/* The examples of RFC 4648, section 10, and bytes with the highest bit set. */
Test(deflate, base64)
{
	static const char *const rows[][2] = {
		{ "", "" },
		{ "f", "Zg==" },
		{ "fo", "Zm8=" },
		{ "foo", "Zm9v" },
		{ "foob", "Zm9vYg==" },
		{ "fooba", "Zm9vYmE=" },
		{ "foobar", "Zm9vYmFy" },
		{ "\xff\xfe\xfb", "//77" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sink sink;

		sink_init_memory(&sink);
		base64_write(&sink, text_of(rows[i][0]));
		cr_expect(text_is(sink_memory(&sink), rows[i][1]), "%s", rows[i][0]);
		sink_deinit(&sink);
	}
}
