/* SPDX-License-Identifier: MIT */
/*
 * Reads the output of `bpftrace -f json`, in which each line is an object. The object of a map
 * contains all its entries:
 *
 *     {"type": "map", "data": {"@": {"bash,\n    vfs_read+145\n,7": 12, ...}}}
 *
 * Commas separate the parts of a key; a stack begins with a newline.
 */
#include "libparse/bpftrace/bpftrace.h"

#include <inttypes.h>

#include "base/json_reader.h"
#include "libparse/banner.h"
#include "libparse/bpftrace/bpftrace_entry.h"
#include "libparse/bpftrace/bpftrace_frame.h"

/* Enough for a label with two numbers. */
#define LABEL_BYTES 64

/* A member of a bucket, of a row of a time series, or of statistics. */
struct member {
	struct text name, value;
	bool is_plain; /* the value is a number or a string */
};

static bool read_member(struct json_reader *json, struct member *ret)
{
	if (!json_read_name(json, &ret->name))
		return false;
	ret->is_plain = !json_read_begins(json, '{') && !json_read_begins(json, '[');
	/* bpftrace writes a number as a string if a double cannot hold it. */
	return ret->is_plain ? json_read_plain(json, &ret->value) : json_read_skip(json);
}

/*
 * The next member that is a number or a string. Returns false if there is no such member, or if the
 * member is corrupt.
 */
static bool next_plain(struct json_reader *json, struct member *ret)
{
	while (json_read_next(json, '}')) {
		if (!read_member(json, ret))
			return false;
		if (ret->is_plain)
			return true;
	}
	return false;
}

/* Writes a bound as in bpftrace's text output. has_suffix: 64K for 65536. */
static int write_bound(char *at, size_t size, int64_t value, bool has_suffix)
{
	static const char suffixes[] = " KMGTPE";
	uint32_t step = 0;

	while (has_suffix && step + 1 < sizeof(suffixes) - 1 && value && value % 1024 == 0) {
		value /= 1024;
		step++;
	}
	return step ? snprintf(at, size, "%" PRId64 "%c", value, suffixes[step])
		    : snprintf(at, size, "%" PRId64, value);
}

struct bucket {
	bool has_min, has_max;
	int64_t min, max;
	struct text time; /* time in a row of a time series */
	uint64_t count;
	bool has_count;
};

static bool read_bound(struct text text, int64_t *ret)
{
	bool is_negative = text.length && text.at[0] == '-';
	uint64_t value;

	if (is_negative)
		text = (struct text){ text.at + 1, text.length - 1 };
	if (!text_to_u64(text, &value) || value > INT64_MAX)
		return false;
	*ret = is_negative ? -(int64_t)value : (int64_t)value;
	return true;
}

static bool read_bucket(struct json_reader *json, struct bucket *ret)
{
	struct member member;

	*ret = (struct bucket){ .time = { "", 0 } };
	if (!json_read_open(json, '{'))
		return false;
	while (next_plain(json, &member)) {
		if (text_is(member.name, "min"))
			ret->has_min = read_bound(member.value, &ret->min);
		else if (text_is(member.name, "max"))
			ret->has_max = read_bound(member.value, &ret->max);
		else if (text_is(member.name, "count") || text_is(member.name, "value"))
			ret->has_count = text_to_u64(member.value, &ret->count);
		else if (text_is(member.name, "interval_start"))
			ret->time = member.value;
	}
	return !json->has_failed;
}

/*
 * Writes a label as in bpftrace's text output: [2, 4), [1], (..., 0), [100, ...). Bounds in JSON
 * are inclusive.
 */
static int write_label(char *at, size_t size, const struct bucket *bucket)
{
	bool are_powers = bucket->has_min && bucket->has_max && bucket->min > 0 &&
			  bucket->max >= bucket->min &&
			  bucket->max - bucket->min == bucket->min - 1;
	char min[LABEL_BYTES / 3];
	char max[LABEL_BYTES / 3];

	write_bound(min, sizeof(min), bucket->min, are_powers);
	write_bound(max, sizeof(max), bucket->max == INT64_MAX ? INT64_MAX : bucket->max + 1,
		    are_powers);
	if (bucket->time.length)
		return snprintf(at, size, "\n%.*s", (int)bucket->time.length, bucket->time.at);
	if (!bucket->has_min)
		return snprintf(at, size, "\n(..., %s)", max);
	if (!bucket->has_max)
		return snprintf(at, size, "\n[%s, ...)", min);
	if (bucket->min == bucket->max)
		return snprintf(at, size, "\n[%s]", min);
	return snprintf(at, size, "\n[%s, %s)", min, max);
}

