/* SPDX-License-Identifier: MIT */
#include "libparse/perf/attr.h"

#include <criterion/criterion.h>
#include <stddef.h>

#include "libparse/perf/abi.h"
#include "tests/support/perf_writer.h"

/* Each field has a different value, which is too large for half of the field's width. */
static const struct perf_attr full = {
	.type = 0x10000001,
	.config = 0x2000000000000002,
	.sample_period = 0x3000000000000003,
	.sample_type = 0x4000000000000004,
	.read_format = 0x5000000000000005,
	.flags = ATTR_FLAG_FREQ | ATTR_FLAG_SAMPLE_ID_ALL | ATTR_FLAG_DEFER_OUTPUT |
		 2u << ATTR_FLAG_PRECISE_IP_SHIFT,
	.wakeup_events = 0x60000006,
	.breakpoint_type = 0x70000007,
	.config1 = 0x8000000000000008,
	.config2 = 0x9000000000000009,
	.branch_sample_type = 0xa00000000000000a,
	.sample_regs_user = 0xb00000000000000b,
	.sample_stack_user = 0xc000000c,
	.clockid = -13,
	.sample_regs_intr = 0xe00000000000000e,
	.aux_watermark = 0xf000000f,
	.sample_max_stack = 0x1001,
	.aux_sample_size = 0x11000011,
	.sig_data = 0x1200000000000012,
	.config3 = 0x1300000000000013,
	.config4 = 0x1400000000000014,
};

/* The smallest size of an attr with the field. */
#define FIELD(first_size, name)                                      \
	{                                                            \
		first_size, #name, offsetof(struct perf_attr, name), \
			sizeof(((struct perf_attr *)0)->name)        \
	}

static const struct {
	uint32_t first_size;
	const char *name;
	size_t offset, size_bytes;
} fields[] = {
	FIELD(64, type),
	FIELD(64, config),
	FIELD(64, sample_period),
	FIELD(64, sample_type),
	FIELD(64, read_format),
	FIELD(64, flags),
	FIELD(64, wakeup_events),
	FIELD(64, breakpoint_type),
	FIELD(64, config1),
	FIELD(72, config2),
	FIELD(80, branch_sample_type),
	FIELD(96, sample_regs_user),
	FIELD(96, sample_stack_user),
	FIELD(96, clockid),
	FIELD(104, sample_regs_intr),
	FIELD(112, aux_watermark),
	FIELD(112, sample_max_stack),
	FIELD(120, aux_sample_size),
	FIELD(128, sig_data),
	FIELD(136, config3),
	FIELD(144, config4),
};

static const uint32_t sizes[] = { 64, 72, 80, 96, 104, 112, 120, 128, 136, 144, 152, 256 };

/* Writes a capture with the attr, and returns the bytes of the attr as the reader gets them. */
static struct span attr_span(struct perf_writer *writer, const struct perf_attr *attr,
			     uint32_t attr_bytes, bool is_big_endian)
{
	perf_writer_init(writer,
			 is_big_endian ? PERF_WRITER_BIG_ENDIAN : PERF_WRITER_LITTLE_ENDIAN);
	writer->attr_bytes = attr_bytes;
	perf_writer_event(writer, "event", attr, NULL, 0);
	perf_writer_finish(writer);
	return span_of(writer->file.at + writer->attrs_offset, attr_bytes, writer->attrs_offset,
		       is_big_endian != HOST_IS_BIG_ENDIAN);
}

static void check_fields(const struct perf_attr *read, uint32_t size, const char *order)
{
	static const unsigned char zeros[8];

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		const unsigned char *got = (const unsigned char *)read + fields[i].offset;
		const unsigned char *want = (const unsigned char *)&full + fields[i].offset;

		if (size < fields[i].first_size)
			want = zeros;
		cr_expect(memcmp(got, want, fields[i].size_bytes) == 0, "%s of %u bytes, %s-endian",
			  fields[i].name, size, order);
	}
	cr_expect_eq(read->size, size, "size %u, %s-endian", size, order);
}

Test(perf_attr, reads_every_size_in_both_byte_orders)
{
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		for (int is_big = 0; is_big < 2; is_big++) {
			struct perf_writer writer;
			struct span span = attr_span(&writer, &full, sizes[i], is_big);
			struct perf_attr read;
			struct error err;

			cr_assert(perf_attr_read(span, &read, &err), "%u bytes", sizes[i]);
			check_fields(&read, sizes[i], is_big ? "big" : "little");
			perf_writer_deinit(&writer);
		}
	}
}

