/* SPDX-License-Identifier: MIT */
/*
 * The options that read files of marks, --around and --mark, and warnings of what they do not use
 * of these.
 */
#ifndef CLI_MARK_SETTINGS_H
#define CLI_MARK_SETTINGS_H

#include "cli/settings.h"

/* --mark. */
extern const struct option_group mark_settings;

/* Reads and parses the files. */
bool mark_settings_finish(struct settings *settings, struct error *err) WARN_UNUSED;

/* Warns of lines that are no marks, and of marks that are outside the capture. */
void mark_settings_warn(const struct settings *settings, const struct marks *marks,
			const struct placed_marks *placed, const char *input);

/* The same for --around, and warns of windows that were joined or have no samples. */
void mark_settings_warn_around(const struct settings *settings, const struct session *session);

#endif
