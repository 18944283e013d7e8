/* SPDX-License-Identifier: MIT */
#include "libparse/perf/data_files.h"

#include <inttypes.h>

#include "libparse/directory.h"
#include "libparse/perf/abi.h"

/* The size of an entry with id, idx, cpu and tid. */
#define INDEX_ENTRY_BYTES 32
#define DIRECTORY_VERSION 1

/* If DIR_FORMAT is announced but missing, because the file is truncated, assumes several files. */
static bool is_of_several_files(const struct perf_reader *reader)
{
	if (!perf_file_has_feature(&reader->file, FEATURE_DIR_FORMAT))
		return false;
	return !reader->features.has_directory_version ||
	       reader->features.directory_version == DIRECTORY_VERSION;
}

void data_files_attach(struct capture *capture)
{
	struct perf_reader *reader = capture->reader;
	struct directory *directory = &capture->directory;
	const struct perf_section *data = &reader->file.data;

	vec_push(&reader->streams,
		 (struct record_stream){ data->offset, data->offset + data->size_bytes,
					 STREAM_OF_HEADER });
	if (!is_of_several_files(reader))
		return;
	directory_open_files(directory);
	for (size_t i = 0; i < directory->files.count; i++) {
		struct directory_file *file = &directory->files.at[i];
		uint64_t begin = capture->input.size_bytes;

		input_join(&capture->input, &file->input);
		vec_push(&reader->streams,
			 (struct record_stream){ begin, capture->input.size_bytes, file->number });
	}
}

void data_files_note_index(struct perf_reader *reader, struct span payload)
{
	struct span entry;
	uint64_t count;
	uint64_t id;
	uint64_t index;

	if (!span_u64(&payload, &count))
		return;
	while (count-- && span_sub(&payload, INDEX_ENTRY_BYTES, &entry))
		if (span_u64(&entry, &id) && span_u64(&entry, &index) && index < LIMIT_DATA_FILES &&
		    index >= reader->ring_count)
			reader->ring_count = index + 1;
}

bool data_files_check(struct capture *capture, struct error *err)
{
	const struct perf_reader *reader = capture->reader;
	const struct error *refused = &capture->directory.refused;
	const struct record_stream *last;
	uint64_t wanted = reader->ring_count;
	uint64_t missing = 0;
	uint64_t first = 0;
	size_t at = 1;

	if (capture->is_partial || !is_of_several_files(reader))
		return true;
	last = &reader->streams.at[reader->streams.count - 1];
	if (last->number != STREAM_OF_HEADER && last->number >= wanted)
		wanted = last->number + 1;
	for (uint64_t number = 0; number < wanted; number++) {
		if (at < reader->streams.count && reader->streams.at[at].number == number)
			at++;
		else if (!missing++)
			first = number;
	}
	/*
	 * Without an ID_INDEX, missing files are noticed only if the numbers have gaps, or if no
	 * file is left.
	 */
	if (!wanted)
		missing = 1;
	if (!missing)
		return true;
	if (refused->code == ERROR_RESOURCE) {
		*err = *refused;
		return false;
	}
	capture->is_partial = true;
	if (refused->code != ERROR_NONE)
		capture->damage = *refused;
	else if (missing == 1)
		error_set(&capture->damage, ERROR_CORRUPT,
			  "a file is missing from the capture directory: " DIRECTORY_HEADER_NAME
			  ".%" PRIu64,
			  first);
	else
		error_set(&capture->damage, ERROR_CORRUPT,
			  "%" PRIu64 " files are missing from the capture directory; the first "
			  "is " DIRECTORY_HEADER_NAME ".%" PRIu64,
			  missing, first);
	return true;
}

const struct record_stream *data_files_stream_at(const struct perf_reader *reader, uint64_t offset)
{
	size_t low = 0;
	size_t high = reader->streams.count;

	/* Binary search for the last stream that begins at or before the offset. */
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (reader->streams.at[middle].begin <= offset)
			low = middle;
		else
			high = middle;
	}
	return &reader->streams.at[low];
}
