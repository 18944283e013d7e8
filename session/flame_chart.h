/* SPDX-License-Identifier: MIT */
/*
 * A profile whose stacks are in the order of time rather than of names: samples side by side as they
 * came, of which neighbours share the rows they have in common.
 *
 *     all                          time ─▶
 *      app        app              rows of one name can stand side by side, where something else
 *       main       main            was between; profile->begins says where each begins
 *       a b        a
 */
#ifndef SESSION_FLAME_CHART_H
#define SESSION_FLAME_CHART_H

#include "session/session.h"

/* Reads the samples, in the place of session_build_profile. False also when they are to stand on, or be
 * weighed by, what a chart has not. */
bool session_build_chart(struct session *session, struct error *err) WARN_UNUSED;

#endif
