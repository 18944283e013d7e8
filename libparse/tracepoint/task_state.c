/* SPDX-License-Identifier: MIT */
#include "libparse/tracepoint/task_state.h"

#include <ctype.h>

#include "base/scan.h"
#include "base/span.h"

static uint64_t bits_above(const struct task_states *states)
{
	unsigned count = TASK_STATE_BITS;

	while (count && !states->letters[count - 1])
		count--;
	return ~(uint64_t)0 << count;
}

/* Reads `{ NUMBER, "LETTER" }`, after the brace. Returns false if the pair is malformed. */
static bool read_pair(const char *at, const char *end, uint64_t *value_ret, char *letter_ret)
{
	unsigned base = 10;

	while (at < end && is_space(*at))
		at++;
	if (end - at > 2 && at[0] == '0' && at[1] == 'x') {
		base = 16;
		at += 2;
	}
	*value_ret = 0;
	for (; at < end && is_hex_digit(*at); at++) {
		unsigned digit = (unsigned)hex_value(*at);

		if (digit >= base || *value_ret >> (TASK_STATE_BITS + 1))
			return false;
		*value_ret = *value_ret * base + digit;
	}
	while (at < end && (is_space(*at) || *at == ','))
		at++;
	if (end - at < 3 || at[0] != '"' || at[2] != '"' || !isalpha((unsigned char)at[1]))
		return false;
	*letter_ret = at[1];
	return true;
}

bool task_states_read(struct text print_format, struct task_states *ret)
{
	const char *end;
	bool has_any = false;
	uint64_t value;
	char letter;

	*ret = (struct task_states){ .above = 0 };
	if (!print_format.length)
		return false;
	end = print_format.at + print_format.length;
	for (const char *at = print_format.at; at < end; at++) {
		if (*at != '{' || !read_pair(at + 1, end, &value, &letter) || !value ||
		    value & (value - 1) || value >> TASK_STATE_BITS)
			continue;
		ret->letters[__builtin_ctzll(value)] = letter;
		has_any = true;
	}
	ret->above = bits_above(ret);
	return has_any;
}

static unsigned read_number(const char **at, const char *end)
{
	unsigned number = 0;

	for (; *at < end && is_digit(**at) && number < 1000; (*at)++)
		number = number * 10 + (unsigned)(**at - '0');
	return number;
}

static bool is_before_4_14(struct text release)
{
	const char *at = release.at;
	const char *end = release.at + release.length;
	unsigned major = read_number(&at, end);
	unsigned minor;

	if (!major)
		return false;
	at += at < end;
	minor = read_number(&at, end);
	return major < 4 || (major == 4 && minor < 14);
}

void task_states_guess(struct text release, struct task_states *ret)
{
	static const char letters_before[] = "SDTtZXxKWPN";
	static const char letters[] = "SDTtXZPI";

	*ret = (struct task_states){ .above = 0 };
	if (is_before_4_14(release))
		memcpy(ret->letters, letters_before, sizeof(letters_before) - 1);
	else
		memcpy(ret->letters, letters, sizeof(letters) - 1);
	ret->above = bits_above(ret);
}

struct task_state task_state_of(const struct task_states *states, uint64_t value)
{
	struct task_state state = { .letter = 'R', .is_preempted = value & states->above };

	for (uint64_t bits = value; bits; bits &= bits - 1) {
		unsigned lowest = (unsigned)__builtin_ctzll(bits);

		if (lowest >= TASK_STATE_BITS)
			break;
		if (states->letters[lowest]) {
			state.letter = states->letters[lowest];
			break;
		}
	}
	return state;
}

bool task_state_is_dead(struct task_state state)
{
	return state.letter == 'X' || state.letter == 'Z' || state.letter == 'x';
}

bool task_state_is_blocked(struct task_state state)
{
	return state.letter != 'R' && !state.is_preempted && !task_state_is_dead(state);
}
