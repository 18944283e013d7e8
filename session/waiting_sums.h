/* SPDX-License-Identifier: MIT */
/*
 * Texts of tools that had summed up the time threads waited when they printed it: BCC's offcputime and
 * bpftrace. There is nothing to pair, but what their numbers are must be known:
 *
 *     offcputime, long      microseconds, which its reader makes nanoseconds
 *     folded stacks         microseconds, as offcputime -f writes them, unless "# unit:" says otherwise
 *     maps of bpftrace      what their name says, @off_us; else nanoseconds, as nsecs is
 */
#ifndef SESSION_WAITING_SUMS_H
#define SESSION_WAITING_SUMS_H

#include "session/session.h"

/* Finishes session->profile, in nanoseconds. False: it cannot be of time, or more is asked for than sums
 * tell. */
bool waiting_sums_build(struct session *session, struct error *err) WARN_UNUSED;

#endif
