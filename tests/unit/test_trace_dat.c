/* SPDX-License-Identifier: MIT */
#include "libparse/tracedat/ring_buffer.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"
#include "tests/support/text_session.h"

#define PAGE_SIZE_BYTES 256u

/* How a synthetic file is written. */
struct layout {
	bool is_big_endian;
	unsigned long_bytes;
	const char *clock;
	bool lacks_print; /* the format of sched_switch has no print format */
};

struct writer {
	struct layout layout;
	struct sink out;
};

static void put(struct writer *writer, uint64_t value, unsigned size_bytes)
{
	for (unsigned i = 0; i < size_bytes; i++) {
		unsigned shift = 8 * (writer->layout.is_big_endian ? size_bytes - 1 - i : i);

		sink_char(&writer->out, shift < 64 ? (char)(value >> shift) : 0);
	}
}

static void put_text(struct writer *writer, const char *text, unsigned length_bytes)
{
	put(writer, strlen(text), length_bytes);
	sink_puts(&writer->out, text);
}

#define COMMON                                                                 \
	"format:\n"                                                            \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const char stack_format[] =
	"name: kernel_stack\nID: 4\n" COMMON "\tfield:int size;\toffset:8;\tsize:4;\tsigned:1;\n"
	"\tfield:unsigned long caller[8];\toffset:16;\tsize:64;\n";
static const char function_format_8[] =
	"name: function\nID: 1\n" COMMON "\tfield:unsigned long ip;\toffset:8;\tsize:8;\n"
	"\tfield:unsigned long parent_ip;\toffset:16;\tsize:8;\n";
static const char function_format_4[] =
	"name: function\nID: 1\n" COMMON "\tfield:unsigned long ip;\toffset:8;\tsize:4;\n"
	"\tfield:unsigned long parent_ip;\toffset:12;\tsize:4;\n";
static const char call_format[] = "name: funcgraph_entry\nID: 11\n" COMMON;
static const char switch_format[] =
	"name: sched_switch\nID: 300\n" COMMON
	"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"
	"\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
	"\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n"
	"\nprint fmt: \"%s\", REC->prev_state & 0xff ? __print_flags(REC->prev_state, \"|\", "
	"{ 0x00000001, \"S\" }, { 0x00000002, \"D\" }) : \"R\"\n";

static void put_start(struct writer *writer, const char *version)
{
	sink_puts(&writer->out, "\x17\x08\x44tracing");
	sink_bytes(&writer->out, version, strlen(version) + 1);
	sink_char(&writer->out, writer->layout.is_big_endian);
	sink_char(&writer->out, 8);
	put(writer, PAGE_SIZE_BYTES, 4);
}

static void put_pages_format(struct writer *writer)
{
	char pages[128];

	snprintf(pages, sizeof(pages),
		 "\tfield: u64 timestamp;\toffset:0;\tsize:8;\n"
		 "\tfield: local_t commit;\toffset:8;\tsize:%u;\n",
		 writer->layout.long_bytes);
	sink_bytes(&writer->out, "header_page", 12);
	put_text(writer, pages, 8);
	sink_bytes(&writer->out, "header_event", 13);
	put_text(writer, "", 8);
}

static void put_ftrace(struct writer *writer)
{
	put(writer, 3, 4);
	put_text(writer, stack_format, 8);
	put_text(writer, writer->layout.long_bytes == 8 ? function_format_8 : function_format_4, 8);
	put_text(writer, call_format, 8);
}

static void put_systems(struct writer *writer)
{
	size_t print_begin = (size_t)(strstr(switch_format, "print fmt") - switch_format);
	size_t length = writer->layout.lacks_print ? print_begin : strlen(switch_format);

	put(writer, 1, 4);
	sink_bytes(&writer->out, "sched", 6);
	put(writer, 1, 4);
	put(writer, length, 8);
	sink_bytes(&writer->out, switch_format, length);
}

static void put_symbols(struct writer *writer)
{
	put_text(
		writer,
		"81000000 T outer\n81000100 T middle\n81000100 t alias\n"
		"81000200 t inner\t[module]\n81000300 t last\t[module]\n0 A offset\n0 T hidden\nodd\n",
		4);
}

