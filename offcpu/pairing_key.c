/* SPDX-License-Identifier: MIT */
#include "offcpu/pairing_key.h"

static bool add_word(struct pairing_key *key, struct text word, struct error *err)
{
	if (text_is(word, "global")) {
		key->is_global = true;
		return true;
	}
	if (text_is(word, "tid")) {
		key->names_tid = true;
		key->tid_level = key->field_count;
		return true;
	}
	if (key->field_count == PAIRING_KEY_FIELDS_MAX)
		return error_set(err, ERROR_USAGE, "--key accepts at most %d fields",
				 PAIRING_KEY_FIELDS_MAX);
	key->fields[key->field_count++] = word;
	return true;
}

bool pairing_key_parse(const char *text, struct pairing_key *ret, struct error *err)
{
	const char *at = text ? text : "tid";

	*ret = (struct pairing_key){ .is_global = false };
	if (!*at)
		return error_set(err, ERROR_USAGE, "--key requires tid or fields of both events");
	while (*at) {
		struct text word = { at, (uint32_t)strcspn(at, ",") };

		if (!add_word(ret, word, err))
			return false;
		at += word.length;
		at += *at == ',';
	}
	if (ret->is_global && ret->names_tid)
		return error_set(err, ERROR_USAGE, "--key: global and tid exclude each other");
	return !ret->is_global || ret->field_count ||
	       error_set(err, ERROR_USAGE,
			 "--key global requires fields of both events, such as global,dev,sector");
}

bool pairing_key_group(const char *text, struct grouping *ret, struct error *err)
{
	struct pairing_key key;

	*ret = (struct grouping){ .count = 0 };
	if (!pairing_key_parse(text, &key, err))
		return false;
	for (uint32_t i = 0; i <= key.field_count; i++) {
		if (!key.is_global && i == key.tid_level)
			ret->by[ret->count++] = GROUP_TID;
		if (i == key.field_count)
			break;
		ret->fields[ret->count] = key.fields[i];
		ret->by[ret->count++] = GROUP_FIELD;
	}
	return true;
}
