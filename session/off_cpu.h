/* SPDX-License-Identifier: MIT */
/* Profiles of off-CPU time: what offcpu/offcpu.h needs of a session, and what the session makes of it. */
#ifndef SESSION_OFF_CPU_H
#define SESSION_OFF_CPU_H

#include "session/session.h"

/* Builds session->profile of the off-CPU time that session->options.pairing asks for. Fails if the capture
 * does not have it, or only part of it. */
bool session_build_offcpu(struct session *session, struct error *err) WARN_UNUSED;

/* Counts the switches that pair into session->offcpu; for a session whose profile is not built yet. */
void session_count_pairs(struct session *session);

#endif
