/* SPDX-License-Identifier: MIT */
/*
 * Explains an empty result: which option excludes all samples, and the nearest existing names.
 *
 *     no sample has comm "worker9"; nearest: worker-1, worker-2 (of 14 comms; --by comm lists them)
 *     no sample is from 5.000000 to 6.000000 s; the samples are from 100.250000 to 102.500000 s
 *     no sample meets all conditions; each alone is met by: --cpu 3 (300 samples), ...
 */
#ifndef SESSION_NO_MATCH_H
#define SESSION_NO_MATCH_H

#include "session/session.h"

/*
 * Whether any sample is selected. Must be called after samples have been read or visited. If the
 * capture has samples, but none is selected, returns false with ERROR_NO_MATCH. The error does not
 * name the input.
 */
bool session_has_match(const struct session *session, struct error *err) WARN_UNUSED;

#endif
