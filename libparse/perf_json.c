/* SPDX-License-Identifier: MIT */
/*
 * Reads the JSON that perf data convert --to-json writes (tools/perf/util/data-convert-json.c of
 * Linux). The format is version 1:
 *
 *     {"linux-perf-json-version": 1,
 *      "headers": {"hostname": "web", "os-release": "6.1.0", "cmdline": ["perf", "record"], ...},
 *      "samples": [
 *       {"timestamp": 8853795664233, "pid": 7, "tid": 7, "cpu": 0, "comm": "app",
 *        "callchain": [{"ip": "0x7f12", "symbol": "read", "dso": "libc.so.6"}, {"ip": "0x40"}],
 *        "prev_pid": "7", ...}]}        <- the fields of a tracepoint, all as strings
 *
 * The leaf is the first entry of a callchain. A sample contains neither the name of its event nor a
 * period.
 */
#include <inttypes.h>

#include "base/json_reader.h"
#include "base/memory.h"
#include "base/scan.h"
#include "libparse/text.h"

/*
 * Maximum size of a JSON file. A JSON file is three to five times as large as its perf.data file.
 */
#define LIMIT_PERF_JSON_BYTES ((uint64_t)1 << 31)

/* Maximum size of the samples that are read as one piece; threads read different slices. */
#define SLICE_BYTES ((uint64_t)1 << 20)

struct perf_json {
	struct text text;    /* text of the whole file */
	struct text headers; /* the object; .at is NULL if none */
	uint64_t version;    /* 0 if not found */
	uint64_t sample_count;
};

struct perf_json_scan {
	const struct event_sink *sink;
	VEC(struct text) frames; /* objects of the current callchain, the leaf first */
	struct sink comm;
	uint64_t corrupt_count, long_count;
	uint64_t corrupt_offset; /* offset of the first corrupt or long sample */
};

/* Fields that identify a sched_switch. */
struct switch_fields {
	bool has_previous, has_next, has_state;
	uint64_t previous_tid, next_tid, state;
};

struct perf_json_sample {
	bool has_time, has_pid, has_tid, has_cpu, has_comm, has_callchain;
	uint64_t time_ns;
	uint32_t pid, tid, cpu;
	struct switch_fields fields;
};

/* ---- Strings ---- */

/*
 * perf converts signed chars with %04x, so on x86 it writes the byte c3 as \uffffffc3. No other
 * string contains \uffff, which is not a character.
 */
static bool is_escaped_byte(struct text text)
{
	return text.length >= 10 && memcmp(text.at, "\\uffffff", 8) == 0 &&
	       hex_value(text.at[8]) >= 8 && hex_value(text.at[9]) >= 0;
}

static void unescape(struct text raw, struct sink *sink)
{
	uint32_t done = 0;
	uint32_t i = 0;

	while (i < raw.length) {
		if (raw.at[i] != '\\') {
			i++;
		} else if (!is_escaped_byte(text_from(raw, i))) {
			i += 2;
		} else {
			json_unescape((struct text){ raw.at + done, i - done }, sink);
			sink_char(sink,
				  (char)(hex_value(raw.at[i + 8]) << 4 | hex_value(raw.at[i + 9])));
			i += 10;
			done = i;
		}
	}
	json_unescape(text_from(raw, done), sink);
}

/* Appends a string to sink. Skips any other value, and returns false. */
static bool read_string(struct json_reader *json, struct sink *sink)
{
	struct text raw;

	if (!json_read_begins(json, '"')) {
		json_read_skip(json);
		return false;
	}
	if (!json_read_plain(json, &raw))
		return false;
	unescape(raw, sink);
	return true;
}

/* Where the next value begins. */
static const char *begin_value(struct json_reader *json)
{
	json_read_begins(json, '{'); /* skips blanks */
	return json->at;
}

/* ---- The file ---- */

