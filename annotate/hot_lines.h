/* SPDX-License-Identifier: MIT */
/* Counts the samples of a function by source line, as sums over the instructions of each line. */
#ifndef ANNOTATE_HOT_LINES_H
#define ANNOTATE_HOT_LINES_H

#include "annotate/annotation.h"

struct hot_line {
	struct source_line at;
	str_id inlined; /* the function that was inlined there; empty: none */
	struct annotation_count counts[ANNOTATION_EVENTS_MAX];
};

typedef VEC(struct hot_line) hot_line_list;

/* Lists the lines with samples, the hottest first. Instructions without a line are not included. */
void hot_lines_find(const struct annotation *annotation, const struct annotated_function *function,
		    hot_line_list *ret);

#endif
