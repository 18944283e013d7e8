/* SPDX-License-Identifier: MIT */
#include "libparse/merged/merged_chunk.h"

#include <inttypes.h>

#include "base/hash.h"
#include "base/leb128.h"
#include "base/memory.h"
#include "compress/codec.h"

static void write_u32(struct sink *sink, uint32_t value)
{
	for (unsigned i = 0; i < 4; i++)
		sink_char(sink, (char)(value >> 8 * i));
}

static void write_u64(struct sink *sink, uint64_t value)
{
	write_u32(sink, (uint32_t)value);
	write_u32(sink, (uint32_t)(value >> 32));
}

void merged_header_write(struct sink *sink)
{
	sink_bytes(sink, MERGED_MAGIC, MERGED_MAGIC_BYTES);
	write_u32(sink, MERGED_VERSION);
}

bool merged_header_check(const struct input *input, struct error *err)
{
	unsigned char head[MERGED_HEADER_BYTES];
	uint32_t version;
	size_t got;

	if (!input_read(input, 0, head, sizeof(head), &got, err))
		return false;
	if (got < sizeof(head) || memcmp(head, MERGED_MAGIC, MERGED_MAGIC_BYTES) != 0)
		return error_set(err, ERROR_CORRUPT, "is a merged profile without its header");
	version = span_load_u32(head + MERGED_MAGIC_BYTES, HOST_IS_BIG_ENDIAN);
	return version == MERGED_VERSION ||
	       error_set(err, ERROR_UNSUPPORTED,
			 "is a merged profile of version %" PRIu32
			 ", but this kiln reads only version %u; use the version of kiln that "
			 "wrote it, or a later one",
			 version, MERGED_VERSION);
}

void merged_chunk_write(uint32_t kind, struct text raw, uint64_t stack_count, struct sink *sink)
{
	struct sink compressed;
	struct text stored = raw;
	uint32_t codec = MERGED_CODEC_NONE;

	sink_init_memory(&compressed);
	if (codec_write_zstd(&compressed, raw) && compressed.used < raw.length &&
	    raw.length / LIMIT_MERGED_RATIO <= compressed.used) {
		stored = sink_memory(&compressed);
		codec = MERGED_CODEC_ZSTD;
	}
	write_u32(sink, kind);
	write_u32(sink, codec);
	write_u64(sink, stored.length);
	write_u64(sink, raw.length);
	write_u64(sink, stack_count);
	write_u64(sink, checksum_of(stored.at, stored.length));
	sink_text(sink, stored);
	sink_deinit(&compressed);
}

static bool check_chunk(const struct input *input, const struct merged_chunk *chunk,
			struct error *err)
{
	uint64_t left = input->size_bytes - (chunk->offset + MERGED_CHUNK_BYTES);

	if (chunk->stored_bytes > left)
		return error_set_at(err, ERROR_CORRUPT, chunk->offset,
				    "truncated: a chunk has %" PRIu64 " of its %" PRIu64
				    " bytes; copy the "
				    "file again",
				    left, chunk->stored_bytes);
	if (chunk->raw_bytes > LIMIT_MERGED_CHUNK_BYTES ||
	    chunk->stored_bytes > LIMIT_MERGED_CHUNK_BYTES)
		return error_set_at(err, ERROR_LIMIT, chunk->offset,
				    "a chunk is larger than the limit of %u bytes",
				    LIMIT_MERGED_CHUNK_BYTES);
	return true;
}

bool merged_chunk_read(const struct input *input, uint64_t offset, struct merged_chunk *ret,
		       struct error *err)
{
	unsigned char bytes[MERGED_CHUNK_BYTES];
	struct span rest;
	size_t got;

	*ret = (struct merged_chunk){ .offset = offset };
	if (!input_read(input, offset, bytes, sizeof(bytes), &got, err))
		return false;
	rest = span_of(bytes, got, offset, HOST_IS_BIG_ENDIAN);
	if (!span_u32(&rest, &ret->kind) || !span_u32(&rest, &ret->codec) ||
	    !span_u64(&rest, &ret->stored_bytes) || !span_u64(&rest, &ret->raw_bytes) ||
	    !span_u64(&rest, &ret->stack_count) || !span_u64(&rest, &ret->checksum))
		return error_set_at(err, ERROR_CORRUPT, offset,
				    "truncated: the end is missing; copy the file again");
	return check_chunk(input, ret, err);
}

static bool decompress(const struct merged_chunk *chunk, struct span stored, unsigned char *to,
		       struct error *err)
{
	enum codec codec = chunk->codec == MERGED_CODEC_ZSTD ? CODEC_ZSTD : CODEC_NONE;

	if (chunk->codec > MERGED_CODEC_ZSTD)
		return error_set_at(err, ERROR_UNSUPPORTED, chunk->offset,
				    "a chunk is compressed in an unknown way (%" PRIu32 ")",
				    chunk->codec);
	if (codec == CODEC_ZSTD && !codec_has(codec))
		return error_set_at(err, ERROR_UNSUPPORTED, chunk->offset,
				    "requires zstd, which this build of kiln lacks");
	return codec_decompress_exact(codec, stored, to, (size_t)chunk->raw_bytes) ||
	       error_set_at(err, ERROR_CORRUPT, chunk->offset,
			    "a chunk does not have the size that it states");
}

bool merged_chunk_load(const struct input *input, const struct merged_chunk *chunk,
		       unsigned char **ret, struct error *err)
{
	size_t stored_bytes = (size_t)chunk->stored_bytes;
	unsigned char *stored = memory_alloc(stored_bytes + 1, 1);
	unsigned char *raw = memory_alloc((size_t)chunk->raw_bytes + 1, 1);
	size_t got = 0;
	bool good;

	good = input_read(input, chunk->offset + MERGED_CHUNK_BYTES, stored, stored_bytes, &got,
			  err);
	if (good && (got < stored_bytes || checksum_of(stored, stored_bytes) != chunk->checksum))
		good = error_set_at(err, ERROR_CORRUPT, chunk->offset,
				    "a chunk does not match its checksum");
	good = good && decompress(chunk, span_of(stored, stored_bytes, 0, false), raw, err);
	memory_free(stored);
	if (!good) {
		memory_free(raw);
		raw = NULL;
	}
	*ret = raw;
	return good;
}

void merged_string_write(struct sink *sink, struct text text)
{
	leb128_write(sink, text.length);
	sink_text(sink, text);
}

bool merged_string_read(struct span *span, struct text *ret)
{
	struct span bytes;
	uint64_t length;

	if (!leb128_unsigned(span, &length) || !span_sub(span, length, &bytes))
		return false;
	*ret = (struct text){ (const char *)bytes.at, (uint32_t)length };
	return true;
}
