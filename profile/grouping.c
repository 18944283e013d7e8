/* SPDX-License-Identifier: MIT */
#include "profile/grouping.h"

static const char *const names[GROUP_BY_COUNT] = {
	[GROUP_COMM] = "comm", [GROUP_PID] = "pid",     [GROUP_TID] = "tid",
	[GROUP_CPU] = "cpu",   [GROUP_EVENT] = "event", [GROUP_CGROUP] = "cgroup",
	[GROUP_FILE] = "file", [GROUP_DSO] = "dso",
};

void grouping_init(struct grouping *grouping)
{
	*grouping = (struct grouping){ .by = { GROUP_COMM }, .count = 1 };
}

static enum group_by find(struct text name)
{
	for (int i = 0; i < GROUP_FIELD; i++)
		if (text_is(name, names[i]))
			return (enum group_by)i;
	return GROUP_FIELD;
}

/* Whether it could be the name of a field. */
static bool is_word(struct text text)
{
	for (uint32_t i = 0; i < text.length; i++) {
		char c = text.at[i];

		if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && c != '_' &&
		    !(i && c >= '0' && c <= '9'))
			return false;
	}
	return text.length != 0;
}

bool grouping_has(const struct grouping *grouping, enum group_by by)
{
	for (uint32_t i = 0; i < grouping->count; i++)
		if (grouping->by[i] == by)
			return true;
	return false;
}

static bool has_level(const struct grouping *grouping, enum group_by by, struct text name)
{
	for (uint32_t i = 0; i < grouping->count; i++)
		if (grouping->by[i] == by &&
		    (by != GROUP_FIELD || text_equal(grouping->fields[i], name)))
			return true;
	return false;
}

bool grouping_parse(const char *text, struct grouping *ret, struct error *err)
{
	*ret = (struct grouping){ 0 };
	while (*text) {
		struct text name = { text, (uint32_t)strcspn(text, ",") };
		enum group_by by = find(name);

		if (!is_word(name))
			return error_set(err, ERROR_USAGE,
					 "--by takes comm, pid, tid, cpu, event, cgroup, file, "
					 "dso and fields of tracepoints; not \"%.*s\"",
					 (int)name.length, name.at);
		if (ret->count == GROUPING_LEVELS_MAX)
			return error_set(err, ERROR_USAGE, "--by takes no more than %d",
					 GROUPING_LEVELS_MAX);
		if (!has_level(ret, by, name)) {
			ret->fields[ret->count] = name;
			ret->by[ret->count++] = by;
		}
		text += name.length;
		if (*text)
			text++;
	}
	return true;
}
