/* SPDX-License-Identifier: MIT */
/*
 * Reads version 7. Its options give the offsets of sections, and sections can be compressed.
 *
 *     start | compression: name\0 version\0 | offset of the first options
 *     section  | id: 2 | flags: 2 | name: 4 | size: 8 | data |
 *     data, if flags & 1   | compressed size: 4 | size: 4 | compressed bytes |
 *     data of CPUs, if compressed: libparse/tracedat/ring_buffer.h
 *     options  | id: 2 | size: 4 | data | ... | DONE: 2 | 8: 4 | offset of more options, or 0: 8 |
 */
#include "libparse/text.h"
#include "libparse/tracedat/trace_dat.h"

#define SECTION_HEADER_BYTES 16
#define SECTION_COMPRESSED   1u

/*
 * Maximum number of sections with options in a trace.dat file. trace-cmd writes one, plus one for
 * each buffer.
 */
#define LIMIT_TRACE_DAT_OPTIONS 1024u

static bool corrupt(uint64_t offset, struct error *err)
{
	return error_set_at(err, ERROR_CORRUPT, offset, "a section is truncated or corrupt");
}

static bool decompress(struct trace_dat *dat, struct span *data, struct error *err)
{
	uint64_t offset = span_offset(data);
	uint32_t compressed_bytes;
	uint32_t plain_bytes;
	struct span compressed;
	unsigned char *memory;

	if (!span_u32(data, &compressed_bytes) || !span_u32(data, &plain_bytes) ||
	    !span_sub(data, compressed_bytes, &compressed) ||
	    plain_bytes > LIMIT_TRACE_DAT_HEADER_BYTES ||
	    plain_bytes / LIMIT_UNWRAP_RATIO > compressed_bytes)
		return corrupt(offset, err);
	if (!codec_has(dat->codec))
		return error_set(err, ERROR_UNSUPPORTED,
				 "is compressed, and this build of kiln cannot decompress it; run "
				 "`trace-cmd convert --compression none -i FILE -o OUTPUT`");
	if (!trace_dat_alloc(dat, plain_bytes, &memory, err))
		return false;
	if (!codec_decompress_exact(dat->codec, compressed, memory, plain_bytes))
		return corrupt(offset, err);
	*data = span_of(memory, plain_bytes, offset, dat->is_swapped);
	return true;
}

/* Loads the section at an offset, which must have this id. */
static bool load(struct trace_dat *dat, struct capture *capture, uint64_t offset, uint16_t wanted,
		 struct span *ret, struct error *err)
{
	uint64_t size_bytes;
	struct span head;
	uint16_t flags;
	uint16_t id;

	if (!trace_dat_load(dat, &capture->input, offset, SECTION_HEADER_BYTES, &head, err))
		return false;
	if (!span_u16(&head, &id) || !span_u16(&head, &flags) || !span_skip(&head, 4) ||
	    !span_u64(&head, &size_bytes) || id != wanted ||
	    size_bytes > capture->input.size_bytes - offset - SECTION_HEADER_BYTES)
		return corrupt(offset, err);
	if (!trace_dat_load(dat, &capture->input, offset + SECTION_HEADER_BYTES, size_bytes, ret,
			    err))
		return false;
	return !(flags & SECTION_COMPRESSED) || decompress(dat, ret, err);
}

/*
 * Reads a part of the header. A file has each part only once; further copies would only cost
 * memory.
 */
static bool read_part(struct trace_dat *dat, struct capture *capture, uint16_t id, uint64_t offset,
		      struct error *err)
{
	struct span data;
	bool good = true;

	if (dat->parts_read & 1u << id)
		return true;
	dat->parts_read |= 1u << id;
	if (!load(dat, capture, offset, id, &data, err))
		return false;
	switch (id) {
	case OPTION_HEADER_INFO:
		good = trace_dat_read_pages_format(dat, &data);
		break;
	case OPTION_FTRACE_EVENTS:
		good = perf_tracepoints_read_ftrace(&dat->tracepoints, &data);
		break;
	case OPTION_EVENT_FORMATS:
		good = perf_tracepoints_read_systems(&dat->tracepoints, &data);
		break;
	case OPTION_KALLSYMS:
		good = trace_dat_read_symbols(dat, &data);
		break;
	default:
		good = trace_dat_read_comms(dat, &data);
		break;
	}
	return good || corrupt(offset, err);
}

