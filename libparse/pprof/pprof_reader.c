/* SPDX-License-Identifier: MIT */
#include "libparse/pprof/pprof_reader.h"

#include "base/arithmetic.h"
#include "base/scan.h"
#include "libparse/pprof/pprof_tables.h"
#include "libparse/pprof/wire.h"
#include "libparse/text.h"

/* Maximum size of a decompressed pprof profile. Profiles of large programs take a few megabytes. */
#define LIMIT_PPROF_BYTES ((uint64_t)1 << 30)

/*
 * Maximum number of frames of all samples, for each byte of a pprof profile. Real profiles have
 * about one frame per byte.
 */
#define LIMIT_PPROF_FRAMES_PER_BYTE 4u
/* Frames that are allowed in any pprof profile, beyond those allowed for its size. */
#define LIMIT_PPROF_FREE_FRAMES (1u << 16)

/* Maximum number of value types in a pprof profile. Heap profiles have four. */
#define LIMIT_PPROF_TYPES 64u

/* The fields of the messages Sample and Label. */
enum {
	SAMPLE_LOCATION = 1,
	SAMPLE_VALUE = 2,
	SAMPLE_LABEL = 3,
	LABEL_KEY = 1,
	LABEL_TEXT = 2,
	LABEL_NUMBER = 3,
};

struct pprof_reader {
	struct pprof_tables tables;
	struct text bytes;
	uint64_t negative_count; /* negative values, as in a difference between profiles */
};

/* The sample that is being read. */
struct pprof_sample {
	VEC(uint32_t) locations; /* indexes; IDMAP_NONE if unknown */
	VEC(uint64_t) values;
	struct text comm;
	uint32_t pid, tid;
	bool has_tid;
};

struct pprof_scan {
	const struct pprof_reader *reader;
	const struct event_sink *sink;
	struct pprof_sample sample;
	VEC(struct text) frames;
	VEC(size_t) frame_ends; /* in names */
	struct sink names;      /* the index of each location, as a text */
	uint64_t sample_count;  /* sample_count of the sample */
	uint64_t frames_left;
};

static struct span message_of(const struct pprof_reader *reader)
{
	return span_of(reader->bytes.at, reader->bytes.length, 0, HOST_IS_BIG_ENDIAN);
}

static bool read_label(const struct pprof_tables *tables, struct span message,
		       struct pprof_sample *sample)
{
	struct text key = { "", 0 };
	struct text text = { "", 0 };
	struct wire_field field;
	uint64_t number = 0;
	bool has_number;

	while (wire_next(&message, &field)) {
		if (field.number == LABEL_KEY)
			key = pprof_tables_string(tables, field.value);
		else if (field.number == LABEL_TEXT)
			text = pprof_tables_string(tables, field.value);
		else if (field.number == LABEL_NUMBER)
			number = field.value;
	}
	/* kiln export writes ids as texts, and Go programs can set only texts. */
	has_number = (!text.length || text_to_u64(text, &number)) && number <= UINT32_MAX;
	if (text_is(key, "comm") || (text_is(key, "thread") && !sample->comm.at))
		sample->comm = text.length ? text : sample->comm;
	else if (has_number && text_is(key, "pid"))
		sample->pid = (uint32_t)number;
	else if (has_number && text_is(key, "tid"))
		sample->tid = (uint32_t)number;
	sample->has_tid |= has_number && (text_is(key, "pid") || text_is(key, "tid"));
	return !span_left(&message);
}

/* Returns false if the sample is corrupt. */
static bool read_sample(const struct pprof_tables *tables, struct span message,
			struct pprof_sample *sample)
{
	struct wire_field field;
	uint64_t number;
	bool good = true;

	sample->locations.count = sample->values.count = 0;
	sample->comm = (struct text){ NULL, 0 };
	sample->pid = sample->tid = 0;
	sample->has_tid = false;
	while (wire_next(&message, &field)) {
		if (field.number == SAMPLE_LABEL) {
			good &= read_label(tables, field.bytes, sample);
			continue;
		}
		while (field.number <= SAMPLE_VALUE && wire_next_number(&field, &number)) {
			if (field.number == SAMPLE_VALUE)
				vec_push(&sample->values, number);
			else
				vec_push(&sample->locations,
					 idmap_find(&tables->location_ids, number));
		}
		good &= field.number > SAMPLE_VALUE || !span_left(&field.bytes);
	}
	return good && !span_left(&message) && sample->values.count == tables->types.count;
}

/*
 * Counts the corrupt samples and negative values before any sample is sent. These samples and
 * values are not sent.
 */
static void check_samples(struct pprof_reader *reader)
{
	struct pprof_sample sample = { .values = { .at = NULL } };
	struct span message = message_of(reader);
	struct wire_field field;

	while (wire_next(&message, &field)) {
		if (field.number != PPROF_SAMPLE)
			continue;
		if (!read_sample(&reader->tables, field.bytes, &sample)) {
			reader->tables.corrupt_count++;
			continue;
		}
		for (size_t i = 0; i < sample.values.count; i++)
			reader->negative_count += sample.values.at[i] > INT64_MAX;
	}
	vec_free(&sample.locations);
	vec_free(&sample.values);
}

