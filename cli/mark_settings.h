/* SPDX-License-Identifier: MIT */
/*
 * The options that read files of marks, --around and --mark, and warnings about marks that are not
 * used.
 */
#ifndef CLI_MARK_SETTINGS_H
#define CLI_MARK_SETTINGS_H

#include "cli/settings.h"

/* --mark. */
extern const struct option_group mark_settings;

/* Checks the options. */
bool mark_settings_finish(struct settings *settings, struct error *err) WARN_UNUSED;

/* Reads and parses the files. */
bool mark_settings_read(struct settings *settings, struct error *err) WARN_UNUSED;

/* Whether a mark is in the part of the capture that is drawn. */
typedef bool (*mark_filter)(const void *context, const struct placed_mark *mark);

/*
 * Places the marks of --mark on the capture's clock. Warns of lines that are not marks, and of
 * marks that are not drawn: these are the marks that is_shown rejects, and those after the first
 * drawn_max that is_shown accepts. The caller frees ret->rows.
 */
bool mark_settings_place(const struct settings *settings, const struct session *session,
			 mark_filter is_shown, const void *context, size_t drawn_max,
			 struct placed_marks *ret, struct error *err) WARN_UNUSED;

/*
 * Warns of windows without samples, of marks of --around that are not used, and of joined windows.
 */
void mark_settings_warn_around(const struct settings *settings, const struct session *session);

#endif
