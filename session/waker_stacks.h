/* SPDX-License-Identifier: MIT */
/*
 * The stacks of those who ended waits: a pass over the samples looks at the wake-ups that pairing wants.
 * Internal to session/.
 */
#ifndef SESSION_WAKER_STACKS_H
#define SESSION_WAKER_STACKS_H

#include "session/session.h"

/* Finds the stacks of the wakes that are wanted, and links the intervals to them. */
bool waker_stacks_find(struct session *session, struct error *err) WARN_UNUSED;

#endif
