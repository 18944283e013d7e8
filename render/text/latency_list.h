/* SPDX-License-Identifier: MIT */
/*
 * Writes the longest intervals of a profile one by one, with the thread, the reason, the stack, and
 * a command that shows what happened in the meantime:
 *
 *     1.  203 ms  waits  pid 22267, tid 22267, CPU 1: S, sleeping
 *         kiln script --time 31262.222670992,31262.426003761 perf.data
 *         woken by swapper: try_to_wake_up;hrtimer_wakeup
 *         main;run;clock_nanosleep;do_nanosleep;schedule
 */
#ifndef RENDER_TEXT_LATENCY_LIST_H
#define RENDER_TEXT_LATENCY_LIST_H

#include "base/sink.h"
#include "profile/profile.h"

struct latency_list_options {
	const char *input_name; /* for the suggested commands; NULL means standard input */
	bool is_json;
	uint64_t limit; /* maximum number of intervals; the profile must keep as many */
};

void latency_list_write(const struct profile *profile, const struct latency_list_options *options,
			struct sink *sink);

#endif
