/* SPDX-License-Identifier: MIT */
/*
 * Implements kiln report --latency and --histogram:
 *
 *     --latency                         a table of waits, or with --list the longest of them
 *     --histogram                       the distribution of a BCC or bpftrace histogram
 *     --latency --histogram, --compare  the distribution of waits, beside that of another capture
 */
#ifndef TOOLS_REPORT_REPORT_LATENCY_H
#define TOOLS_REPORT_REPORT_LATENCY_H

#include "cli/inputs.h"
#include "cli/report_settings.h"

/* Whether distributions are written. */
bool report_latency_has_histograms(const struct settings *settings);

/* Both functions check the options, read the inputs and write the output. */
enum exit_code report_latency_run(struct settings *settings);
enum exit_code report_latency_run_histograms(struct settings *settings);

#endif
