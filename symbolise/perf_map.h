/* SPDX-License-Identifier: MIT */
/*
 * The text file by which a run-time compiler says what it put where, /tmp/perf-PID.map:
 *
 *     7f3a5c01a000 1c0 LazyCompile:*parse /srv/app.js:12:3      start and size in hexadecimal
 *
 * Lines are added while the process runs, and code that is thrown away makes room for other, so
 * where lines overlap the last one is right. (As java, node, .NET and linux/tools/perf have it.)
 */
#ifndef SYMBOLISE_PERF_MAP_H
#define SYMBOLISE_PERF_MAP_H

#include "symbolise/symbol_table.h"

/* Fills and finishes an empty table from text, which must outlive it. Returns the number of
 * lines that made no sense; an unfinished last line is none of them. */
uint32_t perf_map_read(struct text text, struct symbol_table *table);

#endif
