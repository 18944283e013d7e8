/* SPDX-License-Identifier: MIT */
/*
 * The heaviest functions as an HTML table, for readers without scripts, and for print:
 *
 *     self     share    total    share    function    module          source
 *     1.23 s   12.30%   4.56 s   45.60%   parse       /usr/bin/app    parse.c:7
 */
#ifndef RENDER_PAGE_PAGE_TABLE_H
#define RENDER_PAGE_PAGE_TABLE_H

#include "base/sink.h"
#include "diff/diff.h"

/* shows_homes: write home directories in paths as they are. */
void page_table_write(const struct profile *profile, bool shows_homes, struct sink *sink);

/* The changes of a comparison, as the table of kiln diff. */
void page_table_write_diff(const struct diff *diff, struct sink *sink);

#endif