static void add_sample(struct capture *capture, struct perf_json *file, const char *begin,
		       const char *end, bool is_first)
{
	uint64_t offset = (uint64_t)(begin - file->text.at);
	struct slice *last =
		capture->slices.count ? &capture->slices.at[capture->slices.count - 1] : NULL;

	file->sample_count++;
	if (is_first || !last || offset - last->begin >= SLICE_BYTES) {
		vec_push(&capture->slices, (struct slice){ .begin = offset });
		last = &capture->slices.at[capture->slices.count - 1];
	}
	last->end = (uint64_t)(end - file->text.at);
	last->sample_count++;
}

/* Finds the samples. Complete samples are kept, even if the text is truncated after them. */
static void find_samples(struct capture *capture, struct perf_json *file, struct json_reader *json)
{
	bool is_first = true;

	if (!json_read_open(json, '['))
		return;
	for (; json_read_next(json, ']'); is_first = false) {
		const char *begin = begin_value(json);

		if (!json_read_skip(json))
			return;
		add_sample(capture, file, begin, json->at, is_first);
	}
}

static void find_members(struct capture *capture, struct perf_json *file, struct json_reader *json)
{
	struct text name;

	if (!json_read_open(json, '{'))
		return;
	while (json_read_next(json, '}') && json_read_name(json, &name)) {
		if (text_is(name, "linux-perf-json-version")) {
			json_read_u64(json, &file->version);
		} else if (text_is(name, "samples") && json_read_begins(json, '[')) {
			find_samples(capture, file, json);
		} else if (text_is(name, "headers") && json_read_begins(json, '{')) {
			const char *begin = json->at;

			if (json_read_skip(json))
				file->headers = text_between(begin, json->at);
		} else {
			json_read_skip(json);
		}
	}
}

static bool perf_json_open(struct capture *capture, struct error *err)
{
	struct perf_json *file = memory_zalloc(1, sizeof(*file));
	struct json_reader json;
	size_t failed_at;

	capture->reader = file;
	if (!text_load(capture, LIMIT_PERF_JSON_BYTES, "JSON of perf data convert", &file->text,
		       err))
		return false;
	json = json_reader_of(file->text);
	find_members(capture, file, &json);
	if (file->version > 1)
		return error_set(err, ERROR_FORMAT,
				 "is JSON from perf data convert, version %" PRIu64
				 ", but kiln reads only version 1; use the perf.data file",
				 file->version);
	if (!json.has_failed)
		return file->sample_count || error_set(err, ERROR_FORMAT,
						       "is JSON from perf data convert, but has no "
						       "samples");
	failed_at = (size_t)(json.failed_at - file->text.at);
	capture->is_partial = true;
	error_set(&capture->damage, ERROR_CORRUPT,
		  "truncated or corrupt at byte %zu: the samples after it are missing", failed_at);
	return file->sample_count ||
	       error_set(err, ERROR_CORRUPT,
			 "is JSON from perf data convert, but is truncated or corrupt at byte %zu, "
			 "before the end of its first sample; convert the perf.data file again",
			 failed_at);
}

static void perf_json_close(struct capture *capture)
{
	struct perf_json *file = capture->reader;

	memory_free((char *)file->text.at);
	memory_free(file);
}

/* ---- Headers ---- */

static const struct {
	const char *name;
	enum fact fact;
} headers[] = {
	{ "hostname", FACT_HOST },
	{ "os-release", FACT_OS_RELEASE },
	{ "arch", FACT_ARCH },
	{ "perf-version", FACT_TOOL_VERSION },
	{ "cmdline", FACT_COMMAND_LINE },
	{ "cpu-desc", FACT_CPU },
	{ "cpuid", FACT_CPU_ID },
	{ "nrcpus-online", FACT_CPUS_ONLINE },
	{ "nrcpus-avail", FACT_CPUS_AVAILABLE },
	{ "captured-on", FACT_WALL_CLOCK },
};

/* Appends a string, a number, or the strings of a list with blanks between them. */
static void read_header(struct json_reader *json, struct sink *sink)
{
	struct text number;

	if (json_read_begins(json, '"')) {
		read_string(json, sink);
	} else if (json_read_begins(json, '[') && json_read_open(json, '[')) {
		while (json_read_next(json, ']')) {
			if (sink->used)
				sink_char(sink, ' ');
			read_string(json, sink);
		}
	} else if (json_read_begins(json, '{')) {
		json_read_skip(json);
	} else if (json_read_plain(json, &number)) {
		sink_text(sink, number);
	}
}

