/* SPDX-License-Identifier: MIT */
#include "libparse/script/switch_text.h"

#include "libparse/text.h"

static const char arrow[] = " ==> ";

bool switch_text_is_event(struct text event)
{
	return text_is(event, "sched:sched_switch") || text_is(event, "sched_switch");
}

/* Reads the number after the last occurrence of key, and truncates the text before the key. */
static bool take_last(struct text *text, const char *key, uint32_t *ret)
{
	uint32_t length = (uint32_t)strlen(key);

	for (uint32_t at = text->length; at-- > 0;) {
		struct text rest = { text->at + at, text->length - at };
		struct text word;
		uint64_t value;

		if (!text_has_prefix(rest, key))
			continue;
		rest = (struct text){ rest.at + length, rest.length - length };
		if (!text_next_word(&rest, &word) || !text_to_u64(word, &value) ||
		    value > UINT32_MAX)
			return false;
		text->length = at;
		*ret = (uint32_t)value;
		return true;
	}
	return false;
}

/* Reads the first letter of "R+" or "D|K". */
static bool set_state(struct text state, struct event_sched_switch *ret)
{
	if (!state.length || !is_lower(to_lower(state.at[0])))
		return false;
	ret->state = state.at[0];
	ret->is_preempted = text_has_suffix(state, "+");
	return true;
}

/* The value of the first field, whose key is given, in a text that ends after it. */
static struct text comm_of(struct text text, const char *key)
{
	text = text_trim(text);
	return text_has_prefix(text, key) ? text_from(text, strlen(key)) : text_of("");
}

static bool parse_kernel(struct text before, struct text after, struct event_sched_switch *ret)
{
	static const char key[] = "prev_state=";
	const char *at = memmem(before.at, before.length, key, sizeof(key) - 1);
	const char *more;
	struct text state;

	/* The previous comm may contain the key, so use the last occurrence. */
	while (at && (more = memmem(at + 1, (size_t)(before.at + before.length - at - 1), key,
				    sizeof(key) - 1)))
		at = more;
	if (!at)
		return false;
	state.at = at + sizeof(key) - 1;
	state.length = (uint32_t)(before.at + before.length - state.at);
	if (!set_state(text_trim(state), ret) ||
	    !take_last(&before, "prev_pid=", &ret->previous_tid) ||
	    !take_last(&after, "next_pid=", &ret->next_tid))
		return false;
	ret->previous_comm = comm_of(before, "prev_comm=");
	ret->next_comm = comm_of(after, "next_comm=");
	return true;
}

/* Parses "waits:22267 [120] R+"; only the left side has a state. */
static bool parse_side(struct text text, struct text *comm_ret, uint32_t *tid_ret,
		       struct text *state_ret)
{
	const char *bracket = memrchr(text.at, ']', text.length);
	struct text task;
	const char *open;
	const char *colon;
	uint64_t tid;

	if (!bracket)
		return false;
	*state_ret = text_trim(
		(struct text){ bracket + 1, (uint32_t)(text.at + text.length - bracket - 1) });
	open = memrchr(text.at, '[', (size_t)(bracket - text.at));
	if (!open)
		return false;
	task = text_trim((struct text){ text.at, (uint32_t)(open - text.at) });
	colon = task.length ? memrchr(task.at, ':', task.length) : NULL;
	if (!colon ||
	    !text_to_u64((struct text){ colon + 1, (uint32_t)(task.at + task.length - colon - 1) },
			 &tid) ||
	    tid > UINT32_MAX)
		return false;
	*tid_ret = (uint32_t)tid;
	*comm_ret = text_between(task.at, colon);
	return true;
}

bool switch_text_parse(struct text payload, struct event_sched_switch *ret)
{
	const char *at = payload.length
				 ? memmem(payload.at, payload.length, arrow, sizeof(arrow) - 1)
				 : NULL;
	struct text before;
	struct text after;
	struct text state;
	struct text ignored;

	*ret = (struct event_sched_switch){ .state = 0 };
	if (!at)
		return false;
	before = (struct text){ payload.at, (uint32_t)(at - payload.at) };
	at += sizeof(arrow) - 1;
	after = (struct text){ at, (uint32_t)(payload.at + payload.length - at) };
	if (text_has_prefix(text_trim(before), "prev_comm="))
		return parse_kernel(before, after, ret);
	return before.length && after.length &&
	       parse_side(before, &ret->previous_comm, &ret->previous_tid, &state) &&
	       set_state(state, ret) &&
	       parse_side(after, &ret->next_comm, &ret->next_tid, &ignored);
}

bool switch_text_is_wakeup(struct text event)
{
	static const char system[] = "sched:";

	if (text_has_prefix(event, system))
		event = text_from(event, sizeof(system) - 1);
	return text_is(event, "sched_waking") || text_is(event, "sched_wakeup") ||
	       text_is(event, "sched_wakeup_new");
}

bool switch_text_parse_wakeup(struct text payload, uint32_t *tid_ret)
{
	struct text before = payload;
	struct text comm, rest;
	uint32_t success;

	if (!payload.length)
		return false;
	if (!text_has_prefix(text_trim(payload), "comm=")) {
		if (!parse_side(payload, &comm, tid_ret, &rest))
			return false;
	} else {
		if (!take_last(&before, " pid=", tid_ret))
			return false;
		rest = text_from(payload, before.length);
	}
	/* A comm may contain the key, so it is looked for only after the comm. */
	return !take_last(&rest, "success=", &success) || success;
}
