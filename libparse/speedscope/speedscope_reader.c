/* SPDX-License-Identifier: MIT */
/*
 * The input format: the samples in a speedscope file. The file contains the weight of each sample.
 * The weight of a stack between two events is the distance between these events.
 *
 *     events    O main at 0 -- O read at 2 -- C read at 7 -- C main at 8
 *     stacks        main 2       main;read 5      main 1
 */
#include "libparse/speedscope/speedscope_reader.h"

#include "base/json_reader.h"
#include "base/memory.h"
#include "libparse/speedscope/speedscope_file.h"
#include "libparse/text.h"

/*
 * Maximum size of a speedscope file. A day of samples of one thread at 100 Hz takes about 500 MB.
 */
#define LIMIT_SPEEDSCOPE_BYTES ((uint64_t)1 << 30)

/*
 * Maximum number of frames of all stacks between events, for each byte of a speedscope file. An
 * event takes about 40 bytes, and most stacks have fewer than 100 frames.
 */
#define LIMIT_SPEEDSCOPE_FRAMES_PER_BYTE 64u
/* Frames that are allowed in any speedscope file, beyond those allowed for its size. */
#define LIMIT_SPEEDSCOPE_FREE_FRAMES (1u << 16)

/* The number of decimals that are kept for weights without a unit, if any of them has decimals. */
#define PLAIN_DECIMALS 6

struct speedscope_reader {
	struct speedscope_file file;
	uint64_t sample_count;
	uint64_t corrupt_count, negative_count, rounded_count;
};

struct speedscope_scan {
	const struct speedscope_file *file;
	const struct speedscope_profile *profile; /* the current profile */
	const struct event_sink *sink;            /* if NULL, samples are only counted */
	str_id comm;
	size_t next_comm;        /* index of the next name in the list of comms */
	VEC(struct text) frames; /* the current stack: numbers of frames, the outermost first */
	uint32_t shared_count;   /* frames shared with the last stack that was sent */
	uint64_t frames_left;
	uint64_t sample_count;
	uint64_t corrupt_count, negative_count, rounded_count;
	bool has_plain_fractions; /* weights without a unit have more decimals than are kept */
	const char *failed_at; /* where the text is truncated or corrupt; NULL if it is complete */
};

/* time_ns: when the sample begins; negative if unknown. */
static void send(struct speedscope_scan *scan, uint64_t weight, int64_t time_ns)
{
	const struct speedscope_profile *profile = scan->profile;
	const struct strings *strings = &scan->file->strings;
	struct event_text_sample text = {
		.comm = strings_get(strings, scan->comm),
		.event = strings_get(strings, profile->event),
		.unit = profile->unit,
		.sample_count = profile->unit == UNIT_SAMPLES ? weight : 1,
		.frames = scan->frames.at,
		.frame_count = (uint32_t)scan->frames.count,
		.is_outermost_first = true,
		.shared_count = scan->shared_count,
	};
	struct event event = {
		.kind = EVENT_SAMPLE,
		.has_time = time_ns >= 0,
		.time_ns = time_ns >= 0 ? (uint64_t)time_ns : 0,
	};

	event.sample = (struct event_sample){
		.pid = profile->pid,
		.tid = profile->tid,
		.present = SAMPLE_HAS_PERIOD | SAMPLE_HAS_CALLCHAIN |
			   (profile->has_tid ? SAMPLE_HAS_TID : 0),
		.period = weight,
		.text = &text,
	};
	scan->sample_count++;
	if (scan->sink)
		event_send(scan->sink, &event);
	scan->shared_count = (uint32_t)scan->frames.count;
}

static void limit_shared(struct speedscope_scan *scan, size_t count)
{
	if (scan->shared_count > count)
		scan->shared_count = (uint32_t)count;
}

/*
 * Reads a list of frames. Sets the number of outermost frames that the stack shares with the
 * current stack.
 */
static bool read_stack(struct speedscope_scan *scan, struct json_reader *json)
{
	size_t known = scan->frames.count;
	bool is_shared = true;
	struct text frame;

	if (!json_read_open(json, '['))
		return false;
	scan->frames.count = 0;
	while (json_read_next(json, ']') && json_read_plain(json, &frame)) {
		size_t count = scan->frames.count;

		if (is_shared && (count == known || !text_equal(scan->frames.at[count], frame))) {
			is_shared = false;
			limit_shared(scan, count);
		}
		vec_push(&scan->frames, frame);
	}
	limit_shared(scan, scan->frames.count);
	return !json->has_failed;
}

