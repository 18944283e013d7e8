/* SPDX-License-Identifier: MIT */
/*
 * Describes which captures are compared, and how they differ:
 *
 *     v1/perf.data, recorded 2026-11-22 12:35:11 UTC, 10.0 s long: perf record -g ./app
 *     kernel differs: 6.1.0 before, 6.5.0 after
 *
 * Host names, and home directories in paths, are written only if diff_options.shows_hosts is set.
 */
#ifndef RENDER_DIFF_CAPTURES_TEXT_H
#define RENDER_DIFF_CAPTURES_TEXT_H

#include "render/diff/diff_text.h"
#include "render/json.h"

/* Writes the captures of a side, without a newline. */
void captures_text_side(const struct diff *diff, enum diff_side side, diff_text_name *write_name,
			struct sink *sink);

/* Writes a short label: "v1.data", "3 runs before", or the part of a split capture. */
void captures_text_label(const struct diff *diff, enum diff_side side, diff_text_name *write_name,
			 struct sink *sink);

/* The number of differences; 0 for the parts of a split capture. */
size_t captures_text_count(const struct diff *diff);

/* Writes a line for each difference and each partial capture, with prefix and newline. */
void captures_text_differences(const struct diff *diff, const char *prefix,
			       diff_text_name *write_name, struct sink *sink);

/* Writes the names of the differences: "kernel, online CPUs". */
void captures_text_keys(const struct diff *diff, struct sink *sink);

/* Writes the member "captures" of a side. */
void captures_text_json_side(const struct diff *diff, enum diff_side side, struct json *json);

/* Writes the member "capture_differences". */
void captures_text_json_differences(const struct diff *diff, struct json *json);

/*
 * Returns the end of a capture's path that identifies it: the base name or, if several captures
 * have the same one, as much of the path as necessary:
 *
 *     old/perf.data   new/perf.data   runs/a.data     ─▶   old/perf.data   new/perf.data   a.data
 *
 * shows_homes: keep home directories, which may be named after people.
 */
struct text captures_text_file(const diff_capture_list *captures, const struct strings *strings,
			       size_t index, bool shows_homes);

#endif
