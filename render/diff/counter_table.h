/* SPDX-License-Identifier: MIT */
/* Writes a comparison of perf stat tables as a table, Markdown or JSON. */
#ifndef RENDER_DIFF_COUNTER_TABLE_H
#define RENDER_DIFF_COUNTER_TABLE_H

#include "base/sink.h"
#include "diff/counter_diff.h"

void counter_table_write(const struct counter_diff *diff, struct sink *sink);
void counter_markdown_write(const struct counter_diff *diff, struct sink *sink);
void counter_json_write(const struct counter_diff *diff, struct sink *sink);

#endif
