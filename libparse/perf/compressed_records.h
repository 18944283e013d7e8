/* SPDX-License-Identifier: MIT */
/*
 * Compressed records (perf record -z). Together, the payloads of a file's COMPRESSED records form
 * one zstd stream of plain records. A plain record may extend over several payloads. The payloads
 * are decompressed into an unnamed temporary file, the spool, which the second pass reads like any
 * input:
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

struct compressed_records;

/*
 * Called with consecutive whole records. The offset of the span is the offset of these records in
 * the spool.
 */
typedef bool decompressed_callback(void *context, struct span records, struct error *err);

/*
 * Returns NULL, with err, if no temporary file can be created, or if kiln was built without zstd.
 * swapped: records are in the opposite byte order. Free with compressed_records_destroy. space: see
 * struct input.
 */
struct compressed_records *compressed_records_create(bool swapped, struct temporary_space *space,
						     struct error *err);
void compressed_records_destroy(struct compressed_records *records);

/* Decompresses the payload of one record. False, with err: not zstd, or too large. */
bool compressed_records_read(struct compressed_records *records, struct span compressed,
			     decompressed_callback *callback, void *context,
			     struct error *err) WARN_UNUSED;

/* The next payload begins a new stream. An incomplete record of the previous stream is dropped. */
void compressed_records_begin_stream(struct compressed_records *records);

const struct input *compressed_records_spool(const struct compressed_records *records);

/* The size of the incomplete record at the end of the stream, in bytes. */
size_t compressed_records_left_bytes(const struct compressed_records *records);

#endif
