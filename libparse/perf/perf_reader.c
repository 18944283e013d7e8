/* SPDX-License-Identifier: MIT */
#include "libparse/perf/perf_reader.h"

#include <inttypes.h>

#include "base/memory.h"
#include "libparse/perf/abi.h"
#include "libparse/perf/data_files.h"
#include "libparse/perf/event_names.h"
#include "libparse/perf/off_cpu_samples.h"
#include "libparse/perf/record.h"
#include "libparse/perf/trailing.h"
#include "libparse/tracepoint/print_format.h"

#define IDS_SECTION_BYTES 16
#define EVENT_TYPE_BYTES  72
#define WORD_BYTES        8

static struct evidence probe(struct span head)
{
	return perf_file_probe(head)
		       ? evidence_of(CONFIDENCE_CERTAIN, "begins with the magic bytes of perf.data")
		       : evidence_none();
}

uint32_t perf_reader_find_event(const struct perf_reader *reader, uint64_t id)
{
	if (id == 0 || reader->events.count == 1)
		return reader->events.count ? 0 : PERF_EVENT_NONE;
	return idmap_find(&reader->ids, id);
}

/* The distance of the id word from the end of a trailer. */
static uint8_t trailer_id_distance(const struct sample_plan *plan)
{
	if (plan->trailer_id == WORD_ABSENT)
		return WORD_ABSENT;
	return plan->trailer_words - plan->trailer_id;
}

static uint8_t sample_id_word(const struct sample_plan *plan)
{
	return plan->identifier != WORD_ABSENT ? plan->identifier : plan->id;
}

/*
 * Samples and trailers must have the id at the same position for all attrs, because it is read
 * before the event is known.
 */
static void note_id_words(struct perf_reader *reader, const struct sample_plan *plan)
{
	if (reader->events.count == 0) {
		reader->sample_id_word = sample_id_word(plan);
		reader->trailer_id_word = trailer_id_distance(plan);
		return;
	}
	if (reader->sample_id_word != sample_id_word(plan))
		reader->are_ids_ambiguous = true;
	if (reader->trailer_id_word != trailer_id_distance(plan))
		reader->trailer_id_word = WORD_ABSENT;
}

bool perf_reader_add_event(struct perf_reader *reader, const struct perf_attr *attr,
			   struct span ids, struct error *err)
{
	struct perf_event event = { .attr = *attr };
	uint32_t index = (uint32_t)reader->events.count;
	uint64_t id;

	if (index >= LIMIT_ATTRS)
		return error_set_at(err, ERROR_LIMIT, span_offset(&ids),
				    "the capture has more events than the limit of %u",
				    LIMIT_ATTRS);
	sample_plan_init(&event.plan, attr);
	note_id_words(reader, &event.plan);
	reader->has_readings |= (attr->sample_type & SAMPLE_READ) != 0;
	if (span_left(&ids) >= WORD_BYTES)
		event.first_id = span_load_u64(ids.at, ids.swapped);
	vec_push(&reader->events, event);
	while (span_u64(&ids, &id)) {
		if (reader->ids.rows.count >= LIMIT_EVENT_IDS)
			return error_set_at(err, ERROR_LIMIT, span_offset(&ids),
					    "the capture has more event ids than the limit of %u",
					    LIMIT_EVENT_IDS);
		idmap_add(&reader->ids, id, index);
		reader->events.at[index].id_count++;
	}
	return true;
}

bool perf_reader_load_section(const struct capture *capture, struct perf_section section,
			      uint64_t cap_bytes, unsigned char **memory_ret, struct span *ret,
			      struct error *err)
{
	struct perf_reader *reader = capture->reader;
	uint64_t file_bytes = capture->input.size_bytes;
	size_t got;

