/* SPDX-License-Identifier: MIT */
/*
 * Compressed records (perf record -z): what is in those of one file is one zstd stream, and
 * decompressed it is plain records again, which may begin in one and end in another. They go to an
 * unnamed temporary file, so that the second pass reads them like any other:
 *
 *     input   | MMAP2 | COMPRESSED ######## | FINISHED_ROUND | COMPRESSED ##### |
 *     spool             | SAMPLE | SAMPLE | MM:AP2 | SAMPLE |
 *
 * Source: perf.data-file-format.txt, PERF_RECORD_COMPRESSED and _COMPRESSED2.
 */
#ifndef LIBPARSE_PERF_COMPRESSED_RECORDS_H
#define LIBPARSE_PERF_COMPRESSED_RECORDS_H

#include "base/input.h"
#include "base/span.h"

struct inflate;

/* Called for each run of whole records, at this offset of the spool. */
typedef void inflate_function(void *context, struct span records);

/* swapped: the records are of the other byte order. */
struct inflate *inflate_create(bool swapped, struct error *err);
void inflate_destroy(struct inflate *inflate);

/* Decompresses the bytes of one record; the whole records that are there then go to the spool and
 * to function. False when they are no zstd, or too much comes out of them. */
bool inflate_record(struct inflate *inflate, struct span compressed, inflate_function *function,
		    void *context, struct error *err) WARN_UNUSED;

/* What comes now is another stream; what is left of the one before is dropped. */
void inflate_begin_stream(struct inflate *inflate);

/* The spool, for reading; and bytes at the end that are no whole record yet. */
const struct input *inflate_spool(const struct inflate *inflate);
size_t inflate_left_bytes(const struct inflate *inflate);

#endif