static void put_comms(struct writer *writer)
{
	put_text(writer, "7 app\n8 two words\nno thread\n9\n", 8);
}

static void put_header(struct writer *writer, const char *version, unsigned cpu_count)
{
	put_start(writer, version);
	put_pages_format(writer);
	put_ftrace(writer);
	put_systems(writer);
	put_symbols(writer);
	put(writer, 0, 4);
	put_comms(writer);
	put(writer, cpu_count, 4);
}

/* Appends the rest of the header, and pages of PAGE_SIZE_BYTES for each CPU. */
static void put_pages(struct writer *writer, unsigned cpu_count, const struct sink *pages)
{
	uint64_t offset;

	sink_bytes(&writer->out, "options  ", 10);
	put(writer, OPTION_OFFSET, 2);
	put(writer, 5, 4);
	sink_bytes(&writer->out, "1000", 5);
	put(writer, OPTION_DONE, 2);
	sink_bytes(&writer->out, "flyrecord", 10);
	offset = writer->out.used + 16 * cpu_count + 8 + strlen(writer->layout.clock);
	for (unsigned i = 0; i < cpu_count; i++) {
		put(writer, offset, 8);
		put(writer, pages[i].used, 8);
		offset += pages[i].used;
	}
	put_text(writer, writer->layout.clock, 8);
	for (unsigned i = 0; i < cpu_count; i++)
		sink_bytes(&writer->out, pages[i].buffer, pages[i].used);
}

/* A page that is being written: its records, in a writer of its own. */
static void put_page(struct writer *to, uint64_t time, uint32_t flags, const struct writer *records)
{
	size_t end = to->out.used + PAGE_SIZE_BYTES;

	put(to, time, 8);
	put(to, records->out.used | flags, to->layout.long_bytes);
	sink_bytes(&to->out, records->out.buffer, records->out.used);
	if (flags)
		put(to, 5, to->layout.long_bytes);
	while (to->out.used < end)
		sink_char(&to->out, 0);
}

/* Begins a record: a word with its type and time. */
static void put_record(struct writer *to, unsigned type, uint32_t delta)
{
	put(to, to->layout.is_big_endian ? type << 27 | delta : delta << 5 | type, 4);
}

static void put_common(struct writer *to, unsigned id, uint32_t tid)
{
	put(to, id, 2);
	put(to, 0, 2);
	put(to, tid, 4);
}

static void put_stack(struct writer *to, uint32_t tid, const uint32_t *addresses, unsigned count)
{
	unsigned size_bytes = 16 + (count + 1) * to->layout.long_bytes;

	/* A long record: its length follows. */
	put_record(to, 0, 1);
	put(to, size_bytes + 4, 4);
	put_common(to, 4, tid);
	put(to, count, 8);
	for (unsigned i = 0; i < count; i++)
		put(to, addresses[i], to->layout.long_bytes);
	put(to, UINT64_MAX, to->layout.long_bytes);
}

static void put_function(struct writer *to, uint32_t delta, uint32_t tid)
{
	put_record(to, (8 + 2 * to->layout.long_bytes) / 4, delta);
	put_common(to, 1, tid);
	put(to, 0x81000210, to->layout.long_bytes);
	put(to, 0x81000008, to->layout.long_bytes);
}

static void put_switch(struct writer *to, uint32_t delta, uint32_t from, uint64_t state,
		       uint32_t next, const char *next_comm)
{
	char comm[16] = { 0 };

	put_record(to, 60 / 4, delta);
	put_common(to, 300, from);
	sink_bytes(&to->out, comm, 16);
	put(to, from, 4);
	put(to, 120, 4);
	put(to, state, 8);
	memcpy(comm, next_comm, strlen(next_comm));
	sink_bytes(&to->out, comm, 16);
	put(to, next, 4);
}

static struct writer writer_of(const struct layout *layout)
{
	struct writer writer = { .layout = *layout };

	sink_init_memory(&writer.out);
	return writer;
}