static void send_header(const struct event_sink *sink, struct text name, struct text value)
{
	for (size_t i = 0; value.length && i < ARRAY_SIZE(headers); i++)
		if (text_is(name, headers[i].name))
			text_report_fact(sink, headers[i].fact, value);
}

static bool read_state(struct capture *capture, const struct event_sink *sink, struct error *err)
{
	const struct perf_json *file = capture->reader;
	struct json_reader json = json_reader_of(file->headers);
	uint64_t clock_ns = 0;
	uint64_t wall_ns = 0;
	struct sink value;
	struct text name;

	(void)err;
	if (!file->headers.at || !json_read_open(&json, '{'))
		return true;
	sink_init_memory(&value);
	while (json_read_next(&json, '}') && json_read_name(&json, &name)) {
		value.used = 0;
		read_header(&json, &value);
		if (!value.used || json.has_failed)
			continue;
		send_header(sink, name, sink_memory(&value));
		if (text_is(name, "clock-time"))
			text_to_u64(sink_memory(&value), &clock_ns);
		else if (text_is(name, "real-time"))
			text_to_u64(sink_memory(&value), &wall_ns);
	}
	sink_deinit(&value);
	if (clock_ns && wall_ns)
		event_send(sink,
			   &(struct event){ .kind = EVENT_CLOCK, .clock = { wall_ns, clock_ns } });
	return true;
}

/* ---- Samples ---- */

/*
 * Reads a number below `limit`. *has becomes true if there is such a number; perf writes -1 for an
 * unknown value. Tracepoint fields can have the same name, but they come later, and are strings.
 */
static void read_number(struct json_reader *json, uint64_t limit, bool *has, uint64_t *ret)
{
	struct scanned_number number;

	if (*has || json_read_begins(json, '"')) {
		json_read_skip(json);
		return;
	}
	if (!json_read_fixed(json, 0, &number) || number.value < 0 ||
	    (uint64_t)number.value >= limit)
		return;
	*ret = (uint64_t)number.value;
	*has = true;
}

static void read_id(struct json_reader *json, bool *has, uint32_t *ret)
{
	uint64_t value = *ret;

	read_number(json, UINT32_MAX, has, &value);
	*ret = (uint32_t)value;
}

static void read_comm(struct perf_json_scan *scan, struct json_reader *json, bool *has)
{
	if (*has)
		json_read_skip(json);
	else
		*has = read_string(json, &scan->comm);
}

static void read_callchain(struct perf_json_scan *scan, struct json_reader *json, bool *has)
{
	if (*has || !json_read_begins(json, '[')) {
		json_read_skip(json);
		return;
	}
	*has = true;
	json_read_open(json, '[');
	while (json_read_next(json, ']')) {
		const char *begin = begin_value(json);

		if (json_read_skip(json))
			vec_push(&scan->frames, text_between(begin, json->at));
	}
}

/* Reads the number in a string of libtraceevent, which prints some numbers as hexadecimal. */
static void read_field(struct json_reader *json, bool *has, uint64_t *ret)
{
	struct text value;

	if (!json_read_begins(json, '"')) {
		json_read_skip(json);
		return;
	}
	if (!json_read_plain(json, &value))
		return;
	value = text_trim(value);
	*has = (text_has_prefix(value, "0x") ? scan_hex(&value, ret) : scan_u64(&value, ret)) &&
	       !value.length;
}

static void read_member(struct perf_json_scan *scan, struct json_reader *json, struct text name,
			struct perf_json_sample *sample)
{
	struct switch_fields *fields = &sample->fields;

	if (text_is(name, "timestamp"))
		read_number(json, INT64_MAX, &sample->has_time, &sample->time_ns);
	else if (text_is(name, "pid"))
		read_id(json, &sample->has_pid, &sample->pid);
	else if (text_is(name, "tid"))
		read_id(json, &sample->has_tid, &sample->tid);
	else if (text_is(name, "cpu"))
		read_id(json, &sample->has_cpu, &sample->cpu);
	else if (text_is(name, "comm"))
		read_comm(scan, json, &sample->has_comm);
	else if (text_is(name, "callchain"))
		read_callchain(scan, json, &sample->has_callchain);
	else if (text_is(name, "prev_pid"))
		read_field(json, &fields->has_previous, &fields->previous_tid);
	else if (text_is(name, "next_pid"))
		read_field(json, &fields->has_next, &fields->next_tid);
	else if (text_is(name, "prev_state"))
		read_field(json, &fields->has_state, &fields->state);
	else
		json_read_skip(json);
}

