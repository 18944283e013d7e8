/* SPDX-License-Identifier: MIT */
#include "tests/support/perf_writer.h"

#include <assert.h>

#include "libparse/perf/abi.h"

#define ATTR_BYTES_DEFAULT  136
#define ATTR_BYTES_WRITABLE 144
#define STRING_PADDING      64
#define PRECISE_IP_MASK     3u
/* Bytes that a newer kernel could append to an attr, which a reader must ignore. */
#define UNKNOWN_TAIL 0xee

static void store(unsigned char *at, uint64_t value, size_t size_bytes, bool is_big_endian)
{
	for (size_t i = 0; i < size_bytes; i++) {
		size_t shift = 8 * (is_big_endian ? size_bytes - 1 - i : i);

		at[i] = (unsigned char)(value >> shift);
	}
}

static void put_number(struct perf_writer *writer, uint64_t value, size_t size_bytes)
{
	unsigned char bytes[8];

	store(bytes, value, size_bytes, writer->is_big_endian);
	perf_writer_put_bytes(writer, bytes, size_bytes);
}

void perf_writer_put_bytes(struct perf_writer *writer, const void *bytes, size_t size_bytes)
{
	perf_writer_bytes *out = writer->out;

	if (!size_bytes)
		return;
	vec_reserve(out, out->count + size_bytes);
	memcpy(out->at + out->count, bytes, size_bytes);
	out->count += size_bytes;
}

void perf_writer_put_zeros(struct perf_writer *writer, size_t count)
{
	for (size_t i = 0; i < count; i++)
		perf_writer_put_u8(writer, 0);
}

void perf_writer_put_u8(struct perf_writer *writer, uint8_t value)
{
	vec_push(writer->out, value);
}

void perf_writer_put_u16(struct perf_writer *writer, uint16_t value)
{
	put_number(writer, value, 2);
}

void perf_writer_put_u32(struct perf_writer *writer, uint32_t value)
{
	put_number(writer, value, 4);
}

void perf_writer_put_u64(struct perf_writer *writer, uint64_t value)
{
	put_number(writer, value, 8);
}

static void put_padded(struct perf_writer *writer, const char *text, size_t multiple)
{
	size_t size_bytes = strlen(text) + 1;

	perf_writer_put_bytes(writer, text, size_bytes);
	perf_writer_put_zeros(writer, (multiple - size_bytes % multiple) % multiple);
}

void perf_writer_put_name(struct perf_writer *writer, const char *text)
{
	put_padded(writer, text, 8);
}

void perf_writer_put_string(struct perf_writer *writer, const char *text)
{
	size_t padded = (strlen(text) + STRING_PADDING) / STRING_PADDING * STRING_PADDING;

	perf_writer_put_u32(writer, (uint32_t)padded);
	put_padded(writer, text, STRING_PADDING);
}

void perf_writer_init(struct perf_writer *writer, enum perf_writer_order order)
{
	*writer = (struct perf_writer){ .is_big_endian = order == PERF_WRITER_BIG_ENDIAN };
	writer->out = &writer->data;
}

void perf_writer_deinit(struct perf_writer *writer)
{
	vec_free(&writer->data);
	vec_free(&writer->feature_bytes);
	vec_free(&writer->sections);
	vec_free(&writer->file);
}

uint32_t perf_writer_event(struct perf_writer *writer, const char *name,
			   const struct perf_attr *attr, const uint64_t *ids, uint32_t id_count)
{
	struct perf_writer_event *event = &writer->events[writer->event_count];

	assert(writer->event_count < PERF_WRITER_EVENTS_MAX && id_count <= ARRAY_SIZE(event->ids));
	*event = (struct perf_writer_event){ .name = name, .attr = *attr, .id_count = id_count };
	if (id_count)
		memcpy(event->ids, ids, id_count * sizeof(*ids));
	return writer->event_count++;
}

static uint32_t attr_bytes(const struct perf_writer *writer)
{
	return writer->attr_bytes ? writer->attr_bytes : ATTR_BYTES_DEFAULT;
}

/*
 * Moves each bit-field to where a big-endian compiler puts it: fields begin at the top, and the
 * bits of a field keep their order.
 */
static uint64_t flags_word(const struct perf_writer *writer, uint64_t flags)
{
	uint64_t word = 0;
	uint64_t precise_ip = flags >> ATTR_FLAG_PRECISE_IP_SHIFT & PRECISE_IP_MASK;

	if (!writer->is_big_endian)
		return flags;
	for (unsigned bit = 0; bit < 64; bit++)
		if (bit != 15 && bit != 16 && flags >> bit & 1)
			word |= 1ull << (63 - bit);
	return word | precise_ip << (63 - 16);
}