	*memory_ret = NULL;
	if (section.offset > file_bytes || section.size_bytes > file_bytes - section.offset)
		return error_set_at(err, ERROR_CORRUPT, section.offset,
				    "a section of %" PRIu64 " bytes extends beyond the end of the "
				    "file",
				    section.size_bytes);
	if (section.offset + section.size_bytes > reader->sections_end)
		reader->sections_end = section.offset + section.size_bytes;
	if (section.size_bytes > cap_bytes)
		return error_set_at(err, ERROR_LIMIT, section.offset,
				    "a section has %" PRIu64 " bytes; the limit is %" PRIu64,
				    section.size_bytes, cap_bytes);
	*memory_ret = memory_alloc((size_t)section.size_bytes, 1);
	if (!input_read(&capture->input, section.offset, *memory_ret, (size_t)section.size_bytes,
			&got, err)) {
		memory_free(*memory_ret);
		*memory_ret = NULL;
		return false;
	}
	*ret = span_of(*memory_ret, got, section.offset, reader->file.swapped);
	return true;
}

/* Reads an entry of the attr section: the attr, and the section with its ids. */
static bool read_attr_entry(struct capture *capture, struct span entry, struct error *err)
{
	struct perf_reader *reader = capture->reader;
	struct perf_section section;
	struct perf_attr attr;
	struct span attr_bytes;
	struct span ids;
	unsigned char *memory;
	bool good;

	if (!span_sub(&entry, span_left(&entry) - IDS_SECTION_BYTES, &attr_bytes) ||
	    !perf_attr_read(attr_bytes, &attr, err) || !span_u64(&entry, &section.offset) ||
	    !span_u64(&entry, &section.size_bytes))
		return false;
	if (!perf_reader_load_section(capture, section, (uint64_t)LIMIT_EVENT_IDS * WORD_BYTES,
				      &memory, &ids, err))
		return error_prefix(err, "the ids of event %zu", reader->events.count);
	good = perf_reader_add_event(reader, &attr, ids, err);
	memory_free(memory);
	return good;
}

static bool read_attrs(struct capture *capture, struct error *err)
{
	struct perf_reader *reader = capture->reader;
	uint64_t entry_bytes = reader->file.attr_entry_bytes;
	unsigned char *memory;
	struct span attrs;
	struct span entry;
	bool good = true;

	if (!perf_reader_load_section(capture, reader->file.attrs, entry_bytes * LIMIT_ATTRS,
				      &memory, &attrs, err))
		return error_prefix(err, "event descriptions");
	while (good && span_sub(&attrs, entry_bytes, &entry))
		good = read_attr_entry(capture, entry, err);
	memory_free(memory);
	idmap_sort(&reader->ids);
	return good;
}

/*
 * The table of feature sections follows the data. The rows of the table are in the order of the set
 * bits.
 */
static void read_features(struct capture *capture, const struct event_sink *sink)
{
	struct perf_reader *reader = capture->reader;
	uint64_t at = reader->file.data.offset + reader->file.data.size_bytes;
	struct error err;

	/*
	 * Recording was killed, or the file is truncated, so feature bits are set, but their
	 * sections were not written.
	 */
	if (!reader->file.has_data_size || reader->file.is_cut)
		return;
	for (unsigned feature = 0; feature < PERF_FEATURE_BITS; feature++) {
		struct perf_section where = { at, 2 * WORD_BYTES };
		unsigned char *memory;
		struct span bytes;

		if (!perf_file_has_feature(&reader->file, feature))
			continue;
		if (!perf_reader_load_section(capture, where, where.size_bytes, &memory, &bytes,
					      &err)) {
			reader->are_features_cut = true;
			return;
		}
		at += where.size_bytes;
		if (!span_u64(&bytes, &where.offset) || !span_u64(&bytes, &where.size_bytes))
			where = (struct perf_section){ 0 };
		memory_free(memory);
		if (perf_reader_load_section(capture, where, LIMIT_FEATURE_BYTES, &memory, &bytes,
					     &err)) {
			perf_features_read(&reader->features, feature, bytes, sink);
		} else {
			perf_features_note_damage(&reader->features, feature);
			reader->are_features_cut |= err.code == ERROR_CORRUPT;
		}
		memory_free(memory);
	}
}

