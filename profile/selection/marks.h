/* SPDX-License-Identifier: MIT */
/*
 * Reads marks, which are labelled times or time ranges, from a text file such as a request log or
 * an alarm log. Each line is a mark, except empty lines and lines that begin with #:
 *
 *     5669.62                                     a time on the capture's clock, as in kiln script
 *     5669.62 5669.75 slow request                a range with a label; also with commas, semicolons or tabs
 *     2026-11-22 10:30:00,123 ERROR timeout       wall clock: local time by TZ, unless it ends in Z or +01:00
 *     10:30:00.5   1795343400.5   1795343400500   time of day; since 1970 in seconds, ms, µs or ns
 *     +1.5                                        seconds after the first sample
 *
 * The first line may be the header of a CSV file, with columns such as time, begin, end and label.
 * Marks are placed on the capture's clock once it is open (session/time_span.h).
 */
#ifndef PROFILE_SELECTION_MARKS_H
#define PROFILE_SELECTION_MARKS_H

#include "base/arena.h"
#include "profile/selection/selection.h"

/* The maximum length of the part of a line that is kept for messages. */
#define MARK_EXCERPT_BYTES 48

struct mark {
	struct selection_period period; /* if the mark is a single time, first and last are equal */
	struct text label;              /* in the arena */
	uint32_t line;                  /* from 1 */
};

struct marks {
	VEC(struct mark) rows; /* in order of the file */
	struct arena arena;
	const char *file_name;  /* borrowed */
	uint64_t unknown_count; /* lines that are not marks */
	uint32_t unknown_line;  /* the first such line, and how it begins */
	char unknown_text[MARK_EXCERPT_BYTES + 1];
};

/*
 * The file name is borrowed. Fails if no line is a mark; the error names the first line that is not
 * a mark.
 */
bool marks_parse(struct marks *marks, struct text file, const char *file_name,
		 struct error *err) WARN_UNUSED;
void marks_deinit(struct marks *marks);

/* A mark on the capture's clock. */
struct placed_mark {
	uint64_t first_ns, last_ns;
	struct text label; /* label of the mark */
	uint32_t line;
};

/* In order of time. */
struct placed_marks {
	VEC(struct placed_mark) rows;
	uint64_t outside_count; /* marks outside the capture, which are not in rows */
	uint32_t outside_line;  /* line of the first such mark */
};

#endif
