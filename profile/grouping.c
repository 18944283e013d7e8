/* SPDX-License-Identifier: MIT */
#include "profile/grouping.h"

#include <stdio.h>

/* The part of a sample to which the value of a key belongs: the sample, its leaf, or each frame. */
enum key_scope {
	SCOPE_SAMPLE,
	SCOPE_LEAF,  /* the leaf of a stack; in tables, each frame */
	SCOPE_FRAME, /* tables only */
};

static const struct key {
	const char *name;
	const char *other_name; /* perf's name for the key, or NULL */
	enum key_scope scope;
	const char *prefix; /* prefix of the key's values in frame names, or NULL */
} keys[GROUP_FIELD] = {
	[GROUP_COMM] = { "comm", NULL, SCOPE_SAMPLE, NULL },
	[GROUP_PID] = { "pid", NULL, SCOPE_SAMPLE, "pid " },
	[GROUP_TID] = { "tid", NULL, SCOPE_SAMPLE, "tid " },
	[GROUP_CPU] = { "cpu", NULL, SCOPE_SAMPLE, "cpu " },
	[GROUP_EVENT] = { "event", NULL, SCOPE_SAMPLE, NULL },
	[GROUP_CGROUP] = { "cgroup", NULL, SCOPE_SAMPLE, NULL },
	[GROUP_FILE] = { "file", NULL, SCOPE_SAMPLE, NULL },
	[GROUP_DSO] = { "dso", NULL, SCOPE_LEAF, NULL },
	[GROUP_SYMBOL] = { "symbol", "sym", SCOPE_FRAME, NULL },
	[GROUP_SRCLINE] = { "srcline", NULL, SCOPE_FRAME, NULL },
};

static enum group_by find(struct text name)
{
	for (int i = 0; i < GROUP_FIELD; i++)
		if (text_is(name, keys[i].name) ||
		    (keys[i].other_name && text_is(name, keys[i].other_name)))
			return (enum group_by)i;
	return GROUP_FIELD;
}

/* Whether this could be a field name. */
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

bool grouping_is_field(struct text text)
{
	return is_word(text) && find(text) == GROUP_FIELD;
}

bool grouping_is_label(struct text text)
{
	return grouping_is_field(text) && !text_equal(text, text_of("process")) &&
	       !text_equal(text, text_of("time"));
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

/*
 * Lists the names of keys: "comm, pid, tid". is_table: whether to include keys that only tables
 * have.
 */
static void list_names(bool is_table, char *text, size_t size)
{
	size_t length = 0;

	*text = '\0';
	for (int i = 0; i < GROUP_FIELD && length < size; i++)
		if (is_table || keys[i].scope != SCOPE_FRAME)
			length += (size_t)snprintf(text + length, size - length, "%s%s",
						   length ? ", " : "", keys[i].name);
}

static bool say_too_many(struct error *err)
{
	return error_set(err, ERROR_USAGE, "--by accepts at most %d keys", GROUPING_LEVELS_MAX);
}

static bool parse(const char *text, bool is_table, struct grouping *ret, struct error *err)
{
	char known[200];

	*ret = (struct grouping){ 0 };
	list_names(is_table, known, sizeof(known));
	while (*text) {
		struct text name = { text, (uint32_t)strcspn(text, ",") };
		enum group_by by = find(name);

		if (!is_word(name))
			return error_set(err, ERROR_USAGE,
					 "--by requires %s, a tracepoint field or a label, "
					 "not \"%.*s\"",
					 known, (int)name.length, name.at);
		if (!is_table && by != GROUP_FIELD && keys[by].scope == SCOPE_FRAME)
			return error_set(
				err, ERROR_USAGE,
				"--by %s can be used only in tables, as in kiln report --by %s; "
				"stacks can be grouped by %s and tracepoint fields",
				keys[by].name, keys[by].name, known);
		if (ret->count == GROUPING_LEVELS_MAX)
			return say_too_many(err);
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

bool grouping_parse(const char *text, struct grouping *ret, struct error *err)
{
	return parse(text, false, ret, err);
}

bool grouping_parse_columns(const char *text, struct grouping *ret, struct error *err)
{
	if (!*text)
		return error_set(err, ERROR_USAGE, "--by requires a key such as symbol");
	return parse(text, true, ret, err);
}

bool grouping_prepend(struct grouping *grouping, enum group_by by, struct error *err)
{
	if (grouping->count == GROUPING_LEVELS_MAX)
		return say_too_many(err);
	memmove(grouping->by + 1, grouping->by, grouping->count * sizeof(*grouping->by));
	memmove(grouping->fields + 1, grouping->fields,
		grouping->count * sizeof(*grouping->fields));
	grouping->by[0] = by;
	grouping->fields[0] = (struct text){ 0 };
	grouping->count++;
	return true;
}

bool grouping_is_of_frames(enum group_by by)
{
	return by != GROUP_FIELD && keys[by].scope != SCOPE_SAMPLE;
}

struct grouping grouping_of_samples(const struct grouping *columns)
{
	struct grouping ret = { 0 };

	for (uint32_t i = 0; i < columns->count; i++) {
		if (grouping_is_of_frames(columns->by[i]))
			continue;
		ret.fields[ret.count] = columns->fields[i];
		ret.by[ret.count++] = columns->by[i];
	}
	return ret;
}

struct text grouping_column_name(const struct grouping *columns, uint32_t column)
{
	enum group_by by = columns->by[column];

	return by == GROUP_FIELD ? columns->fields[column] : text_of(keys[by].name);
}

bool grouping_is_number(enum group_by by)
{
	return by == GROUP_PID || by == GROUP_TID || by == GROUP_CPU;
}

struct text grouping_column_value(const struct grouping *columns, uint32_t column,
				  struct text frame_name)
{
	enum group_by by = columns->by[column];
	struct text field = columns->fields[column];
	uint32_t behind = 0;

	if (by != GROUP_FIELD)
		behind = keys[by].prefix && text_has_prefix(frame_name, keys[by].prefix)
				 ? (uint32_t)strlen(keys[by].prefix)
				 : 0;
	else if (frame_name.length > field.length && frame_name.at[field.length] == '=')
		behind = field.length + 1;
	return (struct text){ frame_name.at + behind, frame_name.length - behind };
}
