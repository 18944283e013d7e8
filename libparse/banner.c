/* SPDX-License-Identifier: MIT */
#include "libparse/banner.h"

#include "libparse/text.h"

static const char time_form[] = "00:00:00";

static struct text drop_prefix(struct text text, const char *prefix)
{
	return text_has_prefix(text, prefix) ? text_from(text, strlen(prefix)) : text;
}

struct text banner_drop_interrupt(struct text line)
{
	while (text_has_prefix(line, "^C"))
		line = text_from(line, 2);
	return line;
}

bool banner_next_line(const char **at, const char *end, bool is_last, struct text *ret)
{
	struct text line;

	do {
		if (!text_next_line(at, end, is_last, &line))
			return false;
		*ret = banner_drop_interrupt(line);
	} while (line.length && !ret->length);
	return true;
}

bool banner_begins_with_time(struct text line)
{
	for (uint32_t i = 0; i < sizeof(time_form) - 1; i++)
		if (i >= line.length ||
		    (time_form[i] == ':' ? line.at[i] != ':'
					 : line.at[i] < '0' || line.at[i] > '9'))
			return false;
	return true;
}

bool banner_is_time(struct text line)
{
	struct text rest = text_trim(line);
	const char *behind = text_has_prefix(rest, "[") ? "]" : ":";

	rest = drop_prefix(rest, "[");
	if (!banner_begins_with_time(rest))
		return false;
	rest = text_from(rest, sizeof(time_form) - 1);
	return text_is(rest, behind) || (behind[0] == ':' && !rest.length);
}

bool banner_is(struct text line)
{
	static const char *const beginnings[] = {
		"Tracing ",     "Tracing...",        "Sampling ",    "Counting ",
		"Attaching ",   "Attached ",         "Detaching",    "Hit Ctrl-C",
		"Summarizing ", "Display kvm exit ", "Running for ",
	};
	static const char *const endings[] = {
		"Ctrl-C to end.",
		"Ctrl-C to end",
		"Ctrl+C to quit.",
		"Ctrl-C to quit.",
	};

	line = text_trim(banner_drop_interrupt(line));
	for (size_t i = 0; i < ARRAY_SIZE(beginnings); i++)
		if (text_has_prefix(line, beginnings[i]))
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(endings); i++)
		if (text_has_suffix(line, endings[i]))
			return true;
	return !line.length || banner_is_time(line);
}
