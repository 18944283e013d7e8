/* SPDX-License-Identifier: MIT */
/*
 * What files are called among others: by their base names, and by as much of their paths as keeps them apart.
 *
 *     old/perf.data   new/perf.data   runs/a.data     ─▶   old/perf.data   new/perf.data   a.data
 */
#ifndef RENDER_TEXT_CAPTURE_FILE_H
#define RENDER_TEXT_CAPTURE_FILE_H

#include "diff/diff_captures.h"

/* The end of the path of a capture; shows_homes: which may name people, by their home folders. */
struct text capture_file_name(const diff_capture_list *captures, const struct strings *strings,
			      size_t index, bool shows_homes);

#endif