bool perf_reader_add_event_type(struct perf_reader *reader, struct span row)
{
	uint32_t index = (uint32_t)reader->event_types.count;
	struct perf_event_type type;
	struct text name;

	if (!span_u64(&row, &type.config) || !span_cstring(&row, &name))
		return false;
	/* There is one row for each event, so rows beyond LIMIT_ATTRS are ignored. */
	if (index >= LIMIT_ATTRS)
		return true;
	type.name = (struct text){ arena_text(&reader->arena, name.at, name.length), name.length };
	vec_push(&reader->event_types, type);
	idmap_add(&reader->event_types_by_config, type.config, index);
	return true;
}

/* Reads the rows of (config, name). */
static void read_event_types(struct capture *capture)
{
	struct perf_reader *reader = capture->reader;
	struct error ignored;
	unsigned char *memory;
	struct span rows;
	struct span row;

	if (!reader->file.event_types.size_bytes ||
	    !perf_reader_load_section(capture, reader->file.event_types, LIMIT_FEATURE_BYTES,
				      &memory, &rows, &ignored))
		return;
	/* If a row is corrupt, only its event lacks the name. */
	while (span_sub(&rows, EVENT_TYPE_BYTES, &row))
		(void)perf_reader_add_event_type(reader, row);
	memory_free(memory);
}

static void send_format(const struct perf_reader *reader, const struct event_sink *sink)
{
	struct event event = { .kind = EVENT_FACT };

	event.fact.name = FACT_FORMAT;
	event.fact.value = text_of(reader->features.is_stat    ? "perf.data, counters of perf stat"
				   : reader->file.is_pipe      ? "perf.data, piped"
				   : reader->streams.count > 1 ? "perf.data, a directory"
							       : "perf.data");
	event_send(sink, &event);
	event.fact.name = FACT_BYTE_ORDER;
	event.fact.value = text_of(reader->file.is_big_endian ? "big-endian" : "little-endian");
	event_send(sink, &event);
}

/*
 * Old perf wrote the names in the order of the events. If an event was opened once for each CPU,
 * there are more events than names or more names than events, and names are assigned by config.
 * Config is unique among events of one type. Hardware, software and cache events are left out,
 * because they have built-in names, and can have the same config as other events.
 */
static struct text event_type_name(const struct perf_reader *reader, uint32_t index)
{
	const struct perf_attr *attr = &reader->events.at[index].attr;
	uint32_t row = index;

	if (row >= reader->event_types.count || reader->event_types.at[row].config != attr->config)
		row = attr->type == TYPE_TRACEPOINT || attr->type >= TYPE_RAW
			      ? idmap_find(&reader->event_types_by_config, attr->config)
			      : IDMAP_NONE;
	return row == IDMAP_NONE ? (struct text){ 0 } : reader->event_types.at[row].name;
}

static struct text name_event(struct perf_reader *reader, uint32_t index)
{
	const struct perf_event *row = &reader->events.at[index];
	struct span ids = span_of(&row->first_id, row->first_id ? WORD_BYTES : 0, 0, false);
	struct text name = perf_features_event_name(&reader->features, index, &row->attr, ids);

	if (!name.length)
		name = row->name;
	if (!name.length)
		name = event_type_name(reader, index);
	return name.length ? name : perf_event_name(&row->attr, &reader->features, &reader->arena);
}

/*
 * Sends the attrs. Must be called after the features have been read, because they may contain event
 * names.
 */
