/* SPDX-License-Identifier: MIT */
#include "cli/label_settings.h"

#include "libparse/merged/merged_text.h"
#include "profile/grouping.h"

static bool add_label(struct text text, label_list *labels, struct error *err)
{
	const char *equals = memchr(text.at, '=', text.length);
	struct event_label label = { { "", 0 }, { "", 0 } };

	if (equals) {
		label.key = (struct text){ text.at, (uint32_t)(equals - text.at) };
		label.value = text_from(text, label.key.length + 1);
	}
	if (!label.value.length)
		return error_set(err, ERROR_USAGE,
				 "--label requires KEY=VALUE, such as host=web-1, not \"%.*s\"",
				 (int)text.length, text.at);
	if (!grouping_is_label(label.key))
		return error_set(err, ERROR_USAGE,
				 "--label %.*s: a key must be a word, and must not be one of the "
				 "built-in keys of --by or --split-by",
				 (int)text.length, text.at);
	if (text_equal(label.value, text_of("rest")))
		return error_set(err, ERROR_USAGE,
				 "--label %.*s: in --split-by, \"rest\" means all other values; "
				 "choose another value",
				 (int)text.length, text.at);
	vec_push(labels, label);
	return labels->count <= LIMIT_MERGED_LABELS ||
	       error_set(err, ERROR_USAGE, "--label accepts at most %u labels",
			 LIMIT_MERGED_LABELS);
}

static bool add_labels(const char *value, label_list *labels, struct error *err)
{
	struct text rest = text_of(value);

	for (;;) {
		const char *comma = memchr(rest.at, ',', rest.length);
		uint32_t length = comma ? (uint32_t)(comma - rest.at) : rest.length;

		if (!add_label((struct text){ rest.at, length }, labels, err))
			return false;
		if (!comma)
			return true;
		rest = text_from(rest, length + 1);
	}
}

bool label_settings_parse(const text_list *values, label_list *ret, struct error *err)
{
	for (size_t i = 0; i < values->count; i++)
		if (!add_labels(values->at[i], ret, err))
			return false;
	merged_labels_sort(ret->at, (uint32_t)ret->count);
	for (size_t i = 1; i < ret->count; i++)
		if (text_equal(ret->at[i - 1].key, ret->at[i].key))
			return error_set(err, ERROR_USAGE, "--label sets %.*s twice",
					 (int)ret->at[i].key.length, ret->at[i].key.at);
	return true;
}
