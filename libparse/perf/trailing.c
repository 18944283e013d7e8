/* SPDX-License-Identifier: MIT */
#include "libparse/perf/trailing.h"

#include <inttypes.h>

#include "libparse/perf/record.h"

/* If the bytes after a capture begin with this many zeros, or are all zero, they are padding. */
#define PADDING_BYTES_MAX 65536u

static struct span read_at(const struct capture *capture, uint64_t offset, unsigned char *buffer,
			   size_t size_bytes)
{
	struct error ignored;
	size_t got;

	if (!input_read(&capture->input, offset, buffer, size_bytes, &got, &ignored))
		got = 0;
	return span_of(buffer, got, offset, false);
}

bool trailing_capture_begins(const struct capture *capture, uint64_t offset)
{
	unsigned char buffer[PERF_FILE_BEGIN_BYTES];

	return offset < capture->input.size_bytes &&
	       perf_file_begins(read_at(capture, offset, buffer, sizeof(buffer)));
}

bool trailing_capture_refuse(uint64_t offset, struct error *err)
{
	return error_set_at(err, ERROR_CORRUPT, offset,
			    "another capture begins here and is ignored; give each capture as a "
			    "separate input");
}

static bool is_padding(const struct capture *capture, uint64_t offset)
{
	unsigned char *buffer = memory_alloc(PADDING_BYTES_MAX, 1);
	struct span bytes = read_at(capture, offset, buffer, PADDING_BYTES_MAX);
	bool is_zero = true;

	for (const unsigned char *at = bytes.at; is_zero && at < bytes.end; at++)
		is_zero = !*at;
	memory_free(buffer);
	return is_zero;
}

void trailing_check(struct capture *capture, const struct event_sink *sink)
{
	const struct perf_reader *reader = capture->reader;
	uint64_t end = reader->file.data.offset + reader->file.data.size_bytes;
	uint64_t trailing_bytes;

	if (end < reader->sections_end)
		end = reader->sections_end;
	/* The data extends to the end of the input, or record files follow. */
	if (capture->is_partial || reader->file.is_pipe || !reader->file.has_data_size ||
	    reader->streams.count > 1 || end >= capture->input.size_bytes)
		return;
	trailing_bytes = capture->input.size_bytes - end;
	if (trailing_capture_begins(capture, end))
		(void)trailing_capture_refuse(end, &capture->damage);
	else if (is_padding(capture, end))
		return;
	else
		error_set_at(&capture->damage, ERROR_CORRUPT, end,
			     "%" PRIu64 " %s after the end of the capture ignored", trailing_bytes,
			     trailing_bytes == 1 ? "byte" : "bytes");
	capture->is_partial = true;
	record_send_loss(sink, end, LOSS_TRAILING_BYTES, trailing_bytes);
}