/* Nanoseconds are precise enough for all times. */
static void note_rounding(struct speedscope_scan *scan, bool is_rounded)
{
	is_rounded &= scan->profile->unit != UNIT_NANOSECONDS;
	scan->rounded_count += is_rounded;
	scan->has_plain_fractions |= is_rounded && !scan->profile->has_unit;
}

static void take_weight(struct speedscope_scan *scan, const struct scanned_number *weight)
{
	note_rounding(scan, weight->is_rounded);
	scan->negative_count += weight->value < 0;
	if (weight->value > 0)
		send(scan, (uint64_t)weight->value, -1);
}

/* Sets the name that the thread had at a sample. */
static void set_comm(struct speedscope_scan *scan, uint64_t index)
{
	const struct speedscope_comm *comms = scan->file->comms.at;
	size_t end = scan->profile->comm_begin + scan->profile->comm_count;

	for (; scan->next_comm < end && comms[scan->next_comm].first <= index; scan->next_comm++)
		scan->comm = comms[scan->next_comm].comm;
}

/* Reads a number. A number that is too large counts as corrupt, and *ret is 0. */
static bool read_number(struct speedscope_scan *scan, struct json_reader *json,
			struct scanned_number *ret)
{
	struct text number;

	*ret = (struct scanned_number){ .value = 0 };
	if (!json_read_number(json, &number))
		return false;
	if (!scan_number(&number, scan->profile->decimals, ret) || number.length) {
		*ret = (struct scanned_number){ .value = 0 };
		scan->corrupt_count++;
	}
	return true;
}

static void scan_samples(struct speedscope_scan *scan)
{
	struct json_reader samples = json_reader_of(scan->profile->samples);
	struct json_reader weights = json_reader_of(scan->profile->weights);
	struct scanned_number weight;
	bool has_weights = scan->profile->weights.at && json_read_open(&weights, '[');

	json_read_open(&samples, '[');
	for (uint64_t i = 0; json_read_next(&samples, ']'); i++) {
		if (!read_stack(scan, &samples))
			break;
		set_comm(scan, i);
		has_weights = has_weights && json_read_next(&weights, ']');
		if (!has_weights)
			scan->corrupt_count++;
		else if (read_number(scan, &weights, &weight))
			take_weight(scan, &weight);
	}
	while (has_weights && json_read_next(&weights, ']') && json_read_skip(&weights))
		scan->corrupt_count++;
	if (!scan->failed_at)
		scan->failed_at = samples.failed_at ? samples.failed_at : weights.failed_at;
}

/* An event, which opens or closes a frame. */
struct speedscope_event {
	bool is_open, is_close;
	struct text frame;
	struct scanned_number at;
};

static bool read_event(const struct speedscope_scan *scan, struct json_reader *json,
		       struct speedscope_event *ret)
{
	struct text name;
	struct text type = { "", 0 };

	*ret = (struct speedscope_event){ .frame = { "", 0 } };
	if (!json_read_open(json, '{'))
		return false;
	while (json_read_next(json, '}') && json_read_name(json, &name)) {
		if (text_is(name, "type"))
			json_read_plain(json, &type);
		else if (text_is(name, "frame"))
			json_read_plain(json, &ret->frame);
		else if (text_is(name, "at"))
			json_read_fixed(json, scan->profile->decimals, &ret->at);
		else
			json_read_skip(json);
	}
	ret->is_open = text_is(type, "O");
	ret->is_close = text_is(type, "C");
	return !json->has_failed;
}

static void take_event(struct speedscope_scan *scan, const struct speedscope_event *event)
{
	size_t depth = scan->frames.count;

	if (event->is_open) {
		vec_push(&scan->frames, event->frame);
	} else if (event->is_close && depth &&
		   text_equal(scan->frames.at[depth - 1], event->frame)) {
		scan->frames.count--;
		limit_shared(scan, depth - 1);
	} else {
		scan->corrupt_count++;
	}
}