static void send_attrs(struct perf_reader *reader, const struct event_sink *sink)
{
	idmap_sort(&reader->event_types_by_config);
	for (uint32_t i = 0; i < reader->events.count; i++) {
		struct perf_event *row = &reader->events.at[i];
		const struct perf_attr *attr = &row->attr;
		struct event event = { .kind = EVENT_ATTR };

		row->name = name_event(reader, i);
		row->is_off_cpu = off_cpu_samples_is_event(attr, row->name);
		if (attr->type == TYPE_TRACEPOINT)
			row->tracepoint = perf_tracepoints_read_format(
				&reader->features.tracepoints, attr->config);
		event.attr = (struct event_attr){
			.index = i,
			.name = row->name,
			.unit = perf_event_unit(attr, row->name),
			.sample_type = attr->sample_type,
			.sample_period = attr->sample_period,
			.is_frequency = attr->flags & ATTR_FLAG_FREQ,
			.excludes_user = attr->flags & ATTR_FLAG_EXCLUDE_USER,
			.excludes_kernel = attr->flags & ATTR_FLAG_EXCLUDE_KERNEL,
			.has_callchain = attr->sample_type & SAMPLE_CALLCHAIN ||
					 (row->is_off_cpu && off_cpu_samples_are_raw(attr)),
			.has_branches = attr->sample_type & SAMPLE_BRANCH_STACK,
			.has_branch_calls = attr->branch_sample_type & BRANCH_SAMPLE_CALL_STACK &&
					    attr->sample_type & SAMPLE_BRANCH_STACK,
			.is_dummy = perf_event_is_dummy(attr),
			.has_comm_exec = attr->flags & ATTR_FLAG_COMM_EXEC,
			.is_monotonic = attr->flags & ATTR_FLAG_USE_CLOCKID &&
					attr->clockid == CLOCK_ID_MONOTONIC,
			.is_wall_clock = attr->flags & ATTR_FLAG_USE_CLOCKID &&
					 attr->clockid == CLOCK_ID_REALTIME,
			.user_register_mask = attr->sample_regs_user,
			.id_count = row->id_count,
			.fields = row->tracepoint ? row->tracepoint->format.fields : NULL,
			.field_count = row->tracepoint ? row->tracepoint->format.field_count : 0,
			.print_format =
				row->tracepoint ? row->tracepoint->format.print : text_of(""),
		};
		event_send(sink, &event);
	}
}

/*
 * Prepares to send samples in the first pass. Readings depend on earlier samples, so they are left
 * to the second pass. The names found so far are not kept, because records may contain better ones.
 */
static bool begin_early(struct capture *capture)
{
	struct early_samples *early = capture->early;
	struct perf_reader *reader = capture->reader;
	struct text *names;

	if (!early || reader->file.is_pipe || reader->has_readings || !reader->events.count)
		return false;
	names = memory_alloc(reader->events.count, sizeof(*names));
	for (size_t i = 0; i < reader->events.count; i++)
		names[i] = reader->events.at[i].name;
	send_attrs(reader, &early->attrs);
	for (size_t i = 0; i < reader->events.count; i++)
		reader->events.at[i].name = names[i];
	memory_free(names);
	for (size_t i = 0; i < reader->streams.count; i++)
		early->record_bytes += reader->streams.at[i].end - reader->streams.at[i].begin;
	return early->begin(early->attrs.context);
}

/* Reports that data announced in the header is missing, unless there is a more specific error. */
static void note_what_is_cut(struct capture *capture)
{
	const struct perf_reader *reader = capture->reader;
	struct error *damage = &capture->damage;

	if (capture->is_partial)
		return;
	capture->is_partial = true;
	if (reader->file.is_cut)
		error_set_at(damage, ERROR_CORRUPT, capture->input.size_bytes,
			     "the file is shorter than its header states; copy it again");
	else if (!reader->file.is_pipe && !reader->file.has_data_size)
		error_set(damage, ERROR_CORRUPT,
			  "recording was interrupted; the capture was read up to the last complete "
			  "record");
	else if (reader->are_features_cut)
		error_set(damage, ERROR_CORRUPT,
			  "the feature sections after the records are truncated");
	else
		capture->is_partial = false;
}

