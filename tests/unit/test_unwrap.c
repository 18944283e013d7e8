/* SPDX-License-Identifier: MIT */
#include "compress/codec.h"
#include "compress/extract.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"

Test(unwrap, only_what_is_wrapped_is_taken_for_it)
{
	static const struct {
		const char *bytes;
		size_t size_bytes;
		const char *expected;
	} rows[] = {
		{ "", 0, NULL },
		{ "\x1f\x8b\x08", 3, "gzip" },
		{ "\x1f\x8b", 2, NULL },
		{ "\x1f\x8b\x07", 3, NULL },
		{ "\xfd"
		  "7zXZ\0",
		  6, "xz" },
		{ "\xfd"
		  "7zXZ",
		  5, NULL },
		{ "\x28\xb5\x2f\xfd", 4, "zstd" },
		{ "\x50\x2a\x4d\x18", 4, "zstd" },
		{ "\x5f\x2a\x4d\x18", 4, "zstd" },
		{ "\x60\x2a\x4d\x18", 4, NULL },
		{ "BZh9\x31\x41\x59\x26\x53\x59", 10, "bzip2" },
		{ "BZh0\x31\x41\x59\x26\x53\x59", 10, NULL },
		{ "BZhave a look", 13, NULL },
		{ "PERFILE2", 8, NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *name =
			extract_format(span_of(rows[i].bytes, rows[i].size_bytes, 0, false));

		cr_expect(rows[i].expected ? name && !strcmp(name, rows[i].expected) : !name,
			  "row %zu: %s", i, name ? name : "(nothing)");
	}
}

#ifdef HAVE_LIBARCHIVE
#include <archive.h>
#include <archive_entry.h>
#include <zlib.h>

#include "libparse/perf/abi.h"
#include "tests/support/memory_file.h"
#include "tests/support/outcome.h"
#include "tests/support/perf_writer.h"
#include "tests/support/random.h"

typedef VEC(unsigned char) bytes;

#define COMM_COUNT 24000

/* Makes a capture so large that every compression divides it into several blocks. */
static void make_capture(struct perf_writer *writer)
{
	static const struct perf_attr attr = {
		.type = TYPE_SOFTWARE,
		.sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME,
		.flags = ATTR_FLAG_SAMPLE_ID_ALL,
	};
	struct random random = { 1 };

	perf_writer_init(writer, PERF_WRITER_LITTLE_ENDIAN);
	perf_writer_event(writer, "cpu-clock", &attr, NULL, 0);
	for (uint32_t i = 0; i < COMM_COUNT; i++) {
		char comm[16];

		snprintf(comm, sizeof(comm), "%08x", random_below(&random, UINT32_MAX));
		perf_writer_comm(writer, 100 + i, i, i, comm, 0);
	}
	perf_writer_finish(writer);
}

enum packing {
	PACKING_NONE,
	PACKING_GZIP,
	PACKING_XZ,
	PACKING_ZSTD,
	PACKING_BZIP2,
	PACKING_COUNT,
};

static const char *const packing_names[] = { "none", "gzip", "xz", "zstd", "bzip2" };

struct member {
	const char *name;
	const void *at;
	size_t size_bytes;
	const char *link; /* name of a hard link to the member */
};

static struct archive *begin_writing(enum packing packing)
{
	static int (*const filters[])(struct archive *) = {
		archive_write_add_filter_none,  archive_write_add_filter_gzip,
		archive_write_add_filter_xz,    archive_write_add_filter_zstd,
		archive_write_add_filter_bzip2,
	};
	struct archive *archive = archive_write_new();

	cr_assert_not_null(archive);
	cr_assert_eq(filters[packing](archive), ARCHIVE_OK);
	archive_write_set_bytes_in_last_block(archive, 1);
	return archive;
}

/* Compresses a tar of the members, or the only member. */
static void pack(enum packing packing, bool is_tar, const struct member *members, size_t count,
		 bytes *ret)
{
	struct archive *archive = begin_writing(packing);
	size_t used = 0;

	for (size_t i = 0; i < count; i++)
		used += members[i].size_bytes;
	vec_reserve(ret, used + 4096 * (count + 4));
	if (is_tar)
		cr_assert_eq(archive_write_set_format_pax_restricted(archive), ARCHIVE_OK);
	else
		cr_assert_eq(archive_write_set_format_raw(archive), ARCHIVE_OK);
	cr_assert_eq(archive_write_open_memory(archive, ret->at, ret->capacity, &ret->count),
		     ARCHIVE_OK);
	for (size_t i = 0; i < count; i++) {
		struct archive_entry *entry = archive_entry_new();

		archive_entry_set_pathname(entry, members[i].name);
		archive_entry_set_filetype(entry, AE_IFREG);
		archive_entry_set_size(entry, (la_int64_t)members[i].size_bytes);
		if (members[i].link)
			archive_entry_set_hardlink(entry, members[i].link);
		cr_assert_eq(archive_write_header(archive, entry), ARCHIVE_OK, "%s",
			     archive_error_string(archive));
		archive_write_data(archive, members[i].at, members[i].size_bytes);
		archive_entry_free(entry);
	}
	cr_assert_eq(archive_write_close(archive), ARCHIVE_OK);
	archive_write_free(archive);
}

static void read_bytes(const bytes *wrapped, struct outcome *ret)
{
	outcome_read(wrapped->at, wrapped->count, ret);
}

Test(unwrap, what_is_inside_is_read_as_if_it_were_not)
{
	struct perf_writer writer;
	struct outcome plain;

	make_capture(&writer);
	outcome_read(writer.file.at, writer.file.count, &plain);
	cr_assert(plain.good && !plain.is_partial);
	for (int packing = 0; packing < PACKING_COUNT; packing++) {
		for (int is_tar = packing == PACKING_NONE; is_tar < 2; is_tar++) {
			const struct member members[] = {
				{ "deep/in/it.bin", writer.file.at, writer.file.count, NULL },
				{ "readme", "one\n", 4, NULL },
				{ "empty", "", 0, NULL },
				{ "again", "", 0, "deep/in/it.bin" },
			};
			bytes wrapped = { 0 };
			struct outcome outcome;

			pack(packing, is_tar, members, is_tar ? ARRAY_SIZE(members) : 1, &wrapped);
			read_bytes(&wrapped, &outcome);
			cr_assert(outcome.good, "%s tar %d: %s", packing_names[packing], is_tar,
				  outcome.err.text);
			cr_expect_not(outcome.is_partial, "%s tar %d: %s", packing_names[packing],
				      is_tar, outcome.damage.text);
			cr_expect_str_eq(event_log_text(&outcome.log), event_log_text(&plain.log));
			outcome_deinit(&outcome);
			vec_free(&wrapped);
		}
	}
	outcome_deinit(&plain);
	perf_writer_deinit(&writer);
	assert_no_leaks();
}

/* Half of the bytes give about half of the capture, and more bytes never give less of it. */
Test(unwrap, a_cut_input_is_unwrapped_as_far_as_it_goes)
{
	struct perf_writer writer;
	struct outcome plain;
	const char *whole;

	make_capture(&writer);
	outcome_read(writer.file.at, writer.file.count, &plain);
	whole = outcome_records(&plain);
	for (int packing = 0; packing < PACKING_COUNT; packing++) {
		for (int is_tar = packing == PACKING_NONE; is_tar < 2; is_tar++) {
			const struct member member = { "x", writer.file.at, writer.file.count,
						       NULL };
			size_t last_length = 0;
			bytes wrapped = { 0 };

			pack(packing, is_tar, &member, 1, &wrapped);
			for (size_t eighth = 0; eighth < 8; eighth++) {
				struct outcome outcome;

				outcome_read(wrapped.at, wrapped.count * eighth / 8, &outcome);
				cr_expect_not(outcome.good && !outcome.is_partial,
					      "%s tar %d: %zu/8", packing_names[packing], is_tar,
					      eighth);
				cr_expect(outcome.good || outcome.err.text[0]);
				if (outcome.good) {
					const char *part = outcome_records(&outcome);
					/* The line with the loss is not compared: only a truncated
					 * input has one. */
					const char *loss = strstr(part, "LOSS");
					size_t length = loss ? (size_t)(loss - part) : strlen(part);

					cr_expect_eq(strncmp(part, whole, length), 0);
					cr_expect_geq(length, last_length);
					last_length = length;
				}
				/* kiln's gzip decoder returns everything before the truncation. */
				if (packing <= PACKING_GZIP && eighth)
					cr_expect_geq(last_length * 8 + 800,
						      strlen(whole) * (eighth - 1),
						      "%s tar %d: %zu/8", packing_names[packing],
						      is_tar, eighth);
				outcome_deinit(&outcome);
			}
			cr_expect_gt(last_length, strlen(whole) / 4, "%s tar %d",
				     packing_names[packing], is_tar);
			vec_free(&wrapped);
		}
	}
	outcome_deinit(&plain);
	perf_writer_deinit(&writer);
	assert_no_leaks();
}

/* These compressions have a checksum, so changed data is never accepted as complete. zstd's is optional, and
 * libarchive does not write it. */
Test(unwrap, a_flipped_bit_is_noticed)
{
	struct random random = { 7 };
	struct perf_writer writer;

	make_capture(&writer);
	for (int packing = PACKING_GZIP; packing < PACKING_COUNT; packing++) {
		const struct member member = { "x", writer.file.at, writer.file.count, NULL };
		bytes wrapped = { 0 };

		pack(packing, false, &member, 1, &wrapped);
		for (int i = 0; i < 40; i++) {
			/* The first bytes are not changed, because some bytes of a gzip header may
			 * have any value. */
			size_t at = 16 + random_below(&random, (uint32_t)wrapped.count - 16);
			unsigned char bit = (unsigned char)(1 << random_below(&random, 8));
			struct outcome outcome;

			wrapped.at[at] ^= bit;
			read_bytes(&wrapped, &outcome);
			cr_expect(outcome.good ? packing == PACKING_ZSTD || outcome.is_partial
					       : outcome.err.text[0] != 0,
				  "%s: byte %zu of %zu, bit %#x", packing_names[packing], at,
				  wrapped.count, bit);
			outcome_deinit(&outcome);
			wrapped.at[at] ^= bit;
		}
		vec_free(&wrapped);
	}
	perf_writer_deinit(&writer);
	assert_no_leaks();
}

Test(unwrap, an_archive_holds_one_capture)
{
	static const char gzipped[] = "\x1f\x8b\x08 and so on";
	struct perf_writer writer;

	make_capture(&writer);
	const struct member capture = { "a/perf.data", writer.file.at, writer.file.count, NULL };
	const struct member second = { "b/perf.data.old", writer.file.at, writer.file.count, NULL };
	const struct member text = { "perf.data", "no", 2, NULL };
	const struct member packed = { "c.gz", gzipped, sizeof(gzipped), NULL };
	const struct {
		struct member members[3];
		size_t count;
		const char *expected;
	} rows[] = {
		{ { capture, text, packed }, 3, NULL },
		{ { text, capture }, 2, NULL },
		{ { text, second, capture },
		  3,
		  "is an archive of 2 captures; extract the one to use: b/perf.data.old, "
		  "a/perf.data" },
		{ { text }, 1, "is an archive without a capture" },
		{ { text, packed },
		  2,
		  "is an archive without a perf.data file; extract and decompress one of these "
		  "files first: c.gz" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		bytes wrapped = { 0 };
		struct outcome outcome;

		pack(i % PACKING_COUNT, true, rows[i].members, rows[i].count, &wrapped);
		read_bytes(&wrapped, &outcome);
		cr_expect_eq(outcome.good, !rows[i].expected, "row %zu: %s", i, outcome.err.text);
		if (rows[i].expected)
			cr_expect(strstr(outcome.err.text, rows[i].expected), "row %zu: %s", i,
				  outcome.err.text);
		outcome_deinit(&outcome);
		vec_free(&wrapped);
	}
	perf_writer_deinit(&writer);
	assert_no_leaks();
}

/* A few bytes that decompress to more than any capture contains are refused. */
Test(unwrap, a_bomb_is_refused)
{
	size_t size_bytes = LIMIT_UNWRAP_FREE_BYTES + (4u << 20);
	unsigned char *filler = memory_alloc(size_bytes, 1);

	memset(filler, 'x', size_bytes);
	for (int is_tar = 0; is_tar < 2; is_tar++) {
		const struct member members[] = {
			{ "filler", filler, size_bytes, NULL },
			{ "end", "", 0, NULL },
		};
		bytes wrapped = { 0 };
		struct outcome outcome;

		pack(PACKING_ZSTD, is_tar, members, is_tar ? 2 : 1, &wrapped);
		cr_assert_lt(wrapped.count, 100000);
		read_bytes(&wrapped, &outcome);
		cr_expect_not(outcome.good);
		cr_expect_eq(outcome.err.code, ERROR_LIMIT, "%s", outcome.err.text);
		outcome_deinit(&outcome);
		vec_free(&wrapped);
	}
	memory_free(filler);
	assert_no_leaks();
}

Test(unwrap, wrapped_twice_is_too_much)
{
	struct perf_writer writer;

	make_capture(&writer);
	for (int outer = PACKING_GZIP; outer < PACKING_COUNT; outer++) {
		for (int inner = PACKING_GZIP; inner < PACKING_COUNT; inner++) {
			struct member member = { "x", writer.file.at, writer.file.count, NULL };
			bytes once = { 0 };
			bytes twice = { 0 };
			struct outcome outcome;

			pack(inner, false, &member, 1, &once);
			member.at = once.at;
			member.size_bytes = once.count;
			pack(outer, false, &member, 1, &twice);
			read_bytes(&twice, &outcome);
			cr_expect_not(outcome.good);
			cr_expect(strstr(outcome.err.text, "twice") ||
					  strstr(outcome.err.text, "several times"),
				  "%s", outcome.err.text);
			outcome_deinit(&outcome);
			vec_free(&once);
			vec_free(&twice);
		}
	}
	perf_writer_deinit(&writer);
	assert_no_leaks();
}

/* As in gzip(1), concatenated members are one stream, and zeros after them are ignored. */
Test(unwrap, gzip_may_have_several_members)
{
	struct perf_writer writer;
	struct outcome plain;
	struct outcome outcome;
	bytes wrapped = { 0 };
	size_t half;

	make_capture(&writer);
	half = writer.file.count / 2;
	for (int i = 0; i < 2; i++) {
		const struct member member = { "x", writer.file.at + (i ? half : 0),
					       i ? writer.file.count - half : half, NULL };
		bytes part = { 0 };

		pack(PACKING_GZIP, false, &member, 1, &part);
		for (size_t k = 0; k < part.count; k++)
			vec_push(&wrapped, part.at[k]);
		vec_free(&part);
	}
	for (int i = 0; i < 3; i++)
		vec_push(&wrapped, 0);
	outcome_read(writer.file.at, writer.file.count, &plain);
	read_bytes(&wrapped, &outcome);
	cr_assert(outcome.good && !outcome.is_partial, "%s%s", outcome.err.text,
		  outcome.damage.text);
	cr_expect_str_eq(event_log_text(&outcome.log), event_log_text(&plain.log));
	outcome_deinit(&plain);
	outcome_deinit(&outcome);
	vec_free(&wrapped);
	perf_writer_deinit(&writer);
	assert_no_leaks();
}
#endif
