/* SPDX-License-Identifier: MIT */
#include "libparse/merged/merged_file.h"

#include <inttypes.h>

#include "base/arithmetic.h"
#include "base/memory.h"
#include "libparse/merged/merged_chunk.h"

static void add_stacks(struct merged_file *file, const struct merged_chunk *chunk)
{
	struct slice slice = { .begin = chunk->offset, .end = merged_chunk_end(chunk) };
	struct slice *last = file->slices.count ? &file->slices.at[file->slices.count - 1] : NULL;

	file->stack_count = saturate_add(file->stack_count, chunk->stack_count);
	if (chunk->raw_bytes > file->chunk_bytes_max)
		file->chunk_bytes_max = chunk->raw_bytes;
	if (last && last->end == slice.begin && slice.end - last->begin <= MERGED_SLICE_BYTES)
		last->end = slice.end;
	else
		vec_push(&file->slices, slice);
}

static bool read_summary(struct merged_file *file, const struct input *input,
			 const struct merged_chunk *chunk, struct error *err)
{
	unsigned char *bytes;
	struct span span;
	bool good;

	if (chunk->raw_bytes > LIMIT_MERGED_SUMMARY_BYTES)
		return error_set(err, ERROR_LIMIT,
				 "its summary is larger than the limit of %u bytes",
				 LIMIT_MERGED_SUMMARY_BYTES);
	if (!merged_chunk_load(input, chunk, &bytes, err))
		return false;
	file->summary_bytes = chunk->raw_bytes;
	span = span_of(bytes, (size_t)chunk->raw_bytes, 0, HOST_IS_BIG_ENDIAN);
	good = merged_summary_read(&file->summary, span, err);
	memory_free(bytes);
	file->has_summary = good;
	return good;
}

static bool add_chunk(struct merged_file *file, const struct input *input,
		      const struct merged_chunk *chunk, struct error *err)
{
	if (chunk->kind == MERGED_SUMMARY)
		return read_summary(file, input, chunk, err);
	if (chunk->kind == MERGED_STACKS)
		add_stacks(file, chunk);
	else if (chunk->kind & MERGED_OPTIONAL)
		file->unknown_count++;
	else
		return error_set_at(err, ERROR_UNSUPPORTED, chunk->offset,
				    "a chunk has the unknown kind %" PRIu32, chunk->kind);
	return true;
}

bool merged_file_open(struct merged_file *file, const struct input *input, struct error *err)
{
	uint64_t offset = MERGED_HEADER_BYTES;
	uint64_t raw_bytes = 0;
	struct merged_chunk chunk;

	*file = (struct merged_file){ .has_summary = false };
	merged_summary_init(&file->summary);
	if (!merged_header_check(input, err))
		return false;
	while (!file->has_summary) {
		if (!merged_chunk_read(input, offset, &chunk, err))
			return false;
		offset = merged_chunk_end(&chunk);
		raw_bytes += chunk.raw_bytes;
		if (merged_chunk_is_bomb(offset, raw_bytes))
			return error_set_at(err, ERROR_LIMIT, chunk.offset,
					    "the rest is refused as a decompression bomb");
		if (!add_chunk(file, input, &chunk, err))
			return false;
	}
	if (file->stack_count && !file->summary.capture_count)
		return error_set(err, ERROR_CORRUPT,
				 "has stacks, but its summary lists no captures");
	if (file->stack_count != file->summary.stack_count)
		return error_set(err, ERROR_CORRUPT,
				 "has %" PRIu64 " stack%s, but its summary says %" PRIu64,
				 file->stack_count, file->stack_count == 1 ? "" : "s",
				 file->summary.stack_count);
	return offset == input->size_bytes ||
	       error_set_at(err, ERROR_CORRUPT, offset, "unexpected bytes follow the summary");
}

void merged_file_close(struct merged_file *file)
{
	merged_summary_deinit(&file->summary);
	vec_free(&file->slices);
}
