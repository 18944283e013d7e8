/* SPDX-License-Identifier: MIT */
/*
 * Parses the fields of sched_switch and of wake-ups, in the kernel's format and in that of perf
 * script:
 *
 *     prev_comm=waits prev_pid=22267 prev_prio=120 prev_state=R+ ==> next_comm=waits next_pid=22269 next_prio=120
 *     waits:22267 [120] R+ ==> waits:22269 [120]
 *     comm=waits pid=22269 prio=120 success=1 target_cpu=001
 *     waits:22269 [120] success=1 CPU:001
 *
 * Comms may contain anything, so fields are found from the end. Sources: include/trace/events/sched.h
 * of the Linux kernel, and plugin_sched_switch.c of libtraceevent.
 */
#ifndef LIBPARSE_SCRIPT_SWITCH_TEXT_H
#define LIBPARSE_SCRIPT_SWITCH_TEXT_H

#include "libparse/event.h"

/* Whether an event is sched_switch, with or without "sched:". */
bool switch_text_is_event(struct text event);

bool switch_text_parse(struct text payload, struct event_sched_switch *ret);

/* Whether an event is sched_waking, sched_wakeup or sched_wakeup_new, with or without "sched:". */
bool switch_text_is_wakeup(struct text event);

/*
 * Reads which thread is woken. False if the fields are not those of a wake-up, or if the thread was
 * already awake (success=0, before Linux 4.3).
 */
bool switch_text_parse_wakeup(struct text payload, uint32_t *tid_ret);

#endif
