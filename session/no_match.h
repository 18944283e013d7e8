/* SPDX-License-Identifier: MIT */
/*
 * An empty answer is not given without a word: which option empties it, and what is nearest to what was asked for.
 *
 *     no sample has comm "worker9"; nearest: worker-1, worker-2 (of 14 comms; --by comm lists them)
 *     no sample is from 5.000000 to 6.000000 s; samples are from 100.250000 to 102.500000 s
 *     no sample is of all that is asked for; each by itself: cpu 3 (300 samples), comm "main" (12 samples)
 */
#ifndef SESSION_NO_MATCH_H
#define SESSION_NO_MATCH_H

#include "session/session.h"

/*
 * After samples were read, or visited: whether any is selected. False: none is, though the capture has some; the
 * error, an ERROR_NO_MATCH without the name of the input, says why.
 */
bool session_has_match(const struct session *session, struct error *err) WARN_UNUSED;

#endif
