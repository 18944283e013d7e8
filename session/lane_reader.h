/* SPDX-License-Identifier: MIT */
/* Fills lanes (timeline/lanes.h) from the context switches, wake-ups and samples of a session. */
#ifndef SESSION_LANE_READER_H
#define SESSION_LANE_READER_H

#include "session/session.h"

/*
 * Builds session->lanes as session->options.lanes requests. With sched:sched_switch or switch
 * records, lanes show the states of threads, and samples name the functions that ran. Otherwise,
 * threads run while they have samples. Fails if no selected thread has an event with a time, or if
 * not all switches were recorded.
 */
bool session_build_lanes(struct session *session, struct error *err) WARN_UNUSED;

#endif
