/* SPDX-License-Identifier: MIT */
#include "render/diff/captures_text.h"

#include <math.h>
#include <time.h>

#include "diff/diff_captures.h"
#include "render/escape.h"
#include "render/number.h"

/* The maximum number of items listed in a line; the rest are only counted. */
#define FILES_MAX  5
#define VALUES_MAX 3
/* Lengths in characters. */
#define FILE_MAX    60
#define VALUE_MAX   80
#define LABEL_MAX   24
#define COMMAND_MAX 160

#define NS_PER_SECOND 1e9

static struct text path_of(const diff_capture_list *captures, const struct strings *strings,
			   size_t index, bool shows_homes)
{
	struct text path = strings_get(strings, captures->at[index].file);

	if (!shows_homes)
		escape_cut_home(&path);
	while (path.length > 1 && path.at[path.length - 1] == '/')
		path.length--;
	return path;
}

/* Returns the last `count` parts of a path. */
static struct text last_parts(struct text path, unsigned count)
{
	uint32_t at = path.length;

	while (at && (path.at[at - 1] != '/' || --count))
		at--;
	return (struct text){ path.at + at, path.length - at };
}

struct text captures_text_file(const diff_capture_list *captures, const struct strings *strings,
			       size_t index, bool shows_homes)
{
	struct text path = path_of(captures, strings, index, shows_homes);
	struct text name = last_parts(path, 1);
	unsigned count = 1;

	for (size_t i = 0; i < captures->count; i++) {
		struct text other = path_of(captures, strings, i, shows_homes);

		if (text_equal(other, path))
			continue;
		while (name.length < path.length && text_equal(last_parts(other, count), name))
			name = last_parts(path, ++count);
	}
	return name;
}

struct captures_writer {
	const struct diff *diff;
	enum diff_side side;
	diff_text_name *write_name;
	struct sink *sink;
};

static const struct {
	const char *key;   /* in JSON */
	const char *label; /* in lists */
	const char *words; /* in a sentence */
} keys[DIFF_CAPTURE_KEYS] = {
	[DIFF_CAPTURE_HOST] = { "host", "host", "host differs" },
	[DIFF_CAPTURE_ARCH] = { "arch", "architecture", "architecture differs" },
	[DIFF_CAPTURE_KERNEL] = { "kernel", "kernel", "kernel differs" },
	[DIFF_CAPTURE_CPU] = { "cpu", "CPU", "CPU differs" },
	[DIFF_CAPTURE_CPUS] = { "cpus_online", "online CPUs", "online CPUs differ" },
	[DIFF_CAPTURE_EVENT] = { "event", "event", "event differs" },
	[DIFF_CAPTURE_RATE] = { "sampling_rate", "sampling rate", "sampling rate differs" },
	[DIFF_CAPTURE_CALLCHAINS] = { "callchains", "callchains", "callchains differ" },
	[DIFF_CAPTURE_CODE] = { "sampled_code", "sampled code", "sampled code differs" },
	[DIFF_CAPTURE_DURATION] = { "duration_s", "duration", "duration differs" },
	[DIFF_CAPTURE_LOST] = { "lost_percent", "lost samples", "lost samples differ" },
	[DIFF_CAPTURE_THROTTLED] = { "throttled_percent", "throttling", "throttling differs" },
};

static struct text text_at(const struct diff *diff, str_id id)
{
	return strings_get(diff->profile.strings, id);
}

static void write_cut(const struct captures_writer *writer, struct text text, size_t most)
{
	struct text cut = escape_first_characters(text, most);

	writer->write_name(writer->sink, cut);
	if (cut.length < text.length)
		sink_puts(writer->sink, "…");
}

static bool is_of_side(const struct captures_writer *writer, const struct diff_capture *capture)
{
	return capture->side == writer->side;
}

static size_t first_of_side(const struct captures_writer *writer)
{
	size_t i = 0;

	while (!is_of_side(writer, &writer->diff->captures.at[i]))
		i++;
	return i;
}

static void write_file(const struct captures_writer *writer, size_t index, size_t most)
{
	write_cut(writer,
		  captures_text_file(&writer->diff->captures, writer->diff->profile.strings, index,
				     writer->diff->options.shows_hosts),
		  most);
}

