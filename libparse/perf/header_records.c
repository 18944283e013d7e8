/* SPDX-License-Identifier: MIT */
#include "libparse/perf/perf_reader.h"

#include "base/memory.h"
#include "libparse/perf/abi.h"
#include "libparse/perf/build_ids.h"
#include "libparse/perf/record.h"

#define ATTR_BYTES_MIN   64
#define ATTR_SIZE_OFFSET 4

/* The attr contains its own size. The rest of the record consists of the ids of the attr. */
static bool read_attr(struct perf_reader *reader, struct span payload, struct error *err)
{
	struct span bytes = payload;
	struct perf_attr attr;
	uint32_t size_bytes = ATTR_BYTES_MIN;

	if (span_left(&payload) >= ATTR_BYTES_MIN)
		size_bytes = span_load_u32(payload.at + ATTR_SIZE_OFFSET, payload.swapped);
	if (size_bytes == 0)
		size_bytes = ATTR_BYTES_MIN;
	if (!span_sub(&payload, size_bytes, &bytes) || !perf_attr_read(bytes, &attr, err))
		return error_set_at(err, ERROR_CORRUPT, span_offset(&payload),
				    "an event description of %u bytes does not fit into its record",
				    size_bytes);
	return perf_reader_add_event(reader, &attr, payload, err);
}

static bool read_event_update(struct perf_reader *reader, struct span payload)
{
	struct text name;
	uint64_t type;
	uint64_t id;
	uint32_t event;

	if (!span_u64(&payload, &type) || !span_u64(&payload, &id))
		return false;
	if (type != EVENT_UPDATE_NAME)
		return true;
	reader->sends_early = false;
	if (!span_cstring(&payload, &name))
		return false;
	event = perf_reader_find_event(reader, id);
	if (event != PERF_EVENT_NONE)
		reader->events.at[event].name = (struct text){
			arena_text(&reader->arena, name.at, name.length),
			name.length,
		};
	return true;
}

static bool read_feature(struct perf_reader *reader, struct span payload,
			 const struct event_sink *sink)
{
	uint64_t feature;

	if (!span_u64(&payload, &feature))
		return false;
	perf_features_read(&reader->features, feature, payload, sink);
	return true;
}

/* The formats follow the record, and its size does not include them. */
static bool read_tracing_data(struct capture *capture, const struct record *record,
			      const struct event_sink *sink, struct error *err)
{
	struct perf_reader *reader = capture->reader;
	struct span payload = record_payload(record, reader->file.swapped);
	struct perf_section section = { .offset = record->offset + record->size };
	unsigned char *memory;
	struct span bytes;
	uint32_t size_bytes;

	if (!span_u32(&payload, &size_bytes))
		return true;
	section.size_bytes = size_bytes;
	if (!perf_reader_load_section(capture, section, LIMIT_FEATURE_BYTES, &memory, &bytes, err))
		return err->code != ERROR_IO && err->code != ERROR_RESOURCE;
	perf_features_read(&reader->features, FEATURE_TRACING_DATA, bytes, sink);
	memory_free(memory);
	return true;
}

static bool read_build_id(const struct record *record, struct span payload,
			  const struct event_sink *sink)
{
	struct event event = { .kind = EVENT_BUILD_ID, .offset = record->offset };

	if (!perf_build_id_read(record->misc, payload, &event.build_id))
		return false;
	event_send(sink, &event);
	return true;
}

/*
 * Whether attrs, and the fields and names of their events, may differ after a record of this type.
 * Records of type EVENT_UPDATE do not always change them.
 */
static bool changes_attrs(uint32_t type)
{
	return type == RECORD_HEADER_TRACING_DATA || type == RECORD_HEADER_EVENT_TYPE ||
	       type == RECORD_HEADER_FEATURE;
}

bool header_record_read(struct capture *capture, const struct record *record,
			const struct event_sink *sink, struct error *err)
{
	struct perf_reader *reader = capture->reader;
	struct span payload = record_payload(record, reader->file.swapped);
	bool good = true;

	reader->sends_early &= !changes_attrs(record->type);
	switch (record->type) {
	case RECORD_HEADER_ATTR:
		/* A file's attrs are in its header; perf inject repeats them as records. */
		return !reader->file.is_pipe || record->offset < reader->early_attrs_end ||
		       read_attr(reader, payload, err);
	case RECORD_HEADER_TRACING_DATA:
		return read_tracing_data(capture, record, sink, err);
	case RECORD_HEADER_EVENT_TYPE:
		good = perf_reader_add_event_type(reader, payload);
		break;
	case RECORD_EVENT_UPDATE:
		good = read_event_update(reader, payload);
		break;
	case RECORD_HEADER_FEATURE:
		good = read_feature(reader, payload, sink);
		break;
	case RECORD_HEADER_BUILD_ID:
		good = read_build_id(record, payload, sink);
		break;
	default:
		break;
	}
	if (!good)
		record_send_loss(sink, record->offset, LOSS_CORRUPT_RECORDS, 1);
	return true;
}
