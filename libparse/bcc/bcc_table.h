/* SPDX-License-Identifier: MIT */
/*
 * Tables of BCC's tools that count by key: funccount, syscount, argdist -C, hardirqs, softirqs, kvmexit, ucalls,
 * uobjnew and their like. A row is a key, and has no stack; bcc_columns.h knows the columns.
 *
 *     PID    COMM     COUNT
 *     4711   app          3            app;4711  3, of the event COUNT
 *
 * At an interval a table holds what came since the last, and tables add up. Only argdist can print totals again and
 * again (-c): where no row of its shrinks, the last table counts.
 */
#ifndef LIBPARSE_BCC_BCC_TABLE_H
#define LIBPARSE_BCC_BCC_TABLE_H

#include "libparse/formats.h"

extern const struct input_format bcc_table_format;

#endif
