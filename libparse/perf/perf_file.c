/* SPDX-License-Identifier: MIT */
#include "libparse/perf/perf_file.h"

#include <inttypes.h>

#include "libparse/perf/abi.h"

#define MAGIC_BYTES       8
#define HEADER_BYTES_PIPE 16
#define HEADER_BYTES_OLD  72 /* before perf had feature bitmaps */
#define HEADER_BYTES      104
#define ATTR_IDS_BYTES    16
#define ATTR_BYTES_MIN    64
#define ATTR_BYTES_MAX    4096

static bool starts_with(struct span head, const char *magic)
{
	return span_left(&head) >= MAGIC_BYTES && memcmp(head.at, magic, MAGIC_BYTES) == 0;
}

bool perf_file_probe(struct span head)
{
	return starts_with(head, "PERFILE2") || starts_with(head, "2ELIFREP") ||
	       starts_with(head, "PERFFILE");
}

static bool is_header_size(uint64_t size_bytes)
{
	return size_bytes == HEADER_BYTES_PIPE || size_bytes == HEADER_BYTES_OLD ||
	       size_bytes == HEADER_BYTES;
}

bool perf_file_begins(struct span head)
{
	return perf_file_probe(head) && span_left(&head) >= PERF_FILE_BEGIN_BYTES &&
	       (is_header_size(span_load_u64(head.at + MAGIC_BYTES, false)) ||
		is_header_size(span_load_u64(head.at + MAGIC_BYTES, true)));
}

static bool is_entry_size(uint64_t size_bytes)
{
	return size_bytes >= ATTR_BYTES_MIN + ATTR_IDS_BYTES &&
	       size_bytes <= ATTR_BYTES_MAX + ATTR_IDS_BYTES && size_bytes % 8 == 0;
}

/*
 * The magic of version 2 shows the byte order. The magic of version 1 does not, so choose the byte
 * order in which the size is plausible.
 */
static bool find_byte_order(struct span head, struct perf_file *file, struct error *err)
{
	if (starts_with(head, "PERFILE2")) {
		file->is_big_endian = false;
	} else if (starts_with(head, "2ELIFREP")) {
		file->is_big_endian = true;
	} else {
		if (span_left(&head) < 24)
			return error_set_at(err, ERROR_CORRUPT, span_left(&head),
					    "the perf.data header is truncated");
		file->swapped = !is_entry_size(span_load_u64(head.at + 16, false));
		file->is_big_endian = HOST_IS_BIG_ENDIAN != file->swapped;
		return true;
	}
	file->swapped = file->is_big_endian != HOST_IS_BIG_ENDIAN;
	return true;
}

static bool read_section(struct span *span, struct perf_section *ret)
{
	return span_u64(span, &ret->offset) && span_u64(span, &ret->size_bytes);
}

/*
 * On 32-bit big-endian machines, perf wrote the bitmap as 32-bit words. The two forms can be
 * distinguished, because HOSTNAME is set in nearly every file, and no file has only features from
 * the second word.
 */
static void repair_feature_words(struct perf_file *file)
{
	bool is_hostname_swapped = perf_file_has_feature(file, FEATURE_HOSTNAME + 32) &&
				   !perf_file_has_feature(file, FEATURE_HOSTNAME);
	bool is_first_word_empty = (uint32_t)file->features[0] == 0;

	if (!file->is_big_endian || !(is_hostname_swapped || is_first_word_empty))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(file->features); i++)
		file->features[i] = file->features[i] >> 32 | file->features[i] << 32;
}

static bool check_data(struct perf_file *file, uint64_t file_bytes, struct error *err)
{
	struct perf_section *data = &file->data;

	if (data->offset < HEADER_BYTES_OLD || data->offset > file_bytes)
		return error_set_at(err, ERROR_CORRUPT, 40,
				    "the data section begins at byte %" PRIu64 ", but the file has "
				    "only %" PRIu64 " bytes",
				    data->offset, file_bytes);
	file->has_data_size = data->size_bytes != 0;
	file->is_cut = data->size_bytes > file_bytes - data->offset;
	if (!file->has_data_size || file->is_cut)
		data->size_bytes = file_bytes - data->offset;
	return true;
}

static bool check_attrs(const struct perf_file *file, uint64_t file_bytes, struct error *err)
{
	const struct perf_section *attrs = &file->attrs;

	if (!is_entry_size(file->attr_entry_bytes))
		return error_set_at(err, ERROR_CORRUPT, 16,
				    "attr entries have an invalid size, %" PRIu64 " bytes; "
				    "recording ended before the header was written, or the file is "
				    "corrupt",
				    file->attr_entry_bytes);
	if (attrs->offset > file_bytes || attrs->size_bytes > file_bytes - attrs->offset)
		return error_set_at(err, ERROR_CORRUPT, 24,
				    "the attr section of %" PRIu64 " bytes at byte %" PRIu64 " "
				    "extends beyond the end of the file",
				    attrs->size_bytes, attrs->offset);
	if (attrs->size_bytes < file->attr_entry_bytes)
		return error_set_at(err, ERROR_CORRUPT, 32, "the capture describes no events");
	return true;
}

static bool refuse_truncated_header(const struct perf_file *file, size_t got, struct error *err)
{
	return error_set_at(
		err, ERROR_CORRUPT, got,
		"the file is truncated after %zu bytes of a %s-endian perf.data header; copy it "
		"again",
		got, file->is_big_endian ? "big" : "little");
}

static bool read_file_header(struct span *head, uint64_t header_bytes, struct perf_file *file,
			     uint64_t file_bytes, struct error *err)
{
	size_t got = (size_t)(span_offset(head) + span_left(head));
	bool good = span_u64(head, &file->attr_entry_bytes) && read_section(head, &file->attrs) &&
		    read_section(head, &file->data) && read_section(head, &file->event_types);

	for (size_t i = 0; good && header_bytes >= HEADER_BYTES && i < ARRAY_SIZE(file->features);
	     i++)
		good = span_u64(head, &file->features[i]);
	if (!good)
		return refuse_truncated_header(file, got, err);
	repair_feature_words(file);
	return check_attrs(file, file_bytes, err) && check_data(file, file_bytes, err);
}

bool perf_file_read(const struct input *input, struct perf_file *ret, struct error *err)
{
	unsigned char bytes[HEADER_BYTES];
	struct span head;
	uint64_t header_bytes;
	size_t got;

	*ret = (struct perf_file){ 0 };
	if (!input_read(input, 0, bytes, sizeof(bytes), &got, err))
		return false;
	head = span_of(bytes, got, 0, false);
	if (!find_byte_order(head, ret, err))
		return false;
	head.swapped = ret->swapped;
	if (!span_skip(&head, MAGIC_BYTES) || !span_u64(&head, &header_bytes))
		return refuse_truncated_header(ret, got, err);
	if (header_bytes == HEADER_BYTES_PIPE) {
		ret->is_pipe = true;
		ret->data = (struct perf_section){ HEADER_BYTES_PIPE,
						   input->size_bytes - HEADER_BYTES_PIPE };
		return true;
	}
	if (header_bytes != HEADER_BYTES && header_bytes != HEADER_BYTES_OLD)
		return error_set_at(err, ERROR_CORRUPT, 8,
				    "the perf.data header has %" PRIu64 " bytes instead of 104, or "
				    "16 for a pipe",
				    header_bytes);
	return read_file_header(&head, header_bytes, ret, input->size_bytes, err);
}
