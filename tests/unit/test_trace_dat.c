/* SPDX-License-Identifier: MIT */
#include "libparse/tracedat/trace_dat.h"

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

		sink_char(&writer->out, (char)(value >> shift));
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

static void put_header(struct writer *writer, const char *version, unsigned cpu_count)
{
	const struct layout *layout = &writer->layout;
	size_t print_begin = (size_t)(strstr(switch_format, "print fmt") - switch_format);
	char pages[128];

	sink_puts(&writer->out, "\x17\x08\x44tracing");
	sink_bytes(&writer->out, version, strlen(version) + 1);
	sink_char(&writer->out, layout->is_big_endian);
	sink_char(&writer->out, 8);
	put(writer, PAGE_SIZE_BYTES, 4);
	snprintf(pages, sizeof(pages),
		 "\tfield: u64 timestamp;\toffset:0;\tsize:8;\n"
		 "\tfield: local_t commit;\toffset:8;\tsize:%u;\n",
		 layout->long_bytes);
	sink_bytes(&writer->out, "header_page", 12);
	put_text(writer, pages, 8);
	sink_bytes(&writer->out, "header_event", 13);
	put_text(writer, "", 8);
	put(writer, 3, 4);
	put_text(writer, stack_format, 8);
	put_text(writer, layout->long_bytes == 8 ? function_format_8 : function_format_4, 8);
	put_text(writer, call_format, 8);
	put(writer, 1, 4);
	sink_bytes(&writer->out, "sched", 6);
	put(writer, 1, 4);
	put(writer, layout->lacks_print ? print_begin : strlen(switch_format), 8);
	sink_bytes(&writer->out, switch_format,
		   layout->lacks_print ? print_begin : strlen(switch_format));
	put_text(
		writer,
		"81000000 T outer\n81000100 T middle\n81000100 t alias\n"
		"81000200 t inner\t[module]\n81000300 t last\t[module]\n0 A offset\n0 T hidden\nodd\n",
		4);
	put(writer, 0, 4);
	put_text(writer, "7 app\n8 two words\n", 8);
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
static struct writer sample_file(const struct layout *layout)
{
	static const uint32_t addresses[] = { 0x81000204, 0x81000100, 0x81000010 };
	struct writer file = writer_of(layout);
	struct writer pages[2] = { writer_of(layout), writer_of(layout) };
	struct writer first = writer_of(layout);
	struct writer second = writer_of(layout);
	struct sink sinks[2];

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
	put_header(&file, "6", 2);
	sinks[0] = pages[0].out;
	sinks[1] = pages[1].out;
	put_pages(&file, 2, sinks);
	sink_deinit(&first.out);
	sink_deinit(&second.out);
	sink_deinit(&pages[0].out);
	sink_deinit(&pages[1].out);
	return file;
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

static void expect_error(const struct writer *file, const char *what)
{
	struct memory_file memory;
	struct capture capture;
	struct error err;

	memory_file_open(&memory, file->out.buffer, file->out.used);
	cr_assert_not(capture_open(&capture, memory.path, &err));
	cr_expect(strstr(err.text, what), "%s", err.text);
	memory_file_close(&memory);
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
