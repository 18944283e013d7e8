/* SPDX-License-Identifier: MIT */
/*
 * Parses the fields of sched_switch, in the kernel's format and in the format of perf script:
 *
 *     prev_comm=waits prev_pid=22267 prev_prio=120 prev_state=R+ ==> next_comm=waits next_pid=22269 next_prio=120
 *     waits:22267 [120] R+ ==> waits:22269 [120]
 *
 * Comms may contain anything, so each side is parsed from its end.
 */
#ifndef LIBPARSE_SCRIPT_SWITCH_TEXT_H
#define LIBPARSE_SCRIPT_SWITCH_TEXT_H

#include "libparse/event.h"

/* Whether an event is sched_switch, with or without "sched:". */
bool switch_text_is_event(struct text event);

bool switch_text_parse(struct text payload, struct event_sched_switch *ret);

#endif
