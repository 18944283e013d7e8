/* SPDX-License-Identifier: MIT */
/*
 * The files that samples ran in, and how each got its names or why it has none:
 *
 *     share   places   named  verdict     path
 *     61.2%       26       0  missing     /opt/app/server
 *                                         build-id ec84866cd0accc4d0052c1ed245dd9f8b3292ac7
 *                                         looked: ./symbols/server: mismatch, it is another build
 *
 * and below them the one command that would name the most. The last two are for kiln info --why.
 */
#ifndef RENDER_TEXT_INFO_FILES_H
#define RENDER_TEXT_INFO_FILES_H

#include "profile/profile.h"
#include "render/json.h"

void info_files_write_text(const struct profile *profile, struct sink *sink);

/*
 * Why frames have no name: of the files with such frames, or of those that name is the name of a
 * frame of or a part of the path of, every place that was looked in as well; and what to do about
 * the worst. False: there is no such file. An empty name stands for all that have such frames.
 */
bool info_files_write_why(const struct profile *profile, struct text name, struct sink *sink);

/* The member "files" of the object that is open: all, or those that info_files_write_why has. */
void info_files_write_json(const struct profile *profile, struct json *json);
bool info_files_write_why_json(const struct profile *profile, struct text name, struct json *json);

#endif
