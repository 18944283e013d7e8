/* SPDX-License-Identifier: MIT */
/*
 * Writes the heaviest functions as an HTML table, for readers without scripts, and for printing:
 *
 *     self     share    total    share    function    module          source
 *     1.23 s   12.30%   4.56 s   45.60%   parse       /usr/bin/app    parse.c:7
 */
#ifndef RENDER_PAGE_PAGE_TABLE_H
#define RENDER_PAGE_PAGE_TABLE_H

#include "base/sink.h"
#include "diff/diff.h"

/* shows_homes: whether to write home directories in paths unchanged. */
void page_table_write(const struct profile *profile, bool shows_homes, struct sink *sink);

/* Writes the changes of a comparison, like the table of kiln diff. */
void page_table_write_diff(const struct diff *diff, struct sink *sink);

#endif
