/* SPDX-License-Identifier: MIT */
/*
 * A profile of the time between samples: a pass over the samples finds what began and ended when,
 * and then they are counted as ever, but weighed by what that pass found.
 *
 *     samples (parallel) ─▶ rows ─ sort, pair ─▶ intervals ─▶ session_build_profile
 */
#ifndef SESSION_OFF_CPU_H
#define SESSION_OFF_CPU_H

#include "session/session.h"

/* Finishes session->profile by session->options.pairing. False: the capture has not what is asked
 * for, or not all of it. */
bool session_build_intervals(struct session *session, struct error *err) WARN_UNUSED;

/*
 * Finds how many of a capture's switches pair, and which do not and why, into session->pairing.counts; for a
 * session whose profile is still to be built. Sets session->has_pair_counts where there are switches that could.
 */
void session_count_intervals(struct session *session);

/* Names the locations that stand for no code but for something of an interval. */
void off_cpu_name_locations(struct session *session);

#endif
