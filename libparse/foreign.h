/* SPDX-License-Identifier: MIT */
/*
 * Inputs that are recognised but not supported: files of other tools, and tables without stacks.
 * The error names the tool and what to run instead. They are one table, in libparse/foreign.c.
 */
#ifndef LIBPARSE_FOREIGN_H
#define LIBPARSE_FOREIGN_H

#include "base/error.h"
#include "base/span.h"

/* Each returns true, with err, if the input is one of them. By magic bytes: */
bool foreign_refuse_magic(struct span head, struct error *err);

/* By first lines or table headings: */
bool foreign_refuse_text(struct span head, struct error *err);

/* Any table with a capitalised heading: */
bool foreign_refuse_table(struct span head, struct error *err);

#endif
