/* SPDX-License-Identifier: MIT */
#include "tests/support/trace_writer.h"

#include <stdio.h>
#include <string.h>

#include "libparse/tracedat/trace_dat.h"
#include "tests/support/packer.h"

void trace_writer_put(struct trace_writer *writer, uint64_t value, unsigned size_bytes)
{
	for (unsigned i = 0; i < size_bytes; i++) {
		unsigned shift = 8 * (writer->layout.is_big_endian ? size_bytes - 1 - i : i);

		sink_char(&writer->out, shift < 64 ? (char)(value >> shift) : 0);
	}
}

void trace_writer_text(struct trace_writer *writer, const char *text, unsigned length_bytes)
{
	trace_writer_put(writer, strlen(text), length_bytes);
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

static void put_start(struct trace_writer *writer, const char *version)
{
	sink_puts(&writer->out, "\x17\x08\x44tracing");
	sink_bytes(&writer->out, version, strlen(version) + 1);
	sink_char(&writer->out, writer->layout.is_big_endian);
	sink_char(&writer->out, 8);
	trace_writer_put(writer, TRACE_WRITER_PAGE_BYTES, 4);
}

static void put_pages_format(struct trace_writer *writer)
{
	char pages[128];

	snprintf(pages, sizeof(pages),
		 "\tfield: u64 timestamp;\toffset:0;\tsize:8;\n"
		 "\tfield: local_t commit;\toffset:8;\tsize:%u;\n",
		 writer->layout.long_bytes);
	sink_bytes(&writer->out, "header_page", 12);
	trace_writer_text(writer, pages, 8);
	sink_bytes(&writer->out, "header_event", 13);
	trace_writer_text(writer, "", 8);
}

static void put_ftrace(struct trace_writer *writer)
{
	trace_writer_put(writer, 3, 4);
	trace_writer_text(writer, stack_format, 8);
	trace_writer_text(
		writer, writer->layout.long_bytes == 8 ? function_format_8 : function_format_4, 8);
	trace_writer_text(writer, call_format, 8);
}

static void put_systems(struct trace_writer *writer)
{
	size_t print_begin = (size_t)(strstr(switch_format, "print fmt") - switch_format);
	size_t length = writer->layout.lacks_print ? print_begin : strlen(switch_format);

	trace_writer_put(writer, 1, 4);
	sink_bytes(&writer->out, "sched", 6);
	trace_writer_put(writer, 1, 4);
	trace_writer_put(writer, length, 8);
	sink_bytes(&writer->out, switch_format, length);
}

static void put_symbols(struct trace_writer *writer)
{
	trace_writer_text(
		writer,
		"81000000 T outer\n81000100 T middle\n81000100 t alias\n"
		"81000200 t inner\t[module]\n81000300 t last\t[module]\n0 A offset\n0 T hidden\nodd\n",
		4);
}

static void put_comms(struct trace_writer *writer)
{
	trace_writer_text(writer, "7 app\n8 two words\nno thread\n9\n", 8);
}

void trace_writer_header(struct trace_writer *writer, const char *version, unsigned cpu_count)
{
	put_start(writer, version);
	put_pages_format(writer);
	put_ftrace(writer);
	put_systems(writer);
	put_symbols(writer);
	trace_writer_put(writer, 0, 4);
	put_comms(writer);
	trace_writer_put(writer, cpu_count, 4);
}

/* Appends the options of the layout. */
static void put_own_options(struct trace_writer *to, const struct trace_writer *file)
{
	if (file->layout.options)
		sink_text(&to->out, sink_memory(&file->layout.options->out));
}

void trace_writer_pages(struct trace_writer *writer, unsigned cpu_count, const struct sink *pages)
{
	uint64_t offset;

	sink_bytes(&writer->out, "options  ", 10);
	trace_writer_put(writer, OPTION_OFFSET, 2);
	trace_writer_put(writer, 5, 4);
	sink_bytes(&writer->out, "1000", 5);
	put_own_options(writer, writer);
	trace_writer_put(writer, OPTION_DONE, 2);
	sink_bytes(&writer->out, "flyrecord", 10);
	offset = writer->out.used + 16 * cpu_count + 8 + strlen(writer->layout.clock);
	for (unsigned i = 0; i < cpu_count; i++) {
		trace_writer_put(writer, offset, 8);
		trace_writer_put(writer, pages[i].used, 8);
		offset += pages[i].used;
	}
	trace_writer_text(writer, writer->layout.clock, 8);
	for (unsigned i = 0; i < cpu_count; i++)
		sink_bytes(&writer->out, pages[i].buffer, pages[i].used);
}

void trace_writer_page(struct trace_writer *to, uint64_t time, uint32_t flags,
		       const struct trace_writer *records)
{
	size_t end = to->out.used + TRACE_WRITER_PAGE_BYTES;

	trace_writer_put(to, time, 8);
	trace_writer_put(to, records->out.used | flags, to->layout.long_bytes);
	sink_bytes(&to->out, records->out.buffer, records->out.used);
	if (flags)
		trace_writer_put(to, 5, to->layout.long_bytes);
	while (to->out.used < end)
		sink_char(&to->out, 0);
}

void trace_writer_record(struct trace_writer *to, unsigned type, uint32_t delta)
{
	trace_writer_put(to, to->layout.is_big_endian ? type << 27 | delta : delta << 5 | type, 4);
}

void trace_writer_common(struct trace_writer *to, unsigned id, uint32_t tid)
{
	trace_writer_put(to, id, 2);
	trace_writer_put(to, 0, 2);
	trace_writer_put(to, tid, 4);
}

static void put_stack(struct trace_writer *to, uint32_t tid, const uint32_t *addresses,
		      unsigned count)
{
	unsigned size_bytes = 16 + (count + 1) * to->layout.long_bytes;

	/* A long record: its length follows. */
	trace_writer_record(to, 0, 1);
	trace_writer_put(to, size_bytes + 4, 4);
	trace_writer_common(to, 4, tid);
	trace_writer_put(to, count, 8);
	for (unsigned i = 0; i < count; i++)
		trace_writer_put(to, addresses[i], to->layout.long_bytes);
	trace_writer_put(to, UINT64_MAX, to->layout.long_bytes);
}

static void put_function(struct trace_writer *to, uint32_t delta, uint32_t tid)
{
	trace_writer_record(to, (8 + 2 * to->layout.long_bytes) / 4, delta);
	trace_writer_common(to, 1, tid);
	trace_writer_put(to, 0x81000210, to->layout.long_bytes);
	trace_writer_put(to, 0x81000008, to->layout.long_bytes);
}

void trace_writer_switch(struct trace_writer *to, uint32_t delta, uint32_t from, uint64_t state,
			 uint32_t next, const char *next_comm)
{
	char comm[16] = { 0 };

	trace_writer_record(to, 60 / 4, delta);
	trace_writer_common(to, 300, from);
	sink_bytes(&to->out, comm, 16);
	trace_writer_put(to, from, 4);
	trace_writer_put(to, 120, 4);
	trace_writer_put(to, state, 8);
	memcpy(comm, next_comm, strlen(next_comm));
	sink_bytes(&to->out, comm, 16);
	trace_writer_put(to, next, 4);
}

struct trace_writer trace_writer_of(const struct trace_layout *layout)
{
	struct trace_writer writer = { .layout = *layout };

	sink_init_memory(&writer.out);
	return writer;
}

const struct trace_layout trace_layout_plain = { .long_bytes = 8, .clock = "[local] global" };

void trace_writer_samples(struct trace_writer pages[2])
{
	static const uint32_t addresses[] = { 0x81000204, 0x81000100, 0x81000010 };
	const struct trace_layout *layout = &pages[0].layout;
	struct trace_writer first = trace_writer_of(layout);
	struct trace_writer second = trace_writer_of(layout);

	trace_writer_switch(&first, 5, 7, 1, 9, "learned");
	put_stack(&first, 7, addresses, 3);
	trace_writer_record(&first, 30, 4); /* time: 2 * 2^27 + 4 */
	trace_writer_put(&first, 2, 4);
	trace_writer_switch(&first, 0, 9, 4, 0, "idle");
	trace_writer_page(&pages[0], 1000, 0, &first);
	trace_writer_record(&second, 29, 3); /* padding */
	trace_writer_put(&second, 8, 4);
	trace_writer_put(&second, 0, 4);
	put_function(&second, 10, 8);
	put_function(&second, 10, 9);
	trace_writer_page(&pages[1], 1000, 3u << 30, &second);
	sink_deinit(&first.out);
	sink_deinit(&second.out);
}

struct trace_writer trace_writer_version_6(const struct trace_layout *layout)
{
	struct trace_writer file = trace_writer_of(layout);
	struct trace_writer pages[2] = { trace_writer_of(layout), trace_writer_of(layout) };
	struct sink sinks[2];

	trace_writer_samples(pages);
	trace_writer_header(&file, "6", 2);
	sinks[0] = pages[0].out;
	sinks[1] = pages[1].out;
	trace_writer_pages(&file, 2, sinks);
	sink_deinit(&pages[0].out);
	sink_deinit(&pages[1].out);
	return file;
}

struct seven {
	struct trace_writer file;
	enum trace_defect defect;
	enum codec codec;
	struct trace_writer options; /* those of the current section */
};

void trace_writer_patch(struct trace_writer *file, size_t at, uint64_t value)
{
	struct trace_writer number = trace_writer_of(&file->layout);

	trace_writer_put(&number, value, 8);
	memcpy(file->out.buffer + at, number.out.buffer, 8);
	sink_deinit(&number.out);
}

/* Appends compressed bytes after both sizes. defect: of a chunk. */
static void put_compressed(struct trace_writer *to, enum codec codec, struct text bytes,
			   enum trace_defect defect)
{
	size_t packed_bytes;
	unsigned char *packed = pack(codec, bytes.at, bytes.length, &packed_bytes);

	trace_writer_put(to,
			 defect == DEFECT_EMPTY_CHUNK  ? 0
			 : defect == DEFECT_LONG_CHUNK ? UINT32_MAX
						       : packed_bytes,
			 4);
	trace_writer_put(to,
			 defect == DEFECT_LARGE_CHUNK   ? UINT32_MAX
			 : defect == DEFECT_DENSE_CHUNK ? 1025 * packed_bytes
							: bytes.length,
			 4);
	if (defect == DEFECT_CORRUPT_CHUNK)
		packed[0] ^= 1;
	sink_bytes(&to->out, packed, packed_bytes);
	memory_free(packed);
}

static enum trace_defect defect_of_part(enum trace_defect defect)
{
	switch (defect) {
	case DEFECT_CORRUPT_PART:
		return DEFECT_CORRUPT_CHUNK;
	case DEFECT_LONG_PART:
		return DEFECT_LONG_CHUNK;
	case DEFECT_DENSE_PART:
		return DEFECT_DENSE_CHUNK;
	default:
		return DEFECT_NONE;
	}
}

/* Appends a section, and returns its offset. */
static uint64_t put_section(struct seven *seven, unsigned id, const struct trace_writer *data)
{
	struct trace_writer *file = &seven->file;
	struct trace_writer packed = trace_writer_of(&file->layout);
	uint64_t offset = file->out.used;

	if (seven->codec != CODEC_NONE)
		put_compressed(&packed, seven->codec, sink_memory(&data->out),
			       defect_of_part(seven->defect));
	else
		sink_text(&packed.out, sink_memory(&data->out));
	trace_writer_put(
		file, id == OPTION_KALLSYMS && seven->defect == DEFECT_WRONG_SECTION ? 99 : id, 2);
	trace_writer_put(file, seven->codec != CODEC_NONE, 2);
	trace_writer_put(file, 0, 4);
	trace_writer_put(file, seven->defect == DEFECT_LONG_SECTION ? UINT32_MAX : packed.out.used,
			 8);
	sink_text(&file->out, sink_memory(&packed.out));
	sink_deinit(&packed.out);
	return offset;
}

/* Appends a part of the header, and the option that has its offset. */
static void put_part(struct seven *seven, unsigned id,
		     void (*put_data)(struct trace_writer *writer))
{
	struct trace_writer data = trace_writer_of(&seven->file.layout);
	uint64_t offset;

	put_data(&data);
	offset = put_section(seven, id, &data);
	trace_writer_put(&seven->options, id, 2);
	trace_writer_put(&seven->options, 8, 4);
	trace_writer_put(&seven->options, offset, 8);
	sink_deinit(&data.out);
}

/* Appends the data of a CPU, and returns its size without the number of chunks. */
static uint64_t put_cpu(struct seven *seven, const struct trace_writer *page,
			enum trace_defect defect)
{
	struct trace_writer *file = &seven->file;
	size_t begin = file->out.used;

	if (seven->codec == CODEC_NONE) {
		sink_text(&file->out, sink_memory(&page->out));
		return page->out.used;
	}
	trace_writer_put(file, 1, 4);
	put_compressed(file, seven->codec, sink_memory(&page->out), defect);
	return file->out.used - begin - 4;
}

/* Appends the option of a buffer with these pages. at: where data begins that is there already, or 0. */
static uint64_t put_buffer(struct seven *seven, const char *clock,
			   const struct trace_writer pages[2], uint64_t at)
{
	struct trace_writer *file = &seven->file;
	struct trace_writer buffer = trace_writer_of(&file->layout);
	uint64_t section = file->out.used, first = at ? at : section + 16;

	trace_writer_put(file, seven->defect == DEFECT_WRONG_BUFFER ? 20 : OPTION_BUFFER, 2);
	trace_writer_put(file, seven->codec != CODEC_NONE, 2);
	trace_writer_put(file, 0, 12);
	trace_writer_put(&buffer, section, 8);
	sink_bytes(&buffer.out, "name", 5);
	sink_bytes(&buffer.out, clock, strlen(clock) + 1);
	trace_writer_put(&buffer, TRACE_WRITER_PAGE_BYTES, 4);
	trace_writer_put(&buffer, 2, 4);
	for (unsigned i = 0; i < 2; i++) {
		uint64_t offset = at ? at : file->out.used;
		uint64_t size_bytes =
			at ? TRACE_WRITER_PAGE_BYTES
			   : put_cpu(seven, &pages[i], i == 0 ? seven->defect : DEFECT_NONE);

		trace_writer_put(&buffer, i, 4);
		trace_writer_put(&buffer, offset, 8);
		trace_writer_put(&buffer, size_bytes, 8);
	}
	if (seven->defect == DEFECT_SHORT_BUFFER)
		buffer.out.used -= 10;
	trace_writer_put(&seven->options, OPTION_BUFFER, 2);
	trace_writer_put(&seven->options, buffer.out.used, 4);
	sink_text(&seven->options.out, sink_memory(&buffer.out));
	sink_deinit(&buffer.out);
	return first;
}

/* Ends the options, and returns the offset of their section. *next_at: where the next offset is. */
static uint64_t put_options(struct seven *seven, bool is_last, size_t *next_at)
{
	enum codec codec = seven->codec;
	uint64_t offset;

	if (seven->defect == DEFECT_SHORT_OPTION) {
		trace_writer_put(&seven->options, OPTION_OFFSET, 2);
		trace_writer_put(&seven->options, 100, 4);
	}
	if (seven->defect != DEFECT_NO_DONE || !is_last) {
		trace_writer_put(&seven->options, OPTION_DONE, 2);
		trace_writer_put(&seven->options, 8, 4);
		trace_writer_put(&seven->options, 0, 8);
	}
	/* Options are never compressed here, so that the next offset can be patched. */
	seven->codec = CODEC_NONE;
	offset = put_section(seven, OPTION_DONE, &seven->options);
	seven->codec = codec;
	*next_at = seven->file.out.used - 8;
	seven->options.out.used = 0;
	return offset;
}

struct trace_writer trace_writer_version_7(const struct trace_layout *layout,
					   enum trace_defect defect, enum codec codec)
{
	struct seven seven = {
		.file = trace_writer_of(layout),
		.defect = defect,
		.codec = codec,
		.options = trace_writer_of(layout),
	};
	struct trace_writer pages[2] = { trace_writer_of(layout), trace_writer_of(layout) };
	size_t first_at, next_at, last_at;
	uint64_t first, second, data;

	trace_writer_samples(pages);
	put_start(&seven.file, "7");
	sink_bytes(&seven.file.out,
		   defect == DEFECT_UNKNOWN_CODEC ? "lzma"
		   : codec == CODEC_ZSTD          ? "zstd"
		   : codec == CODEC_ZLIB          ? "zlib"
						  : "none",
		   5);
	sink_char(&seven.file.out, '\0');
	first_at = seven.file.out.used;
	trace_writer_put(&seven.file, 0, 8);
	put_part(&seven, OPTION_HEADER_INFO, put_pages_format);
	put_part(&seven, OPTION_FTRACE_EVENTS, put_ftrace);
	put_part(&seven, OPTION_EVENT_FORMATS, put_systems);
	put_part(&seven, OPTION_KALLSYMS, put_symbols);
	put_part(&seven, OPTION_CMDLINES, put_comms);
	trace_writer_put(&seven.options, OPTION_OFFSET, 2);
	trace_writer_text(&seven.options, "-0x10", 4);
	put_own_options(&seven.options, &seven.file);
	first = put_options(&seven, false, &next_at);
	data = put_buffer(&seven, "local", pages, 0);
	for (int i = defect == DEFECT_SAME_BUFFER   ? 20
		     : defect == DEFECT_OTHER_CLOCK ? 1
						    : 0;
	     i > 0; i--)
		put_buffer(&seven, defect == DEFECT_OTHER_CLOCK ? "mono" : "local", pages, data);
	trace_writer_put(&seven.options, OPTION_TSC2NSEC, 2);
	trace_writer_put(&seven.options, 16, 4);
	trace_writer_put(&seven.options, 1, 4);
	trace_writer_put(&seven.options, 0, 12);
	second = put_options(&seven, true, &last_at);
	trace_writer_patch(&seven.file, first_at, first);
	trace_writer_patch(&seven.file, next_at, second);
	for (unsigned i = 0; defect == DEFECT_MANY_OPTIONS && i < 1023; i++) {
		trace_writer_patch(&seven.file, last_at, seven.file.out.used);
		put_options(&seven, true, &last_at);
	}
	if (defect == DEFECT_LOOP)
		trace_writer_patch(&seven.file, last_at, first);
	sink_deinit(&seven.options.out);
	sink_deinit(&pages[0].out);
	sink_deinit(&pages[1].out);
	return seven.file;
}