static void write_files(const struct captures_writer *writer)
{
	const struct diff *diff = writer->diff;
	uint32_t count = diff->run_count[writer->side];
	uint32_t written = 0;

	if (count > 1)
		sink_printf(writer->sink, "%u runs: ", count);
	for (size_t i = 0; i < diff->captures.count && written < FILES_MAX; i++) {
		if (!is_of_side(writer, &diff->captures.at[i]))
			continue;
		sink_puts(writer->sink, written++ ? ", " : "");
		write_file(writer, i, FILE_MAX);
		sink_puts(writer->sink, diff->captures.at[i].partial.i ? " (partial)" : "");
	}
	if (written < count)
		sink_printf(writer->sink, " and %u more", count - written);
	if (diff->options.parts[writer->side]) {
		sink_puts(writer->sink, ", ");
		write_cut(writer, text_of(diff->options.parts[writer->side]), FILE_MAX);
	}
}

void captures_text_label(const struct diff *diff, enum diff_side side, diff_text_name *write_name,
			 struct sink *sink)
{
	const struct captures_writer writer = { diff, side, write_name, sink };

	if (diff->options.parts[side])
		write_cut(&writer, text_of(diff->options.parts[side]), LABEL_MAX);
	else if (diff->run_count[side] > 1)
		sink_printf(sink, "%u runs %s", diff->run_count[side], diff_side_names[side]);
	else
		write_file(&writer, first_of_side(&writer), LABEL_MAX);
}

static void write_date(uint64_t seconds, struct sink *sink)
{
	time_t time = (time_t)seconds;
	char date[64];
	struct tm utc;

	if (gmtime_r(&time, &utc) && strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &utc))
		sink_puts(sink, date);
}

/*
 * Finds the first and the last date of a side. Returns false if the date of a capture is unknown.
 */
static bool find_dates(const struct captures_writer *writer, uint64_t *first, uint64_t *last)
{
	const diff_capture_list *captures = &writer->diff->captures;

	*first = UINT64_MAX;
	*last = 0;
	for (size_t i = 0; i < captures->count; i++) {
		uint64_t seconds = captures->at[i].recorded_s;

		if (!is_of_side(writer, &captures->at[i]))
			continue;
		if (!seconds)
			return false;
		*first = seconds < *first ? seconds : *first;
		*last = seconds > *last ? seconds : *last;
	}
	return *last;
}

static str_id command_of(const struct diff_capture *capture)
{
	return capture->command;
}

static str_id recorded_of(const struct diff_capture *capture)
{
	return capture->recorded;
}

/* Returns the text that all captures of a side have in common, or an empty text. */
static str_id shared(const struct captures_writer *writer,
		     str_id (*get)(const struct diff_capture *capture))
{
	const diff_capture_list *captures = &writer->diff->captures;
	str_id found = STR_EMPTY;

	for (size_t i = 0; i < captures->count; i++) {
		str_id id = get(&captures->at[i]);

		if (!is_of_side(writer, &captures->at[i]))
			continue;
		if (!id.i || (found.i && found.i != id.i))
			return STR_EMPTY;
		found = id;
	}
	return found;
}

static void write_dates(const struct captures_writer *writer)
{
	str_id words = shared(writer, recorded_of);
	uint64_t first;
	uint64_t last;

	if (find_dates(writer, &first, &last)) {
		sink_puts(writer->sink, ", recorded ");
		write_date(first, writer->sink);
		if (last > first) {
			sink_puts(writer->sink, " to ");
			write_date(last, writer->sink);
		}
		sink_puts(writer->sink, " UTC");
	} else if (words.i) {
		sink_puts(writer->sink, ", recorded ");
		write_cut(writer, text_at(writer->diff, words), VALUE_MAX);
	}
}

static void write_durations(const struct captures_writer *writer)
{
	const diff_capture_list *captures = &writer->diff->captures;
	double shortest = NAN;
	double longest = NAN;

	for (size_t i = 0; i < captures->count; i++) {
		double duration = captures->at[i].numbers[DIFF_CAPTURE_DURATION];

		if (!is_of_side(writer, &captures->at[i]))
			continue;
		shortest = fmin(shortest, duration);
		longest = fmax(longest, duration);
	}
	if (isnan(shortest))
		return;
	sink_puts(writer->sink, ", ");
	number_duration(writer->sink, (uint64_t)shortest);
	if (longest > shortest) {
		sink_puts(writer->sink, " to ");
		number_duration(writer->sink, (uint64_t)longest);
	}
	sink_puts(writer->sink, " long");
}

