/* SPDX-License-Identifier: MIT */
/*
 * Evaluates the expressions of print_tree.h for a sample's raw data. Functions return false, or
 * write nothing, if the data is too short or of the wrong type.
 */
#ifndef LIBPARSE_TRACEPOINT_PRINT_VALUE_H
#define LIBPARSE_TRACEPOINT_PRINT_VALUE_H

#include "libparse/tracepoint/print_tree.h"

bool print_value_number(const struct print_node *node, struct span raw, uint64_t *ret);

/* The bytes of a node that is a field. */
bool print_value_bytes(const struct print_node *node, struct span raw, struct span *ret);

/* Writes the value like %s. */
void print_value_write(const struct print_node *node, struct span raw, struct sink *sink);

/* Writes the numbers of the set bits, as 0-3,7. */
void print_value_write_bits(struct span bytes, struct sink *sink);

/* Writes text from the print format, with escapes resolved. */
void print_value_write_text(struct text text, struct sink *sink);

#endif