/* Records the clock of a buffer that has data. */
static bool take_clock(struct trace_dat *dat, struct text clock, struct error *err)
{
	if (dat->clock.at && text_compare(dat->clock, clock) != 0)
		return error_set(err, ERROR_UNSUPPORTED,
				 "has buffers with times from different clocks, which cannot be "
				 "merged; record with one clock (trace-cmd record -C), or one file "
				 "for each buffer");
	dat->clock = clock;
	return true;
}

/* Reads an option with the name of a buffer, its clock, and the positions of its CPUs' data. */
static bool read_buffer(struct trace_dat *dat, struct capture *capture, struct span data,
			struct error *err)
{
	uint64_t at = span_offset(&data);
	struct trace_dat_cpu row = { 0 };
	uint32_t cpu_count;
	struct span section;
	struct text clock;
	struct text name;
	uint64_t offset;
	uint16_t flags;
	uint16_t id;

	if (!span_u64(&data, &offset) || !span_cstring(&data, &name) ||
	    !span_cstring(&data, &clock) || !span_u32(&data, &row.page_bytes) ||
	    !span_u32(&data, &cpu_count))
		return corrupt(at, err);
	if (!cpu_count)
		return true;
	if (!trace_dat_load(dat, &capture->input, offset, SECTION_HEADER_BYTES, &section, err))
		return false;
	if (!span_u16(&section, &id) || id != OPTION_BUFFER || !span_u16(&section, &flags))
		return corrupt(offset, err);
	row.is_compressed = flags & SECTION_COMPRESSED;
	for (uint32_t i = 0; i < cpu_count; i++) {
		if (!span_u32(&data, &row.cpu) || !span_u64(&data, &row.offset) ||
		    !span_u64(&data, &row.size_bytes))
			return corrupt(at, err);
		if (row.size_bytes && !take_clock(dat, clock, err))
			return false;
		/* The size does not include the number of chunks, which comes first. */
		if (row.is_compressed && row.size_bytes && row.size_bytes < INT64_MAX)
			row.size_bytes += 4;
		if (!trace_dat_add_cpu(dat, capture, &row, err))
			return false;
	}
	return true;
}

/* Reads the options of a section. *next becomes the offset of the next such section, or 0. */
static bool read_options(struct trace_dat *dat, struct capture *capture, struct span options,
			 uint64_t *next, struct error *err)
{
	uint32_t size_bytes;
	struct span data;
	uint16_t option;
	uint64_t offset;

	*next = 0;
	while (span_left(&options)) {
		if (!span_u16(&options, &option) || !span_u32(&options, &size_bytes) ||
		    !span_sub(&options, size_bytes, &data))
			return corrupt(span_offset(&options), err);
		if (option == OPTION_DONE) {
			(void)span_u64(&data, next);
			return true;
		}
		if (option == OPTION_BUFFER) {
			if (!read_buffer(dat, capture, data, err))
				return false;
		} else if (option == OPTION_BUFFER_TEXT) {
			return trace_dat_refuse_text(err);
		} else if ((option >= OPTION_HEADER_INFO && option <= OPTION_KALLSYMS) ||
			   option == OPTION_CMDLINES) {
			if (span_u64(&data, &offset) &&
			    !read_part(dat, capture, option, offset, err))
				return false;
		} else {
			trace_dat_read_option(dat, option, data);
		}
	}
	return true;
}

bool trace_dat_read_sections(struct trace_dat *dat, struct capture *capture, uint64_t offset,
			     struct error *err)
{
	uint64_t before = 0;

	for (unsigned i = 0; offset; i++) {
		struct span options;

		/* trace-cmd appends sections, so offsets that do not grow form a loop. */
		if (offset <= before)
			return corrupt(before, err);
		before = offset;
		if (i == LIMIT_TRACE_DAT_OPTIONS)
			return error_set_at(err, ERROR_LIMIT, offset,
					    "has more than %u option sections",
					    LIMIT_TRACE_DAT_OPTIONS);
		if (!load(dat, capture, offset, OPTION_DONE, &options, err) ||
		    !read_options(dat, capture, options, &offset, err))
			return false;
	}
	return true;
}
