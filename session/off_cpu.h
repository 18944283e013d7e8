/* SPDX-License-Identifier: MIT */
/* Connects offcpu/offcpu.h to a session, to build profiles of off-CPU time. */
#ifndef SESSION_OFF_CPU_H
#define SESSION_OFF_CPU_H

#include "session/session.h"

/*
 * Builds session->profile from the off-CPU time that session->options.pairing selects. Fails if the
 * capture lacks any of the required events.
 */
bool session_build_offcpu(struct session *session, struct error *err) WARN_UNUSED;

/*
 * Builds session->profile from the most complete thread times that the capture supports: on-CPU and
 * off-CPU time, or off-CPU time alone, or samples if there are no switches.
 */
bool session_build_thread_time(struct session *session, struct error *err) WARN_UNUSED;

/*
 * Fills session->timeline with the waits that session->options.pairing selects. Fails as
 * session_build_offcpu does.
 */
bool session_build_wait_timeline(struct session *session, struct error *err) WARN_UNUSED;

/*
 * Counts how many switches can be paired, and stores the counts in session->offcpu. Must be called
 * before the profile is built.
 */
void session_count_pairs(struct session *session);

#endif
