/* SPDX-License-Identifier: MIT */
/* Fills tracks (timeline/tracks.h) with the samples of a session. */
#ifndef SESSION_TRACK_READER_H
#define SESSION_TRACK_READER_H

#include "session/session.h"

/*
 * Builds session->tracks for all events that the view shows, and the frames of session->profile.
 * The weight of a sample is its period, or 1 with --weight samples; fails if any other weight is
 * requested.
 */
bool session_build_tracks(struct session *session, struct error *err) WARN_UNUSED;

/*
 * Like session_build_tracks, but only counts samples without a time. Fails if no sample has a time.
 */
bool session_build_timed_tracks(struct session *session, struct error *err) WARN_UNUSED;

#endif
