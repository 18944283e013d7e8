/* SPDX-License-Identifier: MIT */
/* Files that announce more data than any real trace.dat. Most of it is a hole in the file. */
#include "libparse/tracedat/ring_buffer.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"
#include "tests/support/trace_writer.h"

/* size_bytes: to which the file is extended with zeros. 0: it is not. */
static void expect_error(const struct trace_writer *file, uint64_t size_bytes, enum error_code code,
			 const char *text)
{
	struct memory_file memory;
	struct capture capture;
	struct error err;

	memory_file_open(&memory, file->out.buffer, file->out.used);
	if (size_bytes)
		memory_file_truncate(&memory, (size_t)size_bytes);
	cr_assert_not(capture_open(&capture, memory.path, &err), "%s", text);
	cr_expect_eq(err.code, code, "%s", err.text);
	cr_expect(strstr(err.text, text), "%s", err.text);
	memory_file_close(&memory);
}

Test(trace_dat_limits, page_size)
{
	static const struct {
		uint32_t page_bytes;
		const char *error;
	} rows[] = {
		{ 0, "has an invalid page size, 0 bytes" },
		{ 31, "has an invalid page size, 31 bytes" },
		{ LIMIT_TRACE_DAT_PAGE_BYTES + 1, "has an invalid page size, 1048577 bytes" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct trace_writer file = trace_writer_version_6(&trace_layout_plain);
		struct trace_writer number = trace_writer_of(&trace_layout_plain);

		trace_writer_put(&number, rows[i].page_bytes, 4);
		memcpy(file.out.buffer + TRACE_WRITER_PAGE_BYTES_OFFSET, number.out.buffer, 4);
		expect_error(&file, 0, ERROR_CORRUPT, rows[i].error);
		sink_deinit(&number.out);
		sink_deinit(&file.out);
	}
	assert_no_leaks();
}

/* A file of version 7 whose only section has these options. */
static struct trace_writer file_of_options(const struct trace_writer *options)
{
	struct trace_writer file = trace_writer_of(&trace_layout_plain);

	sink_bytes(&file.out, "\x17\x08\x44tracing7\0\0\x8", 14);
	trace_writer_put(&file, TRACE_WRITER_PAGE_BYTES, 4);
	sink_bytes(&file.out, "none\0", 6);
	trace_writer_put(&file, file.out.used + 8, 8);
	trace_writer_put(&file, OPTION_DONE, 8);
	trace_writer_put(&file, options->out.used, 8);
	sink_text(&file.out, sink_memory(&options->out));
	return file;
}

#define OPTIONS_OFFSET 48

/* The number of CPUs in the header, and CPUs with data in one buffer. */
Test(trace_dat_limits, cpu_count)
{
	struct trace_writer file = trace_writer_of(&trace_layout_plain);
	struct trace_writer options = trace_writer_of(&trace_layout_plain);
	uint32_t count = LIMIT_TRACE_DAT_CPUS + 1;
	uint64_t option_bytes = 8 + 1 + 6 + 4 + 4 + (uint64_t)count * 20;

	trace_writer_header(&file, "6", count);
	sink_bytes(&file.out, "flyrecord", 10);
	expect_error(&file, 0, ERROR_CORRUPT, "the header is truncated or corrupt");
	sink_deinit(&file.out);
	trace_writer_put(&options, OPTION_BUFFER, 2);
	trace_writer_put(&options, option_bytes, 4);
	trace_writer_put(&options, OPTIONS_OFFSET + 6 + option_bytes, 8);
	sink_bytes(&options.out, "\0local", 7);
	trace_writer_put(&options, 4096, 4);
	trace_writer_put(&options, count, 4);
	for (uint32_t i = 0; i < count; i++) {
		trace_writer_put(&options, i, 4);
		trace_writer_put(&options, 0, 8);
		trace_writer_put(&options, 1, 8);
	}
	file = file_of_options(&options);
	trace_writer_put(&file, OPTION_BUFFER, 8);
	trace_writer_put(&file, 0, 8);
	expect_error(&file, 0, ERROR_LIMIT, "has data from more CPUs than the limit of 65536");
	sink_deinit(&file.out);
	sink_deinit(&options.out);
	assert_no_leaks();
}

/* A header whose symbols end after the bytes that are read of any header. */
Test(trace_dat_limits, header)
{
	struct trace_writer file = trace_writer_version_6(&trace_layout_plain);
	const char *symbols = memmem(file.out.buffer, file.out.used, "81000000 T", 10);
	struct trace_writer size = trace_writer_of(&trace_layout_plain);

	trace_writer_put(&size, LIMIT_TRACE_DAT_HEADER_BYTES, 4);
	file.out.used = (size_t)(symbols - 4 - file.out.buffer);
	sink_text(&file.out, sink_memory(&size.out));
	expect_error(&file, LIMIT_TRACE_DAT_HEADER_BYTES + 4096u, ERROR_CORRUPT,
		     "the list of kernel symbols is corrupt, or the header is larger than 64 MiB");
	sink_deinit(&size.out);
	sink_deinit(&file.out);
	assert_no_leaks();
}

/* All parts together. */
Test(trace_dat_limits, loaded_bytes)
{
	struct trace_dat dat = { .loaded_bytes = LIMIT_TRACE_DAT_LOADED_BYTES - 10 };
	unsigned char *memory;
	struct error err;

	cr_expect_not(trace_dat_alloc(&dat, 11, &memory, &err));
	cr_expect_eq(err.code, ERROR_LIMIT);
	cr_expect_str_eq(err.text, "has headers larger than the limit of 128 MiB");
	cr_expect(trace_dat_alloc(&dat, 10, &memory, &err));
	cr_expect_not(trace_dat_alloc(&dat, 1, &memory, &err));
	trace_dat_deinit(&dat);
	assert_no_leaks();
}

/* Blocks of all CPUs together. Closing a stream frees its block. */
Test(trace_dat_limits, blocks)
{
	struct trace_writer pages[2] = { trace_writer_of(&trace_layout_plain),
					 trace_writer_of(&trace_layout_plain) };
	struct trace_dat dat = { .is_swapped = HOST_IS_BIG_ENDIAN, .long_bytes = 8 };
	struct trace_dat_cpu cpu = { .page_bytes = TRACE_WRITER_PAGE_BYTES,
				     .size_bytes = TRACE_WRITER_PAGE_BYTES };
	uint64_t budget_left = TRACE_WRITER_PAGE_BYTES;
	struct cpu_stream streams[2];
	struct memory_file memory;
	struct input input;
	struct error err;

	trace_writer_samples(pages);
	memory_file_open(&memory, pages[0].out.buffer, pages[0].out.used);
	cr_assert(input_open(&input, memory.path, &err));
	cr_assert(cpu_stream_open(&streams[0], &input, &dat, &cpu, &budget_left, &err));
	cr_expect(streams[0].has_record);
	cr_expect_not(cpu_stream_open(&streams[1], &input, &dat, &cpu, &budget_left, &err));
	cr_expect_eq(err.code, ERROR_LIMIT);
	cr_expect_str_eq(err.text, "needs more memory for the pages of its CPUs than the limit of "
				   "1024 MiB");
	cpu_stream_close(&streams[1]);
	cpu_stream_close(&streams[0]);
	cr_expect_eq(budget_left, TRACE_WRITER_PAGE_BYTES);
	input_close(&input);
	memory_file_close(&memory);
	sink_deinit(&pages[0].out);
	sink_deinit(&pages[1].out);
	assert_no_leaks();
}

/* The data ends before its first chunk does, or before its length; the file ends with a page. */
Test(trace_dat_limits, truncated_cpus)
{
	static const struct {
		const char *bytes;
		uint64_t size_bytes; /* of the data, by its option */
		bool is_compressed;
		uint64_t corrupt_count;
	} rows[] = {
		{ "", 4, true, 0 },
		{ "\1\0", 4, true, 0 },
		{ "\1\0\0\0\5\0\0\0", 20, true, 1 },
		{ "\1\0\0\0\5\0\0\0", 6, true, 1 },
		{ "time", 256, false, 1 },
		{ "time....co", 256, false, 1 },
	};
	static const unsigned char lengths[] = { 0, 2, 8, 8, 4, 10 };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct trace_dat dat = { .is_swapped = HOST_IS_BIG_ENDIAN,
					 .long_bytes = 4,
					 .codec = CODEC_ZLIB };
		struct trace_dat_cpu cpu = { .page_bytes = TRACE_WRITER_PAGE_BYTES,
					     .size_bytes = rows[i].size_bytes,
					     .is_compressed = rows[i].is_compressed };
		uint64_t budget_left = 1 << 20;
		struct cpu_stream stream;
		struct memory_file memory;
		struct input input;
		struct error err;

		memory_file_open(&memory, rows[i].bytes, lengths[i]);
		cr_assert(input_open(&input, memory.path, &err));
		cr_assert(cpu_stream_open(&stream, &input, &dat, &cpu, &budget_left, &err),
			  "row %zu: %s", i, err.text);
		cr_expect_not(stream.has_record, "row %zu", i);
		cr_expect_eq(stream.corrupt_count, rows[i].corrupt_count, "row %zu: %llu", i,
			     (unsigned long long)stream.corrupt_count);
		cpu_stream_close(&stream);
		input_close(&input);
		memory_file_close(&memory);
	}
	assert_no_leaks();
}

