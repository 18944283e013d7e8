/* SPDX-License-Identifier: MIT */
/*
 * kiln diff of perf stat tables: what is written of them, and the gates, which are of counters here:
 *
 *     --fail-if 'cycles>5%'                       a counter
 *     --fail-if 'cycles-per-instruction>5%'       what two say together
 *     --event cycles --fail-if 'total>5%'         the only counter that is compared
 */
#ifndef TOOLS_DIFF_COUNTERS_H
#define TOOLS_DIFF_COUNTERS_H

#include "diff/counter_diff.h"
#include "cli/command.h"

bool diff_counters_write(const struct counter_diff *diff, enum diff_format format,
			 struct sink *sink, struct error *err) WARN_UNUSED;

/* As diff_gates_judge. */
enum exit_code diff_counters_judge(const struct settings *settings,
				   const struct counter_diff *diff);

#endif
