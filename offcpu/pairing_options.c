/* SPDX-License-Identifier: MIT */
#include "offcpu/pairing_options.h"

bool pairing_options_want_wakes(const struct pairing_options *options)
{
	return options->has_run_queue || options->has_wakers || options->has_waker_chain ||
	       options->is_critical;
}

bool pairing_options_check(const struct pairing_options *options, struct error *err)
{
	if (options->states && !*options->states)
		return error_set(err, ERROR_USAGE, "--state requires state letters such as D,S");
	if (options->span &&
	    (options->states || options->has_preempted || pairing_options_want_wakes(options)))
		return error_set(
			err, ERROR_USAGE,
			"--state, --preempted, --runqueue, --wakers, --chain and "
			"--critical apply to context switches and cannot be combined with --span");
	if (options->is_wall && (options->span || options->states))
		return error_set(err, ERROR_USAGE,
				 "--wall cannot be combined with --state or --span");
	if (options->is_critical &&
	    (options->is_wall || options->groups_by_duration || options->has_run_queue ||
	     options->has_wakers || options->has_waker_chain))
		return error_set(err, ERROR_USAGE,
				 "--critical shows wakers and run-queue latency itself; --wall, "
				 "--latency, --runqueue, --wakers and --chain cannot be combined "
				 "with it");
	return !options->key || options->span ||
	       error_set(err, ERROR_USAGE, "--key requires --span");
}

static bool has_letter(const char *states, char letter)
{
	for (const char *at = states; *at; at++)
		if (*at == letter)
			return true;
	return false;
}

bool pairing_options_want(const struct pairing_options *options, struct task_state state,
			  enum interval_mark *mark_ret)
{
	bool is_blocked = task_state_is_blocked(state);

	*mark_ret = INTERVAL_PLAIN;
	if (options->span)
		return true;
	if (!is_blocked && options->has_preempted)
		*mark_ret = INTERVAL_PREEMPTED;
	else if (!is_blocked && options->has_run_queue)
		*mark_ret = INTERVAL_RUN_QUEUE;
	if (*mark_ret == INTERVAL_PLAIN && !is_blocked && options->is_wall)
		*mark_ret = INTERVAL_PREEMPTED;
	if (*mark_ret != INTERVAL_PLAIN)
		return true;
	if (options->states)
		return has_letter(options->states, is_blocked ? state.letter : 'R');
	return is_blocked;
}

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
		return error_set(err, ERROR_USAGE,
				 "--key requires tid, or fields that both events "
				 "have");
	while (*at) {
		struct text word = { at, (uint32_t)strcspn(at, ",") };

		if (!add_word(ret, word, err))
			return false;
		at += word.length;
		at += *at == ',';
	}
	if (ret->is_global && ret->names_tid)
		return error_set(err, ERROR_USAGE, "--key: global and tid cannot be combined");
	return !ret->is_global || ret->field_count ||
	       error_set(err, ERROR_USAGE,
			 "--key global requires fields that both events have, such as "
			 "global,dev,sector");
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