/* Returns false if the fields are not those of sched_switch. */
static bool parse_switch(const struct switch_fields *fields, struct event_sched_switch *ret)
{
	/* The bits of prev_state since Linux 4.14, which is older than the fields in the JSON. */
	static const char letters[] = "SDTtXZPI";
	uint64_t bits = fields->state & 0xff;

	if (!fields->has_previous || !fields->has_next || !fields->has_state ||
	    fields->previous_tid >= UINT32_MAX || fields->next_tid >= UINT32_MAX)
		return false;
	*ret = (struct event_sched_switch){
		.previous_tid = (uint32_t)fields->previous_tid,
		.next_tid = (uint32_t)fields->next_tid,
		.state = bits ? letters[__builtin_ctzll(bits)] : 'R',
		.is_preempted = !bits && fields->state & 0x100,
	};
	return true;
}

static void send(struct perf_json_scan *scan, const struct perf_json_sample *sample,
		 uint64_t offset)
{
	struct event_sched_switch sched_switch;
	bool is_switch = parse_switch(&sample->fields, &sched_switch);
	struct event_text_sample text = {
		.comm = sample->has_comm ? sink_memory(&scan->comm) : (struct text){ NULL, 0 },
		.event = text_of(is_switch ? "sched:sched_switch" : "samples"),
		.unit = UNIT_SAMPLES,
		.sample_count = 1,
		.frames = scan->frames.at,
		.frame_count = (uint32_t)scan->frames.count,
		.sched_switch = is_switch ? &sched_switch : NULL,
	};
	struct event event = {
		.kind = EVENT_SAMPLE,
		.has_time = sample->has_time,
		.time_ns = sample->time_ns,
		.offset = offset,
	};

	event.sample = (struct event_sample){
		.pid = sample->pid,
		.tid = sample->tid,
		.cpu = sample->cpu,
		.present = SAMPLE_HAS_CALLCHAIN | (sample->has_tid ? SAMPLE_HAS_TID : 0) |
			   (sample->has_time ? SAMPLE_HAS_TIME : 0) |
			   (sample->has_cpu ? SAMPLE_HAS_CPU : 0),
		.period = 1,
		.text = &text,
	};
	event_send(scan->sink, &event);
}

static void note_loss(struct perf_json_scan *scan, uint64_t *count, uint64_t offset)
{
	if (!scan->corrupt_count && !scan->long_count)
		scan->corrupt_offset = offset;
	(*count)++;
}

static void read_sample(struct perf_json_scan *scan, struct text raw, uint64_t offset)
{
	struct perf_json_sample sample = { .pid = EVENT_NO_TID, .tid = EVENT_NO_TID };
	struct json_reader json = json_reader_of(raw);
	struct text name;

	if (raw.length > LIMIT_TEXT_RECORD_BYTES) {
		note_loss(scan, &scan->long_count, offset);
		return;
	}
	scan->frames.count = 0;
	scan->comm.used = 0;
	if (json_read_open(&json, '{'))
		while (json_read_next(&json, '}') && json_read_name(&json, &name))
			read_member(scan, &json, name, &sample);
	if (json.has_failed || !sample.has_callchain)
		note_loss(scan, &scan->corrupt_count, offset);
	else
		send(scan, &sample, offset);
}

/* Reads the samples of one list that begin in [begin, end). A sample begins at `begin`. */
static void read_range(struct perf_json_scan *scan, struct text text, uint64_t begin, uint64_t end)
{
	struct json_reader json = json_reader_of(text_from(text, (uint32_t)begin));

	json.is_first = true;
	while (json_read_next(&json, ']')) {
		const char *at = begin_value(&json);
		uint64_t offset = (uint64_t)(at - text.at);

		if (offset >= end)
			break;
		if (json_read_skip(&json))
			read_sample(scan, text_between(at, json.at), offset);
	}
}

