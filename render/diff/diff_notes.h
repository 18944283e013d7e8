/* SPDX-License-Identifier: MIT */
/*
 * Writes notes, one per line, about matches between different names, and about properties that
 * cannot be compared:
 *
 *     threads of one role: svc_before is compared with svc_after; --no-pair-roots keeps them apart
 *     only before has inlined functions: they are folded into their callers; --no-mend shows them
 */
#ifndef RENDER_DIFF_DIFF_NOTES_H
#define RENDER_DIFF_DIFF_NOTES_H

#include "render/diff/diff_text.h"
#include "render/json.h"

/* Each line begins with prefix and ends with a newline. */
void diff_notes_write(const struct diff *diff, const char *prefix, diff_text_name *write_name,
		      struct sink *sink);

/* "alignment" in JSON. */
void diff_notes_json(const struct diff *diff, struct json *json);

#endif