static void add_row(struct bpftrace_parser *parser, const struct bucket *bucket)
{
	char *at = parser->buffer.at + parser->used;
	char label[LABEL_BYTES];
	int length = write_label(label, sizeof(label), bucket);

	/*
	 * A real bucket is longer in JSON than its label, so only a forged bucket can fill the
	 * buffer.
	 */
	if (length >= (int)sizeof(label) || (size_t)length > parser->buffer.capacity - parser->used)
		return;
	memcpy(at, label, (size_t)length);
	parser->used += (size_t)length;
	vec_push(&parser->entry.rows,
		 (struct bpftrace_row){ { at, (uint32_t)length }, bucket->count });
	parser->entry.value = BPFTRACE_ROWS;
}

/* Reads an array: the rows of a histogram, or a tuple, which has no weight. */
static bool read_rows(struct bpftrace_parser *parser, struct json_reader *json)
{
	struct bucket bucket;

	if (!json_read_open(json, '['))
		return false;
	while (json_read_next(json, ']')) {
		if (!json_read_begins(json, '{')) {
			if (!json_read_skip(json))
				return false;
		} else if (!read_bucket(json, &bucket)) {
			return false;
		} else if (bucket.has_count) {
			add_row(parser, &bucket);
		}
	}
	return !json->has_failed;
}

/* Reads an object: statistics, or a record, which has no weight. */
static bool read_stats(struct bpftrace_parser *parser, struct json_reader *json)
{
	bool has_count = false;
	bool has_total = false;
	struct member member;

	if (!json_read_open(json, '{'))
		return false;
	while (next_plain(json, &member)) {
		if (text_is(member.name, "count"))
			has_count = text_to_u64(member.value, &parser->entry.sample_count);
		else if (text_is(member.name, "total"))
			has_total = text_to_u64(member.value, &parser->entry.total);
	}
	if (has_count && has_total)
		parser->entry.value = BPFTRACE_STATS;
	return !json->has_failed;
}

static bool read_value(struct bpftrace_parser *parser, struct json_reader *json)
{
	struct text text;

	if (json_read_begins(json, '['))
		return read_rows(parser, json);
	if (json_read_begins(json, '{'))
		return read_stats(parser, json);
	if (!json_read_plain(json, &text))
		return false;
	parser->entry.value = bpftrace_value_of(text, &parser->entry.total);
	return true;
}

/* Reads the frames of a stack, up to the end or to a line that begins with a comma. */
static const char *split_stack(struct bpftrace_entry *entry, const char *at, const char *end)
{
	bpftrace_entry_add_stack(entry);
	while (at < end && *at != ',') {
		const char *stop = memchr(at, '\n', (size_t)(end - at));

		/* A frame is followed by a newline. */
		if (!stop)
			return end;
		bpftrace_entry_add_frame(entry, (struct text){ at, (uint32_t)(stop - at) });
		at = stop + 1;
	}
	return at;
}

/* Splits a key. The byte before `at` must be readable. */
static void split_key(struct bpftrace_entry *entry, const char *at, const char *end)
{
	while (at < end) {
		const char *stop = memmem(at, (size_t)(end - at), ",\n", 2);

		if (*at == '\n') {
			at = split_stack(entry, at + 1, end);
			at += at < end;
			continue;
		}
		if (!stop)
			stop = end;
		bpftrace_entry_add_words(entry, (struct text){ at, (uint32_t)(stop - at) }, ",");
		at = stop + (stop < end);
	}
}

static void read_entry(struct bpftrace_parser *parser)
{
	if (parser->snapshots)
		bpftrace_add_to_snapshot(parser);
	else if (parser->is_kept && !bpftrace_entry_send(&parser->entry, parser->sink))
		text_skip(&parser->skips, parser->offset);
}

/* Begins an entry with this key. */
static void begin_entry(struct bpftrace_parser *parser, struct text key)
{
	struct text unescaped;

	bpftrace_entry_reset(&parser->entry, parser->map, parser->offset);
	parser->used = parser->key.used = 0;
	/* A word includes the byte before it, so there must be such a byte. */
	sink_char(&parser->key, ',');
	json_unescape(key, &parser->key);
	unescaped = sink_memory(&parser->key);
	parser->entry.key = (struct text){ unescaped.at + 1, unescaped.length - 1 };
	split_key(&parser->entry, unescaped.at + 1, unescaped.at + unescaped.length);
}

/*
 * Whether an object has the member names of statistics, and so is the value of a map without keys.
 */
static bool is_plain_stats(struct json_reader json)
{
	struct text name;

	return json_read_open(&json, '{') && json_read_next(&json, '}') &&
	       json_read_name(&json, &name) && text_is(name, "count") && json_read_skip(&json) &&
	       json_read_next(&json, '}') && json_read_name(&json, &name) &&
	       text_is(name, "average");
}

