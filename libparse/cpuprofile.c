/* SPDX-License-Identifier: MIT */
/*
 * Reads V8 CPU profiles: .cpuprofile files from Node.js (--cpu-prof), Chrome and Deno. The type
 * Profile of the Chrome DevTools Protocol describes these files. Times are in microseconds; the
 * weight of a sample is the time until the next sample:
 *
 *     {"nodes":[{"id":1,"callFrame":{"functionName":"(root)","url":""...},"children":[2]},...],
 *      "startTime":100,"endTime":9000,"samples":[1,2,2],"timeDeltas":[0,1250,1250]}
 *
 * Profiles without samples have only the hitCount of each node.
 */
#include "base/idmap.h"
#include "base/json_reader.h"
#include "base/memory.h"
#include "base/scan.h"
#include "libparse/text.h"

/* Maximum size of a V8 profile. An hour at 1 kHz takes about 30 MB. */
#define LIMIT_CPUPROFILE_BYTES ((uint64_t)1 << 30)

/*
 * Maximum number of frames in which the samples of a V8 profile differ from the preceding sample,
 * for each byte of the profile. Most samples take 9 bytes, and differ in a few of their 20 frames.
 */
#define LIMIT_CPUPROFILE_FRAMES_PER_BYTE 16u
/* Frames that are allowed in any V8 profile, beyond those allowed for its size. */
#define LIMIT_CPUPROFILE_FREE_FRAMES (1u << 16)

/* Later times become this one, whose nanoseconds fit into 64 bits. */
#define LATEST_US ((uint64_t)INT64_MAX / 1000)

#define NO_NODE UINT32_MAX

struct node {
	uint32_t parent;
	uint32_t depth; /* 0 for the root; NO_NODE if not below the root */
	uint32_t line;  /* line number from 1; 0 if unknown */
	str_id name, url;
	uint64_t hit_count;
};

/* A node and one of its children, by their ids. */
struct child {
	uint32_t parent;
	uint64_t id;
};

struct timed_sample {
	uint64_t time_us;
	uint32_t index; /* in samples */
};

struct cpuprofile {
	struct strings strings;
	VEC(struct node) nodes;
	struct idmap ids; /* indexes of nodes, by node id */
	VEC(struct child) children;
	VEC(uint64_t) samples;          /* ids */
	VEC(int64_t) deltas;            /* microseconds since the previous sample */
	VEC(struct timed_sample) times; /* in time order */
	uint64_t start_us, end_us;
	uint64_t corrupt_count; /* samples of unknown nodes */
	uint64_t size_bytes;
	struct sink scratch;
};

static bool read_integer(struct json_reader *json, int64_t *ret)
{
	struct scanned_number number;

	if (!json_read_fixed(json, 0, &number))
		return false;
	*ret = number.value;
	return true;
}

static uint64_t read_time(struct json_reader *json)
{
	int64_t value;

	if (!read_integer(json, &value) || value < 0)
		return 0;
	return (uint64_t)value < LATEST_US ? (uint64_t)value : LATEST_US;
}

static str_id read_string(struct cpuprofile *profile, struct json_reader *json)
{
	profile->scratch.used = 0;
	if (!json_read_string(json, &profile->scratch))
		return STR_EMPTY;
	return strings_intern(&profile->strings,
			      profile->scratch.used ? profile->scratch.buffer : "",
			      profile->scratch.used);
}

static void read_call_frame(struct cpuprofile *profile, struct json_reader *json, struct node *node)
{
	struct text name;
	int64_t line;

	if (!json_read_open(json, '{'))
		return;
	while (json_read_next(json, '}') && json_read_name(json, &name)) {
		if (text_is(name, "functionName"))
			node->name = read_string(profile, json);
		else if (text_is(name, "url"))
			node->url = read_string(profile, json);
		else if (text_is(name, "lineNumber") && read_integer(json, &line))
			node->line = line >= 0 && line < UINT32_MAX ? (uint32_t)line + 1 : 0;
		else if (!text_is(name, "lineNumber"))
			json_read_skip(json);
	}
}