static const struct layout plain = { false, 8, "[local] global", false };

/* Two CPUs: a switch with a stack, a function, and records without data. */
static void put_samples(struct writer pages[2])
{
	static const uint32_t addresses[] = { 0x81000204, 0x81000100, 0x81000010 };
	const struct layout *layout = &pages[0].layout;
	struct writer first = writer_of(layout);
	struct writer second = writer_of(layout);

	put_switch(&first, 5, 7, 1, 9, "learned");
	put_stack(&first, 7, addresses, 3);
	put_record(&first, 30, 4); /* time: 2 * 2^27 + 4 */
	put(&first, 2, 4);
	put_switch(&first, 0, 9, 4, 0, "idle");
	put_page(&pages[0], 1000, 0, &first);
	put_record(&second, 29, 3); /* padding */
	put(&second, 8, 4);
	put(&second, 0, 4);
	put_function(&second, 10, 8);
	put_function(&second, 10, 9);
	put_page(&pages[1], 1000, 3u << 30, &second);
	sink_deinit(&first.out);
	sink_deinit(&second.out);
}

static struct writer sample_file(const struct layout *layout)
{
	struct writer file = writer_of(layout);
	struct writer pages[2] = { writer_of(layout), writer_of(layout) };
	struct sink sinks[2];

	put_samples(pages);
	put_header(&file, "6", 2);
	sinks[0] = pages[0].out;
	sinks[1] = pages[1].out;
	put_pages(&file, 2, sinks);
	sink_deinit(&pages[0].out);
	sink_deinit(&pages[1].out);
	return file;
}

/* How a file of version 7 differs from a good one. */
enum defect {
	GOOD,
	WRONG_SECTION, /* the section of the symbols has another id */
	LONG_SECTION,
	WRONG_BUFFER,
	SHORT_BUFFER,
	OTHER_CLOCK, /* a second buffer has another clock */
	SAME_BUFFER, /* two buffers have the same data */
	LOOP,        /* the last options are followed by the first */
	UNKNOWN_CODEC,
	CORRUPT_CHUNK, /* of the first CPU */
	CORRUPT_PART,  /* a compressed section is no frame */
};

struct seven {
	struct writer file;
	enum defect defect;
	bool is_compressed;
	struct writer options; /* those of the current section */
};

static void patch(struct writer *file, size_t at, uint64_t value)
{
	struct writer number = writer_of(&file->layout);

	put(&number, value, 8);
	memcpy(file->out.buffer + at, number.out.buffer, 8);
	sink_deinit(&number.out);
}

/* Appends compressed bytes after both sizes. */
static void put_compressed(struct writer *to, struct text bytes, bool is_corrupt)
{
	struct sink packed;

	sink_init_memory(&packed);
	cr_assert(codec_write_zstd(&packed, bytes));
	put(to, packed.used, 4);
	put(to, bytes.length, 4);
	if (is_corrupt)
		packed.buffer[0] ^= 1;
	sink_text(&to->out, sink_memory(&packed));
	sink_deinit(&packed);
}

/* Appends a section, and returns its offset. */
static uint64_t put_section(struct seven *seven, unsigned id, const struct writer *data)
{
	struct writer *file = &seven->file;
	struct writer packed = writer_of(&file->layout);
	uint64_t offset = file->out.used;

	if (seven->is_compressed)
		put_compressed(&packed, sink_memory(&data->out), seven->defect == CORRUPT_PART);
	else
		sink_text(&packed.out, sink_memory(&data->out));
	put(file, id == OPTION_KALLSYMS && seven->defect == WRONG_SECTION ? 99 : id, 2);
	put(file, seven->is_compressed, 2);
	put(file, 0, 4);
	put(file, seven->defect == LONG_SECTION ? UINT32_MAX : packed.out.used, 8);
	sink_text(&file->out, sink_memory(&packed.out));
	sink_deinit(&packed.out);
	return offset;
}

