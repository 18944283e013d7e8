/* SPDX-License-Identifier: MIT */
/*
 * What a reader must know before believing an answer, in a line or two on standard error: what was
 * lost, which files could not be named, which other events there were. kiln info has the whole of it.
 */
#ifndef CLI_HEALTH_H
#define CLI_HEALTH_H

#include "cli/command.h"

void health_warn(const struct settings *settings, const struct session *session);

#endif
