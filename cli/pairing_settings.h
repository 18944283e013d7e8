/* SPDX-License-Identifier: MIT */
/*
 * Options of commands that measure the time between events, such as kiln offcpu, kiln report
 * --latency and kiln heatmap --off-cpu.
 */
#ifndef CLI_PAIRING_SETTINGS_H
#define CLI_PAIRING_SETTINGS_H

#include "cli/inputs.h"

/* Options that define which waits count, and how these are measured. */
extern const struct option_group pairing_waits;
extern const struct option_group pairing_settings;

/* Whether any of these options was given. */
bool pairing_settings_has_any(const struct settings *settings);

/* Parses the values of these options. */
bool pairing_settings_finish(struct settings *settings, struct error *err) WARN_UNUSED;

/* Warns if times between events are uncertain. */
void pairing_settings_warn(const struct settings *settings, const struct session *session);

/*
 * Like inputs_build_profile, but weights are the times between events. Warns about uncertain times.
 */
bool pairing_settings_build_profile(struct inputs *inputs, struct profile *ret);

#endif