static void put_attr(struct perf_writer *writer, const struct perf_attr *attr)
{
	perf_writer_bytes whole = { 0 };
	perf_writer_bytes *out = writer->out;
	uint32_t size_bytes = attr_bytes(writer);

	writer->out = &whole;
	perf_writer_put_u32(writer, attr->type);
	perf_writer_put_u32(writer, attr->size ? attr->size : size_bytes);
	perf_writer_put_u64(writer, attr->config);
	perf_writer_put_u64(writer, attr->sample_period);
	perf_writer_put_u64(writer, attr->sample_type);
	perf_writer_put_u64(writer, attr->read_format);
	perf_writer_put_u64(writer, flags_word(writer, attr->flags));
	perf_writer_put_u32(writer, attr->wakeup_events);
	perf_writer_put_u32(writer, attr->breakpoint_type);
	perf_writer_put_u64(writer, attr->config1);
	perf_writer_put_u64(writer, attr->config2);
	perf_writer_put_u64(writer, attr->branch_sample_type);
	perf_writer_put_u64(writer, attr->sample_regs_user);
	perf_writer_put_u32(writer, attr->sample_stack_user);
	perf_writer_put_u32(writer, (uint32_t)attr->clockid);
	perf_writer_put_u64(writer, attr->sample_regs_intr);
	perf_writer_put_u32(writer, attr->aux_watermark);
	perf_writer_put_u16(writer, attr->sample_max_stack);
	perf_writer_put_u16(writer, 0);
	perf_writer_put_u32(writer, attr->aux_sample_size);
	perf_writer_put_u32(writer, 0);
	perf_writer_put_u64(writer, attr->sig_data);
	perf_writer_put_u64(writer, attr->config3);
	perf_writer_put_u64(writer, attr->config4);
	assert(whole.count == ATTR_BYTES_WRITABLE);
	while (whole.count < size_bytes)
		perf_writer_put_u8(writer, UNKNOWN_TAIL);
	writer->out = out;
	perf_writer_put_bytes(writer, whole.at, size_bytes);
	vec_free(&whole);
}

void perf_writer_feature_begin(struct perf_writer *writer, unsigned feature)
{
	size_t begin = writer->feature_bytes.count;

	vec_push(&writer->sections, (struct perf_writer_section){ feature, begin, begin });
	writer->out = &writer->feature_bytes;
}

void perf_writer_feature_end(struct perf_writer *writer)
{
	writer->sections.at[writer->sections.count - 1].end = writer->feature_bytes.count;
	writer->out = &writer->data;
}

void perf_writer_feature(struct perf_writer *writer, unsigned feature, const void *bytes,
			 size_t size_bytes)
{
	perf_writer_feature_begin(writer, feature);
	perf_writer_put_bytes(writer, bytes, size_bytes);
	perf_writer_feature_end(writer);
}

void perf_writer_feature_string(struct perf_writer *writer, unsigned feature, const char *text)
{
	perf_writer_feature_begin(writer, feature);
	perf_writer_put_string(writer, text);
	perf_writer_feature_end(writer);
}

void perf_writer_feature_strings(struct perf_writer *writer, unsigned feature,
				 const char *const *texts, uint32_t count)
{
	perf_writer_feature_begin(writer, feature);
	perf_writer_put_u32(writer, count);
	for (uint32_t i = 0; i < count; i++)
		perf_writer_put_string(writer, texts[i]);
	perf_writer_feature_end(writer);
}

void perf_writer_feature_event_desc(struct perf_writer *writer)
{
	perf_writer_feature_begin(writer, FEATURE_EVENT_DESC);
	perf_writer_put_u32(writer, writer->event_count);
	perf_writer_put_u32(writer, attr_bytes(writer));
	for (uint32_t i = 0; i < writer->event_count; i++) {
		const struct perf_writer_event *event = &writer->events[i];

		put_attr(writer, &event->attr);
		perf_writer_put_u32(writer, event->id_count);
		perf_writer_put_string(writer, event->name);
		for (uint32_t k = 0; k < event->id_count; k++)
			perf_writer_put_u64(writer, event->ids[k]);
	}
	perf_writer_feature_end(writer);
}

void perf_writer_put_build_id(struct perf_writer *writer, uint16_t misc, const uint8_t *id,
			      uint8_t size_bytes, const char *path)
{
	uint8_t field[24] = { 0 };
	size_t name_bytes = (strlen(path) + STRING_PADDING) / STRING_PADDING * STRING_PADDING;

	memcpy(field, id, size_bytes ? size_bytes : 20);
	field[20] = size_bytes;
	perf_writer_put_u32(writer, 0);
	perf_writer_put_u16(writer, size_bytes ? misc | MISC_BUILD_ID_SIZE : misc);
	perf_writer_put_u16(writer, (uint16_t)(8 + 4 + sizeof(field) + name_bytes));
	perf_writer_put_u32(writer, UINT32_MAX);
	perf_writer_put_bytes(writer, field, sizeof(field));
	put_padded(writer, path, STRING_PADDING);
}

static uint64_t section_bit(const struct perf_writer *writer, unsigned word)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < writer->sections.count; i++)
		if (writer->sections.at[i].feature / 64 == word)
			bits |= 1ull << writer->sections.at[i].feature % 64;
	return bits;
}

