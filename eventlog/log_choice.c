/* SPDX-License-Identifier: MIT */
#include "eventlog/log_choice.h"

#include <stdio.h>

/* Writes the names of all columns, separated by commas. */
static const char *list_columns(const struct log_heading *heading, char *buffer, size_t size)
{
	size_t length = 0;

	buffer[0] = '\0';
	for (uint32_t i = 0; i < heading->count && length < size; i++)
		length += (size_t)snprintf(buffer + length, size - length, "%s%.*s", i ? ", " : "",
					   (int)heading->columns[i].name.length,
					   heading->columns[i].name.at);
	return buffer;
}

/* Finds the column that matches a name best. */
static bool find_column(const struct log_heading *heading, const char *option, struct text name,
			uint32_t *ret, struct error *err)
{
	enum log_name_match best = LOG_NAME_DIFFERS;
	uint32_t count = 0;
	char names[300];

	for (uint32_t i = 0; i < heading->count; i++) {
		enum log_name_match match = log_column_match(&heading->columns[i], name);

		if (match == LOG_NAME_DIFFERS || match < best)
			continue;
		count = match == best ? count + 1 : 1;
		if (match > best || count == 1)
			*ret = i;
		best = match;
	}
	/* If several columns have the same name, choose the first one. */
	if (best > LOG_NAME_BEGINS || count == 1)
		return true;
	return error_set(err, ERROR_USAGE, "--%s %.*s: %s column has this name; the columns are %s",
			 option, (int)name.length, name.at, count ? "more than one" : "no",
			 list_columns(heading, names, sizeof(names)));
}

static bool find_keys(const struct log_heading *heading, const char *by, struct log_choice *ret,
		      struct error *err)
{
	for (const char *at = by;;) {
		uint32_t length = (uint32_t)strcspn(at, ",");

		if (ret->key_count == LOG_KEYS_MAX)
			return error_set(err, ERROR_USAGE, "--by accepts at most %u columns",
					 LOG_KEYS_MAX);
		if (!find_column(heading, "by", (struct text){ at, length },
				 &ret->keys[ret->key_count++], err))
			return false;
		if (!at[length])
			return true;
		at += length + 1;
	}
}

/* Chooses the columns that were not given. */
static void recognise(const struct log_heading *heading, const struct log_choice_options *options,
		      struct log_choice *ret)
{
	for (uint32_t i = 0; i < heading->count; i++) {
		const struct log_column *column = &heading->columns[i];

		if (!options->value && !ret->has_value && column->is_latency) {
			ret->has_value = true;
			ret->value = i;
		}
		/* A time with a unit is more exact than a time of day. */
		if (!options->time && column->is_time &&
		    (!ret->has_time || (column->unit_ns && !heading->columns[ret->time].unit_ns))) {
			ret->has_time = true;
			ret->time = i;
		}
		if (!options->by && !ret->key_count && column->is_comm)
			ret->keys[ret->key_count++] = i;
	}
}

bool log_choice_make(const struct log_heading *heading, const struct log_choice_options *options,
		     struct log_choice *ret, struct error *err)
{
	char names[300];

	*ret = (struct log_choice){ .has_value = options->value != NULL,
				    .has_time = options->time != NULL };
	if ((options->value &&
	     !find_column(heading, "value", text_of(options->value), &ret->value, err)) ||
	    (options->time &&
	     !find_column(heading, "time", text_of(options->time), &ret->time, err)) ||
	    (options->by && !find_keys(heading, options->by, ret, err)))
		return false;
	recognise(heading, options, ret);
	if (ret->has_value || ret->key_count)
		return true;
	return error_set(
		err, ERROR_USAGE,
		"has no column that kiln recognises as a latency; choose a column with --value, or "
		"count events with --by; the columns are %s",
		list_columns(heading, names, sizeof(names)));
}
