/* SPDX-License-Identifier: MIT */
/*
 * Writes the report of kiln info: how the capture was recorded, its events and their counts,
 * losses, and whether each DSO could be symbolised.
 */
#ifndef RENDER_TEXT_INFO_H
#define RENDER_TEXT_INFO_H

#include "offcpu/pairing.h"
#include "profile/profile.h"
#include "render/json.h"

/*
 * with_records: whether to also list the record types. pairs: counts of paired context switches;
 * NULL: none.
 */
void info_write_text(const struct profile *profile, const struct pairing_counts *pairs,
		     bool with_records, struct sink *sink);
void info_write_json(const struct profile *profile, const struct pairing_counts *pairs,
		     struct sink *sink);

/*
 * Writes only why frames of some files have no name; see info_files_write_why. Returns false if no
 * file matches.
 */
bool info_write_why(const struct profile *profile, struct text name, bool is_json,
		    struct sink *sink);

/*
 * The files whose code was sampled, and where their symbols came from, or why there are none:
 * info_files.c.
 *
 *     share    addrs   named  match       path
 *     61.2%       26       0  missing     /opt/app/server
 *                                         build-id ec84866cd0accc4d0052c1ed245dd9f8b3292ac7
 *                                         searched: ./symbols/server: mismatch, it is another build
 *
 * Only kiln info --why writes the searched paths. Below the table is the command that would
 * symbolise the largest share.
 */
void info_files_write_text(const struct profile *profile, struct sink *sink);

/*
 * Explains why frames have no name: lists the files with such frames and all paths that were
 * searched, and gives advice on the first file for which there is any. name selects files by a part
 * of their path or by the name of a frame; an empty name selects all files with unnamed frames.
 * Returns false if no file matches.
 */
bool info_files_write_why(const struct profile *profile, struct text name, struct sink *sink);

/*
 * These functions write the member "files" of the open object: all files, or those that
 * info_files_write_why would list.
 */
void info_files_write_json(const struct profile *profile, struct json *json);
bool info_files_write_why_json(const struct profile *profile, struct text name, struct json *json);

#endif
