/* SPDX-License-Identifier: MIT */
/* What speaks for folded stacks, and against them: many other texts have lines that end in a number. */
#ifndef LIBPARSE_FOLDED_FOLDED_PROBE_H
#define LIBPARSE_FOLDED_FOLDED_PROBE_H

#include "libparse/evidence.h"

struct evidence folded_probe(struct span head);

/* Whether a line behind the head is a row of a table rather than a stack. name is the line without its count,
 * which blank_count blanks stand before. */
bool folded_is_table_row(struct text name, uint32_t blank_count);

/* Empty, or "# ...": kiln's and austin's remarks. */
bool folded_is_comment(struct text line);

/* What austin writes first. */
#define FOLDED_AUSTIN "# austin: "

#endif