static void write_command_text(const struct diff *diff, str_id id, struct sink *sink)
{
	if (diff->options.shows_hosts)
		sink_text(sink, text_at(diff, id));
	else
		escape_command(sink, text_at(diff, id));
}

static void write_command(const struct captures_writer *writer)
{
	str_id command = shared(writer, command_of);
	struct sink text;

	if (!command.i)
		return;
	sink_init_memory(&text);
	write_command_text(writer->diff, command, &text);
	sink_puts(writer->sink, ": ");
	write_cut(writer, sink_memory(&text), COMMAND_MAX);
	sink_deinit(&text);
}

void captures_text_side(const struct diff *diff, enum diff_side side, diff_text_name *write_name,
			struct sink *sink)
{
	const struct captures_writer writer = { diff, side, write_name, sink };

	write_files(&writer);
	if (!diff->options.hides_origin)
		write_dates(&writer);
	write_durations(&writer);
	if (!diff->options.hides_origin)
		write_command(&writer);
}

static bool differs(const struct diff *diff, int key)
{
	return !diff->options.parts[DIFF_BEFORE] &&
	       diff_captures_differ(&diff->captures, diff->profile.strings,
				    (enum diff_capture_key)key);
}

size_t captures_text_count(const struct diff *diff)
{
	size_t count = 0;

	for (int key = 0; key < DIFF_CAPTURE_KEYS; key++)
		count += differs(diff, key);
	return count;
}

void captures_text_keys(const struct diff *diff, struct sink *sink)
{
	const char *separator = "";

	for (int key = 0; key < DIFF_CAPTURE_KEYS; key++) {
		if (!differs(diff, key))
			continue;
		sink_puts(sink, separator);
		sink_puts(sink, keys[key].label);
		separator = ", ";
	}
}

/* Whether an earlier capture of the side has the same text. */
static bool is_repeated(const struct captures_writer *writer, int key, size_t index)
{
	const diff_capture_list *captures = &writer->diff->captures;

	for (size_t i = 0; i < index; i++)
		if (is_of_side(writer, &captures->at[i]) &&
		    captures->at[i].texts[key].i == captures->at[index].texts[key].i)
			return true;
	return false;
}

/* Writes the distinct texts of a side. */
static void write_texts(const struct captures_writer *writer, int key)
{
	const diff_capture_list *captures = &writer->diff->captures;
	size_t count = 0;

	for (size_t i = 0; i < captures->count; i++) {
		str_id id = captures->at[i].texts[key];

		if (!is_of_side(writer, &captures->at[i]) || !id.i || is_repeated(writer, key, i) ||
		    count++ >= VALUES_MAX)
			continue;
		sink_puts(writer->sink, count > 1 ? ", " : "");
		write_cut(writer, text_at(writer->diff, id), VALUE_MAX);
	}
	if (count > VALUES_MAX)
		sink_printf(writer->sink, " and %zu more", count - VALUES_MAX);
}

static void write_number(const struct captures_writer *writer, int key)
{
	double mean = diff_captures_mean(&writer->diff->captures, writer->side,
					 (enum diff_capture_key)key);

	if (key == DIFF_CAPTURE_DURATION)
		number_duration(writer->sink, (uint64_t)mean);
	else
		sink_printf(writer->sink, "%.2f%%", mean);
}

static void write_value(struct captures_writer *writer, int key, enum diff_side side)
{
	writer->side = side;
	if (key < DIFF_CAPTURE_TEXTS)
		write_texts(writer, key);
	else
		write_number(writer, key);
	sink_char(writer->sink, ' ');
	sink_puts(writer->sink, diff_side_names[side]);
}

static void write_difference(struct captures_writer *writer, int key)
{
	if (key == DIFF_CAPTURE_HOST && !writer->diff->options.shows_hosts) {
		sink_puts(writer->sink, "different hosts");
		return;
	}
	sink_puts(writer->sink, keys[key].words);
	sink_puts(writer->sink, ": ");
	write_value(writer, key, DIFF_BEFORE);
	sink_puts(writer->sink, ", ");
	write_value(writer, key, DIFF_AFTER);
}

/* Whether a capture is partial, and is not listed already as the other part of a split capture. */
static bool is_partial(const struct diff *diff, size_t index)
{
	const struct diff_capture *capture = &diff->captures.at[index];

	return capture->partial.i &&
	       !(capture->side == DIFF_AFTER && diff->options.parts[DIFF_AFTER]);
}

