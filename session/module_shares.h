/* SPDX-License-Identifier: MIT */
/*
 * How much of the samples has a frame in each module, before anything is named: of every event, as a bundle
 * is for all of them, and of those the share of the event where it is largest.
 */
#ifndef SESSION_MODULE_SHARES_H
#define SESSION_MODULE_SHARES_H

#include "session/sampling.h"

/* Fills session->module_shares: parts of 1, by row of the profile's modules. */
void module_shares_sum(struct session *session, const struct sampling *sampling);

#endif
