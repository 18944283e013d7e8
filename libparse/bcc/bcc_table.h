/* SPDX-License-Identifier: MIT */
/*
 * Tables of BCC's tools that count by key: funccount, syscount, argdist -C, hardirqs, softirqs, kvmexit, ucalls,
 * uobjnew and their like. A row is a key, and has no stack; bcc_columns.h knows the columns.
 *
 *     PID    COMM     COUNT
 *     4711   app          3            app;4711  3, of the event COUNT
 *
 * Tables printed at intervals cover their interval and are added up. Only argdist -c prints totals: when no row
 * shrinks, the last table is used.
 */
#ifndef LIBPARSE_BCC_BCC_TABLE_H
#define LIBPARSE_BCC_BCC_TABLE_H

#include "libparse/formats.h"

extern const struct input_format bcc_table_format;

#endif