/* Appends a part of the header, and the option that has its offset. */
static void put_part(struct seven *seven, unsigned id, void (*put_data)(struct writer *writer))
{
	struct writer data = writer_of(&seven->file.layout);
	uint64_t offset;

	put_data(&data);
	offset = put_section(seven, id, &data);
	put(&seven->options, id, 2);
	put(&seven->options, 8, 4);
	put(&seven->options, offset, 8);
	sink_deinit(&data.out);
}

/* Appends the data of a CPU, and returns its size without the number of chunks. */
static uint64_t put_cpu(struct seven *seven, const struct writer *page, bool is_corrupt)
{
	struct writer *file = &seven->file;
	size_t begin = file->out.used;

	if (!seven->is_compressed) {
		sink_text(&file->out, sink_memory(&page->out));
		return page->out.used;
	}
	put(file, 1, 4);
	put_compressed(file, sink_memory(&page->out), is_corrupt);
	return file->out.used - begin - 4;
}

/* Appends the option of a buffer with these pages. at: where data begins that is there already, or 0. */
static uint64_t put_buffer(struct seven *seven, const char *clock, const struct writer pages[2],
			   uint64_t at)
{
	struct writer *file = &seven->file;
	struct writer buffer = writer_of(&file->layout);
	uint64_t section = file->out.used, first = at ? at : section + 16;

	put(file, seven->defect == WRONG_BUFFER ? 20 : OPTION_BUFFER, 2);
	put(file, seven->is_compressed, 2);
	put(file, 0, 12);
	put(&buffer, section, 8);
	sink_bytes(&buffer.out, "name", 5);
	sink_bytes(&buffer.out, clock, strlen(clock) + 1);
	put(&buffer, PAGE_SIZE_BYTES, 4);
	put(&buffer, 2, 4);
	for (unsigned i = 0; i < 2; i++) {
		uint64_t offset = at ? at : file->out.used;
		uint64_t size_bytes =
			at ? PAGE_SIZE_BYTES
			   : put_cpu(seven, &pages[i], seven->defect == CORRUPT_CHUNK && i == 0);

		put(&buffer, i, 4);
		put(&buffer, offset, 8);
		put(&buffer, size_bytes, 8);
	}
	if (seven->defect == SHORT_BUFFER)
		buffer.out.used -= 10;
	put(&seven->options, OPTION_BUFFER, 2);
	put(&seven->options, buffer.out.used, 4);
	sink_text(&seven->options.out, sink_memory(&buffer.out));
	sink_deinit(&buffer.out);
	return first;
}

/* Ends the options, and returns the offset of their section. *next_at: where the next offset is. */
static uint64_t put_options(struct seven *seven, size_t *next_at)
{
	bool is_compressed = seven->is_compressed;
	uint64_t offset;

	put(&seven->options, OPTION_DONE, 2);
	put(&seven->options, 8, 4);
	put(&seven->options, 0, 8);
	/* Options are never compressed here, so that the next offset can be patched. */
	seven->is_compressed = false;
	offset = put_section(seven, OPTION_DONE, &seven->options);
	seven->is_compressed = is_compressed;
	*next_at = seven->file.out.used - 8;
	seven->options.out.used = 0;
	return offset;
}

