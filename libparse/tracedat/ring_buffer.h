/* SPDX-License-Identifier: MIT */
/*
 * A page of the kernel's ring buffer:
 *
 *     | time: 8 bytes | commit: a long | record | record | ... | lost: a long | unused |
 *                       │                                     ▲
 *                       └ length of the records, and flags ───┘
 *
 *     record   | type: 5 bits, time since the previous record: 27 bits | length or time | data |
 *
 * Reads the records of one CPU in time order. Only one block of the data is in memory: a page, or a
 * decompressed chunk of pages.
 *
 *     uncompressed   | page | page | page |
 *     compressed     | number of chunks | sizes, chunk | sizes, chunk |
 *
 * Source: include/linux/ring_buffer.h and kernel/trace/ring_buffer.c of the Linux kernel.
 */
#ifndef LIBPARSE_TRACEDAT_RING_BUFFER_H
#define LIBPARSE_TRACEDAT_RING_BUFFER_H

#include "base/span.h"
#include "libparse/tracedat/trace_dat.h"

struct ring_record {
	uint64_t time;
	struct span data;
};

struct ring_page {
	struct span left; /* the records that have not been read yet */
	uint64_t time;
	uint64_t lost_count; /* the minimum number of records that were dropped before this page */
	bool is_corrupt;     /* reading ended at a corrupt record */
};

/*
 * long_bytes: size of a long in the kernel, 4 or 8. Returns false if the page is shorter than its
 * header.
 */
bool ring_page_open(struct ring_page *page, struct span bytes, unsigned long_bytes);

/* The next record with data. Returns false if the page has no further record. */
bool ring_page_next(struct ring_page *page, struct ring_record *ret);

/* ---- The pages of one CPU ---- */

struct cpu_stream {
	const struct input *input;
	const struct trace_dat *dat;
	struct trace_dat_cpu left; /* data that has not been read yet */
	uint32_t chunks_left;
	unsigned char *block;
	size_t block_bytes;    /* allocated */
	uint64_t *budget_left; /* memory that all streams may still allocate */
	struct span pages;     /* the rest of the block */
	struct ring_page page;
	bool has_record;
	bool follows_gap; /* records before the current one were lost */
	struct ring_record record;
	uint64_t lost_count, corrupt_count;
	/* offsets of the first page with a loss, and of the first corrupt page */
	uint64_t lost_offset, corrupt_offset;
};

/*
 * Maximum memory for one block of a trace.dat file for each CPU. For 512 CPUs, blocks of ten 64 KiB
 * pages take 320 MiB.
 */
#define LIMIT_TRACE_DAT_BLOCKS_BYTES (1u << 30)

/* cpu must outlive the stream. Reads the first record. */
bool cpu_stream_open(struct cpu_stream *stream, const struct input *input,
		     const struct trace_dat *dat, const struct trace_dat_cpu *cpu,
		     uint64_t *budget_left, struct error *err) WARN_UNUSED;
void cpu_stream_close(struct cpu_stream *stream);

/*
 * Moves to the next record; has_record becomes false at the end. The data of the previous record
 * becomes invalid.
 */
bool cpu_stream_next(struct cpu_stream *stream, struct error *err) WARN_UNUSED;

#endif
