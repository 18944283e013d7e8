/* SPDX-License-Identifier: MIT */
/*
 * What a tracepoint of a switch between threads says, as the kernel prints it and as perf script's own
 * printing does:
 *
 *     prev_comm=waits prev_pid=22267 prev_prio=120 prev_state=R+ ==> next_comm=waits next_pid=22269 next_prio=120
 *     waits:22267 [120] R+ ==> waits:22269 [120]
 *
 * Names may hold anything, so numbers are looked for from the end of each side.
 */
#ifndef LIBPARSE_SCRIPT_SWITCH_TEXT_H
#define LIBPARSE_SCRIPT_SWITCH_TEXT_H

#include "libparse/event.h"

/* Whether a tracepoint of this name is one: sched_switch, perhaps behind its system. */
bool switch_text_is_event(struct text event);

bool switch_text_parse(struct text payload, struct event_sched_switch *ret);

#endif
