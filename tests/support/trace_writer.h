/* SPDX-License-Identifier: MIT */
/*
 * Builds small trace.dat files in memory, of both versions, byte orders and sizes of a long. It
 * shares only constants with the reader.
 *
 *     struct trace_writer file = trace_writer_version_6(&trace_layout_plain);
 *     now file.out.buffer, file.out.used are the file, and may be corrupted
 *     sink_deinit(&file.out);
 *
 * A file has two CPUs with a page each:
 *
 *     CPU 0   switch from 7 to 9, its stack            switch from 9 to idle
 *     CPU 1         function of 8   function of 9
 */
#ifndef TESTS_SUPPORT_TRACE_WRITER_H
#define TESTS_SUPPORT_TRACE_WRITER_H

#include "base/sink.h"
#include "compress/codec.h"

#define TRACE_WRITER_PAGE_BYTES 256u
/* Where the size of a page is in the file. */
#define TRACE_WRITER_PAGE_BYTES_OFFSET 14

/* How a file is written. */
struct trace_layout {
	bool is_big_endian;
	unsigned long_bytes;
	const char *clock;
	bool lacks_print;                   /* the format of sched_switch has no print format */
	const struct trace_writer *options; /* more options, or NULL */
};

struct trace_writer {
	struct trace_layout layout;
	struct sink out;
};

extern const struct trace_layout trace_layout_plain;

/* Nothing. The caller frees .out of this and of all other writers. */
struct trace_writer trace_writer_of(const struct trace_layout *layout);

/* A number of size_bytes, and a text after its length, which has length_bytes. */
void trace_writer_put(struct trace_writer *writer, uint64_t value, unsigned size_bytes);
void trace_writer_text(struct trace_writer *writer, const char *text, unsigned length_bytes);

/* Overwrites the 8 bytes at an offset. */
void trace_writer_patch(struct trace_writer *file, size_t at, uint64_t value);

/* ---- Pages: their records are in a writer of their own ---- */

/* Begins a record: a word with its type and time; then id and thread of an event. */
void trace_writer_record(struct trace_writer *to, unsigned type, uint32_t delta);
void trace_writer_common(struct trace_writer *to, unsigned id, uint32_t tid);

/* A whole record: the thread from with this state was followed by next. */
void trace_writer_switch(struct trace_writer *to, uint32_t delta, uint32_t from, uint64_t state,
			 uint32_t next, const char *next_comm);

/* Appends a page with these records. flags: upper bits of the commit field. */
void trace_writer_page(struct trace_writer *to, uint64_t time, uint32_t flags,
		       const struct trace_writer *records);

/* The pages of the file above. */
void trace_writer_samples(struct trace_writer pages[2]);

/* ---- Version 6 ---- */

/* Appends the header up to the number of CPUs; then the rest of it, and the pages of each CPU. */
void trace_writer_header(struct trace_writer *writer, const char *version, unsigned cpu_count);
void trace_writer_pages(struct trace_writer *writer, unsigned cpu_count, const struct sink *pages);

struct trace_writer trace_writer_version_6(const struct trace_layout *layout);

/* ---- Version 7 ---- */

/* How a file differs from a good one. */
enum trace_defect {
	DEFECT_NONE,
	DEFECT_WRONG_SECTION, /* the section of the symbols has another id */
	DEFECT_LONG_SECTION,
	DEFECT_WRONG_BUFFER,
	DEFECT_SHORT_BUFFER,
	DEFECT_OTHER_CLOCK, /* a second buffer has another clock */
	DEFECT_SAME_BUFFER, /* two buffers have the same data */
	DEFECT_LOOP,        /* the last options are followed by the first */
	DEFECT_MANY_OPTIONS,
	DEFECT_NO_DONE, /* the last options have no end */
	DEFECT_SHORT_OPTION,
	DEFECT_UNKNOWN_CODEC,
	/* The chunk of the first CPU: no zstd frame or zlib stream; without bytes; beyond the end of
	 * the data; larger than any; decompressed to more than its bytes can. */
	DEFECT_CORRUPT_CHUNK,
	DEFECT_EMPTY_CHUNK,
	DEFECT_LONG_CHUNK,
	DEFECT_LARGE_CHUNK,
	DEFECT_DENSE_CHUNK,
	/* The same of compressed sections. */
	DEFECT_CORRUPT_PART,
	DEFECT_LONG_PART,
	DEFECT_DENSE_PART,
};

/* codec: CODEC_NONE, or one that the build must have. */
struct trace_writer trace_writer_version_7(const struct trace_layout *layout,
					   enum trace_defect defect, enum codec codec);

#endif
