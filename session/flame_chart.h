/* SPDX-License-Identifier: MIT */
/*
 * Builds a flame chart: a profile whose stacks are in time order. Consecutive samples share rows
 * for the frames that they have in common.
 *
 *     all                          time ─▶
 *      app        app              rows of one name can be siblings, if another row was
 *       main       main            between them; profile->begins is the x position
 *       a b        a
 *
 * If stacks are grouped by thread or CPU, and options.chart_lane_max is set, each thread or CPU has
 * its own lane on a common time axis: profile/tree/lane_chart.h.
 */
#ifndef SESSION_FLAME_CHART_H
#define SESSION_FLAME_CHART_H

#include "session/session.h"

/*
 * Builds the chart. Must be called instead of session_build_profile. Fails if charts do not support
 * the grouping or weight.
 */
bool session_build_chart(struct session *session, struct error *err) WARN_UNUSED;

#endif
