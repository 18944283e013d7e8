/* SPDX-License-Identifier: MIT */
/*
 * The files that samples ran in, and how each got its names or why it has none:
 *
 *     share   places   named  verdict     path
 *     61.2%       26       0  missing     /opt/app/server
 *                                         build-id ec84866cd0accc4d0052c1ed245dd9f8b3292ac7
 *                                         looked: ./symbols/server: mismatch, it is another build
 *
 * and below them the one command that would name the most.
 */
#ifndef RENDER_INFO_FILES_H
#define RENDER_INFO_FILES_H

#include "profile/profile.h"
#include "render/json.h"

/* with_places: every place that was looked in as well, and what to do about the worst. */
void info_files_write_text(const struct profile *profile, bool with_places, struct sink *sink);

/* The member "files" of the object that is open. */
void info_files_write_json(const struct profile *profile, struct json *json);

#endif