/* The first of the capture's slices that ends after this offset. */
static size_t find_slice(const struct capture *capture, uint64_t offset)
{
	size_t begin = 0;
	size_t end = capture->slices.count;

	while (begin < end) {
		size_t middle = begin + (end - begin) / 2;

		if (capture->slices.at[middle].end > offset)
			end = middle;
		else
			begin = middle + 1;
	}
	return begin;
}

/* The slice may be part of one of the capture's slices, or contain several of them. */
static bool read_samples(const struct capture *capture, struct slice slice,
			 const struct event_sink *sink, struct error *err)
{
	const struct perf_json *file = capture->reader;
	struct perf_json_scan scan = { .sink = sink };

	(void)err;
	sink_init_memory(&scan.comm);
	for (size_t i = find_slice(capture, slice.begin); i < capture->slices.count; i++) {
		const struct slice *own = &capture->slices.at[i];

		if (own->begin >= slice.end)
			break;
		read_range(&scan, file->text, own->begin > slice.begin ? own->begin : slice.begin,
			   own->end < slice.end ? own->end : slice.end);
	}
	text_report_loss(sink, LOSS_CORRUPT_RECORDS, scan.corrupt_count, scan.corrupt_offset);
	text_report_loss(sink, LOSS_LONG_LINES, scan.long_count, scan.corrupt_offset);
	sink_deinit(&scan.comm);
	vec_free(&scan.frames);
	return true;
}

/* ---- Frames ---- */

static void read_address(struct json_reader *json, uint64_t *ret)
{
	struct text value;

	if (!json_read_begins(json, '"'))
		json_read_skip(json);
	else if (json_read_plain(json, &value) && !scan_hex(&value, ret))
		*ret = 0;
}

/* The text of a frame is its object: {"ip": "0x7f12", "symbol": "read", "dso": "libc.so.6"}. */
static void read_frame(const void *reader, struct text raw, event_frame_callback *callback,
		       void *context)
{
	struct event_frame frame = { .name = { "", 0 }, .module = { "", 0 } };
	struct json_reader json = json_reader_of(raw);
	struct sink symbol, dso;
	struct text name;

	(void)reader;
	sink_init_memory(&symbol);
	sink_init_memory(&dso);
	if (json_read_open(&json, '{'))
		while (json_read_next(&json, '}') && json_read_name(&json, &name)) {
			if (text_is(name, "ip"))
				read_address(&json, &frame.address);
			else if (text_is(name, "symbol"))
				read_string(&json, &symbol);
			else if (text_is(name, "dso"))
				read_string(&json, &dso);
			else
				json_read_skip(&json);
		}
	if (symbol.used)
		frame.name = sink_memory(&symbol);
	if (dso.used)
		frame.module = sink_memory(&dso);
	/* perf's short name of /tmp/perf-7.map is "[JIT] tid 7". */
	frame.is_jit = text_has_prefix(frame.module, "[JIT] tid ");
	callback(context, &frame);
	sink_deinit(&symbol);
	sink_deinit(&dso);
}

/* Writers that sort the members put the headers first. */
static struct evidence probe(struct span head)
{
	struct json_reader json =
		json_reader_of(text_between((const char *)head.begin, (const char *)head.end));
	struct text name;

	if (!json_read_open(&json, '{'))
		return evidence_none();
	while (json_read_next(&json, '}') && json_read_name(&json, &name)) {
		if (text_is(name, "linux-perf-json-version"))
			return evidence_of(CONFIDENCE_CERTAIN,
					   "has the version of the JSON of perf data convert");
		json_read_skip(&json);
	}
	return evidence_none();
}

const struct input_format perf_json_format = {
	.name = "perf-json",
	.summary = "JSON written by perf data convert --to-json",
	.title = "JSON of perf data convert",
	.probe = probe,
	.open = perf_json_open,
	.close = perf_json_close,
	.read_state = read_state,
	.read_samples = read_samples,
	.read_frame = read_frame,
};