static void read_node(struct cpuprofile *profile, struct json_reader *json)
{
	struct node node = { .parent = NO_NODE, .depth = NO_NODE };
	uint32_t index = (uint32_t)profile->nodes.count;
	struct text name;
	uint64_t id = 0;

	if (!json_read_open(json, '{'))
		return;
	while (json_read_next(json, '}') && json_read_name(json, &name)) {
		if (text_is(name, "id")) {
			json_read_u64(json, &id);
		} else if (text_is(name, "callFrame")) {
			read_call_frame(profile, json, &node);
		} else if (text_is(name, "hitCount")) {
			json_read_u64(json, &node.hit_count);
		} else if (text_is(name, "children") && json_read_open(json, '[')) {
			struct child child = { .parent = index };

			while (json_read_next(json, ']') && json_read_u64(json, &child.id))
				vec_push(&profile->children, child);
		} else {
			json_read_skip(json);
		}
	}
	idmap_add(&profile->ids, id, index);
	vec_push(&profile->nodes, node);
}

static void read_member(struct cpuprofile *profile, struct json_reader *json, struct text name)
{
	uint64_t id;
	int64_t delta;

	if (text_is(name, "nodes") && json_read_open(json, '[')) {
		while (json_read_next(json, ']') && !json->has_failed)
			read_node(profile, json);
	} else if (text_is(name, "samples") && json_read_open(json, '[')) {
		while (json_read_next(json, ']') && json_read_u64(json, &id))
			vec_push(&profile->samples, id);
	} else if (text_is(name, "timeDeltas") && json_read_open(json, '[')) {
		while (json_read_next(json, ']') && read_integer(json, &delta))
			vec_push(&profile->deltas, delta);
	} else if (text_is(name, "startTime")) {
		profile->start_us = read_time(json);
	} else if (text_is(name, "endTime")) {
		profile->end_us = read_time(json);
	} else {
		json_read_skip(json);
	}
}

/*
 * Sets the parent and the depth of each node. V8 lists parents first, so nodes that precede their
 * parents, and nodes in a cycle, do not get a depth.
 */
static void link_nodes(struct cpuprofile *profile)
{
	idmap_sort(&profile->ids);
	for (size_t i = 0; i < profile->children.count; i++) {
		const struct child *child = &profile->children.at[i];
		uint32_t index = idmap_find(&profile->ids, child->id);

		if (index != IDMAP_NONE && index > child->parent)
			profile->nodes.at[index].parent = child->parent;
	}
	for (size_t i = 0; i < profile->nodes.count; i++) {
		struct node *node = &profile->nodes.at[i];

		if (i == 0)
			node->depth = 0;
		else if (node->parent != NO_NODE &&
			 profile->nodes.at[node->parent].depth != NO_NODE)
			node->depth = profile->nodes.at[node->parent].depth + 1;
	}
	vec_free(&profile->children);
}

static int compare_times(const void *a, const void *b)
{
	const struct timed_sample *left = a;
	const struct timed_sample *right = b;

	if (left->time_us != right->time_us)
		return left->time_us < right->time_us ? -1 : 1;
	return (left->index > right->index) - (left->index < right->index);
}

/* V8 may write samples from two threads slightly out of order. */
static void time_samples(struct cpuprofile *profile)
{
	int64_t clock_us = (int64_t)profile->start_us;
	bool is_sorted = true;

	for (size_t i = 0; i < profile->samples.count; i++) {
		int64_t delta_us = i < profile->deltas.count ? profile->deltas.at[i] : 0;
		struct timed_sample sample = { .index = (uint32_t)i };

		is_sorted &= delta_us >= 0;
		if (__builtin_add_overflow(clock_us, delta_us, &clock_us))
			clock_us = delta_us < 0 ? INT64_MIN : INT64_MAX;
		if (clock_us > 0)
			sample.time_us = (uint64_t)clock_us;
		if (sample.time_us > LATEST_US)
			sample.time_us = LATEST_US;
		vec_push(&profile->times, sample);
	}
	if (!is_sorted)
		qsort(profile->times.at, profile->times.count, sizeof(*profile->times.at),
		      compare_times);
	vec_free(&profile->deltas);
}

static uint32_t node_of(const struct cpuprofile *profile, uint64_t id)
{
	uint32_t index = idmap_find(&profile->ids, id);

	return index != IDMAP_NONE && profile->nodes.at[index].depth != NO_NODE ? index : NO_NODE;
}

static bool read_profile(struct cpuprofile *profile, struct text text, struct error *err)
{
	struct json_reader json = json_reader_of(text);
	struct text name;

	if (json_read_open(&json, '{'))
		while (json_read_next(&json, '}') && json_read_name(&json, &name))
			read_member(profile, &json, name);
	link_nodes(profile);
	time_samples(profile);
	if (json.has_failed || !profile->nodes.count)
		return error_set(
			err, ERROR_CORRUPT,
			"truncated or corrupt at byte %zu: the samples after it are missing",
			(size_t)((json.has_failed ? json.failed_at : json.at) - text.at));
	return true;
}