/* No memory is allocated for a chunk that is larger than any, or that is too small to become it. */
Test(trace_dat_limits, chunks)
{
	static const struct {
		uint32_t compressed_bytes, plain_bytes;
		size_t block_bytes;
	} rows[] = {
		{ 4096, 2u << 20, 2u << 20 },
		{ 4096, (2u << 20) + 1, 0 },
		{ (2u << 20) + 1, 1, 0 },
		{ 100, 100 * LIMIT_UNWRAP_RATIO, 100 * LIMIT_UNWRAP_RATIO },
		{ 100, 101 * LIMIT_UNWRAP_RATIO, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct trace_writer file = trace_writer_of(&trace_layout_plain);
		struct trace_dat dat = { .is_swapped = HOST_IS_BIG_ENDIAN, .codec = CODEC_ZLIB };
		struct trace_dat_cpu cpu = { .page_bytes = TRACE_WRITER_PAGE_BYTES,
					     .is_compressed = true,
					     .size_bytes = 4u << 20 };
		uint64_t budget_left = 4u << 20;
		struct cpu_stream stream;
		struct memory_file memory;
		struct input input;
		struct error err;

		trace_writer_put(&file, 1, 4);
		trace_writer_put(&file, rows[i].compressed_bytes, 4);
		trace_writer_put(&file, rows[i].plain_bytes, 4);
		memory_file_open(&memory, file.out.buffer, file.out.used);
		memory_file_truncate(&memory, 4u << 20);
		cr_assert(input_open(&input, memory.path, &err));
		cr_assert(cpu_stream_open(&stream, &input, &dat, &cpu, &budget_left, &err),
			  "row %zu: %s", i, err.text);
		cr_expect_not(stream.has_record, "row %zu", i);
		cr_expect_eq(stream.corrupt_count, 1, "row %zu", i);
		cr_expect_eq(stream.corrupt_offset, 4, "row %zu", i);
		cr_expect_eq(stream.block_bytes, rows[i].block_bytes, "row %zu: %zu", i,
			     stream.block_bytes);
		cpu_stream_close(&stream);
		input_close(&input);
		memory_file_close(&memory);
		sink_deinit(&file.out);
	}
	assert_no_leaks();
}
