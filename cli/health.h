/* SPDX-License-Identifier: MIT */
/*
 * Warnings about an input: lost samples, DSOs without symbols, other events. Each is one line on
 * standard error. kiln info prints all details.
 *
 *     kiln: perf.data: 47% has unsymbolised frames, mostly perf-5862.map (44%): ...; see kiln info --why
 */
#ifndef CLI_HEALTH_H
#define CLI_HEALTH_H

#include "cli/command.h"

void health_warn(const struct settings *settings, const struct session *session);

#endif
