/* SPDX-License-Identifier: MIT */
/*
 * What commands have in common that weigh the time between events: which of it counts, and what is
 * said of the rest.
 */
#ifndef CLI_PAIRING_SETTINGS_H
#define CLI_PAIRING_SETTINGS_H

#include "cli/settings.h"

extern const struct option_group pairing_settings;

/* Whether any of them was given. */
bool pairing_settings_has_any(const struct settings *settings);

/* Understands what is more than a word. */
bool pairing_settings_finish(struct settings *settings, struct error *err) WARN_UNUSED;

/* A course's write_each: warns of what is not counted, and of what is doubtful. Writes nothing. */
bool pairing_settings_tell(const struct settings *settings, struct session *session,
			   struct sink *sink, struct error *err);

#endif
