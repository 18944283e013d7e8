/* SPDX-License-Identifier: MIT */
#include "libparse/merged/merged_chunk.h"

#include <criterion/criterion.h>

#include "base/leb128.h"
#include "base/memory.h"
#include "libparse/merged/merged_stacks.h"
#include "libparse/merged/merged_text.h"
#include "tests/support/memory_file.h"

/* A file of bytes, as an input. */
struct fixture {
	struct memory_file file;
	struct input input;
};

static void begin(struct fixture *fixture, struct text bytes)
{
	struct error err;

	memory_file_open(&fixture->file, bytes.at, bytes.length);
	cr_assert(input_open(&fixture->input, fixture->file.path, &err), "%s", err.text);
}

static void end(struct fixture *fixture)
{
	input_close(&fixture->input);
	memory_file_close(&fixture->file);
}

/* A reader takes a file for a decompression bomb only if kiln cannot have written it. */
Test(merged_chunk, what_shrinks_too_much_is_stored)
{
	static const char equal[1 << 20];
	struct fixture fixture;
	struct sink sink;
	struct merged_chunk chunk;
	struct error err;

	sink_init_memory(&sink);
	merged_header_write(&sink);
	for (uint64_t bytes = 0; bytes <= LIMIT_MERGED_FREE_BYTES; bytes += sizeof(equal))
		merged_chunk_write(MERGED_STACKS, (struct text){ equal, sizeof(equal) }, 0, &sink);
	begin(&fixture, sink_memory(&sink));
	cr_assert(merged_chunk_read(&fixture.input, MERGED_HEADER_BYTES, &chunk, &err));
	cr_expect_eq(chunk.codec, MERGED_CODEC_NONE);
	cr_expect_not(merged_chunk_is_bomb(sink.used, LIMIT_MERGED_FREE_BYTES + sizeof(equal)));
	cr_expect(merged_chunk_is_bomb(1 << 17, LIMIT_MERGED_FREE_BYTES + sizeof(equal)));
	end(&fixture);
	sink_deinit(&sink);
}

Test(merged_chunk, chunks_are_read_as_written)
{
	static const char repeated[4000] = { 'a', 'b' };
	static const struct text rows[] = { { "abc", 3 },
					    { "", 0 },
					    { repeated, sizeof(repeated) } };
	struct fixture fixture;
	struct sink sink;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct merged_chunk chunk;
		unsigned char *bytes;
		struct error err;

		sink_init_memory(&sink);
		merged_header_write(&sink);
		merged_chunk_write(MERGED_STACKS, rows[i], 7, &sink);
		begin(&fixture, sink_memory(&sink));
		cr_expect(merged_header_check(&fixture.input, &err));
		cr_assert(merged_chunk_read(&fixture.input, MERGED_HEADER_BYTES, &chunk, &err));
		cr_expect_eq(chunk.kind, MERGED_STACKS);
		cr_expect_eq(chunk.stack_count, 7);
		cr_expect_eq(chunk.raw_bytes, rows[i].length);
		cr_expect_eq(merged_chunk_end(&chunk), sink_memory(&sink).length);
		cr_assert(merged_chunk_load(&fixture.input, &chunk, &bytes, &err));
		cr_expect_eq(memcmp(bytes, rows[i].at, rows[i].length), 0);
		memory_free(bytes);
		end(&fixture);
		sink_deinit(&sink);
	}
}

