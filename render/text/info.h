/* SPDX-License-Identifier: MIT */
/*
 * The report of kiln info: how the capture was recorded, its events and their counts, losses, and
 * for each DSO whether it could be symbolised.
 */
#ifndef RENDER_TEXT_INFO_H
#define RENDER_TEXT_INFO_H

#include "base/sink.h"
#include "offcpu/pairing.h"
#include "profile/profile.h"

/* with_records: also list the record types. pairs: of context switches; NULL: none. */
void info_write_text(const struct profile *profile, const struct pairing_counts *pairs,
		     bool with_records, struct sink *sink);
void info_write_json(const struct profile *profile, const struct pairing_counts *pairs,
		     struct sink *sink);

/*
 * Explains only why frames of some files have no name: info_files_write_why. Returns false if no
 * file matches.
 */
bool info_write_why(const struct profile *profile, struct text name, bool is_json,
		    struct sink *sink);

#endif