/*
 * Reads a value. Returns false if the value extends to the end of a truncated line, because digits
 * may be missing.
 */
static bool read_whole_value(struct bpftrace_parser *parser, struct json_reader *json)
{
	return read_value(parser, json) && json->at < json->end;
}

static bool read_map(struct bpftrace_parser *parser, struct json_reader *json)
{
	struct text key;

	if (parser->snapshots)
		snapshots_begin(parser->snapshots, parser->map, parser->offset);
	if (!json_read_begins(json, '{') || is_plain_stats(*json)) {
		begin_entry(parser, (struct text){ "", 0 });
		if (!read_whole_value(parser, json))
			return false;
		read_entry(parser);
		return true;
	}
	json_read_open(json, '{');
	while (json_read_next(json, '}')) {
		if (!json_read_name(json, &key))
			return false;
		begin_entry(parser, key);
		if (!read_whole_value(parser, json))
			return false;
		read_entry(parser);
	}
	return !json->has_failed;
}

static bool read_lost(struct bpftrace_parser *parser, struct json_reader *json)
{
	struct text name;
	struct text value;
	uint64_t count;

	if (!json_read_open(json, '{') || !json_read_next(json, '}') ||
	    !json_read_name(json, &name) || !json_read_plain(json, &value) ||
	    !text_to_u64(value, &count))
		return false;
	bpftrace_add_lost(parser, count, parser->offset);
	return true;
}

/* {"type": T, "data": */
static bool read_type(struct json_reader *json, struct text *ret)
{
	struct text name;

	return json_read_open(json, '{') && json_read_next(json, '}') &&
	       json_read_name(json, &name) && text_is(name, "type") && json_read_plain(json, ret) &&
	       json_read_next(json, '}') && json_read_name(json, &name) && text_is(name, "data");
}

static bool read_object(struct bpftrace_parser *parser, struct json_reader *json)
{
	struct text type;

	if (!read_type(json, &type))
		return false;
	if (text_is(type, "lost_events"))
		return read_lost(parser, json);
	if (!text_is(type, "map") && !text_is(type, "hist") && !text_is(type, "stats") &&
	    !text_is(type, "tseries"))
		return true;
	if (!json_read_open(json, '{') || !json_read_next(json, '}') ||
	    !json_read_name(json, &parser->map) || !parser->map.length)
		return false;
	return read_map(parser, json);
}

/* Whether the last line is a truncated object. The complete entries of such an object are used. */
static bool is_cut(const struct text_window *window, struct text line)
{
	struct json_reader json = json_reader_of(line);

	return line.length && line.at + line.length == window->end && !json_read_skip(&json);
}

static void read_lines(void *context, struct text_window *window)
{
	struct bpftrace_parser *parser = context;
	const char *next = window->at;
	struct text line;

	while (window->at < window->stop &&
	       banner_next_line(&next, window->end, window->is_last, &line)) {
		struct json_reader json = json_reader_of(line);

		parser->offset = text_offset(window, line.at);
		parser->is_kept =
			parser->decided && snapshots_keeps(parser->decided, parser->offset);
		vec_reserve(&parser->buffer, (size_t)line.length + 1);
		parser->is_cut = is_cut(window, line);
		if (text_trim(line).length && !read_object(parser, &json))
			text_skip(&parser->skips, parser->offset);
		window->at = next;
	}
	/* See banner_next_line. */
	window->at = next;
}

static const char *find_line(const char *from, const char *end)
{
	(void)end;
	return from;
}

static bool is_object(struct text line)
{
	struct json_reader json = json_reader_of(banner_drop_interrupt(line));
	struct text type;

	return read_type(&json, &type);
}

static struct evidence probe(struct span head)
{
	return text_probe(head, is_object, "an object of bpftrace -f json");
}

static bool open_bpftrace_json(struct capture *capture, struct error *err)
{
	return bpftrace_open(capture, read_lines, find_line, err);
}

static bool read_samples(const struct capture *capture, struct slice slice,
			 const struct event_sink *sink, struct error *err)
{
	return bpftrace_read(capture, slice, read_lines, sink, err);
}

const struct input_format bpftrace_json_format = {
	.name = "bpftrace-json",
	.summary = "maps printed by bpftrace, as JSON",
	.title = "bpftrace maps, as JSON",
	.probe = probe,
	.open = open_bpftrace_json,
	.close = bpftrace_close,
	.read_state = bpftrace_read_state,
	.read_samples = read_samples,
	.read_frame = bpftrace_read_frame,
	.has_exact_comms = true,
	.sum_name = "off-CPU time",
	.plain_sum_ns = 1,
};
