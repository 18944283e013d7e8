/* SPDX-License-Identifier: MIT */
/*
 * What a capture is and how far it can be trusted: where and how it was recorded, what was measured
 * and how often, what was lost, and for every file its frames came from, whether it could be named.
 */
#ifndef RENDER_TEXT_INFO_H
#define RENDER_TEXT_INFO_H

#include "base/sink.h"
#include "offcpu/pairing.h"
#include "profile/profile.h"

/* with_records: list the types of records as well. pairs: of switches; NULL: there are none. */
void info_write_text(const struct profile *profile, const struct pairing_counts *pairs,
		     bool with_records, struct sink *sink);
void info_write_json(const struct profile *profile, const struct pairing_counts *pairs,
		     struct sink *sink);

/* Only why frames have no name, of the files that info_files_write_why has by this name. False: none. */
bool info_write_why(const struct profile *profile, struct text name, bool is_json,
		    struct sink *sink);

#endif
