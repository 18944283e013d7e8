/* SPDX-License-Identifier: MIT */
/* The formats of a table, and their common code. */
#ifndef RENDER_TABLE_TABLE_FORMAT_H
#define RENDER_TABLE_TABLE_FORMAT_H

#include "render/table/table.h"

/* Whether the cells of a column are aligned to the left. */
bool table_is_left(enum table_kind kind);

void table_write_text(const struct table *table, struct sink *sink);
void table_write_markdown(const struct table *table, struct sink *sink);
void table_write_html(const struct table *table, struct sink *sink);
void table_write_csv(const struct table *table, struct sink *sink);
void table_write_json(const struct table *table, struct sink *sink);

#endif