/* Each header is refused before memory for its bytes is allocated. */
Test(merged_chunk, corrupt_headers_are_refused)
{
	static const struct {
		uint64_t stored_bytes, raw_bytes;
		uint32_t codec;
		bool is_read;
		const char *message;
	} rows[] = {
		{ 1, 1, MERGED_CODEC_NONE, true, "a chunk does not match its checksum" },
		{ 2, 1, MERGED_CODEC_NONE, false,
		  "truncated: a chunk has 1 of its 2 bytes; copy the file again" },
		{ UINT64_MAX, 1, MERGED_CODEC_NONE, false,
		  "truncated: a chunk has 1 of its 18446744073709551615 bytes; copy the file "
		  "again" },
		{ 1, UINT64_MAX, MERGED_CODEC_ZSTD, false,
		  "a chunk is larger than the limit of 16777216 bytes" },
		{ 1, LIMIT_MERGED_CHUNK_BYTES + 1, MERGED_CODEC_ZSTD, false,
		  "a chunk is larger than the limit of 16777216 bytes" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		unsigned char bytes[MERGED_CHUNK_BYTES + 1] = { MERGED_STACKS };
		struct fixture fixture;
		struct merged_chunk chunk;
		unsigned char *loaded;
		struct error err = { .code = ERROR_NONE };

		bytes[4] = (unsigned char)rows[i].codec;
		for (unsigned k = 0; k < 8; k++) {
			bytes[8 + k] = (unsigned char)(rows[i].stored_bytes >> 8 * k);
			bytes[16 + k] = (unsigned char)(rows[i].raw_bytes >> 8 * k);
		}
		begin(&fixture, (struct text){ (const char *)bytes, sizeof(bytes) });
		cr_expect_eq(merged_chunk_read(&fixture.input, 0, &chunk, &err), rows[i].is_read);
		if (rows[i].is_read)
			cr_expect_not(merged_chunk_load(&fixture.input, &chunk, &loaded, &err));
		cr_expect_eq(strncmp(err.text, rows[i].message, strlen(rows[i].message)), 0,
			     "row %zu: %s", i, err.text);
		end(&fixture);
	}
}

Test(merged_chunk, contents_that_contradict_the_header)
{
	static const struct {
		size_t at;
		unsigned char value;
		enum error_code code;
		const char *message;
	} rows[] = {
		{ 4, 2, ERROR_UNSUPPORTED, "a chunk is compressed in an unknown way (2)" },
		{ 16, 4, ERROR_CORRUPT, "a chunk does not have the size that it states" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct fixture fixture;
		struct merged_chunk chunk;
		unsigned char *loaded;
		struct error err;
		struct sink sink;

		sink_init_memory(&sink);
		merged_header_write(&sink);
		merged_chunk_write(MERGED_STACKS, text_of("abc"), 7, &sink);
		sink.buffer[MERGED_HEADER_BYTES + rows[i].at] = (char)rows[i].value;
		begin(&fixture, sink_memory(&sink));
		cr_assert(merged_chunk_read(&fixture.input, MERGED_HEADER_BYTES, &chunk, &err));
		cr_expect_not(merged_chunk_load(&fixture.input, &chunk, &loaded, &err));
		cr_expect_null(loaded);
		cr_expect_eq(err.code, rows[i].code, "row %zu", i);
		cr_expect_str_eq(err.text, rows[i].message);
		cr_expect(err.has_offset && err.offset == MERGED_HEADER_BYTES, "row %zu", i);
		end(&fixture);
		sink_deinit(&sink);
	}
}

Test(merged_chunk, headers_of_files)
{
	struct sink sink;

	sink_init_memory(&sink);
	merged_header_write(&sink);
	/* Each prefix; another first byte; another version. */
	for (size_t i = 0; i < MERGED_HEADER_BYTES + 2; i++) {
		struct text bytes = sink_memory(&sink);
		struct fixture fixture;
		struct error err;

		if (i < MERGED_HEADER_BYTES)
			bytes.length = (uint32_t)i;
		sink.buffer[0] ^= i == MERGED_HEADER_BYTES;
		sink.buffer[MERGED_HEADER_BYTES - 4] ^= i == MERGED_HEADER_BYTES + 1 ? 64 : 0;
		begin(&fixture, bytes);
		cr_expect_not(merged_header_check(&fixture.input, &err), "%zu", i);
		cr_expect(strstr(err.text, i <= MERGED_HEADER_BYTES
						   ? "is a merged profile without its header"
						   : "is a merged profile of version 65"),
			  "%zu: %s", i, err.text);
		sink.buffer[0] ^= i == MERGED_HEADER_BYTES;
		end(&fixture);
	}
	sink_deinit(&sink);
}

/* "cycles", samples; comm "a". Frame "f" without a module. */
#define GROUP "cycles\0\0\0\0\1a"
#define FRAME "f\0\0\0"

#define STACKS(rest) "\1\x0d" GROUP "\0\1\4" FRAME rest

Test(merged_chunk, corrupt_stacks_are_refused)
{
	static const struct {
		const char *bytes;
		size_t size_bytes;
		uint64_t stack_count;
		uint32_t good_count; /* stacks that are read before the error */
		const char *message; /* NULL: none */
	} rows[] = {
#define ROW(bytes, ...) { bytes, sizeof(bytes) - 1, __VA_ARGS__ }
		ROW(STACKS("\0\2\0\0\1\3"), 1, 1, NULL),
		ROW(STACKS("\0\2\0\0\1\3\2\1\0\1\1"), 2, 2, NULL),
		ROW(STACKS("\0\2\0\0\1\3"), 2, 1, "the length of a stack is not valid"),
		ROW(STACKS("\0\2\0\0\1\3"), 0, 0, "unexpected bytes follow its stacks"),
		ROW(STACKS("\1\1\0\1\3"), 1, 0, "the length of a stack is not valid"),
		ROW(STACKS("\0\0\1\3"), 1, 0, "the length of a stack is not valid"),
		ROW(STACKS("\0\2\1\0\1\3"), 1, 0, "a stack is not valid"), /* no second group */
		ROW(STACKS("\0\2\0\1\1\3"), 1, 0, "a stack is not valid"), /* no second frame */
		ROW(STACKS("\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\1"), 1, 0,
		    "the length of a stack is not valid"),
		ROW(STACKS("\0\2\0\0\1\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\1"), 1, 0,
		    "a stack is not valid"), /* a weight of 71 bits */
		ROW("\1\x0d" GROUP "\0\1\5f\0\0\x7f", 0, 0, "a frame is not valid"),
		ROW("\1\5abcde", 0, 0, "a group is not valid"),
		ROW("\xff\xff\xff\xff\x0f", 0, 0, "a group is not valid"),
		ROW("", 0, 0, "its groups are missing"),
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct text raw = { rows[i].bytes, (uint32_t)rows[i].size_bytes };
		struct fixture fixture;
		struct merged_chunk chunk;
		struct merged_stacks stacks;
		struct error err = { .code = ERROR_NONE };
		uint32_t good_count = 0;
		struct sink sink;

		sink_init_memory(&sink);
		merged_chunk_write(MERGED_STACKS, raw, rows[i].stack_count, &sink);
		begin(&fixture, sink_memory(&sink));
		cr_assert(merged_chunk_read(&fixture.input, 0, &chunk, &err));
		if (merged_stacks_open(&stacks, &fixture.input, &chunk, &err))
			while (merged_stacks_next(&stacks, &err))
				good_count++;
		cr_expect_eq(good_count, rows[i].good_count, "row %zu", i);
		cr_expect_eq(err.code == ERROR_NONE, !rows[i].message, "row %zu: %s", i, err.text);
		if (rows[i].message)
			cr_expect(strstr(err.text, rows[i].message), "row %zu: %s", i, err.text);
		merged_stacks_close(&stacks);
		end(&fixture);
		sink_deinit(&sink);
	}
}

Test(merged_chunk, texts_are_read_as_written)
{
	struct event_label labels[] = { { text_of("release"), text_of("42") },
					{ text_of("host"), text_of("a=b") } };
	struct merged_group group = {
		.event = text_of("cycles"),
		.unit = UNIT_NANOSECONDS,
		.flags = MERGED_IS_TABLE,
		.label_count = 2,
	};
	struct merged_frame frame = {
		.name = text_of("f"),
		.module = text_of("/bin/a"),
		.kind = MERGED_INLINED,
		.build_id = { .size_bytes = 2, .bytes = { 0, 9 } },
	};
	struct merged_group read_group;
	struct merged_frame read_frame;
	struct sink sink;

	merged_labels_sort(labels, 2);
	memcpy(group.labels, labels, sizeof(labels));
	sink_init_memory(&sink);
	merged_group_write(&group, &sink);
	cr_assert(merged_group_read(sink_memory(&sink), &read_group));
	cr_expect(text_is(read_group.event, "cycles"));
	cr_expect_eq(read_group.unit, UNIT_NANOSECONDS);
	cr_expect_eq(read_group.label_count, 2);
	cr_expect(text_is(read_group.labels[0].key, "host"));
	cr_expect(text_is(read_group.labels[0].value, "a=b"));
	cr_expect_null(read_group.comm.at);
	sink.used = 0;
	merged_frame_write(&frame, &sink);
	cr_assert(merged_frame_read(sink_memory(&sink), &read_frame));
	cr_expect(text_is(read_frame.name, "f") && text_is(read_frame.module, "/bin/a"));
	cr_expect_eq(read_frame.kind, MERGED_INLINED);
	cr_expect_eq(read_frame.build_id.size_bytes, 2);
	cr_expect_eq(read_frame.build_id.bytes[1], 9);
	sink_deinit(&sink);
}

/* Keys that are not in order would give equal groups different bytes. */
Test(merged_chunk, groups_that_are_not_canonical_are_refused)
{
	static const struct text rows[] = {
		{ "c\0\0\0b\0x\0a\0x\0\0\0", 13 }, /* b before a */
		{ "c\0\0\0a\0x\0a\0y\0\0\0", 13 }, /* a twice */
		{ "c\0\0\0\0\0a", 8 },             /* a comm that is unknown */
		{ "c\0\x9\0\0\0", 7 },             /* an unknown unit */
		{ "\0\0\0\0\0", 6 },               /* no event */
	};
	struct merged_group group;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		cr_expect_not(merged_group_read(rows[i], &group), "row %zu", i);
}
