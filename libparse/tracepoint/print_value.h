/* SPDX-License-Identifier: MIT */
/*
 * Values of the expressions of print_tree in one sample, whose raw data is given. What is not in the
 * data, or is of no use there, is false, or nothing is written.
 */
#ifndef LIBPARSE_TRACEPOINT_PRINT_VALUE_H
#define LIBPARSE_TRACEPOINT_PRINT_VALUE_H

#include "libparse/tracepoint/print_tree.h"

bool print_value_number(const struct print_node *node, struct span raw, uint64_t *ret);

/* The bytes of a field. */
bool print_value_bytes(const struct print_node *node, struct span raw, struct span *ret);

/* What %s makes of it. */
void print_value_write(const struct print_node *node, struct span raw, struct sink *sink);

/* The numbers of the bits that are set: 0-3,7 */
void print_value_write_bits(struct span bytes, struct sink *sink);

/* Text of the format, with what is escaped in it. */
void print_value_write_text(struct text text, struct sink *sink);

#endif
