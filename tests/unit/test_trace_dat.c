/* SPDX-License-Identifier: MIT */
#include "libparse/tracedat/ring_buffer.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"
#include "tests/support/text_session.h"
#include "tests/support/trace_writer.h"

static void expect_folded(struct trace_writer *file, const char *event, const char *folded)
{
	struct view view = view_default;
	struct session_options options = { .thread_count = 1, .ignores_host = true, .view = &view };
	struct text_session test;

	view.event_pattern = event;
	text_session_open(&test, file->out.buffer, file->out.used, &options);
	cr_expect_str_eq(test.folded.buffer, folded);
	text_session_close(&test);
}

Test(trace_dat, reads_both_byte_orders_and_sizes_of_long)
{
	static const struct trace_layout layouts[] = {
		{ false, 8, "[local] global", false, NULL },
		{ false, 4, "[local] global", true, NULL },
		{ true, 8, "local [mono]", false, NULL },
		{ true, 4, "", true, NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(layouts); i++) {
		struct trace_writer file = trace_writer_version_6(&layouts[i]);

		/* The second thread is named by the first switch. */
		expect_folded(&file, "sched_switch", "app;outer;middle;inner 1\nlearned 1\n");
		expect_folded(&file, "function",
			      "learned;outer;inner 1\ntwo_words;outer;inner 1\n");
		sink_deinit(&file.out);
	}
	assert_no_leaks();
}

Test(trace_dat, reads_version_7)
{
	static const struct trace_layout layouts[] = {
		{ false, 8, "", false, NULL },
		{ true, 4, "", false, NULL },
	};

	for (size_t i = 0; i < 2 * ARRAY_SIZE(layouts); i++) {
		struct trace_writer file;

		if (i % 2 && !codec_has(CODEC_ZSTD))
			continue;
		file = trace_writer_version_7(&layouts[i / 2], DEFECT_NONE, i % 2);
		expect_folded(&file, "sched_switch", "app;outer;middle;inner 1\nlearned 1\n");
		expect_folded(&file, "function",
			      "learned;outer;inner 1\ntwo_words;outer;inner 1\n");
		sink_deinit(&file.out);
	}
	assert_no_leaks();
}

static void expect_error(const struct trace_writer *file, const char *what)
{
	struct memory_file memory;
	struct capture capture;
	struct error err;

	memory_file_open(&memory, file->out.buffer, file->out.used);
	cr_assert_not(capture_open(&capture, memory.path, &err), "%s", what);
	cr_expect(strstr(err.text, what), "%s", err.text);
	memory_file_close(&memory);
}

/* A file of version 6 with a second buffer, whose header is at the end. */
static struct trace_writer file_with_buffer(const char *kind)
{
	struct trace_writer file = trace_writer_of(&trace_layout_plain);
	struct trace_writer pages[2] = { trace_writer_of(&trace_layout_plain),
					 trace_writer_of(&trace_layout_plain) };
	size_t patch_at, own_at;

	trace_writer_samples(pages);
	trace_writer_header(&file, "6", 2);
	sink_bytes(&file.out, "options  ", 10);
	trace_writer_put(&file, OPTION_BUFFER, 2);
	trace_writer_put(&file, 13, 4);
	patch_at = file.out.used;
	trace_writer_put(&file, 0, 8);
	sink_bytes(&file.out, "name", 5);
	trace_writer_put(&file, OPTION_DONE, 2);
	sink_bytes(&file.out, "flyrecord", 10);
	own_at = file.out.used;
	for (unsigned i = 0; i < 4; i++) /* no data in the first buffer */
		trace_writer_put(&file, 0, 8);
	trace_writer_patch(&file, patch_at, file.out.used);
	sink_bytes(&file.out, kind, 10);
	for (unsigned i = 0; i < 2; i++) {
		trace_writer_put(&file, own_at + 32 + 10 + 32 + i * TRACE_WRITER_PAGE_BYTES, 8);
		trace_writer_put(&file, TRACE_WRITER_PAGE_BYTES, 8);
	}
	for (unsigned i = 0; i < 2; i++)
		sink_text(&file.out, sink_memory(&pages[i].out));
	sink_deinit(&pages[0].out);
	sink_deinit(&pages[1].out);
	return file;
}

Test(trace_dat, reads_buffers_of_version_6)
{
	struct trace_writer file = file_with_buffer("flyrecord");

	expect_folded(&file, "sched_switch", "app;outer;middle;inner 1\nlearned 1\n");
	sink_deinit(&file.out);
	file = file_with_buffer("flyrecorx");
	expect_error(&file, "the header of a buffer");
	sink_deinit(&file.out);
	assert_no_leaks();
}

Test(trace_dat, counts_losses)
{
	struct trace_writer file = trace_writer_version_6(&trace_layout_plain);
	struct text_session test;

	text_session_open(&test, file.out.buffer, file.out.used, NULL);
	cr_expect_eq(test.session.profile.losses[LOSS_RECORDS], 5);
	cr_expect_eq(test.session.profile.losses[LOSS_CORRUPT_RECORDS], 0);
	cr_expect_not(test.session.capture.is_partial);
	text_session_close(&test);
	sink_deinit(&file.out);
	assert_no_leaks();
}

/* Opens every prefix, and returns how many were read in part. The others are refused. */
static unsigned count_partial(const struct trace_writer *file)
{
	unsigned count = 0;

	for (size_t size_bytes = 10; size_bytes < file->out.used; size_bytes++) {
		struct capture capture;
		struct error err;

		if (capture_open(&capture, memory_file_reuse(file->out.buffer, size_bytes), &err)) {
			cr_expect(capture.is_partial, "%zu", size_bytes);
			count++;
			capture_close(&capture);
		} else {
			cr_expect(strstr(err.text, "truncated or corrupt"), "%s", err.text);
		}
	}
	return count;
}

/* The end of version 6 has the clock and the pages, and that of version 7 the options. */
Test(trace_dat, reads_truncated_files)
{
	struct trace_writer file = trace_writer_version_6(&trace_layout_plain);

	cr_expect_eq(count_partial(&file),
		     8 + strlen(trace_layout_plain.clock) + 2 * TRACE_WRITER_PAGE_BYTES);
	sink_deinit(&file.out);
	file = trace_writer_version_7(&trace_layout_plain, DEFECT_NONE, false);
	cr_expect_eq(count_partial(&file), 0);
	sink_deinit(&file.out);
	assert_no_leaks();
}

Test(trace_dat, names_what_is_not_read)
{
	struct trace_writer file = trace_writer_of(&trace_layout_plain);
	struct trace_writer page = trace_writer_of(&trace_layout_plain);
	struct trace_writer records = trace_writer_of(&trace_layout_plain);

	trace_writer_header(&file, "8", 0);
	expect_error(&file, "version 8");
	file.out.used = 0;
	trace_writer_header(&file, "6", 0);
	sink_bytes(&file.out, "latency  ", 10);
	expect_error(&file, "latency tracer");
	file.out.used = 0;
	trace_writer_record(&records, 2, 0);
	trace_writer_common(&records, 11, 7);
	trace_writer_page(&page, 1000, 0, &records);
	trace_writer_header(&file, "6", 1);
	trace_writer_pages(&file, 1, &page.out);
	expect_error(&file, "function_graph");
	sink_deinit(&file.out);
	sink_deinit(&page.out);
	sink_deinit(&records.out);
	assert_no_leaks();
}

static void put_option(struct trace_writer *options, unsigned id, const void *bytes,
		       size_t size_bytes)
{
	trace_writer_put(options, id, 2);
	trace_writer_put(options, size_bytes, 4);
	sink_bytes(&options->out, bytes, size_bytes);
}

/* Version 7 has an option for the text of a latency tracer: offset, name, clock. */
Test(trace_dat, refuses_text_in_version_7)
{
	struct trace_writer options = trace_writer_of(&trace_layout_plain);
	struct trace_layout layout = trace_layout_plain;
	struct trace_writer file;

	put_option(&options, OPTION_BUFFER_TEXT, "\x40\0\0\0\0\0\0\0\0local", 15);
	layout.options = &options;
	file = trace_writer_version_7(&layout, DEFECT_NONE, false);
	expect_error(&file, "latency tracer; run `trace-cmd report`");
	sink_deinit(&file.out);
	sink_deinit(&options.out);
	assert_no_leaks();
}

Test(trace_dat, refuses_corrupt_sections)
{
	static const struct {
		enum trace_defect defect;
		bool is_compressed;
		const char *error;
	} rows[] = {
		{ DEFECT_WRONG_SECTION, false, "a section is truncated or corrupt" },
		{ DEFECT_LONG_SECTION, false, "a section is truncated or corrupt" },
		{ DEFECT_WRONG_BUFFER, false, "a section is truncated or corrupt" },
		{ DEFECT_SHORT_BUFFER, false, "a section is truncated or corrupt" },
		{ DEFECT_CORRUPT_PART, true, "a section is truncated or corrupt" },
		{ DEFECT_OTHER_CLOCK, false, "different clocks" },
		{ DEFECT_SAME_BUFFER, false, "the same data" },
		{ DEFECT_LOOP, false, "a section is truncated or corrupt" },
		{ DEFECT_UNKNOWN_CODEC, false, "compressed in a way" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct trace_writer file;

		if (rows[i].is_compressed && !codec_has(CODEC_ZSTD))
			continue;
		file = trace_writer_version_7(&trace_layout_plain, rows[i].defect,
					      rows[i].is_compressed);
		expect_error(&file, rows[i].error);
		sink_deinit(&file.out);
	}
	assert_no_leaks();
}

/* A chunk that is no zstd frame is a loss; the other CPU is read. */
Test(trace_dat, counts_corrupt_chunks)
{
	struct text_session test;
	struct trace_writer file;

	if (!codec_has(CODEC_ZSTD))
		cr_skip_test("this build has no zstd");
	file = trace_writer_version_7(&trace_layout_plain, DEFECT_CORRUPT_CHUNK, true);
	text_session_open(&test, file.out.buffer, file.out.used, NULL);
	cr_expect_eq(test.session.profile.losses[LOSS_CORRUPT_RECORDS], 1);
	cr_expect_str_eq(test.folded.buffer, "<...>;outer;inner 1\ntwo_words;outer;inner 1\n");
	text_session_close(&test);
	sink_deinit(&file.out);
	assert_no_leaks();
}

/* Records with which reading of a page ends, and times of records. */
Test(trace_dat, pages_end_at_corrupt_records)
{
	static const struct {
		uint32_t words[6];
		uint32_t count;
		bool is_corrupt;
		uint64_t time; /* of the record with data; 0: there is none */
	} rows[] = {
		/* One word of data after a delta; an absolute time, then data. */
		{ { 5 << 5 | 1, 7 }, 2, false, 1005 },
		{ { 9 << 5 | 31, 1, 1 << 5 | 1, 7 }, 4, false, ((uint64_t)1 << 27) + 10 },
		/* The page ends with padding without a length; data longer than the page. */
		{ { 29 }, 1, false, 0 },
		{ { 2, 7 }, 2, true, 0 },
		/* A length that does not include itself; one beyond the page; a missing word. */
		{ { 0, 3 }, 2, true, 0 },
		{ { 0, 100 }, 2, true, 0 },
		{ { 30 }, 1, true, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct trace_writer records = trace_writer_of(&trace_layout_plain);
		struct trace_writer page = trace_writer_of(&trace_layout_plain);
		struct ring_record record;
		struct ring_page open;
		bool has_record;

		for (uint32_t k = 0; k < rows[i].count; k++)
			trace_writer_put(&records, rows[i].words[k], 4);
		trace_writer_page(&page, 1000, 0, &records);
		cr_assert(ring_page_open(
			&open, span_of(page.out.buffer, page.out.used, 0, HOST_IS_BIG_ENDIAN), 8));
		has_record = ring_page_next(&open, &record);
		cr_expect_eq(has_record, rows[i].time != 0, "%zu", i);
		cr_expect_eq(open.is_corrupt, rows[i].is_corrupt, "%zu", i);
		if (has_record)
			cr_expect_eq(record.time, rows[i].time, "%zu: %llu", i,
				     (unsigned long long)record.time);
		sink_deinit(&records.out);
		sink_deinit(&page.out);
	}
	assert_no_leaks();
}
