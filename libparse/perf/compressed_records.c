/* SPDX-License-Identifier: MIT */
#include "libparse/perf/compressed_records.h"

#include <inttypes.h>

#include "base/memory.h"
#include "compress/codec.h"
#include "libparse/perf/abi.h"
#include "libparse/perf/walk.h"

#define CHUNK_BYTES ((size_t)1 << 20)

struct inflate {
	struct codec_stream *stream;
	struct input spool;
	bool swapped;
	uint64_t taken_bytes; /* of all compressed records before this one */
	unsigned char *chunk; /* what the last record's end left, and what is added to it */
	size_t left_bytes;
};

struct inflate *inflate_create(bool swapped, struct error *err)
{
	struct codec_stream *stream = codec_stream_create(CODEC_ZSTD, err);
	struct inflate *inflate;

	if (!stream)
		return NULL;
	inflate = memory_zalloc(1, sizeof(*inflate));
	inflate->swapped = swapped;
	inflate->chunk = memory_alloc(CHUNK_BYTES, 1);
	inflate->spool.fd = -1;
	inflate->stream = stream;
	if (input_create_spool(&inflate->spool, err))
		return inflate;
	inflate_destroy(inflate);
	return NULL;
}

void inflate_destroy(struct inflate *inflate)
{
	if (!inflate)
		return;
	codec_stream_destroy(inflate->stream);
	input_close(&inflate->spool);
	memory_free(inflate->chunk);
	memory_free(inflate);
}

/*
 * How many bytes of the chunk are whole records; false when what follows them cannot be one. Records
 * with bytes outside their size are never compressed, and would hide other records in the spool.
 */
static bool whole_records(const struct inflate *inflate, size_t *ret, struct error *err)
{
	for (*ret = 0; inflate->left_bytes - *ret >= RECORD_HEADER_BYTES;) {
		const unsigned char *record = inflate->chunk + *ret;
		uint32_t type = span_load_u32(record, inflate->swapped);
		uint16_t size = span_load_u16(record + 6, inflate->swapped);

		if (size < RECORD_HEADER_BYTES)
			return error_set(err, ERROR_CORRUPT,
					 "a compressed record of less than 8 bytes");
		if (type == RECORD_AUXTRACE || type == RECORD_HEADER_TRACING_DATA)
			return error_set(err, ERROR_CORRUPT,
					 "a record of type %u where only the kernel's can be",
					 type);
		if (size > inflate->left_bytes - *ret)
			break;
		*ret += size;
	}
	return true;
}

static bool pass_on(struct inflate *inflate, inflate_function *function, void *context,
		    struct error *err)
{
	uint64_t offset = inflate->spool.size_bytes;
	size_t whole_bytes;
	bool good = whole_records(inflate, &whole_bytes, err);

	if (!input_append_spool(&inflate->spool, inflate->chunk, whole_bytes, err))
		return false;
	function(context, span_of(inflate->chunk, whole_bytes, offset, inflate->swapped));
	inflate->left_bytes -= whole_bytes;
	memmove(inflate->chunk, inflate->chunk + whole_bytes, inflate->left_bytes);
	return good;
}

/* What has come out so far is in the spool and the chunk. */
static bool check_expansion(const struct inflate *inflate, size_t taken_bytes, struct error *err)
{
	uint64_t in_bytes = inflate->taken_bytes + taken_bytes;
	uint64_t out_bytes = inflate->spool.size_bytes + inflate->left_bytes;

	return !codec_is_bomb(in_bytes, out_bytes) ||
	       error_set(err, ERROR_LIMIT,
			 "more comes out of the compressed records than any capture holds: over "
			 "%" PRIu64 " bytes from %" PRIu64,
			 out_bytes, in_bytes);
}

bool inflate_record(struct inflate *inflate, struct span compressed, inflate_function *function,
		    void *context, struct error *err)
{
	struct span in = compressed;
	bool is_full = true;

	/* A full chunk may have left some output inside zstd even when all input is consumed. */
	while (span_left(&in) || is_full) {
		struct codec_output out = {
			.at = inflate->chunk,
			.used_bytes = inflate->left_bytes,
			.size_bytes = CHUNK_BYTES,
		};
		const unsigned char *at = in.at;

		if (codec_stream_step(inflate->stream, &in, &out) == CODEC_CORRUPT)
			return error_set_at(err, ERROR_CORRUPT, span_offset(&in),
					    "cannot decompress: %s",
					    codec_stream_reason(inflate->stream));
		is_full = out.used_bytes == out.size_bytes;
		if (in.at == at && out.used_bytes == inflate->left_bytes)
			break;
		inflate->left_bytes = out.used_bytes;
		if (!check_expansion(inflate, (size_t)(in.at - compressed.at), err) ||
		    !pass_on(inflate, function, context, err))
			return false;
	}
	inflate->taken_bytes += span_left(&compressed);
	return true;
}

void inflate_begin_stream(struct inflate *inflate)
{
	codec_stream_reset(inflate->stream);
	inflate->left_bytes = 0;
}

const struct input *inflate_spool(const struct inflate *inflate)
{
	return &inflate->spool;
}

size_t inflate_left_bytes(const struct inflate *inflate)
{
	return inflate->left_bytes;
}
