/* SPDX-License-Identifier: MIT */
/*
 * Which captures are compared, and in what they differ:
 *
 *     v1/perf.data, recorded 2026-11-22 12:35:11 UTC, 10.0 s long: perf record -g ./app
 *     kernel differs: 6.1.0 before, 6.5.0 after
 *
 * Names of hosts, and folders in paths, are written only when the options of the comparison ask for them.
 */
#ifndef RENDER_DIFF_CAPTURES_TEXT_H
#define RENDER_DIFF_CAPTURES_TEXT_H

#include "diff/diff.h"
#include "render/diff/diff_notes.h"
#include "render/json.h"

/* A side's captures in one line, of which the end is not written. */
void diff_captures_write_side(const struct diff *diff, enum diff_side side,
			      diff_notes_name *write_name, struct sink *sink);

/* What they are called in a legend: "v1.data", "3 runs before", or the part of a capture that is split. */
void diff_captures_write_label(const struct diff *diff, enum diff_side side,
			       diff_notes_name *write_name, struct sink *sink);

/* How many differences there are; of a capture that is split none. */
size_t diff_captures_count_differences(const struct diff *diff);

/* A line each, which begins with prefix and ends with a line end. */
void diff_captures_write_differences(const struct diff *diff, const char *prefix,
				     diff_notes_name *write_name, struct sink *sink);

/* What differs, in one line: "kernel, online CPUs". */
void diff_captures_write_keys(const struct diff *diff, struct sink *sink);

/* "captures": those of a side. */
void diff_captures_json_side(const struct diff *diff, enum diff_side side, struct json *json);

/* "capture_differences" */
void diff_captures_json_differences(const struct diff *diff, struct json *json);

/*
 * What files are called among others: by their base names, and by as much of their paths as keeps them apart.
 *
 *     old/perf.data   new/perf.data   runs/a.data     ─▶   old/perf.data   new/perf.data   a.data
 */
/* The end of the path of a capture; shows_homes: which may name people, by their home folders. */
struct text captures_text_file(const diff_capture_list *captures, const struct strings *strings,
			      size_t index, bool shows_homes);

#endif
