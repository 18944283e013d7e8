/* SPDX-License-Identifier: MIT */
#include "libparse/calls/call_line.h"

#include "libparse/text.h"

/* No kernel has system calls with longer names. */
#define NAME_BYTES_MAX 64
#define DECIMALS       9

bool call_line_read_name(struct text *rest, struct text *ret)
{
	uint32_t length = 0;

	while (length < rest->length && length < NAME_BYTES_MAX &&
	       (is_lower(rest->at[length]) || is_digit(rest->at[length]) ||
		rest->at[length] == '_'))
		length++;
	if (!length || is_digit(rest->at[0]))
		return false;
	*ret = (struct text){ rest->at, length };
	*rest = (struct text){ rest->at + length, rest->length - length };
	return true;
}

/* Returns the text after the rightmost " = " that follows a bracket. */
static bool find_result(struct text line, struct text *ret)
{
	for (uint32_t at = line.length; at-- > 1;) {
		uint32_t before = at;

		if (line.at[at] != '=' || !is_blank(line.at[at - 1]) ||
		    (at + 1 < line.length && !is_blank(line.at[at + 1])))
			continue;
		while (before && is_blank(line.at[before - 1]))
			before--;
		if (!before || (line.at[before - 1] != ')' && line.at[before - 1] != '>'))
			continue;
		*ret = text_trim((struct text){ line.at + at + 1, line.length - at - 1 });
		return true;
	}
	return false;
}

bool call_line_read_result(struct text rest, struct call_line *line)
{
	struct text result;
	struct text value;
	struct text word;

	if (!find_result(rest, &result) || !text_next_word(&result, &value))
		return false;
	line->has_call = true;
	if (!text_is(value, "-1") && !text_is(value, "?"))
		return true;
	if (text_next_word(&result, &word) && word.length > 1 && word.at[0] == 'E')
		line->call.error = word;
	else if (text_is(value, "?"))
		line->has_call = false;
	return true;
}

bool call_line_read_decimal(struct text text, uint64_t *billionths_ret)
{
	return scan_decimal(&text, DECIMALS, billionths_ret) && !text.length;
}

void call_line_send(const struct event_sink *sink, const struct call_line *line, uint64_t offset)
{
	struct event_text_sample text = {
		.comm = line->comm,
		.event = text_of("system calls"),
		.unit = UNIT_SAMPLES,
		.sample_count = 1,
		.syscall = &line->call,
	};
	bool has_tid = line->tid != EVENT_NO_TID;
	struct event event = {
		.kind = EVENT_SAMPLE,
		.has_time = line->has_time,
		.time_ns = line->time_ns,
		.offset = offset,
	};

	event.sample = (struct event_sample){
		.present = SAMPLE_HAS_PERIOD | (has_tid ? SAMPLE_HAS_TID : 0) |
			   (line->has_time ? SAMPLE_HAS_TIME : 0),
		.pid = has_tid ? line->tid : 0,
		.tid = has_tid ? line->tid : 0,
		.period = 1,
		.text = &text,
	};
	if (line->has_call)
		event_send(sink, &event);
}

void call_line_read_frame(const void *reader, struct text raw, event_frame_callback *callback,
			  void *context)
{
	(void)reader;
	(void)raw;
	(void)callback;
	(void)context;
}