static void count_corrupt(struct cpuprofile *profile)
{
	for (size_t i = 0; i < profile->samples.count; i++)
		profile->corrupt_count += node_of(profile, profile->samples.at[i]) == NO_NODE;
}

static bool cpuprofile_open(struct capture *capture, struct error *err)
{
	struct cpuprofile *profile = memory_zalloc(1, sizeof(*profile));
	struct text text;
	bool good = true;

	capture->reader = profile;
	strings_init(&profile->strings);
	idmap_init(&profile->ids);
	sink_init_memory(&profile->scratch);
	if (!text_load(capture, LIMIT_CPUPROFILE_BYTES, "a CPU profile", &text, err))
		return false;
	if (!read_profile(profile, text, &capture->damage)) {
		capture->is_partial = true;
		good = profile->nodes.count > 0;
		if (!good)
			*err = capture->damage;
	}
	memory_free((char *)text.at);
	profile->size_bytes = text.length;
	if (good)
		count_corrupt(profile);
	vec_push(&capture->slices, (struct slice){ 0, text.length, 0 });
	return good;
}

static void cpuprofile_close(struct capture *capture)
{
	struct cpuprofile *profile = capture->reader;

	strings_deinit(&profile->strings);
	vec_free(&profile->nodes);
	vec_free(&profile->children);
	vec_free(&profile->samples);
	vec_free(&profile->times);
	idmap_deinit(&profile->ids);
	sink_deinit(&profile->scratch);
	memory_free(profile);
}

static bool read_state(struct capture *capture, const struct event_sink *sink, struct error *err)
{
	const struct cpuprofile *profile = capture->reader;

	(void)err;
	text_report_loss(sink, LOSS_CORRUPT_RECORDS, profile->corrupt_count, 0);
	return true;
}

/* The digits of an index, and a NUL. */
#define NUMBER_BYTES 11

struct cpuprofile_scan {
	const struct cpuprofile *profile;
	const struct event_sink *sink;
	char (*numbers)[NUMBER_BYTES]; /* texts of frames, by node */
	VEC(uint32_t) path;      /* nodes of the stack, the outermost first, without the root */
	VEC(struct text) frames; /* of path */
	uint32_t shared_count;   /* frames shared with the previous stack */
	uint64_t frames_left;
};

static void begin_scan(struct cpuprofile_scan *scan)
{
	size_t count = scan->profile->nodes.count;

	scan->frames_left = LIMIT_CPUPROFILE_FREE_FRAMES +
			    LIMIT_CPUPROFILE_FRAMES_PER_BYTE * scan->profile->size_bytes;
	scan->numbers = memory_alloc(count, sizeof(*scan->numbers));
	for (size_t i = 0; i < count; i++)
		snprintf(scan->numbers[i], NUMBER_BYTES, "%u", (uint32_t)i);
}

/*
 * Lists the nodes of a stack. Visits only the nodes in which the stack differs from the previous
 * one. Returns false if there are too many frames.
 */
static bool list_frames(struct cpuprofile_scan *scan, uint32_t node)
{
	const struct node *nodes = scan->profile->nodes.at;
	uint32_t depth = nodes[node].depth;
	uint32_t known = (uint32_t)scan->path.count;

	while (scan->path.count < depth) {
		vec_push(&scan->path, NO_NODE);
		vec_push(&scan->frames, (struct text){ NULL, 0 });
	}
	scan->path.count = scan->frames.count = depth;
	for (; depth && (depth > known || scan->path.at[depth - 1] != node); depth--) {
		if (!scan->frames_left)
			return false;
		scan->frames_left--;
		scan->path.at[depth - 1] = node;
		scan->frames.at[depth - 1] = text_of(scan->numbers[node]);
		node = nodes[node].parent;
	}
	scan->shared_count = depth;
	return true;
}

static void send(struct cpuprofile_scan *scan, const char *name, enum weight_unit unit,
		 uint64_t weight, uint64_t time_us)
{
	const struct cpuprofile *profile = scan->profile;
	struct event_text_sample text = {
		.comm = strings_get(&profile->strings, profile->nodes.at[0].name),
		.event = text_of(name),
		.unit = unit,
		.sample_count = unit == UNIT_SAMPLES ? weight : 1,
		.frames = scan->frames.at,
		.frame_count = (uint32_t)scan->frames.count,
		.is_outermost_first = true,
		.shared_count = scan->shared_count,
	};
	struct event event = {
		.kind = EVENT_SAMPLE,
		.has_time = time_us > 0,
		.time_ns = time_us * 1000,
	};

	event.sample = (struct event_sample){
		.present = SAMPLE_HAS_PERIOD | SAMPLE_HAS_CALLCHAIN,
		.period = weight,
		.text = &text,
	};
	event_send(scan->sink, &event);
}

