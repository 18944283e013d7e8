/* SPDX-License-Identifier: MIT */
#include "libparse/encoding.h"

#include "base/span.h"
#include "base/utf8.h"

#define CHUNK_BYTES ((size_t)256 << 10)

struct conversion {
	bool is_utf16, is_swapped;
	uint32_t high; /* a high surrogate; 0 if none */
	struct sink sink;
};

static void convert_unit(struct conversion *conversion, uint32_t unit)
{
	bool is_low = unit >= 0xdc00 && unit <= 0xdfff;
	uint32_t high = conversion->high;

	conversion->high = 0;
	if (high && is_low) {
		utf8_write(&conversion->sink, 0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00));
		return;
	}
	if (high)
		utf8_write(&conversion->sink, UTF8_REPLACEMENT);
	if (unit >= 0xd800 && unit < 0xdc00)
		conversion->high = unit;
	else
		utf8_write(&conversion->sink, is_low ? UTF8_REPLACEMENT : unit);
}

/* A trailing odd byte is dropped. */
static void convert(struct conversion *conversion, const char *bytes, size_t size_bytes)
{
	if (!conversion->is_utf16) {
		sink_bytes(&conversion->sink, bytes, size_bytes);
		return;
	}
	for (size_t i = 0; i + 1 < size_bytes; i += 2)
		convert_unit(conversion, span_load_u16(bytes + i, conversion->is_swapped));
}

static bool convert_all(const struct input *input, uint64_t at, struct conversion *conversion,
			struct input *spool, struct error *err)
{
	char *buffer = memory_alloc(CHUNK_BYTES, 1);
	size_t got = 1;
	bool good = true;

	for (; good && got; at += got) {
		good = input_read(input, at, buffer, CHUNK_BYTES, &got, err);
		if (!good || !got)
			break;
		convert(conversion, buffer, got);
		good = input_append_spool(spool, conversion->sink.buffer, conversion->sink.used,
					  err);
		conversion->sink.used = 0;
	}
	memory_free(buffer);
	return good;
}

/* Reads the byte order mark. Returns the size of the mark in bytes, or 0 if there is no mark. */
static size_t find_mark(const struct input *input, struct conversion *conversion, struct error *err,
			bool *good_ret)
{
	unsigned char head[3] = { 0 };
	size_t got;

	*good_ret = input_read(input, 0, head, sizeof(head), &got, err);
	if (!*good_ret)
		return 0;
	if (got == 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0)
		return 3;
	if (got < 2 || (memcmp(head, "\xff\xfe", 2) != 0 && memcmp(head, "\xfe\xff", 2) != 0))
		return 0;
	conversion->is_utf16 = true;
	conversion->is_swapped = (head[0] == 0xfe) != HOST_IS_BIG_ENDIAN;
	return 2;
}

bool encoding_unwrap(struct input *input, struct error *err)
{
	struct conversion conversion = { .is_utf16 = false };
	struct input spool = { .fd = -1 };
	struct input old;
	bool good;
	size_t mark_bytes = find_mark(input, &conversion, err, &good);

	if (!mark_bytes)
		return good;
	if (!input_spool(input, err))
		return false;
	old = *input;
	sink_init_memory(&conversion.sink);
	good = input_create_spool(&spool, input->space, err) &&
	       convert_all(input, mark_bytes, &conversion, &spool, err);
	sink_deinit(&conversion.sink);
	if (!good) {
		input_close(&spool);
		return false;
	}
	*input = spool;
	input->name = old.name;
	input->written_time_ns = old.written_time_ns;
	old.name = spool.name;
	input_close(&old);
	return true;
}