/* A stack lasts until the next event. Returns false if there are too many frames. */
static bool scan_events(struct speedscope_scan *scan)
{
	struct json_reader json = json_reader_of(scan->profile->events);
	bool is_time = scan->profile->unit == UNIT_NANOSECONDS;
	struct speedscope_event event;
	int64_t last = INT64_MIN;

	json_read_open(&json, '[');
	while (json_read_next(&json, ']')) {
		if (!read_event(scan, &json, &event))
			break;
		note_rounding(scan, event.at.is_rounded);
		if (event.at.value < last) {
			scan->corrupt_count++;
			continue;
		}
		if (event.at.value > last && scan->frames.count) {
			if (scan->frames_left < scan->frames.count)
				return false;
			scan->frames_left -= scan->frames.count;
			send(scan, (uint64_t)event.at.value - (uint64_t)last, is_time ? last : -1);
		}
		last = event.at.value;
		take_event(scan, &event);
	}
	if (json.failed_at)
		scan->failed_at = scan->failed_at ? scan->failed_at : json.failed_at;
	else
		scan->corrupt_count += scan->frames.count;
	return true;
}

static bool scan_profile(struct speedscope_scan *scan, const struct speedscope_profile *profile)
{
	scan->profile = profile;
	scan->comm = profile->comm.i ? profile->comm : scan->file->name;
	scan->next_comm = profile->comm_begin;
	scan->frames.count = scan->shared_count = 0;
	if (profile->events.at)
		return scan_events(scan);
	scan_samples(scan);
	return true;
}

/* Visits the samples of all profiles. kiln shows the first event, so the active profile is first. */
static bool scan_profiles(struct speedscope_scan *scan, struct error *err)
{
	const struct speedscope_file *file = scan->file;
	bool good = true;

	scan->frames_left = LIMIT_SPEEDSCOPE_FREE_FRAMES +
			    LIMIT_SPEEDSCOPE_FRAMES_PER_BYTE * (uint64_t)file->text.length;
	if (file->active < file->profiles.count)
		good = scan_profile(scan, &file->profiles.at[file->active]);
	for (size_t i = 0; good && i < file->profiles.count; i++)
		if (i != file->active)
			good = scan_profile(scan, &file->profiles.at[i]);
	vec_free(&scan->frames);
	return good || error_set(err, ERROR_LIMIT,
				 "its stacks have more frames than the limit for a file of this "
				 "size");
}

/* Counts the samples and the losses. Sets *failed_at if an array is truncated or corrupt. */
static bool check_samples(struct speedscope_reader *reader, const char **failed_at,
			  struct error *err)
{
	struct speedscope_scan scan = { .file = &reader->file };

	if (!scan_profiles(&scan, err))
		return false;
	if (scan.has_plain_fractions) {
		for (size_t i = 0; i < reader->file.profiles.count; i++) {
			if (reader->file.profiles.at[i].has_unit)
				continue;
			reader->file.profiles.at[i].unit = UNIT_MILLIONTHS;
			reader->file.profiles.at[i].decimals = PLAIN_DECIMALS;
		}
		scan = (struct speedscope_scan){ .file = &reader->file };
		if (!scan_profiles(&scan, err))
			return false;
	}
	reader->sample_count = scan.sample_count;
	reader->corrupt_count = reader->file.corrupt_count + scan.corrupt_count;
	reader->negative_count = scan.negative_count;
	reader->rounded_count = scan.rounded_count;
	if (!*failed_at)
		*failed_at = scan.failed_at;
	return true;
}

/* ---- The format ---- */

static bool speedscope_open(struct capture *capture, struct error *err)
{
	struct speedscope_reader *reader = memory_zalloc(1, sizeof(*reader));
	const char *failed_at = NULL;

	capture->reader = reader;
	speedscope_file_init(&reader->file);
	if (!text_load(capture, LIMIT_SPEEDSCOPE_BYTES, "a speedscope file", &reader->file.text,
		       err) ||
	    !speedscope_file_read(&reader->file, &failed_at, err) ||
	    !check_samples(reader, &failed_at, err))
		return false;
	vec_push(&capture->slices, (struct slice){ 0, reader->file.text.length, 0 });
	if (!reader->file.profiles.count && !failed_at)
		return error_set(err, ERROR_FORMAT,
				 "is a speedscope file without samples or events");
	if (!failed_at)
		return true;
	capture->is_partial = true;
	error_set(&capture->damage, ERROR_CORRUPT,
		  "truncated or corrupt at byte %zu: samples are missing",
		  (size_t)(failed_at - reader->file.text.at));
	return (reader->file.frames.count && reader->sample_count) ||
	       error_set(err, ERROR_CORRUPT,
			 "is a speedscope file that is truncated or corrupt at byte %zu, before "
			 "its %s; copy it again",
			 (size_t)(failed_at - reader->file.text.at),
			 reader->file.frames.count ? "first weights" : "names");
}

