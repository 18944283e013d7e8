/* SPDX-License-Identifier: MIT */
/*
 * What was compared with what beyond equal names, and what cannot be compared, a line each:
 *
 *     svc_before is compared with svc_after; --no-pair-roots keeps them apart
 *     only before has inlined functions: they are folded into their callers; --no-mend shows them
 */
#ifndef RENDER_DIFF_DIFF_NOTES_H
#define RENDER_DIFF_DIFF_NOTES_H

#include "diff/diff.h"
#include "render/json.h"

/* Writes names as an output needs them. */
typedef void diff_notes_name(struct sink *sink, struct text name);

/* Each line begins with prefix and ends with a line end. */
void diff_notes_write(const struct diff *diff, const char *prefix, diff_notes_name *write_name,
		      struct sink *sink);

/* "alignment": all of it. */
void diff_notes_json(const struct diff *diff, struct json *json);

#endif
