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

	static const enum codec codecs[] = { CODEC_NONE, CODEC_ZSTD, CODEC_ZLIB };

	for (size_t i = 0; i < ARRAY_SIZE(codecs) * ARRAY_SIZE(layouts); i++) {
		enum codec codec = codecs[i / ARRAY_SIZE(layouts)];
		struct trace_writer file;

		if (!codec_has(codec))
			continue;
		file = trace_writer_version_7(&layouts[i % ARRAY_SIZE(layouts)], DEFECT_NONE,
					      codec);
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

/* The same, and the offset of the error. */
static void expect_error_at(const struct trace_writer *file, const char *what, uint64_t offset)
{
	struct memory_file memory;
	struct capture capture;
	struct error err;

	memory_file_open(&memory, file->out.buffer, file->out.used);
	cr_assert_not(capture_open(&capture, memory.path, &err), "%s", what);
	cr_expect(strstr(err.text, what), "%s", err.text);
	cr_expect(err.has_offset && err.offset == offset, "%s: %llu", what,
		  (unsigned long long)err.offset);
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
	file = trace_writer_version_7(&trace_layout_plain, DEFECT_NONE, CODEC_NONE);
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

/* Options that trace-cmd 3 writes; those that change how records are read come first. */
static struct trace_writer all_options(const struct trace_layout *layout)
{
	static const struct {
		unsigned id;
		const char *text;
	} texts[] = {
		{ OPTION_DATE, "0x64" },
		{ OPTION_UNAME, "Linux box 6.1.0 s390x" },
		{ OPTION_VERSION, "3.1.6 not-a-git-repo" },
		{ 2, "CPU: 0\nentries: 0\noverrun: 7\n" },               /* CPUSTAT */
		{ 4, "[local] global counter" },                         /* TRACECLOCK */
		{ 6, "sched:sched_switch,pid/sched:sched_switch,prev" }, /* HOOK */
		{ 10, "7 1 app\n400000 401000 /usr/bin/app\n" },         /* PROCMAPS */
		{ 24, "instance:ffffffff81000000\n" },                   /* LAST_BOOT_INFO */
		{ 999, "unknown" },
	};
	struct trace_writer options = trace_writer_of(layout);

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		put_option(&options, texts[i].id, texts[i].text, strlen(texts[i].text) + 1);
	trace_writer_put(&options, 8, 2); /* CPUCOUNT */
	trace_writer_put(&options, 4, 4);
	trace_writer_put(&options, 2, 4);
	trace_writer_put(&options, 11, 2); /* TRACEID */
	trace_writer_put(&options, 8, 4);
	trace_writer_put(&options, 0x81d0113f338df850, 8);
	trace_writer_put(&options, 12, 2); /* TIME_SHIFT: a guest's times minus those of the host */
	trace_writer_put(&options, 8 + 4 + 4 + 4 + 3 * 8, 4);
	trace_writer_put(&options, 0x1234, 8);
	trace_writer_put(&options, 0, 4);
	for (unsigned i = 0; i < 2; i++) /* one CPU with one time */
		trace_writer_put(&options, 1, 4);
	for (unsigned i = 0; i < 3; i++)
		trace_writer_put(&options, (uint64_t)1 << 40, 8);
	trace_writer_put(&options, 13, 2); /* GUEST: name, id, and the host's tid of each CPU */
	trace_writer_put(&options, 6 + 8 + 4 + 8, 4);
	sink_bytes(&options.out, "guest", 6);
	trace_writer_put(&options, 0x1234, 8);
	trace_writer_put(&options, 1, 4);
	trace_writer_put(&options, 0, 4);
	trace_writer_put(&options, 7, 4);
	/* STRINGS, PRINTK, BTF_FILE and MODULES_FILE have the offset of a section. */
	for (unsigned i = 0; i < 4; i++) {
		static const unsigned ids[] = { 15, 20, 23, 25 };

		trace_writer_put(&options, ids[i], 2);
		trace_writer_put(&options, 8, 4);
		trace_writer_put(&options, UINT64_MAX, 8);
	}
	return options;
}

static void expect_options(struct trace_writer *file, uint64_t first_time_ns)
{
	static const struct {
		enum fact fact;
		const char *value;
	} facts[] = {
		{ FACT_HOST, "box" },    { FACT_OS_RELEASE, "6.1.0" },
		{ FACT_ARCH, "s390x" },  { FACT_TOOL_VERSION, "trace-cmd 3.1.6" },
		{ FACT_CLOCK, "local" },
	};
	struct text_session test;

	text_session_open(&test, file->out.buffer, file->out.used, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(facts); i++) {
		struct text value = test.session.profile.facts[facts[i].fact];

		cr_expect(value.at && text_is(value, facts[i].value), "%s: %.*s", facts[i].value,
			  (int)value.length, value.at ? value.at : "");
	}
	cr_expect_eq(test.session.profile.first_time_ns, first_time_ns, "%llu",
		     (unsigned long long)test.session.profile.first_time_ns);
	text_session_close(&test);
	expect_folded(file, "sched_switch", "app;outer;middle;inner 1\nlearned 1\n");
}

/* The first record is at 1005; DATE adds 100 µs, and OFFSET 1 µs or -16 ns. */
Test(trace_dat, reads_options)
{
	static const struct trace_layout layouts[] = {
		{ false, 8, "[local] global", false, NULL },
		{ true, 4, "[local] global", false, NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(layouts); i++) {
		struct trace_writer options = all_options(&layouts[i]);
		struct trace_layout layout = layouts[i];
		struct trace_writer file;

		layout.options = &options;
		file = trace_writer_version_6(&layout);
		expect_options(&file, 1005 + 100000 + 1000);
		sink_deinit(&file.out);
		file = trace_writer_version_7(&layout, DEFECT_NONE, CODEC_NONE);
		expect_options(&file, 1005 + 100000 - 16);
		sink_deinit(&file.out);
		sink_deinit(&options.out);
	}
	assert_no_leaks();
}

/* Version 7 has an option for the text of a latency tracer: offset, name, clock. */
Test(trace_dat, refuses_text_in_version_7)
{
	struct trace_writer options = trace_writer_of(&trace_layout_plain);
	struct trace_layout layout = trace_layout_plain;
	struct trace_writer file;

	put_option(&options, OPTION_BUFFER_TEXT, "\x40\0\0\0\0\0\0\0\0local", 15);
	layout.options = &options;
	file = trace_writer_version_7(&layout, DEFECT_NONE, CODEC_NONE);
	expect_error(&file, "latency tracer; run `trace-cmd report`");
	sink_deinit(&file.out);
	sink_deinit(&options.out);
	assert_no_leaks();
}

Test(trace_dat, refuses_corrupt_sections)
{
	static const struct {
		enum trace_defect defect;
		enum codec codec;
		const char *error;
	} rows[] = {
		{ DEFECT_WRONG_SECTION, CODEC_NONE, "a section is truncated or corrupt" },
		{ DEFECT_LONG_SECTION, CODEC_NONE, "a section is truncated or corrupt" },
		{ DEFECT_WRONG_BUFFER, CODEC_NONE, "a section is truncated or corrupt" },
		{ DEFECT_SHORT_BUFFER, CODEC_NONE, "a section is truncated or corrupt" },
		{ DEFECT_CORRUPT_PART, CODEC_ZSTD, "a section is truncated or corrupt" },
		{ DEFECT_CORRUPT_PART, CODEC_ZLIB, "a section is truncated or corrupt" },
		{ DEFECT_LONG_PART, CODEC_ZLIB, "a section is truncated or corrupt" },
		{ DEFECT_DENSE_PART, CODEC_ZLIB, "a section is truncated or corrupt" },
		{ DEFECT_OTHER_CLOCK, CODEC_NONE, "different clocks" },
		{ DEFECT_SAME_BUFFER, CODEC_NONE, "the same data" },
		{ DEFECT_LOOP, CODEC_NONE, "a section is truncated or corrupt" },
		{ DEFECT_SHORT_OPTION, CODEC_NONE, "a section is truncated or corrupt" },
		{ DEFECT_MANY_OPTIONS, CODEC_NONE, "more than 1024 option sections" },
		{ DEFECT_UNKNOWN_CODEC, CODEC_NONE, "compressed in a way" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct trace_writer file;

		if (!codec_has(rows[i].codec))
			continue;
		file = trace_writer_version_7(&trace_layout_plain, rows[i].defect, rows[i].codec);
		expect_error(&file, rows[i].error);
		sink_deinit(&file.out);
	}
	assert_no_leaks();
}

/* The offset of a text in a file, which has it once. */
static uint64_t offset_of(const struct trace_writer *file, const char *text)
{
	const char *at = memmem(file->out.buffer, file->out.used, text, strlen(text));

	cr_assert_not_null(at, "%s", text);
	return (uint64_t)(at - file->out.buffer);
}

/* Errors in sections have the offset of the section, and errors in the header that of its part. */
Test(trace_dat, errors_have_offsets)
{
	struct trace_writer file =
		trace_writer_version_7(&trace_layout_plain, DEFECT_WRONG_SECTION, CODEC_NONE);
	uint64_t symbols = offset_of(&file, "81000000 T outer");

	expect_error_at(&file, "a section", symbols - 4 - 16);
	sink_deinit(&file.out);
	file = trace_writer_version_6(&trace_layout_plain);
	symbols = offset_of(&file, "81000000 T outer");
	file.out.used = symbols + 1;
	expect_error_at(&file, "the list of kernel symbols is truncated or corrupt", symbols);
	sink_deinit(&file.out);
	assert_no_leaks();
}

/* Appends a BUFFER option of version 7: its header, but no CPUs. */
static void put_empty_buffer(struct trace_writer *options, uint64_t section, uint32_t cpu_count)
{
	trace_writer_put(options, OPTION_BUFFER, 2);
	trace_writer_put(options, 8 + 4 + 5 + 4 + 4, 4);
	trace_writer_put(options, section, 8);
	sink_bytes(&options->out, "foo", 4);
	sink_bytes(&options->out, "mono", 5);
	trace_writer_put(options, TRACE_WRITER_PAGE_BYTES, 4);
	trace_writer_put(options, cpu_count, 4);
}

/*
 * trace-cmd writes a buffer without CPUs if nothing was recorded. Of several options with the same
 * part, the first counts. Options may end without DONE.
 */
Test(trace_dat, reads_unusual_options)
{
	struct trace_writer options = trace_writer_of(&trace_layout_plain);
	struct trace_layout layout = trace_layout_plain;
	struct trace_writer file;

	put_empty_buffer(&options, UINT64_MAX, 0);
	put_option(&options, OPTION_CMDLINES, "\1\0\0\0\0\0\0\0", 8);
	layout.options = &options;
	file = trace_writer_version_7(&layout, DEFECT_NONE, CODEC_NONE);
	expect_folded(&file, "sched_switch", "app;outer;middle;inner 1\nlearned 1\n");
	sink_deinit(&file.out);
	file = trace_writer_version_7(&layout, DEFECT_NO_DONE, CODEC_NONE);
	expect_folded(&file, "sched_switch", "app;outer;middle;inner 1\nlearned 1\n");
	sink_deinit(&file.out);
	sink_deinit(&options.out);
	assert_no_leaks();
}

Test(trace_dat, refuses_corrupt_buffers)
{
	struct trace_writer options = trace_writer_of(&trace_layout_plain);
	struct trace_layout layout = trace_layout_plain;
	struct trace_writer file;
	uint64_t at;

	layout.options = &options;
	put_option(&options, OPTION_BUFFER, "\0\0\0\0\0\0\0\0foo", 12);
	file = trace_writer_version_7(&layout, DEFECT_NONE, CODEC_NONE);
	at = offset_of(&file, "foo");
	expect_error_at(&file, "a section", at - 8);
	sink_deinit(&file.out);
	/* Its section begins after the end of the file. */
	options.out.used = 0;
	put_empty_buffer(&options, 1u << 30, 1);
	file = trace_writer_version_7(&layout, DEFECT_NONE, CODEC_NONE);
	expect_error_at(&file, "a section", 1u << 30);
	sink_deinit(&file.out);
	sink_deinit(&options.out);
	assert_no_leaks();
}

/* A corrupt chunk is a loss; the other CPU is read. */
Test(trace_dat, counts_corrupt_chunks)
{
	static const enum trace_defect defects[] = {
		DEFECT_CORRUPT_CHUNK, DEFECT_EMPTY_CHUNK, DEFECT_LONG_CHUNK,
		DEFECT_LARGE_CHUNK,   DEFECT_DENSE_CHUNK,
	};

	for (size_t i = 0; i < 2 * ARRAY_SIZE(defects); i++) {
		enum codec codec = i % 2 ? CODEC_ZSTD : CODEC_ZLIB;
		struct text_session test;
		struct trace_writer file;

		if (!codec_has(codec))
			continue;
		file = trace_writer_version_7(&trace_layout_plain, defects[i / 2], codec);
		text_session_open(&test, file.out.buffer, file.out.used, NULL);
		cr_expect_eq(test.session.profile.losses[LOSS_CORRUPT_RECORDS], 1, "%zu", i);
		cr_expect_str_eq(test.folded.buffer,
				 "<...>;outer;inner 1\ntwo_words;outer;inner 1\n");
		text_session_close(&test);
		sink_deinit(&file.out);
	}
	assert_no_leaks();
}

/* Begins a record of a function and its caller, by address. */
static void put_call(struct trace_writer *to, uint32_t delta, uint32_t tid, uint64_t function,
		     uint64_t caller)
{
	trace_writer_record(to, 24 / 4, delta);
	trace_writer_common(to, 1, tid);
	trace_writer_put(to, function, 8);
	trace_writer_put(to, caller, 8);
}

/*
 * Records that are not read are counted. Of records at the same time, that of the first CPU comes
 * first, so it lacks the name of the thread. Functions without a symbol keep their address.
 */
Test(trace_dat, reads_records_in_order)
{
	struct trace_writer records[2] = { trace_writer_of(&trace_layout_plain),
					   trace_writer_of(&trace_layout_plain) };
	struct trace_writer page = trace_writer_of(&trace_layout_plain);
	struct trace_writer file = trace_writer_of(&trace_layout_plain);
	struct sink pages[2];
	struct text_session test;

	put_call(&records[0], 10, 9, 0x81000210, 0x1234);
	trace_writer_record(&records[0], 8 / 4, 1); /* an event without a format */
	trace_writer_common(&records[0], 77, 7);
	trace_writer_record(&records[0], 0, 1); /* without data */
	trace_writer_put(&records[0], 4, 4);
	trace_writer_record(&records[0], 4 / 4, 1); /* too short for a thread */
	trace_writer_put(&records[0], 1, 4);
	trace_writer_switch(&records[1], 10, 7, 1, 9, "learned");
	put_call(&records[1], 10, 9, 0x81000210, 0x1234);
	for (unsigned i = 0; i < 2; i++) {
		trace_writer_page(&page, 1000, 0, &records[i]);
		pages[i] = page.out;
		sink_init_memory(&page.out);
	}
	trace_writer_header(&file, "6", 2);
	trace_writer_pages(&file, 2, pages);
	text_session_open(&test, file.out.buffer, file.out.used, NULL);
	expect_folded(&file, "function", "<...>;1234;inner 1\nlearned;1234;inner 1\n");
	cr_expect_eq(test.session.profile.losses[LOSS_UNKNOWN_RECORDS], 2);
	cr_expect_eq(test.session.profile.losses[LOSS_CORRUPT_RECORDS], 1);
	text_session_close(&test);
	for (unsigned i = 0; i < 2; i++) {
		sink_deinit(&records[i].out);
		sink_deinit(&pages[i]);
	}
	sink_deinit(&page.out);
	sink_deinit(&file.out);
	assert_no_leaks();
}

/* Times of a counter are no times; x86-tsc can be converted. */
Test(trace_dat, reads_clocks)
{
	static const struct {
		const char *clock;
		uint64_t multiplier, shift;
		uint64_t first_time_ns; /* 0: none */
	} rows[] = {
		{ "local [counter]", 0, 0, 0 },    { "[x86-tsc] local", 0, 0, 0 },
		{ "[x86-tsc] local", 6, 1, 4015 }, { "[x86-tsc] local", 6, 64, 0 },
		{ "[local] x86-tsc", 0, 0, 2005 }, { "local", 0, 0, 2005 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct trace_layout layout = { false, 8, rows[i].clock, false, NULL };
		struct trace_writer options = trace_writer_of(&layout);
		struct trace_writer file;
		struct text_session test;

		if (rows[i].multiplier) {
			trace_writer_put(&options, OPTION_TSC2NSEC, 2);
			trace_writer_put(&options, 16, 4);
			trace_writer_put(&options, rows[i].multiplier, 4);
			trace_writer_put(&options, rows[i].shift, 4);
			trace_writer_put(&options, 0, 8);
			layout.options = &options;
		}
		file = trace_writer_version_6(&layout);
		text_session_open(&test, file.out.buffer, file.out.used, NULL);
		cr_expect_eq(profile_has_time(&test.session.profile), rows[i].first_time_ns != 0,
			     "row %zu", i);
		if (rows[i].first_time_ns)
			cr_expect_eq(test.session.profile.first_time_ns, rows[i].first_time_ns,
				     "row %zu: %llu", i,
				     (unsigned long long)test.session.profile.first_time_ns);
		text_session_close(&test);
		sink_deinit(&file.out);
		sink_deinit(&options.out);
	}
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