Test(perf_attr, reads_each_flag_in_both_byte_orders)
{
	for (unsigned bit = 0; bit < 64; bit++) {
		for (int is_big = 0; is_big < 2; is_big++) {
			struct perf_attr attr = { .flags = 1ull << bit };
			struct perf_writer writer;
			struct span span = attr_span(&writer, &attr, 136, is_big);
			struct perf_attr read;
			struct error err;

			cr_assert(perf_attr_read(span, &read, &err));
			cr_expect_eq(read.flags, attr.flags, "bit %u, big %d", bit, is_big);
			perf_writer_deinit(&writer);
		}
	}
}

/* Written out by hand: the first bit-field is the top bit of the word's first byte. */
Test(perf_attr, flags_of_a_big_endian_compiler)
{
	/* Fields 8 to 15, freq is 10; 16 to 23, precise_ip ends in 16, sample_id_all is 18, mmap2 23. */
	unsigned char bytes[64] = { [7] = 64, [41] = 0x20, [42] = 0x80 | 0x20 | 0x01 };
	struct perf_attr read;
	struct error err;

	cr_assert(
		perf_attr_read(span_of(bytes, sizeof(bytes), 0, !HOST_IS_BIG_ENDIAN), &read, &err));
	cr_expect_eq(read.flags, ATTR_FLAG_FREQ | ATTR_FLAG_SAMPLE_ID_ALL | ATTR_FLAG_MMAP2 |
					 1u << ATTR_FLAG_PRECISE_IP_SHIFT);
	cr_expect_eq(perf_attr_precision(&read), 1);
}

Test(perf_attr, precision_is_the_same_in_both_byte_orders)
{
	for (unsigned precision = 0; precision < 4; precision++) {
		for (int is_big = 0; is_big < 2; is_big++) {
			struct perf_attr attr = {
				.flags = (uint64_t)precision << ATTR_FLAG_PRECISE_IP_SHIFT |
					 ATTR_FLAG_WATERMARK | ATTR_FLAG_MMAP_DATA,
			};
			struct perf_writer writer;
			struct span span = attr_span(&writer, &attr, 136, is_big);
			struct perf_attr read;
			struct error err;

			cr_assert(perf_attr_read(span, &read, &err));
			cr_expect_eq(perf_attr_precision(&read), precision);
			cr_expect_eq(read.flags, attr.flags);
			perf_writer_deinit(&writer);
		}
	}
}

Test(perf_attr, a_stated_size_ends_the_attr)
{
	static const struct {
		uint32_t stated, given, expected;
	} rows[] = {
		{ 80, 136, 80 }, /* the bytes after it are not part of the attr */
		{ 144, 96, 96 }, /* an entry smaller than the size in its attr */
		{ 0xffffffff, 136, 136 },
		{ 64, 64, 64 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct perf_attr attr = full;
		struct perf_writer writer;
		struct span span;
		struct perf_attr read;
		struct error err;

		attr.size = rows[i].stated;
		span = attr_span(&writer, &attr, rows[i].given, false);
		cr_assert(perf_attr_read(span, &read, &err), "row %zu", i);
		cr_expect_eq(read.size, rows[i].stated, "row %zu", i);
		read.size = rows[i].expected;
		check_fields(&read, rows[i].expected, "little");
		perf_writer_deinit(&writer);
	}
}

Test(perf_attr, size_zero_is_the_first_version)
{
	struct perf_writer writer;
	struct span span = attr_span(&writer, &full, 136, false);
	struct perf_attr read;
	struct error err;

	perf_writer_patch_u32(&writer, writer.attrs_offset + 4, 0);
	cr_assert(perf_attr_read(span, &read, &err));
	check_fields(&read, 64, "little");
	perf_writer_deinit(&writer);
}

Test(perf_attr, refuses_less_than_the_first_version)
{
	struct perf_writer writer;
	struct span span = attr_span(&writer, &full, 136, false);
	struct perf_attr read;
	struct error err = { 0 };
	struct span cut = span;

	cut.end = cut.begin + 63;
	cr_assert_not(perf_attr_read(cut, &read, &err));
	cr_expect_eq(err.code, ERROR_CORRUPT);
	cr_expect_eq(err.offset, writer.attrs_offset);
	cr_expect_str_eq(err.text, "an event attribute has 63 bytes; the minimum is 64");

	perf_writer_patch_u32(&writer, writer.attrs_offset + 4, 63);
	cr_assert_not(perf_attr_read(span, &read, &err));
	cr_expect_eq(err.code, ERROR_CORRUPT);
	cr_expect_eq(err.offset, writer.attrs_offset + 4);
	cr_expect_str_eq(err.text, "an event attribute states a size of 63; the minimum is 64");
	perf_writer_deinit(&writer);
}