static struct writer file_of_version_7(const struct layout *layout, enum defect defect,
				       bool is_compressed)
{
	struct seven seven = {
		.file = writer_of(layout),
		.defect = defect,
		.is_compressed = is_compressed,
		.options = writer_of(layout),
	};
	struct writer pages[2] = { writer_of(layout), writer_of(layout) };
	size_t first_at, next_at, last_at;
	uint64_t first, second, data;

	put_samples(pages);
	put_start(&seven.file, "7");
	sink_bytes(&seven.file.out,
		   defect == UNKNOWN_CODEC ? "lzma"
		   : is_compressed         ? "zstd"
					   : "none",
		   5);
	sink_char(&seven.file.out, '\0');
	first_at = seven.file.out.used;
	put(&seven.file, 0, 8);
	put_part(&seven, OPTION_HEADER_INFO, put_pages_format);
	put_part(&seven, OPTION_FTRACE_EVENTS, put_ftrace);
	put_part(&seven, OPTION_EVENT_FORMATS, put_systems);
	put_part(&seven, OPTION_KALLSYMS, put_symbols);
	put_part(&seven, OPTION_CMDLINES, put_comms);
	put(&seven.options, OPTION_OFFSET, 2);
	put_text(&seven.options, "-0x10", 4);
	first = put_options(&seven, &next_at);
	data = put_buffer(&seven, "local", pages, 0);
	for (int i = defect == SAME_BUFFER ? 20 : defect == OTHER_CLOCK ? 1 : 0; i > 0; i--)
		put_buffer(&seven, defect == OTHER_CLOCK ? "mono" : "local", pages, data);
	put(&seven.options, OPTION_TSC2NSEC, 2);
	put(&seven.options, 16, 4);
	put(&seven.options, 1, 4);
	put(&seven.options, 0, 12);
	second = put_options(&seven, &last_at);
	patch(&seven.file, first_at, first);
	patch(&seven.file, next_at, second);
	if (defect == LOOP)
		patch(&seven.file, last_at, first);
	sink_deinit(&seven.options.out);
	sink_deinit(&pages[0].out);
	sink_deinit(&pages[1].out);
	return seven.file;
}