static struct text name_of(const struct pprof_type *type)
{
	return type->name.length ? type->name : text_of("[unknown]");
}

static bool pprof_open(struct capture *capture, struct error *err)
{
	struct pprof_reader *reader = memory_zalloc(1, sizeof(*reader));
	size_t left_bytes;

	capture->reader = reader;
	pprof_tables_init(&reader->tables);
	if (!text_load(capture, LIMIT_PPROF_BYTES, "a pprof profile", &reader->bytes, err))
		return false;
	left_bytes = pprof_tables_read(&reader->tables, message_of(reader));
	if (!reader->tables.types.count || !reader->tables.types.at[0].name.length)
		return error_set(err, ERROR_CORRUPT,
				 "is a pprof profile that is truncated or corrupt: its names "
				 "are missing; copy it again");
	if (reader->tables.types.count > LIMIT_PPROF_TYPES)
		return error_set(err, ERROR_LIMIT,
				 "is a pprof profile with more value types than the limit of %u",
				 LIMIT_PPROF_TYPES);
	if (left_bytes) {
		capture->is_partial = true;
		error_set(&capture->damage, ERROR_CORRUPT,
			  "truncated or corrupt at byte %zu: names and samples may be missing",
			  reader->bytes.length - left_bytes);
	}
	check_samples(reader);
	capture->default_event = name_of(&reader->tables.types.at[reader->tables.default_type]);
	vec_push(&capture->slices, (struct slice){ 0, reader->bytes.length, 0 });
	return true;
}

static void pprof_close(struct capture *capture)
{
	struct pprof_reader *reader = capture->reader;

	pprof_tables_deinit(&reader->tables);
	memory_free((char *)reader->bytes.at);
	memory_free(reader);
}

static bool read_state(struct capture *capture, const struct event_sink *sink, struct error *err)
{
	const struct pprof_reader *reader = capture->reader;

	(void)err;
	text_report_loss(sink, LOSS_CORRUPT_RECORDS, reader->tables.corrupt_count, 0);
	text_report_loss(sink, LOSS_NEGATIVE_COUNTS, reader->negative_count, 0);
	return true;
}

/* The text of a frame is the index of its location. */
static bool list_frames(struct pprof_scan *scan)
{
	const struct pprof_tables *tables = &scan->reader->tables;
	size_t begin = 0;

	scan->names.used = 0;
	scan->frames.count = scan->frame_ends.count = 0;
	for (size_t i = 0; i < scan->sample.locations.count; i++) {
		uint32_t location = scan->sample.locations.at[i];
		uint32_t count =
			location == IDMAP_NONE ? 1 : tables->locations.at[location].line_count + 1;

		if (scan->frames_left < count)
			return false;
		scan->frames_left -= count;
		sink_u64(&scan->names, location);
		vec_push(&scan->frame_ends, scan->names.used);
	}
	for (size_t i = 0; i < scan->frame_ends.count; i++) {
		size_t end = scan->frame_ends.at[i];

		vec_push(&scan->frames,
			 (struct text){ scan->names.buffer + begin, (uint32_t)(end - begin) });
		begin = end;
	}
	return true;
}

/*
 * The number of samples that were added up in this sample. If the sample has a positive value with
 * the unit "samples", this value is the number; otherwise, the number is 1. Profiles of several
 * kinds, such as CPU time and allocations, have 0 samples where only another value counts.
 */
static uint64_t sample_count(const struct pprof_scan *scan)
{
	for (size_t i = 0; i < scan->reader->tables.types.count; i++)
		if (scan->reader->tables.types.at[i].unit == UNIT_SAMPLES &&
		    scan->sample.values.at[i] && scan->sample.values.at[i] <= INT64_MAX)
			return scan->sample.values.at[i];
	return 1;
}

static void send_value(const struct pprof_scan *scan, uint32_t type, uint64_t offset)
{
	const struct pprof_type *row = &scan->reader->tables.types.at[type];
	uint64_t value = scan->sample.values.at[type];
	bool is_count = row->unit == UNIT_SAMPLES && type != scan->reader->tables.default_type;
	struct event_text_sample text = {
		.comm = scan->sample.comm.at ? scan->sample.comm
					     : pprof_tables_program(&scan->reader->tables),
		.event = name_of(row),
		.unit = row->unit,
		.sample_count = scan->sample_count,
		.frames = scan->frames.at,
		.frame_count = (uint32_t)scan->frames.count,
	};
	struct event event = { .kind = EVENT_SAMPLE, .offset = offset };

	/*
	 * Numbers of samples become sample_count. Numbers of samples are also weights, if their
	 * type is the default.
	 */
	if (!value || value > INT64_MAX || is_count)
		return;
	event.sample = (struct event_sample){
		.present = SAMPLE_HAS_PERIOD | SAMPLE_HAS_CALLCHAIN,
		.period = saturate_multiply(value, row->factor),
		.text = &text,
	};
	if (scan->sample.has_tid) {
		event.sample.present |= SAMPLE_HAS_TID;
		event.sample.pid = scan->sample.pid;
		event.sample.tid = scan->sample.tid;
	}
	event_send(scan->sink, &event);
}

