/* SPDX-License-Identifier: MIT */
#include "profile/grouping.h"

static const char *const names[GROUP_BY_COUNT] = {
	[GROUP_COMM] = "comm", [GROUP_PID] = "pid",     [GROUP_TID] = "tid",
	[GROUP_CPU] = "cpu",   [GROUP_EVENT] = "event", [GROUP_FILE] = "file",
};

void grouping_init(struct grouping *grouping)
{
	*grouping = (struct grouping){ .by = { GROUP_COMM }, .count = 1 };
}

static bool find(const char *name, size_t length, enum group_by *ret)
{
	for (int i = 0; i < GROUP_BY_COUNT; i++) {
		if (strlen(names[i]) != length || memcmp(names[i], name, length) != 0)
			continue;
		*ret = (enum group_by)i;
		return true;
	}
	return false;
}

bool grouping_has(const struct grouping *grouping, enum group_by by)
{
	for (uint32_t i = 0; i < grouping->count; i++)
		if (grouping->by[i] == by)
			return true;
	return false;
}

bool grouping_parse(const char *text, struct grouping *ret, struct error *err)
{
	*ret = (struct grouping){ 0 };
	while (*text) {
		size_t length = strcspn(text, ",");
		enum group_by by;

		if (!find(text, length, &by))
			return error_set(
				err, ERROR_USAGE,
				"--by takes comm, pid, tid, cpu, event and file; not \"%.*s\"",
				(int)length, text);
		if (!grouping_has(ret, by))
			ret->by[ret->count++] = by;
		text += length;
		if (*text)
			text++;
	}
	return true;
}