static void expect_folded(struct writer *file, const char *event, const char *folded)
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
	static const struct layout layouts[] = {
		{ false, 8, "[local] global", false },
		{ false, 4, "[local] global", true },
		{ true, 8, "local [mono]", false },
		{ true, 4, "", true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(layouts); i++) {
		struct writer file = sample_file(&layouts[i]);

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
	static const struct layout layouts[] = {
		{ false, 8, "", false },
		{ true, 4, "", false },
	};

	for (size_t i = 0; i < 2 * ARRAY_SIZE(layouts); i++) {
		struct writer file;

		if (i % 2 && !codec_has(CODEC_ZSTD))
			continue;
		file = file_of_version_7(&layouts[i / 2], GOOD, i % 2);
		expect_folded(&file, "sched_switch", "app;outer;middle;inner 1\nlearned 1\n");
		expect_folded(&file, "function",
			      "learned;outer;inner 1\ntwo_words;outer;inner 1\n");
		sink_deinit(&file.out);
	}
	assert_no_leaks();
}

static void expect_error(const struct writer *file, const char *what)
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
static struct writer file_with_buffer(const char *kind)
{
	struct writer file = writer_of(&plain);
	struct writer pages[2] = { writer_of(&plain), writer_of(&plain) };
	size_t patch_at, own_at;

	put_samples(pages);
	put_header(&file, "6", 2);
	sink_bytes(&file.out, "options  ", 10);
	put(&file, OPTION_BUFFER, 2);
	put(&file, 13, 4);
	patch_at = file.out.used;
	put(&file, 0, 8);
	sink_bytes(&file.out, "name", 5);
	put(&file, OPTION_DONE, 2);
	sink_bytes(&file.out, "flyrecord", 10);
	own_at = file.out.used;
	for (unsigned i = 0; i < 4; i++) /* no data in the first buffer */
		put(&file, 0, 8);
	patch(&file, patch_at, file.out.used);
	sink_bytes(&file.out, kind, 10);
	for (unsigned i = 0; i < 2; i++) {
		put(&file, own_at + 32 + 10 + 32 + i * PAGE_SIZE_BYTES, 8);
		put(&file, PAGE_SIZE_BYTES, 8);
	}
	for (unsigned i = 0; i < 2; i++)
		sink_text(&file.out, sink_memory(&pages[i].out));
	sink_deinit(&pages[0].out);
	sink_deinit(&pages[1].out);
	return file;
}

Test(trace_dat, reads_buffers_of_version_6)
{
	struct writer file = file_with_buffer("flyrecord");

	expect_folded(&file, "sched_switch", "app;outer;middle;inner 1\nlearned 1\n");
	sink_deinit(&file.out);
	file = file_with_buffer("flyrecorx");
	expect_error(&file, "the header of a buffer");
	sink_deinit(&file.out);
	assert_no_leaks();
}

Test(trace_dat, counts_losses)
{
	struct writer file = sample_file(&plain);
	struct text_session test;

	text_session_open(&test, file.out.buffer, file.out.used, NULL);
	cr_expect_eq(test.session.profile.losses[LOSS_RECORDS], 5);
	cr_expect_eq(test.session.profile.losses[LOSS_CORRUPT_RECORDS], 0);
	cr_expect_not(test.session.capture.is_partial);
	text_session_close(&test);
	sink_deinit(&file.out);
	assert_no_leaks();
}

/* Every prefix is read in part or refused, but never crashes. */
Test(trace_dat, reads_truncated_files)
{
	struct writer file = sample_file(&plain);
	unsigned partial_count = 0;

	for (size_t size_bytes = 10; size_bytes < file.out.used; size_bytes += 7) {
		struct memory_file memory;
		struct capture capture;
		struct error err;

		memory_file_open(&memory, file.out.buffer, size_bytes);
		if (capture_open(&capture, memory.path, &err)) {
			cr_expect(capture.is_partial, "%zu", size_bytes);
			partial_count++;
			capture_close(&capture);
		} else {
			cr_expect(strstr(err.text, "truncated or corrupt"), "%s", err.text);
		}
		memory_file_close(&memory);
	}
	cr_expect_geq(partial_count, 2 * PAGE_SIZE_BYTES / 7 - 1);
	sink_deinit(&file.out);
	assert_no_leaks();
}

Test(trace_dat, names_what_is_not_read)
{
	struct writer file = writer_of(&plain);
	struct writer page = writer_of(&plain);
	struct writer records = writer_of(&plain);

	put_header(&file, "8", 0);
	expect_error(&file, "version 8");
	file.out.used = 0;
	put_header(&file, "6", 0);
	sink_bytes(&file.out, "latency  ", 10);
	expect_error(&file, "latency tracer");
	file.out.used = 0;
	put_record(&records, 2, 0);
	put_common(&records, 11, 7);
	put_page(&page, 1000, 0, &records);
	put_header(&file, "6", 1);
	put_pages(&file, 1, &page.out);
	expect_error(&file, "function_graph");
	sink_deinit(&file.out);
	sink_deinit(&page.out);
	sink_deinit(&records.out);
	assert_no_leaks();
}

Test(trace_dat, refuses_corrupt_sections)
{
	static const struct {
		enum defect defect;
		bool is_compressed;
		const char *error;
	} rows[] = {
		{ WRONG_SECTION, false, "a section is truncated or corrupt" },
		{ LONG_SECTION, false, "a section is truncated or corrupt" },
		{ WRONG_BUFFER, false, "a section is truncated or corrupt" },
		{ SHORT_BUFFER, false, "a section is truncated or corrupt" },
		{ CORRUPT_PART, true, "a section is truncated or corrupt" },
		{ OTHER_CLOCK, false, "different clocks" },
		{ SAME_BUFFER, false, "the same data" },
		{ LOOP, false, "a section is truncated or corrupt" },
		{ UNKNOWN_CODEC, false, "compressed in a way" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct writer file;

		if (rows[i].is_compressed && !codec_has(CODEC_ZSTD))
			continue;
		file = file_of_version_7(&plain, rows[i].defect, rows[i].is_compressed);
		expect_error(&file, rows[i].error);
		sink_deinit(&file.out);
	}
	assert_no_leaks();
}

/* A chunk that is no zstd frame is a loss; the other CPU is read. */
Test(trace_dat, counts_corrupt_chunks)
{
	struct text_session test;
	struct writer file;

	if (!codec_has(CODEC_ZSTD))
		cr_skip_test("this build has no zstd");
	file = file_of_version_7(&plain, CORRUPT_CHUNK, true);
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
		struct writer records = writer_of(&plain);
		struct writer page = writer_of(&plain);
		struct ring_record record;
		struct ring_page open;
		bool has_record;

		for (uint32_t k = 0; k < rows[i].count; k++)
			put(&records, rows[i].words[k], 4);
		put_page(&page, 1000, 0, &records);
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
