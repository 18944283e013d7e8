/* SPDX-License-Identifier: MIT */
/*
 * What the command line says of aligning two sides, and what there is of it until they are compared:
 *
 *     --ignore-path '^std::'     the compiled expression
 *     --rename FILE              its lines:  name before TAB name after;  "# " begins a comment
 *     --rename auto              what has the same callers and callees
 */
#ifndef COMPAT_ALIGNMENT_H
#define COMPAT_ALIGNMENT_H

#include "diff/align/diff_frames.h"
#include "cli/settings.h"

struct alignment {
	regex_t ignored;
	struct diff_renames renames;
	bool has_ignored, has_renames;
};

/* Adds to ret, whose naming is known, what then belongs to alignment. False: nothing is open. */
bool alignment_open(struct alignment *alignment, const struct settings *settings,
		    struct diff_alignment *ret, struct error *err) WARN_UNUSED;
void alignment_close(struct alignment *alignment);

#endif
