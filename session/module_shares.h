/* SPDX-License-Identifier: MIT */
/*
 * The share of samples with a frame in each module, before symbolisation: for kiln bundle. With
 * several events, the largest of their shares.
 */
#ifndef SESSION_MODULE_SHARES_H
#define SESSION_MODULE_SHARES_H

#include "session/sampling.h"

/* Fills session->module_shares with shares from 0 to 1, by module id. */
void module_shares_sum(struct session *session, const struct sampling *sampling);

#endif
