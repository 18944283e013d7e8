/* SPDX-License-Identifier: MIT */
#include "libparse/tracedat/ring_buffer.h"

#include "base/arithmetic.h"

/*
 * Maximum size of a compressed chunk of a trace.dat file, before and after decompression. trace-cmd
 * compresses 10 pages at a time.
 */
#define LIMIT_TRACE_DAT_CHUNK_BYTES (2u << 20)

static void note_corrupt(struct cpu_stream *stream, uint64_t offset)
{
	if (!stream->corrupt_count++)
		stream->corrupt_offset = offset;
}

static bool reserve(struct cpu_stream *stream, size_t size_bytes, struct error *err)
{
	size_t more = size_bytes > stream->block_bytes ? size_bytes - stream->block_bytes : 0;

	if (more > *stream->budget_left)
		return error_set(
			err, ERROR_LIMIT,
			"needs more memory for the pages of its CPUs than the limit of %u MiB",
			LIMIT_TRACE_DAT_BLOCKS_BYTES >> 20);
	if (!more)
		return true;
	*stream->budget_left -= more;
	stream->block = memory_realloc(stream->block, size_bytes, 1);
	stream->block_bytes = size_bytes;
	return true;
}

/* Reads the next bytes of the data. *got is less than size_bytes only at the end. */
static bool read_bytes(struct cpu_stream *stream, unsigned char *to, size_t size_bytes, size_t *got,
		       struct error *err)
{
	if (size_bytes > stream->left.size_bytes)
		size_bytes = stream->left.size_bytes;
	if (!input_read(stream->input, stream->left.offset, to, size_bytes, got, err))
		return false;
	stream->left.offset += *got;
	stream->left.size_bytes = *got < size_bytes ? 0 : stream->left.size_bytes - *got;
	return true;
}

static bool read_page(struct cpu_stream *stream, struct error *err)
{
	uint64_t offset = stream->left.offset;
	size_t size_bytes = stream->left.page_bytes;
	size_t got;

	if (size_bytes > stream->left.size_bytes)
		size_bytes = stream->left.size_bytes;
	if (!reserve(stream, size_bytes, err) ||
	    !read_bytes(stream, stream->block, size_bytes, &got, err))
		return false;
	stream->pages = span_of(stream->block, got, offset, stream->dat->is_swapped);
	return true;
}

static bool read_chunk(struct cpu_stream *stream, struct error *err)
{
	uint64_t offset = stream->left.offset;
	bool is_swapped = stream->dat->is_swapped;
	unsigned char sizes[8];
	uint32_t compressed_bytes;
	uint32_t plain_bytes;
	unsigned char *compressed;
	bool good;
	size_t got;

	if (!read_bytes(stream, sizes, sizeof(sizes), &got, err))
		return false;
	compressed_bytes = got == 8 ? span_load_u32(sizes, is_swapped) : 0;
	plain_bytes = got == 8 ? span_load_u32(sizes + 4, is_swapped) : 0;
	if (!compressed_bytes || compressed_bytes > stream->left.size_bytes ||
	    compressed_bytes > LIMIT_TRACE_DAT_CHUNK_BYTES ||
	    plain_bytes > LIMIT_TRACE_DAT_CHUNK_BYTES ||
	    plain_bytes / LIMIT_UNWRAP_RATIO > compressed_bytes) {
		note_corrupt(stream, offset);
		stream->left.size_bytes = 0;
		return true;
	}
	if (!reserve(stream, plain_bytes, err))
		return false;
	compressed = memory_alloc(compressed_bytes, 1);
	good = read_bytes(stream, compressed, compressed_bytes, &got, err);
	if (good && codec_decompress_exact(stream->dat->codec, span_of(compressed, got, 0, false),
					   stream->block, plain_bytes))
		stream->pages = span_of(stream->block, plain_bytes, offset, is_swapped);
	else
		note_corrupt(stream, offset);
	memory_free(compressed);
	return good;
}

/* Makes the next page current. At the end of the data, returns false and sets *is_end. */
static bool next_page(struct cpu_stream *stream, bool *is_end, struct error *err)
{
	struct span page;
	uint64_t size_bytes;

	*is_end = false;
	while (!span_left(&stream->pages)) {
		*is_end = !stream->left.size_bytes ||
			  (stream->left.is_compressed && !stream->chunks_left);
		if (*is_end)
			return true;
		if (stream->left.is_compressed)
			stream->chunks_left--;
		if (!(stream->left.is_compressed ? read_chunk(stream, err)
						 : read_page(stream, err)))
			return false;
	}
	size_bytes = stream->left.page_bytes;
	if (size_bytes > span_left(&stream->pages))
		size_bytes = span_left(&stream->pages);
	span_sub(&stream->pages, size_bytes, &page);
	if (!ring_page_open(&stream->page, page, stream->dat->long_bytes))
		note_corrupt(stream, span_offset(&page));
	if (stream->page.lost_count && !stream->lost_count)
		stream->lost_offset = span_offset(&page);
	stream->lost_count = saturate_add(stream->lost_count, stream->page.lost_count);
	return true;
}

bool cpu_stream_next(struct cpu_stream *stream, struct error *err)
{
	stream->follows_gap = false;
	for (;;) {
		uint64_t corrupt_count = stream->corrupt_count;
		bool is_end;

		stream->has_record = ring_page_next(&stream->page, &stream->record);
		if (stream->has_record)
			return true;
		if (stream->page.is_corrupt)
			note_corrupt(stream, span_offset(&stream->page.left));
		stream->page.is_corrupt = false;
		if (!next_page(stream, &is_end, err))
			return false;
		if (is_end)
			return true;
		stream->follows_gap |=
			stream->page.lost_count || stream->corrupt_count != corrupt_count;
	}
}

bool cpu_stream_open(struct cpu_stream *stream, const struct input *input,
		     const struct trace_dat *dat, const struct trace_dat_cpu *cpu,
		     uint64_t *budget_left, struct error *err)
{
	unsigned char count[4];
	size_t got;

	*stream = (struct cpu_stream){
		.input = input,
		.dat = dat,
		.left = *cpu,
		.budget_left = budget_left,
	};
	if (cpu->is_compressed) {
		if (!read_bytes(stream, count, sizeof(count), &got, err))
			return false;
		if (got == sizeof(count))
			stream->chunks_left = span_load_u32(count, dat->is_swapped);
	}
	return cpu_stream_next(stream, err);
}

void cpu_stream_close(struct cpu_stream *stream)
{
	*stream->budget_left += stream->block_bytes;
	memory_free(stream->block);
}