static void speedscope_close(struct capture *capture)
{
	struct speedscope_reader *reader = capture->reader;

	speedscope_file_deinit(&reader->file);
	memory_free((char *)reader->file.text.at);
	memory_free(reader);
}

static bool read_state(struct capture *capture, const struct event_sink *sink, struct error *err)
{
	const struct speedscope_reader *reader = capture->reader;

	(void)err;
	text_report_loss(sink, LOSS_CORRUPT_RECORDS, reader->corrupt_count, 0);
	text_report_loss(sink, LOSS_NEGATIVE_COUNTS, reader->negative_count, 0);
	text_report_loss(sink, LOSS_ROUNDED_COUNTS, reader->rounded_count, 0);
	return true;
}

static bool read_samples(const struct capture *capture, struct slice slice,
			 const struct event_sink *sink, struct error *err)
{
	const struct speedscope_reader *reader = capture->reader;
	struct speedscope_scan scan = { .file = &reader->file, .sink = sink };

	(void)slice;
	return scan_profiles(&scan, err);
}

/* The text of a frame is its number. */
static void read_frame(const void *context, struct text raw, event_frame_callback *callback,
		       void *callback_context)
{
	const struct speedscope_reader *reader = context;
	struct event_frame frame = { .name = { "", 0 }, .module = { "", 0 } };
	uint64_t number;

	if (text_to_u64(raw, &number) && number < reader->file.frames.count) {
		const struct speedscope_frame *row = &reader->file.frames.at[number];

		frame.name = strings_get(&reader->file.strings, row->name);
		frame.module = strings_get(&reader->file.strings, row->file);
		frame.is_exact = frame.name.length > 0;
	}
	callback(callback_context, &frame);
}

static bool is_type(struct text value)
{
	return text_is(value, "sampled") || text_is(value, "evented");
}

/* Whether the first profile has a type that only this format has. */
static bool has_type(struct json_reader *json)
{
	struct text name, value;

	if (!json_read_open(json, '[') || !json_read_next(json, ']') || !json_read_open(json, '{'))
		return false;
	while (json_read_next(json, '}') && json_read_name(json, &name)) {
		if (!text_is(name, "type") || !json_read_begins(json, '"'))
			json_read_skip(json);
		else if (json_read_plain(json, &value))
			return is_type(value);
	}
	return false;
}

static bool has_frames(struct json_reader *json)
{
	struct text name;

	return json_read_open(json, '{') && json_read_next(json, '}') &&
	       json_read_name(json, &name) && text_is(name, "frames") &&
	       json_read_begins(json, '[');
}

/*
 * Large members may come before $schema, so the beginnings of "profiles" and "shared" also identify
 * the format.
 */
static struct evidence probe(struct span head)
{
	struct json_reader json =
		json_reader_of(text_between((const char *)head.begin, (const char *)head.end));
	struct text name, value;

	if (!json_read_open(&json, '{'))
		return evidence_none();
	while (json_read_next(&json, '}') && json_read_name(&json, &name)) {
		struct json_reader member = json;

		if (text_is(name, "$schema") && json_read_plain(&member, &value) &&
		    text_contains(value, "speedscope"))
			return evidence_of(CONFIDENCE_CERTAIN, "has the $schema of speedscope");
		if (text_is(name, "profiles") && has_type(&member))
			return evidence_of(CONFIDENCE_LIKELY, "has a profile of speedscope");
		if (text_is(name, "shared") && has_frames(&member))
			return evidence_of(CONFIDENCE_LIKELY, "has the frames of speedscope");
		json_read_skip(&json);
	}
	return evidence_none();
}

const struct input_format speedscope_format = {
	.name = "speedscope",
	.summary = "profiles of speedscope, py-spy, rbspy and others (JSON)",
	.title = "speedscope profile",
	.probe = probe,
	.open = speedscope_open,
	.close = speedscope_close,
	.read_state = read_state,
	.read_samples = read_samples,
	.read_frame = read_frame,
	.has_shared_frames = true,
};
