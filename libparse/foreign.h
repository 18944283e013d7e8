/* SPDX-License-Identifier: MIT */
/*
 * Inputs that are recognised but not supported: files of other tools, and tables without stacks.
 * The error names the tool and what to run instead. The table is in libparse/foreign.c.
 */
#ifndef LIBPARSE_FOREIGN_H
#define LIBPARSE_FOREIGN_H

#include "base/error.h"
#include "base/span.h"

/* Checks magic bytes. All functions here return true, with err, if they recognise the input. */
bool foreign_refuse_magic(struct span head, struct error *err);

/* Checks the first lines and known table headings. */
bool foreign_refuse_text(struct span head, struct error *err);

/* Recognises any table with a capitalised heading. */
bool foreign_refuse_table(struct span head, struct error *err);

#endif
