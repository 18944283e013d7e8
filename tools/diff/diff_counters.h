/* SPDX-License-Identifier: MIT */
/*
 * Implements kiln diff for perf stat tables: output, and --fail-if limits on counters:
 *
 *     --fail-if 'cycles>5%'                       a counter
 *     --fail-if 'cycles-per-instruction>5%'       a ratio of two counters
 *     --event cycles --fail-if 'total>5%'         the only counter
 */
#ifndef TOOLS_DIFF_DIFF_COUNTERS_H
#define TOOLS_DIFF_DIFF_COUNTERS_H

#include "cli/diff_settings.h"
#include "diff/counter_diff.h"
#include "cli/command.h"

bool diff_counters_write(const struct counter_diff *diff, enum diff_format format,
			 struct sink *sink, struct error *err) WARN_UNUSED;

/* Like diff_gates_check, for counters. */
enum exit_code diff_counters_check(const struct settings *settings,
				   const struct counter_diff *diff);

#endif