/* Writes why captures are partial. */
static void write_partial(const struct captures_writer *writer, const char *prefix)
{
	const struct diff *diff = writer->diff;
	size_t count = 0;

	for (size_t i = 0; i < diff->captures.count; i++) {
		if (!is_partial(diff, i) || count++ >= VALUES_MAX)
			continue;
		sink_puts(writer->sink, prefix);
		write_file(writer, i, FILE_MAX);
		sink_puts(writer->sink, " is partial: ");
		write_cut(writer, text_at(diff, diff->captures.at[i].partial), COMMAND_MAX);
		sink_char(writer->sink, '\n');
	}
	if (count > VALUES_MAX)
		sink_printf(writer->sink, "%s%zu more captures are partial\n", prefix,
			    count - VALUES_MAX);
}

void captures_text_differences(const struct diff *diff, const char *prefix,
			       diff_text_name *write_name, struct sink *sink)
{
	struct captures_writer writer = { .diff = diff, .write_name = write_name, .sink = sink };

	for (int key = 0; key < DIFF_CAPTURE_KEYS; key++) {
		if (!differs(diff, key))
			continue;
		sink_puts(sink, prefix);
		write_difference(&writer, key);
		sink_char(sink, '\n');
	}
	write_partial(&writer, prefix);
}

static void json_memory(struct json *json, const char *key, struct sink *text)
{
	json_text(json, key, sink_memory(text));
	text->used = 0;
}

static void json_capture(const struct diff *diff, size_t index, struct json *json)
{
	const struct diff_capture *capture = &diff->captures.at[index];
	double duration_ns = capture->numbers[DIFF_CAPTURE_DURATION];
	struct sink text;

	sink_init_memory(&text);
	json_open_object(json, NULL);
	json_text(json, "file",
		  captures_text_file(&diff->captures, diff->profile.strings, index,
				     diff->options.shows_hosts));
	if (diff->options.hides_origin) {
		/* Neither the date nor the command is known. */
	} else if (capture->recorded_s) {
		write_date(capture->recorded_s, &text);
		sink_puts(&text, " UTC");
		json_memory(json, "recorded", &text);
	} else if (capture->recorded.i) {
		json_text(json, "recorded", text_at(diff, capture->recorded));
	}
	if (!isnan(duration_ns))
		json_number(json, "duration_s", duration_ns / NS_PER_SECOND);
	if (capture->command.i && !diff->options.hides_origin) {
		write_command_text(diff, capture->command, &text);
		json_memory(json, "command", &text);
	}
	if (capture->partial.i)
		json_text(json, "partial_reason", text_at(diff, capture->partial));
	json_close_object(json);
	sink_deinit(&text);
}

void captures_text_json_side(const struct diff *diff, enum diff_side side, struct json *json)
{
	if (diff->options.parts[side])
		json_text(json, "part", text_of(diff->options.parts[side]));
	json_open_array(json, "captures");
	for (size_t i = 0; i < diff->captures.count; i++)
		if (diff->captures.at[i].side == side)
			json_capture(diff, i, json);
	json_close_array(json);
}

/* Writes the texts of all runs; null for host names without --with-host. */
static void json_value(struct captures_writer *writer, int key, struct json *json)
{
	const char *name = diff_side_names[writer->side];
	double unit = key == DIFF_CAPTURE_DURATION ? NS_PER_SECOND : 1;

	if (key >= DIFF_CAPTURE_TEXTS) {
		json_number(json, name,
			    diff_captures_mean(&writer->diff->captures, writer->side,
					       (enum diff_capture_key)key) /
				    unit);
	} else if (key == DIFF_CAPTURE_HOST && !writer->diff->options.shows_hosts) {
		json_number(json, name, NAN);
	} else {
		write_texts(writer, key);
		json_memory(json, name, writer->sink);
	}
}

void captures_text_json_differences(const struct diff *diff, struct json *json)
{
	struct sink text;
	struct captures_writer writer = { .diff = diff, .write_name = sink_text, .sink = &text };

	sink_init_memory(&text);
	json_open_array(json, "capture_differences");
	for (int key = 0; key < DIFF_CAPTURE_KEYS; key++) {
		if (!differs(diff, key))
			continue;
		json_open_object(json, NULL);
		json_text(json, "key", text_of(keys[key].key));
		for (int side = 0; side < DIFF_SIDES; side++) {
			writer.side = (enum diff_side)side;
			json_value(&writer, key, json);
		}
		json_close_object(json);
	}
	json_close_array(json);
	sink_deinit(&text);
}
