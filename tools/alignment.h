/* SPDX-License-Identifier: MIT */
/*
 * The options of kiln diff that match functions of the two sides:
 *
 *     --ignore-path '^std::'     ignore frames that match
 *     --rename FILE              renamed functions: OLD-NAME TAB NEW-NAME; "# " begins a comment
 *     --rename auto              match functions with the same callers and callees
 */
#ifndef TOOLS_ALIGNMENT_H
#define TOOLS_ALIGNMENT_H

#include "diff/align/diff_frames.h"
#include "cli/settings.h"

struct alignment {
	regex_t ignored;
	struct diff_renames renames;
	bool has_ignored, has_renames;
};

/* Fills ret, whose naming is set; what it points to belongs to alignment. False: nothing to
 * close. */
bool alignment_open(struct alignment *alignment, const struct settings *settings,
		    struct diff_alignment *ret, struct error *err) WARN_UNUSED;
void alignment_close(struct alignment *alignment);

#endif