static bool send_samples(struct cpuprofile_scan *scan)
{
	const struct cpuprofile *profile = scan->profile;

	for (size_t i = 0; i < profile->times.count; i++) {
		const struct timed_sample *sample = &profile->times.at[i];
		uint64_t end_us = i + 1 < profile->times.count ? profile->times.at[i + 1].time_us
							       : profile->end_us;
		uint32_t node = node_of(profile, profile->samples.at[sample->index]);

		if (node == NO_NODE || end_us <= sample->time_us)
			continue;
		if (!list_frames(scan, node))
			return false;
		send(scan, "time", UNIT_NANOSECONDS, (end_us - sample->time_us) * 1000,
		     sample->time_us);
	}
	return true;
}

static bool send_counts(struct cpuprofile_scan *scan)
{
	for (uint32_t i = 0; i < scan->profile->nodes.count; i++) {
		const struct node *node = &scan->profile->nodes.at[i];

		if (!node->hit_count || node->depth == NO_NODE)
			continue;
		if (!list_frames(scan, i))
			return false;
		send(scan, "samples", UNIT_SAMPLES, node->hit_count, 0);
	}
	return true;
}

static bool read_samples(const struct capture *capture, struct slice slice,
			 const struct event_sink *sink, struct error *err)
{
	struct cpuprofile_scan scan = { .profile = capture->reader, .sink = sink };
	bool good;

	(void)slice;
	begin_scan(&scan);
	good = (scan.profile->samples.count ? send_samples(&scan) : send_counts(&scan)) ||
	       error_set(err, ERROR_LIMIT,
			 "its stacks have more frames than the limit for a file of this size");
	memory_free(scan.numbers);
	vec_free(&scan.path);
	vec_free(&scan.frames);
	return good;
}

static void read_frame(const void *context, struct text raw, event_frame_callback *callback,
		       void *callback_context)
{
	const struct cpuprofile *profile = context;
	struct event_frame frame = { .name = { "", 0 }, .module = { "", 0 } };
	const struct node *node;
	struct sink sink;
	uint64_t index;

	if (!text_to_u64(raw, &index) || index >= profile->nodes.count) {
		callback(callback_context, &frame);
		return;
	}
	node = &profile->nodes.at[index];
	frame.name = strings_get(&profile->strings, node->name);
	frame.module = strings_get(&profile->strings, node->url);
	frame.is_jit = frame.module.length > 0;
	frame.is_exact = true;
	sink_init_memory(&sink);
	if (!frame.name.length) {
		sink_puts(&sink, "(anonymous)");
		if (frame.module.length) {
			sink_char(&sink, ' ');
			sink_text(&sink, text_basename(frame.module));
			sink_printf(&sink, ":%u", node->line);
		}
		frame.name = sink_memory(&sink);
	}
	callback(callback_context, &frame);
	sink_deinit(&sink);
}

static struct evidence probe(struct span head)
{
	static const char begin[] = "{\"nodes\":[{\"id\":";
	const char *at = (const char *)head.at;
	char packed[sizeof(begin)];
	size_t count = 0;

	/* Some writers indent. */
	for (size_t i = 0; i < span_left(&head) && count < sizeof(packed) - 1; i++)
		if (!strchr(" \t\r\n", at[i]) || !at[i])
			packed[count++] = at[i];
	if (count < sizeof(packed) - 1 || memcmp(packed, begin, count) != 0 ||
	    !memmem(at, span_left(&head), "\"callFrame\"", 11))
		return evidence_none();
	return evidence_of(CONFIDENCE_CERTAIN, "begins with the nodes of a V8 CPU profile");
}

const struct input_format cpuprofile_format = {
	.name = "cpuprofile",
	.summary = "V8 CPU profiles, from Node.js, Chrome or Deno",
	.title = "V8 CPU profile",
	.probe = probe,
	.open = cpuprofile_open,
	.close = cpuprofile_close,
	.read_state = read_state,
	.read_samples = read_samples,
	.read_frame = read_frame,
	.has_shared_frames = true,
};
