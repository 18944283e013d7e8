/* SPDX-License-Identifier: MIT */
/*
 * Inputs that are known and not read: files of other tools, and tables without stacks. The error says what the input is
 * and what to run instead. One table has them all, libparse/foreign.c.
 */
#ifndef LIBPARSE_FOREIGN_H
#define LIBPARSE_FOREIGN_H

#include "base/error.h"
#include "base/span.h"

/* Whether an input that begins so is one of them, by its first bytes; then the error is set. */
bool foreign_refuse_magic(struct span head, struct error *err);

/* The same by the first lines that only such a text has, or by the heading of a table. */
bool foreign_refuse_text(struct span head, struct error *err);

/* The same of any table with a heading of capitals. */
bool foreign_refuse_table(struct span head, struct error *err);

#endif
