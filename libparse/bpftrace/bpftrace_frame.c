/* SPDX-License-Identifier: MIT */
#include "libparse/bpftrace/bpftrace_frame.h"

#include "base/scan.h"
#include "libparse/ftrace/kernel_entry.h"
#include "libparse/script/perf_script_frame.h"
#include "libparse/text.h"

#define BUILD_ID_DIGITS 40

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

/*
 * The number of hex digits at the front, if a blank or the end of the text follows them. Otherwise
 * 0.
 */
static uint32_t hex_length(struct text text)
{
	uint32_t length = 0;

	while (length < text.length && is_hex(text.at[length]))
		length++;
	return length == text.length || text.at[length] == ' ' || text.at[length] == '\t' ? length
											  : 0;
}

/* Removes "+35" and a following "@file:12" from a name. */
static struct text drop_offset(struct text name, uint64_t *offset_ret)
{
	for (uint32_t i = 1; i < name.length; i++) {
		uint32_t end = i + 1;

		if (name.at[i] != '+')
			continue;
		while (end < name.length && is_digit(name.at[end]))
			end++;
		if (end == i + 1 || (end < name.length && name.at[end] != '@'))
			continue;
		if (!text_to_u64((struct text){ name.at + i + 1, end - i - 1 }, offset_ret))
			*offset_ret = 0;
		name.length = i;
	}
	return name;
}

bool bpftrace_frame_is_of_kernel(struct text frame)
{
	uint64_t ignored;

	if (hex_length(frame) >= 8 || text_has_prefix(frame, "0x"))
		return kernel_entry_is_address(frame);
	return kernel_entry_is(drop_offset(frame, &ignored));
}

bool bpftrace_frame_is_bare(struct text line)
{
	uint32_t digits = hex_length(line);
	uint32_t end = line.length;

	if (digits >= 8 || text_has_prefix(line, "0x"))
		return digits == line.length || digits == BUILD_ID_DIGITS || !digits;
	/* bpftrace before 2019 printed name+12. */
	while (end && is_digit(line.at[end - 1]))
		end--;
	return end > 1 && end < line.length && line.at[end - 1] == '+' &&
	       !memchr(line.at, ' ', line.length);
}

static bool is_number(struct text name)
{
	struct text digits = text_has_prefix(name, "0x") ? text_from(name, 2) : name;

	return name.length > digits.length && hex_length(digits) == digits.length;
}

static struct text drop_source(struct text name)
{
	const char *at = name.length ? memchr(name.at, '@', name.length) : NULL;

	return at && at > name.at ? (struct text){ name.at, (uint32_t)(at - name.at) } : name;
}

static void read_code(struct text raw, struct event_frame *frame)
{
	static const char inlined[] = "[inlined] ";
	uint32_t digits = hex_length(raw);

	if (text_has_prefix(raw, inlined)) {
		frame->is_inlined = true;
		frame->name = drop_source(text_from(raw, sizeof(inlined) - 1));
		return;
	}
	if (digits == BUILD_ID_DIGITS && digits < raw.length) {
		/* The function is unknown; only the file is known. */
		frame->module = (struct text){ raw.at, digits };
		return;
	}
	if (digits >= 8) {
		bool is_kernel = frame->is_kernel;

		perf_script_parse_frame(raw, frame);
		frame->is_kernel = is_kernel;
	} else {
		frame->name = raw;
	}
	if (is_number(frame->name))
		frame->name.length = 0;
	else
		frame->name = drop_offset(frame->name, &frame->offset);
}

/* A word of a key includes the byte before it, which may be a bracket. */
static bool is_word(struct text raw)
{
	uint32_t end = 1;

	if (!raw.length || raw.at[0] != '[')
		return raw.length && memchr(" ,\n", raw.at[0], 3);
	while (end < raw.length && is_digit(raw.at[end]))
		end++;
	return end > 1 && end == raw.length;
}

void bpftrace_read_frame(const void *reader, struct text raw, event_frame_callback *callback,
			 void *context)
{
	struct event_frame frame = { .name = { "", 0 }, .module = { "", 0 } };

	(void)reader;
	if (is_word(raw)) {
		frame.name = text_from(raw, 1);
		frame.is_exact = frame.name.length > 0;
	} else {
		frame.is_kernel = raw.length && raw.at[raw.length - 1] == '\n';
		raw.length -= frame.is_kernel;
		read_code(text_trim(raw), &frame);
	}
	callback(context, &frame);
}
