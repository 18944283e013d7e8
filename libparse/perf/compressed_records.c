/* SPDX-License-Identifier: MIT */
#include "libparse/perf/compressed_records.h"

#include <inttypes.h>

#include "base/memory.h"
#include "compress/codec.h"
#include "libparse/perf/abi.h"
#include "libparse/perf/walk.h"

#define CHUNK_BYTES ((size_t)1 << 20)

struct compressed_records {
	struct codec_stream *stream;
	struct input spool;
	bool swapped;
	uint64_t read_bytes;  /* compressed bytes before the current record */
	unsigned char *chunk; /* the incomplete record of the last call, then new output */
	size_t left_bytes;    /* size of the incomplete record in chunk */
};

struct compressed_records *compressed_records_create(bool swapped, struct temporary_space *space,
						     struct error *err)
{
	struct codec_stream *stream = codec_stream_create(CODEC_ZSTD, err);
	struct compressed_records *records;

	if (!stream)
		return NULL;
	records = memory_zalloc(1, sizeof(*records));
	records->swapped = swapped;
	records->chunk = memory_alloc(CHUNK_BYTES, 1);
	records->spool.fd = -1;
	records->stream = stream;
	if (input_create_spool(&records->spool, space, err))
		return records;
	compressed_records_destroy(records);
	return NULL;
}

void compressed_records_destroy(struct compressed_records *records)
{
	if (!records)
		return;
	codec_stream_destroy(records->stream);
	input_close(&records->spool);
	memory_free(records->chunk);
	memory_free(records);
}

/*
 * *ret becomes the size of the whole records in the chunk. Returns false if bytes that are not a
 * record follow them. Records with a payload outside their size count as corrupt, because perf
 * never compresses such records, and because such a record in the spool would hide the records
 * after it.
 */
static bool whole_records(const struct compressed_records *records, size_t *ret, struct error *err)
{
	for (*ret = 0; records->left_bytes - *ret >= RECORD_HEADER_BYTES;) {
		const unsigned char *record = records->chunk + *ret;
		uint32_t type = span_load_u32(record, records->swapped);
		uint16_t size = span_load_u16(record + 6, records->swapped);

		if (size < RECORD_HEADER_BYTES)
			return error_set(
				err, ERROR_CORRUPT,
				"a compressed record contains a record with a size below 8 bytes");
		if (type == RECORD_AUXTRACE || type == RECORD_HEADER_TRACING_DATA)
			return error_set(err, ERROR_CORRUPT,
					 "a compressed record contains a record of type %u, which "
					 "perf never compresses",
					 type);
		if (size > records->left_bytes - *ret)
			break;
		*ret += size;
	}
	return true;
}

static bool send_whole_records(struct compressed_records *records, decompressed_callback *callback,
			       void *context, struct error *err)
{
	uint64_t offset = records->spool.size_bytes;
	size_t whole_bytes;
	bool good = whole_records(records, &whole_bytes, err);

	if (!input_append_spool(&records->spool, records->chunk, whole_bytes, err))
		return false;
	if (!callback(context, span_of(records->chunk, whole_bytes, offset, records->swapped), err))
		return false;
	records->left_bytes -= whole_bytes;
	memmove(records->chunk, records->chunk + whole_bytes, records->left_bytes);
	return good;
}

static bool check_expansion(const struct compressed_records *records, size_t read_bytes,
			    struct error *err)
{
	uint64_t in_bytes = records->read_bytes + read_bytes;
	uint64_t out_bytes = records->spool.size_bytes + records->left_bytes;

	return !codec_is_bomb(in_bytes, out_bytes) ||
	       error_set(err, ERROR_LIMIT,
			 "the compressed records expand to over %" PRIu64 " bytes from only "
			 "%" PRIu64 "; the rest is refused as a decompression bomb",
			 out_bytes, in_bytes);
}

bool compressed_records_read(struct compressed_records *records, struct span compressed,
			     decompressed_callback *callback, void *context, struct error *err)
{
	struct span in = compressed;
	bool is_full = true;

	/* While the chunk fills up, zstd can hold more output, even if all input is consumed. */
	while (span_left(&in) || is_full) {
		struct codec_output out = {
			.at = records->chunk,
			.used_bytes = records->left_bytes,
			.size_bytes = CHUNK_BYTES,
		};
		const unsigned char *at = in.at;

		if (codec_stream_step(records->stream, &in, &out) == CODEC_CORRUPT)
			return error_set_at(err, ERROR_CORRUPT, span_offset(&in),
					    "cannot decompress: %s",
					    codec_stream_reason(records->stream));
		is_full = out.used_bytes == out.size_bytes;
		if (in.at == at && out.used_bytes == records->left_bytes)
			break;
		records->left_bytes = out.used_bytes;
		if (!check_expansion(records, (size_t)(in.at - compressed.at), err) ||
		    !send_whole_records(records, callback, context, err))
			return false;
	}
	records->read_bytes += span_left(&compressed);
	return true;
}

void compressed_records_begin_stream(struct compressed_records *records)
{
	codec_stream_reset(records->stream);
	records->left_bytes = 0;
}

const struct input *compressed_records_spool(const struct compressed_records *records)
{
	return &records->spool;
}

size_t compressed_records_left_bytes(const struct compressed_records *records)
{
	return records->left_bytes;
}
