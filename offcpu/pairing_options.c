/* SPDX-License-Identifier: MIT */
#include "offcpu/pairing_options.h"

bool pairing_options_want_wakes(const struct pairing_options *options)
{
	return options->has_run_queue || options->has_wakers || options->has_waker_chain;
}

bool pairing_options_check(const struct pairing_options *options, struct error *err)
{
	if (options->states && !*options->states)
		return error_set(err, ERROR_USAGE, "--state requires state letters such as D,S");
	if (options->span &&
	    (options->states || options->has_preempted || pairing_options_want_wakes(options)))
		return error_set(err, ERROR_USAGE,
				 "--state, --preempted, --runqueue, --wakers and --chain are about "
				 "switches, not --span");
	if (options->is_wall && options->groups_by_duration)
		return error_set(err, ERROR_USAGE, "--latency cannot be combined with --wall");
	if (options->is_wall && (options->span || options->states))
		return error_set(err, ERROR_USAGE,
				 "--wall cannot be combined with --state or --span");
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
