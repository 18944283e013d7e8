/* SPDX-License-Identifier: MIT */
/*
 * Checks --fail-if limits on a table. A limit names a column of counts, shares, weights, durations
 * or ratios by its heading, or by its name in CSV.
 *
 *     # self   total  symbol
 *     12.34%  45.67%  parse       self(parse)>5% is exceeded
 *      1.23%   2.34%  scan        total(scan)>5% is not
 */
#ifndef CLI_TABLE_GATES_H
#define CLI_TABLE_GATES_H

#include "cli/gate.h"
#include "render/table/table.h"

/* Checks the syntax of all limits. */
bool table_gates_parse(const struct settings *settings, struct error *err) WARN_UNUSED;

/*
 * Checks one limit, and prints which rows exceed it. The table has all rows, with their names.
 * Returns EXIT_WRONG_USAGE, with a message, if the table lacks the column or the row: otherwise, a
 * mistyped limit would never be exceeded.
 */
enum exit_code table_gate_check(const struct settings *settings, const struct table *table,
				const struct gate *gate);

/* Checks all limits. Returns the worst result. */
enum exit_code table_gates_check(const struct settings *settings, const struct table *table);

#endif