static void put_header(struct perf_writer *writer, uint64_t header_bytes)
{
	perf_writer_put_bytes(writer, writer->is_big_endian ? "2ELIFREP" : "PERFILE2", 8);
	perf_writer_put_u64(writer, header_bytes);
}

static void put_event_records(struct perf_writer *writer)
{
	for (uint32_t i = 0; i < writer->event_count; i++) {
		const struct perf_writer_event *event = &writer->events[i];

		perf_writer_put_u32(writer, RECORD_HEADER_ATTR);
		perf_writer_put_u16(writer, 0);
		perf_writer_put_u16(writer,
				    (uint16_t)(8 + attr_bytes(writer) + 8 * event->id_count));
		put_attr(writer, &event->attr);
		for (uint32_t k = 0; k < event->id_count; k++)
			perf_writer_put_u64(writer, event->ids[k]);
	}
}

static void put_feature_records(struct perf_writer *writer)
{
	for (size_t i = 0; i < writer->sections.count; i++) {
		const struct perf_writer_section *section = &writer->sections.at[i];
		size_t size_bytes = section->end - section->begin;

		perf_writer_put_u32(writer, RECORD_HEADER_FEATURE);
		perf_writer_put_u16(writer, 0);
		perf_writer_put_u16(writer, (uint16_t)(16 + size_bytes));
		perf_writer_put_u64(writer, section->feature);
		perf_writer_put_bytes(writer, writer->feature_bytes.at + section->begin,
				      size_bytes);
	}
}

static void finish_pipe(struct perf_writer *writer)
{
	put_header(writer, 16);
	writer->attrs_offset = writer->file.count;
	put_event_records(writer);
	writer->features_offset = writer->file.count;
	put_feature_records(writer);
	writer->data_offset = writer->file.count;
	perf_writer_put_bytes(writer, writer->data.at, writer->data.count);
}

static void put_feature_table(struct perf_writer *writer)
{
	size_t at = writer->features_offset + 16 * writer->sections.count;

	for (size_t i = 0; i < writer->sections.count; i++) {
		const struct perf_writer_section *section = &writer->sections.at[i];

		perf_writer_put_u64(writer, at + section->begin);
		perf_writer_put_u64(writer, section->end - section->begin);
	}
	perf_writer_put_bytes(writer, writer->feature_bytes.at, writer->feature_bytes.count);
}

static void place_parts(struct perf_writer *writer)
{
	size_t at = PERF_WRITER_HEADER_BYTES;

	for (uint32_t i = 0; i < writer->event_count; i++) {
		writer->events[i].ids_offset = at;
		at += 8 * (size_t)writer->events[i].id_count;
	}
	writer->attrs_offset = at;
	writer->data_offset = at + writer->event_count * ((size_t)attr_bytes(writer) + 16);
	writer->features_offset = writer->data_offset + writer->data.count;
}

static void finish_file(struct perf_writer *writer)
{
	place_parts(writer);
	put_header(writer, PERF_WRITER_HEADER_BYTES);
	perf_writer_put_u64(writer, attr_bytes(writer) + 16);
	perf_writer_put_u64(writer, writer->attrs_offset);
	perf_writer_put_u64(writer, writer->data_offset - writer->attrs_offset);
	perf_writer_put_u64(writer, writer->data_offset);
	perf_writer_put_u64(writer, writer->data.count);
	perf_writer_put_zeros(writer, 16);
	for (unsigned word = 0; word < 4; word++)
		perf_writer_put_u64(writer, section_bit(writer, word));
	for (uint32_t i = 0; i < writer->event_count; i++)
		for (uint32_t k = 0; k < writer->events[i].id_count; k++)
			perf_writer_put_u64(writer, writer->events[i].ids[k]);
	for (uint32_t i = 0; i < writer->event_count; i++) {
		put_attr(writer, &writer->events[i].attr);
		perf_writer_put_u64(writer, writer->events[i].ids_offset);
		perf_writer_put_u64(writer, 8 * (uint64_t)writer->events[i].id_count);
	}
	perf_writer_put_bytes(writer, writer->data.at, writer->data.count);
	put_feature_table(writer);
}

void perf_writer_finish(struct perf_writer *writer)
{
	writer->file.count = 0;
	writer->out = &writer->file;
	if (writer->is_pipe)
		finish_pipe(writer);
	else
		finish_file(writer);
	writer->out = &writer->data;
}

static void patch(struct perf_writer *writer, size_t offset, uint64_t value, size_t size_bytes)
{
	assert(offset + size_bytes <= writer->file.count);
	store(writer->file.at + offset, value, size_bytes, writer->is_big_endian);
}

void perf_writer_patch_u16(struct perf_writer *writer, size_t offset, uint16_t value)
{
	patch(writer, offset, value, 2);
}

void perf_writer_patch_u32(struct perf_writer *writer, size_t offset, uint32_t value)
{
	patch(writer, offset, value, 4);
}

void perf_writer_patch_u64(struct perf_writer *writer, size_t offset, uint64_t value)
{
	patch(writer, offset, value, 8);
}