/* The default type comes first, as that of a profile without names. */
static void send_sample(struct pprof_scan *scan, uint64_t offset)
{
	const struct pprof_tables *tables = &scan->reader->tables;

	scan->sample_count = sample_count(scan);
	send_value(scan, tables->default_type, offset);
	for (uint32_t i = 0; i < tables->types.count; i++)
		if (i != tables->default_type)
			send_value(scan, i, offset);
}

static bool read_samples(const struct capture *capture, struct slice slice,
			 const struct event_sink *sink, struct error *err)
{
	struct pprof_scan scan = { .reader = capture->reader, .sink = sink };
	struct span message = message_of(scan.reader);
	uint64_t offset = slice.begin;
	struct wire_field field;
	bool good = true;

	sink_init_memory(&scan.names);
	scan.frames_left = LIMIT_PPROF_FREE_FRAMES +
			   LIMIT_PPROF_FRAMES_PER_BYTE * (uint64_t)scan.reader->bytes.length;
	good = span_skip(&message, slice.begin);
	while (good && offset < slice.end && wire_next(&message, &field)) {
		if (field.number == PPROF_SAMPLE &&
		    read_sample(&scan.reader->tables, field.bytes, &scan.sample)) {
			good = list_frames(&scan) ||
			       error_set(err, ERROR_LIMIT,
					 "its stacks have more frames than the limit for a file "
					 "of this size");
			if (good)
				send_sample(&scan, offset);
		}
		offset = span_offset(&message);
	}
	sink_deinit(&scan.names);
	vec_free(&scan.frames);
	vec_free(&scan.frame_ends);
	vec_free(&scan.sample.locations);
	vec_free(&scan.sample.values);
	return good;
}

static void read_frame(const void *context, struct text raw, event_frame_callback *callback,
		       void *callback_context)
{
	const struct pprof_reader *reader = context;
	struct event_frame unknown = { .name = { "", 0 }, .module = { "", 0 } };
	uint64_t location;

	if (text_to_u64(raw, &location) && location < reader->tables.locations.count)
		pprof_tables_read_frame(&reader->tables, (uint32_t)location, callback,
					callback_context);
	else
		callback(callback_context, &unknown);
}

/* Whether a message has only varints in fields 1 and 2, like the message of a type. */
static bool is_type(struct span message)
{
	unsigned count = 0;
	struct wire_field field;

	while (wire_next(&message, &field) && field.number <= 2 && field.type == WIRE_VARINT)
		count++;
	return count && !span_left(&message);
}

static bool is_ascii_text(struct span head)
{
	for (const unsigned char *at = head.begin; at < head.end; at++)
		if (*at >= 0x7f || !*at || (*at < ' ' && !strchr("\t\n\r", *at)))
			return false;
	return true;
}

/*
 * The input must begin with fields of profile.proto. Go, gperftools and kiln write the value types
 * near the beginning.
 */
static struct evidence probe(struct span head)
{
	static const enum wire_type types[PPROF_FIELD_LAST + 1] = {
		[PPROF_SAMPLE_TYPE] = WIRE_BYTES, [PPROF_SAMPLE] = WIRE_BYTES,
		[PPROF_MAPPING] = WIRE_BYTES,     [PPROF_LOCATION] = WIRE_BYTES,
		[PPROF_FUNCTION] = WIRE_BYTES,    [PPROF_STRING] = WIRE_BYTES,
		[PPROF_PERIOD_TYPE] = WIRE_BYTES,
	};
	struct span begin = head;
	bool has_type = false;
	unsigned count = 0;
	struct wire_field field;

	for (; wire_next(&head, &field); count++) {
		/* The field `comment` consists of numbers, single or packed. */
		if (field.number > PPROF_FIELD_LAST ||
		    (field.type != types[field.number] && field.number != PPROF_COMMENT))
			return evidence_none();
		if (field.number == PPROF_SAMPLE_TYPE && !is_type(field.bytes))
			return evidence_none();
		has_type |= field.number == PPROF_SAMPLE_TYPE;
	}
	/* Texts can begin with letters that look like fields, but profiles contain small numbers. */
	if (is_ascii_text(begin))
		return evidence_none();
	/* The second field may be a sample that is longer than the head. */
	if (count + (span_left(&head) > 0) < 2 || (!has_type && count < 8))
		return evidence_none();
	return evidence_of(CONFIDENCE_CERTAIN, "begins with %u field%s of profile.proto", count,
			   count == 1 ? "" : "s");
}

const struct input_format pprof_format = {
	.name = "pprof",
	.summary = "pprof profiles (profile.proto), gzipped or not",
	.title = "pprof profile",
	.probe = probe,
	.open = pprof_open,
	.close = pprof_close,
	.read_state = read_state,
	.read_samples = read_samples,
	.read_frame = read_frame,
};