/* All events of a capture have the same clock. */
static void note_clock(struct perf_reader *reader)
{
	const struct perf_attr *attr = &reader->events.at[0].attr;

	if (attr->sample_type & SAMPLE_TIME)
		perf_features_note_clock(&reader->features, attr->flags & ATTR_FLAG_USE_CLOCKID,
					 (uint32_t)attr->clockid);
}

static bool read_state(struct capture *capture, const struct event_sink *sink, struct error *err)
{
	struct perf_reader *reader = capture->reader;

	read_features(capture, sink);
	read_event_types(capture);
	data_files_attach(capture);
	reader->sends_early = begin_early(capture);
	if (!state_pass_run(capture, sink, err))
		return false;
	send_format(reader, sink);
	if (!reader->events.count)
		return error_set(err, ERROR_CORRUPT, "the capture describes no events");
	send_attrs(reader, sink);
	note_clock(reader);
	perf_features_finish(&reader->features, sink);
	record_counts_send(reader->counts, sink);
	capture->sample_first_ns = reader->features.sample_first_ns;
	capture->sample_last_ns = reader->features.sample_last_ns;
	capture->has_only_counters = reader->features.is_stat;
	note_what_is_cut(capture);
	trailing_check(capture, sink);
	return data_files_check(capture, err);
}

size_t perf_reader_sample_id_at(const struct perf_reader *reader, uint32_t *event_ret)
{
	bool is_ambiguous = reader->events.count > 1 && reader->are_ids_ambiguous;
	bool has_id = reader->events.count > 1 && reader->sample_id_word != WORD_ABSENT;

	*event_ret = is_ambiguous || !reader->events.count ? PERF_EVENT_NONE : 0;
	return is_ambiguous || !has_id ? SIZE_MAX : (size_t)reader->sample_id_word * WORD_BYTES;
}

uint32_t perf_reader_event_of_sample(const struct perf_reader *reader, const struct span *payload)
{
	uint32_t event;
	size_t at = perf_reader_sample_id_at(reader, &event);

	if (at == SIZE_MAX)
		return event;
	if (span_left(payload) < at + WORD_BYTES)
		return PERF_EVENT_NONE;
	return perf_reader_find_event(reader, span_load_u64(payload->at + at, payload->swapped));
}

static void write_trace(const struct capture *capture, const struct event_sample *sample,
			const struct function_names *functions, struct sink *sink)
{
	const struct perf_reader *reader = capture->reader;
	const struct perf_tracepoint *tracepoint = reader->events.at[sample->attr].tracepoint;

	if (sample->present & SAMPLE_HAS_RAW && tracepoint && tracepoint->format.field_count)
		print_format_write(&tracepoint->print, &tracepoint->format, sample->raw, functions,
				   sink);
}

static void close_reader(struct capture *capture)
{
	struct perf_reader *reader = capture->reader;

	record_counts_destroy(reader->counts);
	compressed_records_destroy(reader->compressed);
	readings_deinit(&reader->readings);
	perf_features_deinit(&reader->features);
	vec_free(&reader->events);
	vec_free(&reader->streams);
	idmap_deinit(&reader->ids);
	vec_free(&reader->event_types);
	idmap_deinit(&reader->event_types_by_config);
	arena_deinit(&reader->arena);
	memory_free(reader);
}

static bool open_reader(struct capture *capture, struct error *err)
{
	struct perf_reader *reader = memory_zalloc(1, sizeof(*reader));

	capture->reader = reader;
	reader->counts = record_counts_create();
	readings_init(&reader->readings);
	arena_init(&reader->arena);
	idmap_init(&reader->ids);
	idmap_init(&reader->event_types_by_config);
	perf_features_init(&reader->features);
	if (!perf_file_read(&capture->input, &reader->file, err))
		return false;
	return reader->file.is_pipe || read_attrs(capture, err);
}

const struct input_format perf_format = {
	.name = "perf",
	.summary = "perf.data, written by perf record",
	.probe = probe,
	.open = open_reader,
	.close = close_reader,
	.read_state = read_state,
	.read_samples = sample_pass_run,
	.write_trace = write_trace,
};
